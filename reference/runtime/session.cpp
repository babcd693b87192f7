#include "session.h"

namespace plumbline {

using enum runtime_error_kind;

outcome<void> session::admit(const program& p) const {
  for (std::size_t k = 0; k < p.value_count(); ++k) {
    const element_type& element = *p.type({k}).element;
    if (!support_.declares(element)) {
      return fail(undeclared_scalar,
                  "the external scalar " + std::string(element.name) + " has no declared identity");
    }
  }
  for (const program_step& step : p.steps()) {
    if (!support_.provides(*step.op)) {
      return fail(operation_unavailable, "nobody provides " + step_text(p, step));
    }
  }
  return {};
}

outcome<std::vector<erased_tensor>> session::run(const program& p,
                                                 std::vector<erased_tensor> inputs,
                                                 const value_list& wanted) const {
  if (const auto admitted = admit(p); !admitted) return std::unexpected(admitted.error());
  if (inputs.size() != p.inputs().size()) {
    return fail(invalid_argument, "the program has " + std::to_string(p.inputs().size()) +
                                      " inputs, not " + std::to_string(inputs.size()));
  }
  const std::string& identity = owner_.options().identity;
  std::vector<std::optional<erased_tensor>> known(p.value_count());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const value_type& t = p.type(p.inputs()[i]);
    const std::string name = "input " + std::to_string(i);
    if (!(inputs[i].type() == *t.element)) {
      return fail(wrong_type, name + " is " + std::string(inputs[i].type().name) + ", not " +
                                  std::string(t.element->name));
    }
    if (inputs[i].shape() != t.shape) {
      return fail(shape_mismatch,
                  name + " is " + shape_text(inputs[i].shape()) + ", not " + shape_text(t.shape));
    }
    if (!inputs[i].owner().empty() && inputs[i].owner() != identity) {
      return fail(foreign_value, name + " is held by " + inputs[i].owner() + ", not by " +
                                     identity + ": hand it over");
    }
    known[p.inputs()[i].number] = std::move(inputs[i]);
  }
  for (const value v : wanted) {
    if (!p.holds(v)) return fail(invalid_argument, "no such value in the program");
  }

  outcome<void> done;
  owner_.run([&] { done = compute(p, known); });
  if (!done) return std::unexpected(done.error());
  std::vector<erased_tensor> results;
  for (const value v : wanted) results.push_back(known[v.number]->held_by(identity));
  return results;
}

outcome<void> session::compute(const program& p,
                               std::vector<std::optional<erased_tensor>>& known) const {
  for (const program_step& step : p.steps()) {
    std::vector<erased_tensor> arguments;
    for (const value v : step.inputs) arguments.push_back(*known[v.number]);
    const std::string name = step_text(p, step);
    auto made = step.op->forward(arguments, owner_);
    if (!made) return fail(made.error().kind, name + ": " + made.error().text);
    bool fits = made->size() == step.outputs.size();
    for (std::size_t i = 0; fits && i < made->size(); ++i) {
      const value_type& t = p.type(step.outputs[i]);
      fits = (*made)[i].type() == *t.element && (*made)[i].shape() == t.shape;
    }
    if (!fits) return fail(invalid_argument, name + " gives values of another type than it states");
    for (std::size_t i = 0; i < made->size(); ++i) {
      known[step.outputs[i].number] = std::move((*made)[i]);
    }
  }
  return {};
}

outcome<std::vector<erased_tensor>> session::apply(std::shared_ptr<const operation> op,
                                                   std::vector<erased_tensor> inputs) const {
  program p;
  value_list arguments;
  for (const erased_tensor& x : inputs) arguments.push_back(p.input(x.type(), x.shape()));
  const auto outputs = p.apply(std::move(op), arguments);
  if (!outputs) return std::unexpected(outputs.error());
  return run(p, std::move(inputs), *outputs);
}

outcome<reverse_program> session::reverse(const program& p, value output, const value_list& wanted,
                                          int order) const {
  if (const auto admitted = admit(p); !admitted) return std::unexpected(admitted.error());
  return plumbline::reverse(p, output, wanted, support_.rules(), order);
}

outcome<forward_program> session::forward_mode(const program& p, value output,
                                               const value_list& varied, int order) const {
  if (const auto admitted = admit(p); !admitted) return std::unexpected(admitted.error());
  return plumbline::forward_mode(p, output, varied, support_.rules(), order);
}

}  // namespace plumbline
