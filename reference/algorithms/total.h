// The total sum of a tensor, in the dot order over its row-major elements, and its derivatives: the
// tangent is the total of the tangents, the cotangent is broadcast.
#pragma once

#include "tensor.h"

namespace plumbline {

template <class T>
tensor<T> total(const tensor<T>& x) {
  return {{}, {sum(std::span<const T>(x.values))}};
}

template <class T>
std::optional<tensor<T>> total_jvp(const std::optional<tensor<T>>& tangent) {
  if (!tangent) return std::nullopt;
  return total(*tangent);
}

template <class T>
result<std::optional<tensor<T>>> total_vjp(const shape_type& shape,
                                           const std::optional<tensor<T>>& cotangent) {
  if (!cotangent) return std::nullopt;
  if (cotangent->rank() != 0 || !cotangent->is_consistent()) {
    return refuse(numeric_error_kind::rank_mismatch, "the cotangent of a total has rank 0");
  }
  tensor<T> gradient(shape);
  for (T& g : gradient.values) g = cotangent->values[0];
  return gradient;
}

}  // namespace plumbline
