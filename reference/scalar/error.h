// The typed refusals of the numeric operations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plumbline {

enum class numeric_error_kind : std::uint8_t {
  invalid_argument,   // a value or a pattern outside the operation's domain
  rank_mismatch,      // a tensor of another rank than the operation takes
  shape_mismatch,     // extents or counts that do not fit together
  unsupported_type,   // an element type the operation does not take
  unsupported_order,  // derivatives of an order other than one
  non_field_scalar,   // derivatives of a scalar that is no field
  rule_unavailable,   // an operation without a derivative rule
};

constexpr std::string_view to_string(numeric_error_kind kind) {
  switch (kind) {
    case numeric_error_kind::invalid_argument:
      return "invalid_argument";
    case numeric_error_kind::rank_mismatch:
      return "rank_mismatch";
    case numeric_error_kind::shape_mismatch:
      return "shape_mismatch";
    case numeric_error_kind::unsupported_type:
      return "unsupported_type";
    case numeric_error_kind::unsupported_order:
      return "unsupported_order";
    case numeric_error_kind::non_field_scalar:
      return "non_field_scalar";
    case numeric_error_kind::rule_unavailable:
      return "rule_unavailable";
  }
  return "";
}

struct numeric_error {
  numeric_error_kind kind = numeric_error_kind::invalid_argument;
  std::string text;
};

}  // namespace plumbline
