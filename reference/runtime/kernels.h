// The kernels that every scalar shares. An instantiation is parameterised by the scalar and the
// operation, both named types, and by nothing else: which set of types an application works with,
// or which tag selects one, is settled before a kernel is called.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

namespace plumbline {

// Integers wrap around.
struct add_op {
  static constexpr std::string_view name = "add";
  template <class T>
  static T apply(T x, T y) {
    if constexpr (std::is_integral_v<T>) {
      using bits = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<bits>(x) + static_cast<bits>(y));
    } else {
      return x + y;
    }
  }
};
struct subtract_op {
  static constexpr std::string_view name = "subtract";
  template <class T>
  static T apply(T x, T y) {
    if constexpr (std::is_integral_v<T>) {
      using bits = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<bits>(x) - static_cast<bits>(y));
    } else {
      return x - y;
    }
  }
};
struct multiply_op {
  static constexpr std::string_view name = "multiply";
  template <class T>
  static T apply(T x, T y) {
    if constexpr (std::is_integral_v<T>) {
      using bits = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<bits>(x) * static_cast<bits>(y));
    } else {
      return x * y;
    }
  }
};
// Of two values, the larger or the smaller; a NaN among them is the result.
struct max_op {
  static constexpr std::string_view name = "max";
  template <class T>
  static T apply(T x, T y) {
    return x != x || x > y ? x : y;
  }
};
struct min_op {
  static constexpr std::string_view name = "min";
  template <class T>
  static T apply(T x, T y) {
    return x != x || x < y ? x : y;
  }
};

// z[i] = x[i] op y[i]. Precondition: all of one length.
template <class T, class Op>
[[gnu::noinline]] void binary_kernel(std::span<const T> x, std::span<const T> y, std::span<T> z) {
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = Op::apply(x[i], y[i]);
}

// first op x[0] op x[1] .., from the left.
template <class T, class Op>
[[gnu::noinline]] T fold_kernel(T first, std::span<const T> x) {
  for (const T& value : x) first = Op::apply(first, value);
  return first;
}

}  // namespace plumbline
