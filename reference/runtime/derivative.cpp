#include "derivative.h"

#include <algorithm>

namespace plumbline {

namespace {

using enum runtime_error_kind;

bool any(const value_list& of, const std::vector<bool>& marked) {
  return std::ranges::any_of(of, [&](value v) { return marked[v.number]; });
}

// The steps between the sources and the output: fed by one, and needed by the other.
std::vector<std::size_t> path(const program& p, const value_list& sources, value output) {
  std::vector<bool> varied(p.value_count()), needed(p.value_count());
  for (const value v : sources) varied[v.number] = true;
  for (const program_step& step : p.steps()) {
    if (!any(step.inputs, varied)) continue;
    for (const value v : step.outputs) varied[v.number] = true;
  }
  needed[output.number] = true;
  std::vector<std::size_t> on_path;
  for (std::size_t k = p.steps().size(); k-- > 0;) {
    const program_step& step = p.steps()[k];
    if (!any(step.outputs, needed)) continue;
    for (const value v : step.inputs) needed[v.number] = true;
    if (any(step.inputs, varied)) on_path.push_back(k);
  }
  std::ranges::reverse(on_path);
  return on_path;
}

// The steps on the path, admitted one by one.
outcome<std::vector<std::size_t>> admitted_path(const program& p, const value_list& sources,
                                                value output, const rule_set& rules, int order) {
  if (order != 1) {
    return fail(unsupported_order, "derivatives of order " + std::to_string(order) +
                                       " are not supported, only of order 1");
  }
  for (const value v : sources) {
    if (!p.holds(v)) return fail(invalid_argument, "no such value in the program");
  }
  if (!p.holds(output)) return fail(invalid_argument, "no such value in the program");
  const std::vector<std::size_t> on_path = path(p, sources, output);
  const auto field = [&](value v) { return p.type(v).element->domain == scalar_domain::field; };
  for (const std::size_t k : on_path) {
    const program_step& step = p.steps()[k];
    if (!std::ranges::all_of(step.inputs, field) || !std::ranges::all_of(step.outputs, field)) {
      return fail(non_field_scalar,
                  "derivatives need a scalar that is a field: " + step_text(p, step));
    }
  }
  for (const std::size_t k : on_path) {
    const auto rule = rules.find(*p.steps()[k].op);
    if (!rule) return std::unexpected(rule.error());
  }
  return on_path;
}

// The derivatives that a rule gives have the types of what they belong to.
outcome<void> check(const program& p, const program_step& step, const value_list& of,
                    const optional_values& derivatives) {
  bool fits = derivatives.size() == of.size();
  for (std::size_t i = 0; fits && i < of.size(); ++i) {
    if (!derivatives[i]) continue;
    const value_type &given = p.type(*derivatives[i]), &wanted = p.type(of[i]);
    fits = *given.element == *wanted.element && given.shape == wanted.shape;
  }
  if (fits) return {};
  return fail(invalid_argument, "the derivative rule of " + std::string(step.op->name()) +
                                    " gives values of another type");
}

}  // namespace

outcome<reverse_program> reverse(const program& p, value output, const value_list& wanted,
                                 const rule_set& rules, int order) {
  const auto on_path = admitted_path(p, wanted, output, rules, order);
  if (!on_path) return std::unexpected(on_path.error());
  reverse_program r{p, {}, {}};
  r.seed = r.steps.input(*p.type(output).element, p.type(output).shape);
  optional_values cotangent(p.value_count());
  cotangent[output.number] = r.seed;
  for (std::size_t at = on_path->size(); at-- > 0;) {
    const program_step& step = p.steps()[(*on_path)[at]];
    optional_values outer;
    for (const value v : step.outputs) outer.push_back(cotangent[v.number]);
    if (std::ranges::none_of(outer, [](const auto& c) { return c.has_value(); })) continue;
    const auto inner = (*rules.find(*step.op))->vjp(r.steps, step.inputs, step.outputs, outer);
    if (!inner) return std::unexpected(inner.error());
    if (const auto fits = check(r.steps, step, step.inputs, *inner); !fits) {
      return std::unexpected(fits.error());
    }
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      std::optional<value>& sum = cotangent[step.inputs[i].number];
      if (!(*inner)[i]) continue;
      if (!sum) {
        sum = (*inner)[i];
        continue;
      }
      const auto add = rules.addition(*p.type(step.inputs[i]).element);
      if (!add) return std::unexpected(add.error());
      const auto added = r.steps.apply_one(*add, {*sum, *(*inner)[i]});
      if (!added) return std::unexpected(added.error());
      sum = *added;
    }
  }
  for (const value v : wanted) r.gradients.push_back(cotangent[v.number]);
  return r;
}

outcome<forward_program> forward_mode(const program& p, value output, const value_list& varied,
                                      const rule_set& rules, int order) {
  const auto on_path = admitted_path(p, varied, output, rules, order);
  if (!on_path) return std::unexpected(on_path.error());
  forward_program f{p, {}, {}};
  optional_values tangent(p.value_count());
  for (const value v : varied) {
    f.seeds.push_back(f.steps.input(*p.type(v).element, p.type(v).shape));
    tangent[v.number] = f.seeds.back();
  }
  for (const std::size_t k : *on_path) {
    const program_step& step = p.steps()[k];
    optional_values inner;
    for (const value v : step.inputs) inner.push_back(tangent[v.number]);
    if (std::ranges::none_of(inner, [](const auto& t) { return t.has_value(); })) continue;
    const auto outer = (*rules.find(*step.op))->jvp(f.steps, step.inputs, step.outputs, inner);
    if (!outer) return std::unexpected(outer.error());
    if (const auto fits = check(f.steps, step, step.outputs, *outer); !fits) {
      return std::unexpected(fits.error());
    }
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
      tangent[step.outputs[i].number] = (*outer)[i];
    }
  }
  f.tangent = tangent[output.number];
  return f;
}

}  // namespace plumbline
