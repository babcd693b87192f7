// QR as an operation, with its rules and their helpers. The helpers have no rule: they are
// terminal.
#pragma once

#include "infer.h"
#include "program.h"
#include "qr_adjoint.h"
#include "typed.h"

namespace plumbline {

// Inputs: Q, R, then the cotangents that are there. One output, the cotangent of A.
template <scalar T>
class qr_vjp_operation : public operation {
 public:
  static constexpr std::string_view family = "qr_vjp";
  qr_vjp_operation(bool has_q, bool has_r) : has_q_(has_q), has_r_(has_r) {}
  std::string_view name() const override { return family; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override {
    const std::size_t count = 2 + std::size_t{has_q_} + std::size_t{has_r_};
    if (auto fine = check_count(name(), inputs, count); !fine) {
      return std::unexpected(fine.error());
    }
    if (count == 2) {
      return fail(runtime_error_kind::invalid_argument, "qr_vjp without any cotangent");
    }
    if (auto fine = check_element(name(), inputs, type_of<T>()); !fine) {
      return std::unexpected(fine.error());
    }
    for (const value_type& t : inputs) {
      if (t.shape.size() == 2) continue;
      return fail(runtime_error_kind::rank_mismatch, "qr_vjp takes rank-2 tensors");
    }
    return one_output(type_of<T>(), inputs[0].shape);
  }
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution& on) const override {
    const qr_factors<T> f{*typed<T>(inputs[0]), *typed<T>(inputs[1])};
    qr_cotangents<T> cotangents;
    if (has_q_) cotangents.q = *typed<T>(inputs[2]);
    if (has_r_) cotangents.r = *typed<T>(inputs[has_q_ ? 3 : 2]);
    auto workspace = on.scratch().borrow<qr_adjoint_workspace<T>>(
        {std::string(family), std::string(type_of<T>().name), f.q.shape});
    auto gradient = passed_on(qr_adjoint(f, cotangents, *workspace));
    if (!gradient) return std::unexpected(gradient.error());
    return only(erase(std::move(*gradient)));
  }

 private:
  bool has_q_, has_r_;
};

// Inputs: Q, R and the tangent of A. Outputs: the tangents of Q and R.
template <scalar T>
class qr_jvp_operation : public operation {
 public:
  std::string_view name() const override { return "qr_jvp"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override {
    if (auto fine = check_count(name(), inputs, 3); !fine) return std::unexpected(fine.error());
    if (auto fine = check_element(name(), inputs, type_of<T>()); !fine) {
      return std::unexpected(fine.error());
    }
    return std::vector<value_type>{inputs[0], inputs[1]};
  }
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution&) const override {
    const qr_factors<T> f{*typed<T>(inputs[0]), *typed<T>(inputs[1])};
    auto tangents = passed_on(qr_jvp<T>(f, *typed<T>(inputs[2])));
    if (!tangents) return std::unexpected(tangents.error());
    return std::vector<erased_tensor>{*erase(std::move((*tangents)->q)),
                                      *erase(std::move((*tangents)->r))};
  }
};

// A = Q R (qr.h). What cannot be factored by its rank or its shape is refused before it is
// computed.
template <scalar T>
class qr_operation : public differentiable_operation {
 public:
  std::string_view name() const override { return "qr"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override {
    if (auto fine = check_count(name(), inputs, 1); !fine) return std::unexpected(fine.error());
    if (auto fine = check_element(name(), inputs, type_of<T>()); !fine) {
      return std::unexpected(fine.error());
    }
    const shape_type& a = inputs[0].shape;
    if (a.size() != 2) {
      return fail(runtime_error_kind::rank_mismatch,
                  "QR takes a rank-2 tensor, not " + shape_text(a));
    }
    if (a[0] < a[1]) {
      return fail(runtime_error_kind::invalid_argument,
                  "QR needs at least as many rows as columns, not " + shape_text(a));
    }
    return std::vector<value_type>{{&type_of<T>(), a}, {&type_of<T>(), {a[1], a[1]}}};
  }
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution&) const override {
    auto f = passed_on(qr(*typed<T>(inputs[0])));
    if (!f) return std::unexpected(f.error());
    return std::vector<erased_tensor>{*erase(std::move(f->q)), *erase(std::move(f->r))};
  }
  outcome<optional_values> jvp(program& p, const value_list&, const value_list& outputs,
                               const optional_values& tangents) const override {
    const auto factors = p.apply(std::make_shared<const qr_jvp_operation<T>>(),
                                 {outputs[0], outputs[1], *tangents[0]});
    if (!factors) return std::unexpected(factors.error());
    return optional_values{(*factors)[0], (*factors)[1]};
  }
  outcome<optional_values> vjp(program& p, const value_list&, const value_list& outputs,
                               const optional_values& cotangents) const override {
    value_list inputs = outputs;
    for (const auto& c : cotangents) {
      if (c) inputs.push_back(*c);
    }
    const auto gradient = p.emit<qr_vjp_operation<T>>(std::move(inputs), cotangents[0].has_value(),
                                                      cotangents[1].has_value());
    if (!gradient) return std::unexpected(gradient.error());
    return optional_values{*gradient};
  }
};

}  // namespace plumbline
