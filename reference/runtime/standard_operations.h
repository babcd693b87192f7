// The ordinary operations, on the standard types alone. An external type is refused
// (external_scalar): its contribution brings operations of its own. One answer needs no arithmetic
// and holds for every scalar: a reduction over no axes returns its value unchanged.
//
// They name no type. Operands of different types are refused (wrong_type): nothing is promoted in
// passing. Truth values are refused where they would be added or compared (unsupported_type).
//   sums and products of floating types follow the orders of scalar/reductions.h and einsum.h;
//   integers wrap around; a sum of squares and einsum take floating types alone.
#pragma once

#include "../algorithms/einsum_pattern.h"
#include "program.h"
#include "support.h"

namespace plumbline {

// Elementwise, of two tensors of one type and shape. Rules: add and multiply.
class standard_add : public differentiable_operation {
 public:
  std::string_view name() const override { return "add"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override;
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution& on) const override;
  outcome<optional_values> jvp(program& p, const value_list& inputs, const value_list& outputs,
                               const optional_values& tangents) const override;
  outcome<optional_values> vjp(program& p, const value_list& inputs, const value_list& outputs,
                               const optional_values& cotangents) const override;
};
class standard_multiply : public differentiable_operation {
 public:
  std::string_view name() const override { return "multiply"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override;
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution& on) const override;
  outcome<optional_values> jvp(program& p, const value_list& inputs, const value_list& outputs,
                               const optional_values& tangents) const override;
  outcome<optional_values> vjp(program& p, const value_list& inputs, const value_list& outputs,
                               const optional_values& cotangents) const override;
};
class standard_negate : public operation {
 public:
  std::string_view name() const override { return "negate"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override;
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution& on) const override;
};

enum class reduction : std::uint8_t { sum, product, max, min, sum_of_squares };
std::string_view to_string(reduction r);

// Over the axes named; they disappear from the shape. The largest or smallest of no element is
// refused (invalid_argument). A rule: of the sum alone, a type of its own.
class standard_reduce : public operation {
 public:
  standard_reduce(reduction what, std::vector<std::size_t> axes)
      : what_(what), axes_(std::move(axes)) {}
  std::string_view name() const override { return to_string(what_); }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override;
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution& on) const override;

 private:
  reduction what_;
  std::vector<std::size_t> axes_;
};

// The sum of all elements.
class standard_total : public differentiable_operation {
 public:
  std::string_view name() const override { return "total"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override;
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution& on) const override;
  outcome<optional_values> jvp(program& p, const value_list& inputs, const value_list& outputs,
                               const optional_values& tangents) const override;
  outcome<optional_values> vjp(program& p, const value_list& inputs, const value_list& outputs,
                               const optional_values& cotangents) const override;
};
// Its helper: a rank-0 value seen at every index of a shape, without a copy. Terminal.
class standard_expand : public operation {
 public:
  explicit standard_expand(shape_type shape) : shape_(std::move(shape)) {}
  std::string_view name() const override { return "expand"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override;
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution& on) const override;

 private:
  shape_type shape_;
};

class standard_einsum : public operation {
 public:
  explicit standard_einsum(einsum_pattern pattern) : pattern_(std::move(pattern)) {}
  std::string_view name() const override { return "einsum"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override;
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution& on) const override;

 private:
  einsum_pattern pattern_;
};

// A tensor of ones; external_scalar, unsupported_type (truth values).
outcome<erased_tensor> standard_ones(const element_type& element, shape_type shape);

// All of them, with their rules.
void provide_standard_operations(support& s);

}  // namespace plumbline
