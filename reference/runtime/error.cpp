#include "error.h"

namespace plumbline {

std::string_view to_string(runtime_error_kind kind) {
  using enum runtime_error_kind;
  switch (kind) {
    case invalid_argument:
      return "invalid_argument";
    case rank_mismatch:
      return "rank_mismatch";
    case shape_mismatch:
      return "shape_mismatch";
    case unsupported_type:
      return "unsupported_type";
    case unsupported_order:
      return "unsupported_order";
    case non_field_scalar:
      return "non_field_scalar";
    case rule_unavailable:
      return "rule_unavailable";
    case wrong_type:
      return "wrong_type";
    case not_dense:
      return "not_dense";
    case out_of_range:
      return "out_of_range";
    case shared_payload:
      return "shared_payload";
    case read_only_payload:
      return "read_only_payload";
    case invalid_permutation:
      return "invalid_permutation";
    case invalid_descriptor:
      return "invalid_descriptor";
    case no_agreement:
      return "no_agreement";
    case unsupported_layout:
      return "unsupported_layout";
    case misaligned_buffer:
      return "misaligned_buffer";
    case unsupported_byte_order:
      return "unsupported_byte_order";
    case undeclared_scalar:
      return "undeclared_scalar";
    case duplicate_scalar:
      return "duplicate_scalar";
    case external_scalar:
      return "external_scalar";
    case no_promotion:
      return "no_promotion";
    case operation_unavailable:
      return "operation_unavailable";
    case inactive_input:
      return "inactive_input";
    case duplicate_owner:
      return "duplicate_owner";
    case overlapping_cpus:
      return "overlapping_cpus";
    case cpu_unavailable:
      return "cpu_unavailable";
    case foreign_value:
      return "foreign_value";
  }
  return "";
}

runtime_error from_numeric(const numeric_error& error) {
  using enum runtime_error_kind;
  runtime_error_kind kind = invalid_argument;
  switch (error.kind) {
    case numeric_error_kind::invalid_argument:
      break;
    case numeric_error_kind::rank_mismatch:
      kind = rank_mismatch;
      break;
    case numeric_error_kind::shape_mismatch:
      kind = shape_mismatch;
      break;
    case numeric_error_kind::unsupported_type:
      kind = unsupported_type;
      break;
    case numeric_error_kind::unsupported_order:
      kind = unsupported_order;
      break;
    case numeric_error_kind::non_field_scalar:
      kind = non_field_scalar;
      break;
    case numeric_error_kind::rule_unavailable:
      kind = rule_unavailable;
      break;
  }
  return {kind, error.text};
}

}  // namespace plumbline
