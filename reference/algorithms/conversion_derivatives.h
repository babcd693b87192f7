// Conversions of tensors, and their derivatives. A conversion is linear, so a tangent goes through
// the same conversion and a cotangent through the opposite one: narrowing narrows its tangent and
// widens its cotangent, widening widens its tangent and narrows its cotangent. Nothing of the
// primal is kept, and what narrowing discarded does not come back.
#pragma once

#include "../scalar/conversions.h"
#include "tensor.h"

namespace plumbline {

// From, To: double and df64, or float and bf16, either way.
template <class To, class From>
tensor<To> converted(const tensor<From>& x) {
  tensor<To> z(x.shape);
  for (std::size_t i = 0; i < z.values.size(); ++i) {
    if constexpr (sizeof(To) > sizeof(From)) {
      z.values[i] = widen(x.values[i]);
    } else {
      z.values[i] = narrow(x.values[i]);
    }
  }
  return z;
}

template <class To, class From>
std::optional<tensor<To>> conversion_jvp(const std::optional<tensor<From>>& tangent) {
  if (!tangent) return std::nullopt;
  return converted<To>(*tangent);
}

template <class To, class From>
std::optional<tensor<From>> conversion_vjp(const std::optional<tensor<To>>& cotangent) {
  if (!cotangent) return std::nullopt;
  return converted<From>(*cotangent);
}

}  // namespace plumbline
