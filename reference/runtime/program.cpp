#include "program.h"

namespace plumbline {

value program::input(const element_type& element, shape_type shape) {
  types_.push_back({&element, std::move(shape)});
  inputs_.push_back({types_.size() - 1});
  return inputs_.back();
}

outcome<value_list> program::apply(std::shared_ptr<const operation> op, value_list inputs) {
  std::vector<value_type> types;
  for (const value v : inputs) {
    if (!holds(v)) {
      return fail(runtime_error_kind::invalid_argument,
                  "the program has no value " + std::to_string(v.number));
    }
    types.push_back(type(v));
  }
  const auto inferred = op->infer(types);
  if (!inferred) return std::unexpected(inferred.error());
  value_list outputs;
  for (const value_type& t : *inferred) {
    types_.push_back(t);
    outputs.push_back({types_.size() - 1});
  }
  steps_.push_back({std::move(op), std::move(inputs), outputs});
  return outputs;
}

outcome<value> program::apply_one(std::shared_ptr<const operation> op, value_list inputs) {
  const std::string name(op->name());
  const auto outputs = apply(std::move(op), std::move(inputs));
  if (!outputs) return std::unexpected(outputs.error());
  if (outputs->size() != 1) {
    return fail(runtime_error_kind::invalid_argument,
                name + " has " + std::to_string(outputs->size()) + " outputs, not one");
  }
  return outputs->front();
}

std::string step_text(const program& p, const program_step& step) {
  std::string text = std::string(step.op->name()) + "(";
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    const value_type& t = p.type(step.inputs[i]);
    text += (i == 0 ? "" : ", ") + std::string(t.element->name) + shape_text(t.shape);
  }
  return text + ")";
}

}  // namespace plumbline
