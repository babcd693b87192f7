// Operations that a contribution brings for its own scalar T: elementwise, the total, conversions.
// They are templates over T, so that every scalar has them for the asking; a type of its own each,
// so that an application binds them one by one.
#pragma once

#include "../algorithms/conversion_derivatives.h"
#include "../algorithms/total.h"
#include "infer.h"
#include "kernels.h"
#include "program.h"
#include "typed.h"

namespace plumbline {

// x op y, of two tensors of one shape. A rule has the addition alone, through the next type.
template <scalar T, class Op>
class elementwise : public operation {
 public:
  std::string_view name() const override { return Op::name; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override {
    return infer_two(inputs);
  }
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution& on) const override {
    return compute(inputs, on);
  }

  static outcome<std::vector<value_type>> infer_two(std::span<const value_type> inputs) {
    if (auto fine = check_count(Op::name, inputs, 2); !fine) return std::unexpected(fine.error());
    if (auto fine = check_element(Op::name, inputs, type_of<T>()); !fine) {
      return std::unexpected(fine.error());
    }
    if (auto fine = check_one_shape(Op::name, inputs); !fine) {
      return std::unexpected(fine.error());
    }
    return one_output(type_of<T>(), inputs[0].shape);
  }
  static outcome<std::vector<erased_tensor>> compute(std::span<const erased_tensor> inputs,
                                                     execution& on) {
    const auto x = inputs[0].gathered<T>(), y = inputs[1].gathered<T>();
    std::vector<T> z(x->size());
    on.parallel_for(z.size(), [&](std::size_t begin, std::size_t end) {
      const std::size_t n = end - begin;
      binary_kernel<T, Op>(std::span<const T>(*x).subspan(begin, n),
                           std::span<const T>(*y).subspan(begin, n),
                           std::span<T>(z).subspan(begin, n));
    });
    return only(erased_tensor::of(inputs[0].shape(), std::move(z)));
  }
};

template <scalar T>
class addition : public differentiable_operation {
 public:
  std::string_view name() const override { return "add"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override {
    return elementwise<T, add_op>::infer_two(inputs);
  }
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution& on) const override {
    return elementwise<T, add_op>::compute(inputs, on);
  }
  outcome<optional_values> jvp(program& p, const value_list&, const value_list&,
                               const optional_values& tangents) const override {
    if (!tangents[0]) return optional_values{tangents[1]};
    if (!tangents[1]) return optional_values{tangents[0]};
    const auto sum = p.emit<addition>({*tangents[0], *tangents[1]});
    if (!sum) return std::unexpected(sum.error());
    return optional_values{*sum};
  }
  outcome<optional_values> vjp(program&, const value_list&, const value_list&,
                               const optional_values& cotangents) const override {
    return optional_values{cotangents[0], cotangents[0]};
  }
};

// A rank-0 value at every index of a shape; the helper of the total, terminal.
template <scalar T>
class expansion : public operation {
 public:
  explicit expansion(shape_type shape) : shape_(std::move(shape)) {}
  std::string_view name() const override { return "expand"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override {
    if (auto fine = check_count(name(), inputs, 1); !fine) return std::unexpected(fine.error());
    if (auto fine = check_element(name(), inputs, type_of<T>()); !fine) {
      return std::unexpected(fine.error());
    }
    if (!inputs[0].shape.empty()) {
      return fail(runtime_error_kind::rank_mismatch, "expand takes a rank-0 tensor");
    }
    return one_output(type_of<T>(), shape_);
  }
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution&) const override {
    return only(inputs[0].viewed(shape_, stride_type(shape_.size(), 0), inputs[0].offset()));
  }

 private:
  shape_type shape_;
};

// The sum of all elements (total.h).
template <scalar T>
class total_operation : public differentiable_operation {
 public:
  std::string_view name() const override { return "total"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override {
    if (auto fine = check_count(name(), inputs, 1); !fine) return std::unexpected(fine.error());
    if (auto fine = check_element(name(), inputs, type_of<T>()); !fine) {
      return std::unexpected(fine.error());
    }
    return one_output(type_of<T>(), {});
  }
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution&) const override {
    return only(erase(total(*typed<T>(inputs[0]))));
  }
  outcome<optional_values> jvp(program& p, const value_list&, const value_list&,
                               const optional_values& tangents) const override {
    const auto tangent = p.emit<total_operation>({*tangents[0]});
    if (!tangent) return std::unexpected(tangent.error());
    return optional_values{*tangent};
  }
  outcome<optional_values> vjp(program& p, const value_list& inputs, const value_list&,
                               const optional_values& cotangents) const override {
    const auto gradient = p.emit<expansion<T>>({*cotangents[0]}, p.type(inputs[0]).shape);
    if (!gradient) return std::unexpected(gradient.error());
    return optional_values{*gradient};
  }
};

// A directed conversion: a pair of its own, no promotion and no step of a longer path. Its tangent
// takes the same way, its cotangent the opposite one; nothing of the primal is kept.
template <scalar From, scalar To>
class conversion : public differentiable_operation {
 public:
  std::string_view name() const override { return "convert"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override {
    if (auto fine = check_count(name(), inputs, 1); !fine) return std::unexpected(fine.error());
    if (auto fine = check_element(name(), inputs, type_of<From>()); !fine) {
      return std::unexpected(fine.error());
    }
    return one_output(type_of<To>(), inputs[0].shape);
  }
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution&) const override {
    return only(erase(converted<To>(*typed<From>(inputs[0]))));
  }
  outcome<optional_values> jvp(program& p, const value_list&, const value_list&,
                               const optional_values& tangents) const override {
    const auto tangent = p.emit<conversion<From, To>>({*tangents[0]});
    if (!tangent) return std::unexpected(tangent.error());
    return optional_values{*tangent};
  }
  outcome<optional_values> vjp(program& p, const value_list&, const value_list&,
                               const optional_values& cotangents) const override {
    const auto gradient = p.emit<conversion<To, From>>({*cotangents[0]});
    if (!gradient) return std::unexpected(gradient.error());
    return optional_values{*gradient};
  }
};

}  // namespace plumbline
