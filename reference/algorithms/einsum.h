// einsum: contraction of one or more operands, from the left; an intermediate keeps exactly the
// labels that a later operand or the output still needs.
//
// Order of accumulation, of each step by itself: the summed labels stand in order of first
// appearance (left operand, then right), the last of them fastest. A step with fewer than
// few_outputs outputs adds the products of an output in the dot order, any other in the sequential
// order (reductions.h). Both start at +0. A single operand is one step whose terms are its
// elements.
//
// bf16 takes two operands and no label twice in one operand; it accumulates in float, in swapped
// pairs, and rounds once. More would need a statement about roundings in between.
#pragma once

#include <utility>

#include "einsum_pattern.h"
#include "tensor.h"

namespace plumbline {

inline constexpr std::size_t few_outputs = 32;

namespace einsum_detail {

template <class T>
struct labelled {
  label_list labels;
  tensor<T> values;
};

// Runs through the index space of some labels, the last label fastest.
class odometer {
 public:
  odometer(const label_list& labels, const shape_type& shape) : labels_(labels), shape_(shape) {}

  // The index of label l at position `count`, counted in row-major order.
  std::size_t index(std::size_t count, label l) const {
    std::size_t i = labels_.size();
    while (i-- > 0) {
      if (labels_[i] == l) return count % shape_[i];
      count /= shape_[i];
    }
    return 0;
  }

 private:
  const label_list& labels_;
  const shape_type& shape_;
};

// One step: the labels of `output`, from one or two operands.
template <class T>
tensor<T> contract(const labelled<T>& lhs, const labelled<T>* rhs, const label_list& output,
                   const label_extents& extents) {
  using rule = accumulation<T>;
  using sum_type = typename rule::sum_type;
  label_list summed;
  for (const label l : first_seen(lhs.labels, rhs ? rhs->labels : label_list{})) {
    if (!names(output, l)) summed.push_back(l);
  }
  const shape_type outer_shape = extents.shape(output), inner_shape = extents.shape(summed);
  const odometer outer(output, outer_shape), inner(summed, inner_shape);
  const std::size_t terms = element_count(inner_shape).value();

  const auto element = [&](const labelled<T>& x, std::size_t out, std::size_t term) -> const T& {
    std::size_t offset = 0;
    for (std::size_t axis = 0; axis < x.labels.size(); ++axis) {
      const label l = x.labels[axis];
      const std::size_t i = names(output, l) ? outer.index(out, l) : inner.index(term, l);
      offset = offset * x.values.shape[axis] + i;
    }
    return x.values.values[offset];
  };

  tensor<T> z(outer_shape);
  const bool few = z.values.size() < few_outputs;
  for (std::size_t out = 0; out < z.values.size(); ++out) {
    const auto step = [&](sum_type sum, std::size_t term) {
      const T& x = element(lhs, out, term);
      return rhs ? rule::add_product(sum, x, element(*rhs, out, term)) : rule::add(sum, x);
    };
    z.values[out] =
        rule::rounded(few ? accumulate_dot_order<sum_type>(terms, rule::pair_swap, step)
                          : accumulate_sequential<sum_type>(terms, rule::pair_swap, step));
  }
  return z;
}

// The fold. Derivatives call it with patterns that a user may not write.
template <class T>
result<tensor<T>> fold(const einsum_pattern& pattern, const std::vector<tensor<T>>& operands) {
  using enum numeric_error_kind;
  std::vector<shape_type> shapes;
  for (const tensor<T>& x : operands) {
    if (!x.is_consistent()) {
      return refuse(invalid_argument, "values do not fill " + shape_text(x.shape));
    }
    shapes.push_back(x.shape);
  }
  const auto extents = label_extents::of(pattern, shapes);
  if (!extents) return std::unexpected(extents.error());

  // What each step yields: the labels still needed after it.
  const std::size_t count = operands.size();
  std::vector<label_list> kept(count);
  label_list so_far;
  for (std::size_t i = 0; i < count; ++i) {
    so_far = first_seen(so_far, pattern.operands[i]);
    label_list needed = pattern.output;
    for (std::size_t later = i + 1; later < count; ++later) {
      needed = first_seen(needed, pattern.operands[later]);
    }
    std::erase_if(so_far, [&](label l) { return !names(needed, l); });
    kept[i] = i + 1 == count ? pattern.output : so_far;
    if (!element_count(extents->shape(kept[i]))) {
      return refuse(invalid_argument, "the contraction has too many elements");
    }
  }

  labelled<T> left{pattern.operands[0], operands[0]};
  if (count == 1) return contract<T>(left, nullptr, kept[0], *extents);
  for (std::size_t i = 1; i < count; ++i) {
    const labelled<T> right{pattern.operands[i], operands[i]};
    left = {kept[i], contract<T>(left, &right, kept[i], *extents)};
  }
  return std::move(left.values);
}

}  // namespace einsum_detail

template <class T>
result<tensor<T>> einsum(const einsum_pattern& pattern, const std::vector<tensor<T>>& operands) {
  return einsum_detail::fold(pattern, operands);
}

template <>
inline result<tensor<bf16>> einsum(const einsum_pattern& pattern,
                                   const std::vector<tensor<bf16>>& operands) {
  using enum numeric_error_kind;
  if (pattern.operands.size() != 2) {
    return refuse(invalid_argument, "a bf16 contraction takes two operands, not " +
                                        std::to_string(pattern.operands.size()));
  }
  for (const label_list& labels : pattern.operands) {
    if (first_seen(labels).size() != labels.size()) {
      return refuse(invalid_argument,
                    "a bf16 contraction takes no trace and no diagonal: an operand "
                    "repeats a label");
    }
  }
  return einsum_detail::fold(pattern, operands);
}

}  // namespace plumbline
