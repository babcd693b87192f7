// The typed refusals of the runtime. Those of a numeric operation keep their kind.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "../scalar/error.h"

namespace plumbline {

enum class runtime_error_kind : std::uint8_t {
  // of numeric operations (scalar/error.h), one for one
  invalid_argument,
  rank_mismatch,
  shape_mismatch,
  unsupported_type,
  unsupported_order,
  non_field_scalar,
  rule_unavailable,
  // storage and views
  wrong_type,           // typed access under another element type than the tensor's
  not_dense,            // dense access to a strided view
  out_of_range,         // an index outside the shape, a view outside the payload
  shared_payload,       // mutation while another tensor shares the payload
  read_only_payload,    // mutation of a buffer that was lent for reading
  invalid_permutation,  // not each axis once
  // interchange
  invalid_descriptor,      // the descriptor, or buffers that do not fit it
  no_agreement,            // a private type that no agreement covers
  unsupported_layout,      // a layout, section or place that a view cannot express
  misaligned_buffer,       // elements that only a copy could align
  unsupported_byte_order,  // a host whose own byte order is not the descriptor's
  // programs and sessions
  undeclared_scalar,      // an external scalar without a declared identity
  duplicate_scalar,       // an identity or a scalar declared twice
  external_scalar,        // an external type given to an operation of the standard ones
  no_promotion,           // a pair of types that only an explicit conversion may join
  operation_unavailable,  // an operation that nobody bound
  inactive_input,         // a loss that does not depend on the input
  // owners
  duplicate_owner,   // a second owner of one device, or of one identity
  overlapping_cpus,  // a CPU that another owner has
  cpu_unavailable,   // a CPU that this process may not use
  foreign_value,     // a value that another owner holds
};

std::string_view to_string(runtime_error_kind kind);

struct runtime_error {
  runtime_error_kind kind = runtime_error_kind::invalid_argument;
  std::string text;
};

template <class T>
using outcome = std::expected<T, runtime_error>;

inline std::unexpected<runtime_error> fail(runtime_error_kind kind, std::string text) {
  return std::unexpected(runtime_error{kind, std::move(text)});
}

// A numeric refusal, passed on.
runtime_error from_numeric(const numeric_error& error);

}  // namespace plumbline
