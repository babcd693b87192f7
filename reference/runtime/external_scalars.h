// The two external scalars, as the runtime sees them. The core does not include this file.
#pragma once

#include "../algorithms/tensor.h"
#include "erased_tensor.h"

namespace plumbline {

template <>
struct scalar_traits<df64> {
  static constexpr std::string_view name = "df64";
  static constexpr scalar_kind kind = scalar_kind::external;
  static constexpr scalar_domain domain = scalar_domain::field;
};
template <>
struct scalar_traits<bf16> {
  static constexpr std::string_view name = "bf16";
  static constexpr scalar_kind kind = scalar_kind::external;
  static constexpr scalar_domain domain = scalar_domain::field;
};

}  // namespace plumbline
