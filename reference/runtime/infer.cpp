#include "infer.h"

#include <limits>

namespace plumbline {

using enum runtime_error_kind;

outcome<void> check_count(std::string_view name, std::span<const value_type> inputs,
                          std::size_t count) {
  if (inputs.size() == count) return {};
  return fail(invalid_argument, std::string(name) + " takes " + std::to_string(count) +
                                    " inputs, not " + std::to_string(inputs.size()));
}

outcome<void> check_element(std::string_view name, std::span<const value_type> inputs,
                            const element_type& wanted) {
  for (const value_type& t : inputs) {
    if (*t.element == wanted) continue;
    return fail(unsupported_type, std::string(name) + " takes " + std::string(wanted.name) +
                                      ", not " + std::string(t.element->name));
  }
  return {};
}

outcome<void> check_standard(std::string_view name, std::span<const value_type> inputs) {
  for (const value_type& t : inputs) {
    if (!t.element->is_external()) continue;
    return fail(external_scalar, "the ordinary " + std::string(name) +
                                     " does not take the externally defined " +
                                     std::string(t.element->name));
  }
  for (const value_type& t : inputs) {
    if (*t.element == *inputs[0].element) continue;
    return fail(wrong_type, std::string(name) + " of " + std::string(inputs[0].element->name) +
                                " and " + std::string(t.element->name) +
                                ": convert one explicitly");
  }
  return {};
}

outcome<void> check_one_shape(std::string_view name, std::span<const value_type> inputs) {
  for (const value_type& t : inputs) {
    if (t.shape == inputs[0].shape) continue;
    return fail(shape_mismatch, std::string(name) + " of " + shape_text(inputs[0].shape) + " and " +
                                    shape_text(t.shape));
  }
  return {};
}

outcome<std::vector<value_type>> one_output(const element_type& element, shape_type shape) {
  const auto count = element_count(shape);
  constexpr std::size_t largest = std::numeric_limits<std::ptrdiff_t>::max();
  if (!count || *count > largest / element.size) {
    return fail(invalid_argument, "no memory holds a tensor of " + shape_text(shape));
  }
  return std::vector<value_type>{{&element, std::move(shape)}};
}

}  // namespace plumbline
