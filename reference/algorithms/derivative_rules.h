// Which operations have a derivative rule, and the refusals of the rest. First order only, of
// scalars that are fields; the helpers that the rules emit are terminal, so a second derivative
// through them is refused and never a silent zero.
#pragma once

#include <cstdint>
#include <string_view>

#include "../scalar/domain.h"
#include "tensor.h"

namespace plumbline {

enum class differentiable : std::uint8_t {
  total,
  narrow,
  widen,
  qr,
  einsum,  // have a rule
  expand,
  qr_jvp,
  qr_vjp,
  einsum_jvp,
  einsum_vjp,   // helpers of rules, terminal
  bf16_einsum,  // has none
};
std::string_view to_string(differentiable op);

// Admits a derivative, or refuses: unsupported_order (naming the order), non_field_scalar,
// rule_unavailable (naming the operation), in this order.
result<void> admit_derivative(differentiable op, int order, scalar_domain domain);

}  // namespace plumbline
