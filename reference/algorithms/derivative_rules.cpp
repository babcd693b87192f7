#include "derivative_rules.h"

#include <string>

namespace plumbline {

std::string_view to_string(differentiable op) {
  using enum differentiable;
  switch (op) {
    case total:
      return "total";
    case narrow:
      return "narrow";
    case widen:
      return "widen";
    case qr:
      return "qr";
    case einsum:
      return "einsum";
    case expand:
      return "expand";
    case qr_jvp:
      return "qr_jvp";
    case qr_vjp:
      return "qr_vjp";
    case einsum_jvp:
      return "einsum_jvp";
    case einsum_vjp:
      return "einsum_vjp";
    case bf16_einsum:
      return "bf16_einsum";
  }
  return "";
}

result<void> admit_derivative(differentiable op, int order, scalar_domain domain) {
  using enum numeric_error_kind;
  if (order != 1) {
    return refuse(unsupported_order, "derivatives of order " + std::to_string(order) +
                                         " are not supported, only of order 1");
  }
  if (domain != scalar_domain::field) {
    return refuse(non_field_scalar, "derivatives need a scalar that is a field");
  }
  const std::string name(to_string(op));
  using enum differentiable;
  switch (op) {
    case total:
    case narrow:
    case widen:
    case qr:
    case einsum:
      return {};
    case expand:
    case qr_jvp:
    case qr_vjp:
    case einsum_jvp:
    case einsum_vjp:
      return refuse(rule_unavailable,
                    name + " is a helper of a derivative rule and has none itself");
    case bf16_einsum:
      break;
  }
  return refuse(rule_unavailable, name + " has no derivative rule");
}

}  // namespace plumbline
