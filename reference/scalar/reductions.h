// Sums and dot products in the project's two orders of accumulation. Kernels return the same bits,
// so the orders are part of the contract; the constants below name them.
//
//   dot order         partial_sums partial sums start at +0; term i goes to partial sum i mod 32,
//                     in ascending order. Then p[j] += p[j + 16] (j < 16), p[j] += p[j + 8]
//                     (j < 8), and so on down to p[0] += p[1].
//   sequential order  one sum starts at +0 and takes the terms one after the other.
//
// A pair swap is applied within a sum, or within each partial sum, where bf16 products are added:
// the terms come in pairs, the second of a pair first (1, 0, 3, 2, ...), a last single one alone.
//
//   df64, double  a term of a dot product is x * y, rounded, then added.
//   bf16          products and sums are taken in float, dot products with fmaf and the pair swap;
//                 the total is rounded to bf16 once. No overflow but that of float, and 300 ones
//                 are 300.
#pragma once

#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <span>

#include "bf16.h"
#include "df64.h"

namespace plumbline {

inline constexpr std::size_t partial_sums = 32;

// What a sum of T is accumulated in, how a product joins it, and in which order.
template <class T>
struct accumulation {
  using sum_type = T;
  static constexpr bool pair_swap = false;
  static T add(T sum, T x) { return sum + x; }
  static T add_product(T sum, T x, T y) { return sum + x * y; }
  static T rounded(T sum) { return sum; }
};
template <>
struct accumulation<bf16> {
  using sum_type = float;
  static constexpr bool pair_swap = true;
  static float add(float sum, bf16 x) { return sum + float(x); }
  static float add_product(float sum, bf16 x, bf16 y) { return std::fma(float(x), float(y), sum); }
  static bf16 rounded(float sum) { return bf16(sum); }
};

// The k-th of n terms to be added when the second of each pair comes first.
constexpr std::size_t pair_swapped(std::size_t k, std::size_t n) {
  const std::size_t partner = k ^ 1;
  return partner < n ? partner : k;
}

// step(sum, i) adds term i, of n, to a sum.
template <class Sum, class Step>
Sum accumulate_sequential(std::size_t n, bool swap_pairs, Step step) {
  Sum sum{};
  for (std::size_t k = 0; k < n; ++k) sum = step(sum, swap_pairs ? pair_swapped(k, n) : k);
  return sum;
}

template <class Sum, class Step>
Sum accumulate_dot_order(std::size_t n, bool swap_pairs, Step step) {
  std::array<Sum, partial_sums> p{};
  for (std::size_t j = 0; j < partial_sums; ++j) {
    const std::size_t terms = j < n ? (n - j - 1) / partial_sums + 1 : 0;
    p[j] = accumulate_sequential<Sum>(
        terms, swap_pairs, [&](Sum sum, std::size_t k) { return step(sum, j + k * partial_sums); });
  }
  for (std::size_t width = partial_sums / 2; width > 0; width /= 2) {
    for (std::size_t j = 0; j < width; ++j) p[j] = p[j] + p[j + width];
  }
  return p[0];
}

// The total of all terms, of an empty list zero.
template <class T>
T sum(std::span<const T> x) {
  using rule = accumulation<T>;
  using sum_type = typename rule::sum_type;
  return rule::rounded(accumulate_dot_order<sum_type>(
      x.size(), false, [&](sum_type s, std::size_t i) { return rule::add(s, x[i]); }));
}

// Precondition: both have the same number of terms.
template <class T>
T dot(std::span<const T> x, std::span<const T> y) {
  assert(x.size() == y.size());
  using rule = accumulation<T>;
  using sum_type = typename rule::sum_type;
  return rule::rounded(accumulate_dot_order<sum_type>(
      x.size(), rule::pair_swap,
      [&](sum_type s, std::size_t i) { return rule::add_product(s, x[i], y[i]); }));
}

}  // namespace plumbline
