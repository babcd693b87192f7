// Between the typed tensors of the algorithms and erased ones.
#pragma once

#include "../algorithms/tensor.h"
#include "erased_tensor.h"

namespace plumbline {

// The values, copied once into memory that is aligned for every use.
template <scalar T>
outcome<erased_tensor> erase(const tensor<T>& x) {
  return erased_tensor::of(x.shape, x.values);
}

// A typed copy of the view, gathered in row-major order.
template <scalar T>
outcome<tensor<T>> typed(const erased_tensor& x) {
  auto values = x.gathered<T>();
  if (!values) return std::unexpected(values.error());
  return tensor<T>(x.shape(), std::move(*values));
}

// The value of a numeric result, or its refusal as one of the runtime.
template <class T>
outcome<T> passed_on(result<T> r) {
  if (!r) return std::unexpected(from_numeric(r.error()));
  return std::move(*r);
}

}  // namespace plumbline
