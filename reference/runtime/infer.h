// What the operations check before they state their outputs.
#pragma once

#include "operation.h"

namespace plumbline {

// invalid_argument where the number of inputs is another.
outcome<void> check_count(std::string_view name, std::span<const value_type> inputs,
                          std::size_t count);
// Every input has this element type (unsupported_type).
outcome<void> check_element(std::string_view name, std::span<const value_type> inputs,
                            const element_type& wanted);
// Every input is standard (external_scalar), and all are of one type (wrong_type).
outcome<void> check_standard(std::string_view name, std::span<const value_type> inputs);
// All have the shape of the first (shape_mismatch).
outcome<void> check_one_shape(std::string_view name, std::span<const value_type> inputs);

// A shape of an output has a size that can be stored (invalid_argument).
outcome<std::vector<value_type>> one_output(const element_type& element, shape_type shape);

// The outputs of an operation with one.
inline outcome<std::vector<erased_tensor>> only(outcome<erased_tensor> x) {
  if (!x) return std::unexpected(x.error());
  return std::vector<erased_tensor>{std::move(*x)};
}

}  // namespace plumbline
