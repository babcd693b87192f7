// First-order derivatives of einsum, for any number of operands and every pattern.
//
// JVP  the sum, over the operands that have a tangent and in their order, of the contraction with
// that
//      operand's tangent in its place.
// VJP  for operand i: the contraction with the cotangent, under the output's labels, in its place,
// onto
//      those labels of operand i that something else names; then broadcast over the labels that
//      only operand i names, and placed on the diagonal where it names a label twice (zero off it).
//
// An absent tangent or cotangent is never turned into zeros: without any there is no derivative.
#pragma once

#include <algorithm>
#include <type_traits>

#include "einsum.h"

namespace plumbline {

template <class T>
using optional_tensors = std::vector<std::optional<tensor<T>>>;

// `tangents`: one entry an operand.
template <class T>
result<std::optional<tensor<T>>> einsum_jvp(const einsum_pattern& pattern,
                                            const std::vector<tensor<T>>& operands,
                                            const optional_tensors<T>& tangents) {
  static_assert(!std::is_same_v<T, bf16>, "a bf16 contraction has no derivative rule");
  using enum numeric_error_kind;
  if (tangents.size() != operands.size()) {
    return refuse(invalid_argument, "one tangent, present or absent, is needed for each operand");
  }
  std::optional<tensor<T>> total;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!tangents[i]) continue;
    if (tangents[i]->shape != operands[i].shape) {
      return refuse(shape_mismatch, "the tangent of operand " + std::to_string(i) + " is " +
                                        shape_text(tangents[i]->shape) + ", not " +
                                        shape_text(operands[i].shape));
    }
    std::vector<tensor<T>> replaced = operands;
    replaced[i] = *tangents[i];
    result<tensor<T>> part = einsum(pattern, replaced);
    if (!part) return std::unexpected(part.error());
    if (!total) {
      total = std::move(*part);
    } else {
      for (std::size_t k = 0; k < total->values.size(); ++k) {
        total->values[k] = total->values[k] + part->values[k];
      }
    }
  }
  return total;
}

// The cotangent of operand i.
template <class T>
result<std::optional<tensor<T>>> einsum_vjp(const einsum_pattern& pattern,
                                            const std::vector<tensor<T>>& operands, std::size_t i,
                                            const std::optional<tensor<T>>& cotangent) {
  static_assert(!std::is_same_v<T, bf16>, "a bf16 contraction has no derivative rule");
  using enum numeric_error_kind;
  if (i >= pattern.operands.size()) return refuse(invalid_argument, "no such operand");
  std::vector<shape_type> shapes;
  for (const tensor<T>& x : operands) shapes.push_back(x.shape);
  const auto extents = label_extents::of(pattern, shapes);
  if (!extents) return std::unexpected(extents.error());
  if (!cotangent) return std::nullopt;
  if (cotangent->shape != extents->shape(pattern.output)) {
    return refuse(shape_mismatch, "the cotangent is " + shape_text(cotangent->shape) + ", not " +
                                      shape_text(extents->shape(pattern.output)));
  }

  // The contraction onto the labels that the cotangent or another operand names.
  const label_list& own = pattern.operands[i];
  einsum_pattern substituted = pattern;
  substituted.operands[i] = pattern.output;
  substituted.output.clear();
  for (const label l : first_seen(own)) {
    const bool elsewhere =
        std::ranges::any_of(substituted.operands, [&](const label_list& o) { return names(o, l); });
    if (elsewhere) substituted.output.push_back(l);
  }
  std::vector<tensor<T>> replaced = operands;
  replaced[i] = *cotangent;
  const result<tensor<T>> core = einsum_detail::fold(substituted, replaced);
  if (!core) return std::unexpected(core.error());

  // Every element of the gradient whose index agrees with itself takes its core element.
  tensor<T> gradient(operands[i].shape);
  for (std::size_t count = 0; count < gradient.values.size(); ++count) {
    std::vector<std::size_t> index(own.size());
    std::size_t rest = count;
    for (std::size_t axis = own.size(); axis-- > 0;) {
      index[axis] = rest % operands[i].shape[axis];
      rest /= operands[i].shape[axis];
    }
    bool on_diagonal = true;
    for (std::size_t axis = 0; axis < own.size(); ++axis) {
      const auto first = static_cast<std::size_t>(std::ranges::find(own, own[axis]) - own.begin());
      on_diagonal = on_diagonal && index[axis] == index[first];
    }
    if (!on_diagonal) continue;
    std::size_t offset = 0;
    for (const label l : substituted.output) {
      const auto axis = static_cast<std::size_t>(std::ranges::find(own, l) - own.begin());
      offset = offset * (*extents)[l] + index[axis];
    }
    gradient.values[count] = core->values[offset];
  }
  return gradient;
}

}  // namespace plumbline
