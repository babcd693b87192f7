// A contraction in a contributed scalar as an operation (einsum.h), with its rules and their
// helpers, which are terminal. Any number of operands, in both modes; of bf16, the forward alone.
#pragma once

#include "../algorithms/einsum_derivatives.h"
#include "infer.h"
#include "program.h"
#include "typed.h"

namespace plumbline {

namespace einsum_detail {

// The shape of the contraction of these inputs.
template <scalar T>
outcome<shape_type> infer_shape(std::string_view name, const einsum_pattern& pattern,
                                std::span<const value_type> inputs) {
  if (auto fine = check_element(name, inputs, type_of<T>()); !fine) {
    return std::unexpected(fine.error());
  }
  std::vector<shape_type> shapes;
  for (const value_type& t : inputs) shapes.push_back(t.shape);
  const auto extents = passed_on(label_extents::of(pattern, shapes));
  if (!extents) return std::unexpected(extents.error());
  return extents->shape(pattern.output);
}

template <scalar T>
std::vector<tensor<T>> operands_of(std::span<const erased_tensor> inputs) {
  std::vector<tensor<T>> operands;
  for (const erased_tensor& x : inputs) operands.push_back(*typed<T>(x));
  return operands;
}

}  // namespace einsum_detail

// Inputs: the operands, then the cotangent. Output: the cotangent of operand i.
template <scalar T>
class einsum_vjp_operation : public operation {
 public:
  einsum_vjp_operation(einsum_pattern pattern, std::size_t i)
      : pattern_(std::move(pattern)), i_(i) {}
  std::string_view name() const override { return "einsum_vjp"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override {
    const std::size_t count = pattern_.operands.size();
    if (auto fine = check_count(name(), inputs, count + 1); !fine) {
      return std::unexpected(fine.error());
    }
    if (i_ >= count) return fail(runtime_error_kind::invalid_argument, "no such operand");
    if (auto fine = check_element(name(), inputs, type_of<T>()); !fine) {
      return std::unexpected(fine.error());
    }
    return one_output(type_of<T>(), inputs[i_].shape);
  }
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution&) const override {
    const auto operands = einsum_detail::operands_of<T>(inputs.first(inputs.size() - 1));
    auto gradient = passed_on(einsum_vjp<T>(pattern_, operands, i_, *typed<T>(inputs.back())));
    if (!gradient) return std::unexpected(gradient.error());
    return only(erase(std::move(**gradient)));
  }

 private:
  einsum_pattern pattern_;
  std::size_t i_;
};

// Inputs: the operands, then the tangents that are there. Output: the tangent of the contraction.
template <scalar T>
class einsum_jvp_operation : public operation {
 public:
  einsum_jvp_operation(einsum_pattern pattern, std::vector<bool> present)
      : pattern_(std::move(pattern)), present_(std::move(present)) {}
  std::string_view name() const override { return "einsum_jvp"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override {
    const std::size_t count = pattern_.operands.size();
    const auto tangents =
        static_cast<std::size_t>(std::count(present_.begin(), present_.end(), true));
    if (present_.size() != count || tangents == 0) {
      return fail(runtime_error_kind::invalid_argument, "einsum_jvp without any tangent");
    }
    if (auto fine = check_count(name(), inputs, count + tangents); !fine) {
      return std::unexpected(fine.error());
    }
    if (auto fine = check_element(name(), inputs, type_of<T>()); !fine) {
      return std::unexpected(fine.error());
    }
    auto shape = einsum_detail::infer_shape<T>(name(), pattern_, inputs.first(count));
    if (!shape) return std::unexpected(shape.error());
    return one_output(type_of<T>(), std::move(*shape));
  }
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution&) const override {
    const std::size_t count = pattern_.operands.size();
    const auto operands = einsum_detail::operands_of<T>(inputs.first(count));
    optional_tensors<T> tangents(count);
    std::size_t next = count;
    for (std::size_t i = 0; i < count; ++i) {
      if (present_[i]) tangents[i] = *typed<T>(inputs[next++]);
    }
    auto tangent = passed_on(einsum_jvp<T>(pattern_, operands, tangents));
    if (!tangent) return std::unexpected(tangent.error());
    return only(erase(std::move(**tangent)));
  }

 private:
  einsum_pattern pattern_;
  std::vector<bool> present_;
};

// The forward alone.
template <scalar T>
class einsum_forward : public operation {
 public:
  explicit einsum_forward(einsum_pattern pattern) : pattern_(std::move(pattern)) {}
  std::string_view name() const override { return "einsum"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override {
    auto shape = einsum_detail::infer_shape<T>(name(), pattern_, inputs);
    if (!shape) return std::unexpected(shape.error());
    return one_output(type_of<T>(), std::move(*shape));
  }
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution&) const override {
    auto z = passed_on(einsum(pattern_, einsum_detail::operands_of<T>(inputs)));
    if (!z) return std::unexpected(z.error());
    return only(erase(std::move(*z)));
  }

 private:
  einsum_pattern pattern_;
};

template <scalar T>
class einsum_operation : public differentiable_operation {
 public:
  explicit einsum_operation(einsum_pattern pattern)
      : pattern_(std::move(pattern)), forward_(pattern_) {}
  std::string_view name() const override { return "einsum"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override {
    return forward_.infer(inputs);
  }
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution& on) const override {
    return forward_.forward(inputs, on);
  }
  outcome<optional_values> jvp(program& p, const value_list& inputs, const value_list&,
                               const optional_values& tangents) const override {
    value_list arguments = inputs;
    std::vector<bool> present;
    for (const auto& t : tangents) {
      present.push_back(t.has_value());
      if (t) arguments.push_back(*t);
    }
    const auto tangent =
        p.emit<einsum_jvp_operation<T>>(std::move(arguments), pattern_, std::move(present));
    if (!tangent) return std::unexpected(tangent.error());
    return optional_values{*tangent};
  }
  outcome<optional_values> vjp(program& p, const value_list& inputs, const value_list&,
                               const optional_values& cotangents) const override {
    value_list arguments = inputs;
    arguments.push_back(*cotangents[0]);
    optional_values gradients;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto gradient = p.emit<einsum_vjp_operation<T>>(arguments, pattern_, i);
      if (!gradient) return std::unexpected(gradient.error());
      gradients.push_back(*gradient);
    }
    return gradients;
  }

 private:
  einsum_pattern pattern_;
  einsum_forward<T> forward_;
};

}  // namespace plumbline
