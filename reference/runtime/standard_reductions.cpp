// The ordinary reductions and the ordinary einsum.
#include <algorithm>
#include <numeric>

#include "../algorithms/einsum.h"
#include "infer.h"
#include "scalar_set.h"
#include "standard_operations.h"
#include "typed.h"

namespace plumbline {

using enum runtime_error_kind;

namespace {

// One reduced element, from its terms in row-major order. No terms: only where zero or one fits.
template <class T>
T reduce(reduction what, std::span<const T> terms) {
  switch (what) {
    case reduction::sum:
      if constexpr (std::is_integral_v<T>)
        return fold_kernel<T, add_op>(T{0}, terms);
      else
        return sum(terms);
    case reduction::sum_of_squares:
      if constexpr (!std::is_integral_v<T>) return dot(terms, terms);
      break;
    case reduction::product:
      return fold_kernel<T, multiply_op>(T{1}, terms);
    case reduction::max:
      return fold_kernel<T, max_op>(terms[0], terms.subspan(1));
    case reduction::min:
      return fold_kernel<T, min_op>(terms[0], terms.subspan(1));
  }
  return T{};
}

bool is_reduced(const std::vector<std::size_t>& axes, std::size_t axis) {
  return std::ranges::find(axes, axis) != axes.end();
}

// The view with the kept axes first: then the terms of an element lie side by side once gathered.
outcome<erased_tensor> kept_first(const erased_tensor& x, const std::vector<std::size_t>& axes) {
  std::vector<std::size_t> order;
  for (const bool reduced : {false, true}) {
    for (std::size_t axis = 0; axis < x.shape().size(); ++axis) {
      if (is_reduced(axes, axis) == reduced) order.push_back(axis);
    }
  }
  return x.permuted(order);
}

outcome<erased_tensor> reduced(reduction what, const erased_tensor& x,
                               const std::vector<std::size_t>& axes) {
  shape_type shape;
  for (std::size_t axis = 0; axis < x.shape().size(); ++axis) {
    if (!is_reduced(axes, axis)) shape.push_back(x.shape()[axis]);
  }
  const auto ordered = kept_first(x, axes);
  if (!ordered) return ordered;
  return standard_set::dispatch(x.type(), [&]<class T>() -> outcome<erased_tensor> {
    if constexpr (std::is_same_v<T, truth>) {
      return fail(unsupported_type, std::string(to_string(what)) + " of truth values");
    } else {
      const auto terms = ordered->template gathered<T>();
      std::vector<T> z(element_count(shape).value());
      const std::size_t length = z.empty() ? 0 : terms->size() / z.size();
      for (std::size_t i = 0; i < z.size(); ++i) {
        z[i] = reduce<T>(what, std::span<const T>(*terms).subspan(i * length, length));
      }
      return erased_tensor::of(shape, std::move(z));
    }
  });
}

}  // namespace

std::string_view to_string(reduction r) {
  switch (r) {
    case reduction::sum:
      return "sum";
    case reduction::product:
      return "product";
    case reduction::max:
      return "max";
    case reduction::min:
      return "min";
    case reduction::sum_of_squares:
      return "sum_of_squares";
  }
  return "";
}

outcome<std::vector<value_type>> standard_reduce::infer(std::span<const value_type> inputs) const {
  if (const auto fine = check_count(name(), inputs, 1); !fine) {
    return std::unexpected(fine.error());
  }
  const value_type& x = inputs[0];
  std::vector<bool> seen(x.shape.size());
  for (const std::size_t axis : axes_) {
    if (axis >= x.shape.size() || seen[axis]) {
      return fail(invalid_argument, "the axes " + shape_text(axes_) + " are none of " +
                                        shape_text(x.shape) + ", each at most once");
    }
    seen[axis] = true;
  }
  if (axes_.empty()) return one_output(*x.element, x.shape);
  if (const auto fine = check_standard(name(), inputs); !fine) {
    return std::unexpected(fine.error());
  }
  const bool squares = what_ == reduction::sum_of_squares;
  if (x.element->kind == scalar_kind::truth_value ||
      (squares && x.element->kind == scalar_kind::integer)) {
    return fail(unsupported_type,
                std::string(name()) + " does not take " + std::string(x.element->name));
  }
  shape_type shape;
  std::size_t terms = 1;
  for (std::size_t axis = 0; axis < x.shape.size(); ++axis) {
    if (!seen[axis]) shape.push_back(x.shape[axis]);
    if (seen[axis]) terms = std::min(terms, x.shape[axis]);  // zero where one of them is
  }
  if (terms == 0 && (what_ == reduction::max || what_ == reduction::min)) {
    return fail(invalid_argument, "the " + std::string(name()) + " of no element");
  }
  return one_output(*x.element, shape);
}
outcome<std::vector<erased_tensor>> standard_reduce::forward(std::span<const erased_tensor> inputs,
                                                             execution&) const {
  if (axes_.empty()) return std::vector<erased_tensor>{inputs[0]};  // the identity of every scalar
  return only(reduced(what_, inputs[0], axes_));
}

outcome<std::vector<value_type>> standard_total::infer(std::span<const value_type> inputs) const {
  if (const auto fine = check_count(name(), inputs, 1); !fine) {
    return std::unexpected(fine.error());
  }
  if (const auto fine = check_standard(name(), inputs); !fine) {
    return std::unexpected(fine.error());
  }
  if (inputs[0].element->kind == scalar_kind::truth_value) {
    return fail(unsupported_type, "total of truth values");
  }
  return one_output(*inputs[0].element, {});
}
outcome<std::vector<erased_tensor>> standard_total::forward(std::span<const erased_tensor> inputs,
                                                            execution&) const {
  std::vector<std::size_t> axes(inputs[0].shape().size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  return only(reduced(reduction::sum, inputs[0], axes));
}
outcome<optional_values> standard_total::jvp(program& p, const value_list&, const value_list&,
                                             const optional_values& tangents) const {
  const auto tangent = p.emit<standard_total>({*tangents[0]});
  if (!tangent) return std::unexpected(tangent.error());
  return optional_values{*tangent};
}
outcome<optional_values> standard_total::vjp(program& p, const value_list& inputs,
                                             const value_list&,
                                             const optional_values& cotangents) const {
  const auto gradient = p.emit<standard_expand>({*cotangents[0]}, p.type(inputs[0]).shape);
  if (!gradient) return std::unexpected(gradient.error());
  return optional_values{*gradient};
}

outcome<std::vector<value_type>> standard_einsum::infer(std::span<const value_type> inputs) const {
  if (const auto fine = check_standard(name(), inputs); !fine) {
    return std::unexpected(fine.error());
  }
  std::vector<shape_type> shapes;
  for (const value_type& t : inputs) {
    if (t.element->kind != scalar_kind::floating) {
      return fail(unsupported_type, "einsum does not take " + std::string(t.element->name));
    }
    shapes.push_back(t.shape);
  }
  const auto extents = passed_on(label_extents::of(pattern_, shapes));
  if (!extents) return std::unexpected(extents.error());
  return one_output(*inputs[0].element, extents->shape(pattern_.output));
}
outcome<std::vector<erased_tensor>> standard_einsum::forward(std::span<const erased_tensor> inputs,
                                                             execution&) const {
  return only(standard_set::dispatch(inputs[0].type(), [&]<class T>() -> outcome<erased_tensor> {
    if constexpr (std::is_floating_point_v<T>) {
      std::vector<tensor<T>> operands;
      for (const erased_tensor& x : inputs) operands.push_back(*typed<T>(x));
      auto z = passed_on(einsum(pattern_, operands));
      if (!z) return std::unexpected(z.error());
      return erase(std::move(*z));
    } else {
      return fail(unsupported_type, "einsum takes floating types");
    }
  }));
}

}  // namespace plumbline
