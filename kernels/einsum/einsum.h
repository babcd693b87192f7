// einsum and its derivatives, with the very bits of reference/algorithms/einsum.h and
// einsum_derivatives.h on every target and for every number of threads.
//
// Operands are views: any strides, so a permuted, diagonal or repeated tensor needs no copy.
// Refuses what the reference refuses, with the same kinds, and (invalid_argument) a contraction
// whose scratch exceeds the workspace's limit.
#pragma once

#include <span>

#include "kernels/workspace.h"
#include "reference/algorithms/einsum_derivatives.h"

namespace plumbline::kernels {

template <class T>
struct tensor_view {
  const T* data = nullptr;
  shape_type shape;
  std::vector<std::ptrdiff_t> strides;  // in elements, one an axis

  tensor_view() = default;
  tensor_view(const T* d, shape_type s, std::vector<std::ptrdiff_t> st)
      : data(d), shape(std::move(s)), strides(std::move(st)) {}
  tensor_view(const tensor<T>& x) : data(x.values.data()), shape(x.shape), strides(x.rank()) {
    std::ptrdiff_t stride = 1;
    for (std::size_t axis = x.rank(); axis-- > 0;) {
      strides[axis] = stride;
      stride *= static_cast<std::ptrdiff_t>(x.shape[axis]);
    }
  }
};

// T: df64 or bf16.
template <class T>
result<tensor<T>> einsum(const einsum_pattern& pattern, const std::vector<tensor_view<T>>& operands,
                         workspace& work);
template <class T>
result<tensor<T>> einsum(const einsum_pattern& pattern, const std::vector<tensor<T>>& operands,
                         workspace& work);
// Into memory of the caller's, row-major, which no operand shares: nothing is allocated or zeroed for
// the result. Refuses (shape_mismatch) another size than the result's. After a refusal the memory may
// have been written to.
template <class T>
result<void> einsum_into(const einsum_pattern& pattern, const std::vector<tensor_view<T>>& operands,
                         std::span<T> out, workspace& work);

result<std::optional<tensor<df64>>> einsum_jvp(const einsum_pattern& pattern,
                                               const std::vector<tensor<df64>>& operands,
                                               const optional_tensors<df64>& tangents,
                                               workspace& work);
// The cotangent of operand i.
result<std::optional<tensor<df64>>> einsum_vjp(const einsum_pattern& pattern,
                                               const std::vector<tensor<df64>>& operands,
                                               std::size_t i,
                                               const std::optional<tensor<df64>>& cotangent,
                                               workspace& work);

}  // namespace plumbline::kernels
