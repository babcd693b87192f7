// The dense tensor that the algorithms take and give: a shape and its values, row-major (the last
// index is the fastest). A rank-0 tensor has one value.
#pragma once

#include <cassert>
#include <cstddef>
#include <optional>
#include <vector>

#include "../scalar/reductions.h"
#include "shape.h"

namespace plumbline {

template <class T>
struct tensor {
  shape_type shape;
  std::vector<T> values;

  tensor() = default;
  explicit tensor(shape_type s) : shape(std::move(s)), values(element_count(shape).value()) {}
  tensor(shape_type s, std::vector<T> v) : shape(std::move(s)), values(std::move(v)) {}

  std::size_t rank() const { return shape.size(); }
  bool is_consistent() const { return element_count(shape) == values.size(); }

  // Matrices only.
  std::size_t rows() const { return shape[0]; }
  std::size_t columns() const { return shape[1]; }
  T& operator()(std::size_t row, std::size_t column) { return values[row * shape[1] + column]; }
  const T& operator()(std::size_t row, std::size_t column) const {
    return values[row * shape[1] + column];
  }
};

// The sum of x(i) * y(i) for i < n in the dot order: every inner product of the matrix algorithms.
template <class T, class X, class Y>
T inner_product(std::size_t n, X x, Y y) {
  return accumulate_dot_order<T>(n, false, [&](T sum, std::size_t i) {
    return accumulation<T>::add_product(sum, x(i), y(i));
  });
}

}  // namespace plumbline
