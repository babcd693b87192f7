#include "kernels/simd/select.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduce/reduce.cpp"
#include "hwy/foreach_target.h"
#include "kernels/simd/df64-inl.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include "kernels/reduce/reduce.h"
#include "kernels/simd/targets.h"

#ifndef PLUMBLINE_KERNELS_REDUCE_ONCE
#define PLUMBLINE_KERNELS_REDUCE_ONCE
namespace plumbline::kernels {
namespace {

// Each takes `rows` times 32 terms and adds them to 32 partial sums; products of bf16 take them in
// pairs of rows, the second first.
struct reduce_table {
  void (*sum)(const df64* x, std::size_t rows, df64* partials);
  void (*dot)(const df64* x, const df64* y, std::size_t rows, df64* partials);
  void (*sum_bf16)(const bf16* x, std::size_t rows, float* partials);
  void (*dot_bf16)(const bf16* x, const bf16* y, std::size_t row_pairs, float* partials);
};

}  // namespace
}  // namespace plumbline::kernels
#endif

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace plumbline::kernels::HWY_NAMESPACE {
namespace {

// Four vectors of partial sums hide the latency of an addition; the others take the terms once
// more from the cache.
constexpr std::size_t group = 4 * width;
constexpr std::size_t cached_rows = 16;

template <class Term>
HWY_INLINE void grouped(std::size_t rows, df64* partials, Term term) {
  for (std::size_t first = 0; first < rows; first += cached_rows) {
    const std::size_t end = std::min(rows, first + cached_rows);
    for (std::size_t j = 0; j < partial_sums; j += group) {
      vec_pair p0 = load(partials + j), p1 = load(partials + j + width);
      vec_pair p2 = load(partials + j + 2 * width), p3 = load(partials + j + 3 * width);
      const vec one = hidden_one();
      for (std::size_t row = first; row < end; ++row) {
        const std::size_t i = row * partial_sums + j;
        p0 = balanced_add(p0, term(i), one);
        p1 = balanced_add(p1, term(i + width), one);
        p2 = balanced_add(p2, term(i + 2 * width), one);
        p3 = balanced_add(p3, term(i + 3 * width), one);
      }
      store(p0, partials + j);
      store(p1, partials + j + width);
      store(p2, partials + j + 2 * width);
      store(p3, partials + j + 3 * width);
    }
  }
}
void sum_rows(const df64* x, std::size_t rows, df64* partials) {
  grouped(rows, partials, [x](std::size_t i) HWY_ATTR { return load(x + i); });
}
void dot_rows(const df64* x, const df64* y, std::size_t rows, df64* partials) {
  const vec one = hidden_one();
  grouped(rows, partials, [x, y, one](std::size_t i) HWY_ATTR {
    return balanced_mul(load(x + i), load(y + i), one);
  });
}

using floats = hn::CappedTag<float, partial_sums>;
using words = hn::Repartition<std::uint32_t, floats>;
using halves = hn::Rebind<std::uint16_t, words>;
constexpr std::size_t float_width = hn::MaxLanes(floats{});
constexpr std::size_t float_vectors = partial_sums / float_width;

HWY_INLINE hn::Vec<floats> load_wide(const bf16* x) {
  const auto bits = hn::PromoteTo(words{}, hn::LoadU(halves{}, &x->bits));
  return hn::BitCast(floats{}, hn::ShiftLeft<16>(bits));
}
void sum_bf16_rows(const bf16* x, std::size_t rows, float* partials) {
  hn::Vec<floats> p[float_vectors];
  for (std::size_t v = 0; v < float_vectors; ++v) {
    p[v] = hn::LoadU(floats{}, partials + v * float_width);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t v = 0; v < float_vectors; ++v) {
      p[v] = hn::Add(p[v], load_wide(x + row * partial_sums + v * float_width));
    }
  }
  for (std::size_t v = 0; v < float_vectors; ++v) {
    hn::StoreU(p[v], floats{}, partials + v * float_width);
  }
}
void dot_bf16_rows(const bf16* x, const bf16* y, std::size_t row_pairs, float* partials) {
  hn::Vec<floats> p[float_vectors];
  for (std::size_t v = 0; v < float_vectors; ++v) {
    p[v] = hn::LoadU(floats{}, partials + v * float_width);
  }
  for (std::size_t pair = 0; pair < row_pairs; ++pair) {
    for (std::size_t second = 2; second-- > 0;) {
      for (std::size_t v = 0; v < float_vectors; ++v) {
        const std::size_t i = (2 * pair + second) * partial_sums + v * float_width;
        p[v] = hn::MulAdd(load_wide(x + i), load_wide(y + i), p[v]);
      }
    }
  }
  for (std::size_t v = 0; v < float_vectors; ++v) {
    hn::StoreU(p[v], floats{}, partials + v * float_width);
  }
}

constexpr reduce_table table{sum_rows, dot_rows, sum_bf16_rows, dot_bf16_rows};

}  // namespace
}  // namespace plumbline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace plumbline::kernels {
namespace {

template <class T, class Sum>
void reference_sum(const T* x, std::size_t rows, Sum* partials) {
  for (std::size_t i = 0; i < rows * partial_sums; ++i) {
    Sum& p = partials[i % partial_sums];
    p = accumulation<T>::add(p, x[i]);
  }
}
void reference_dot(const df64* x, const df64* y, std::size_t rows, df64* partials) {
  for (std::size_t i = 0; i < rows * partial_sums; ++i) {
    df64& p = partials[i % partial_sums];
    p = accumulation<df64>::add_product(p, x[i], y[i]);
  }
}
void reference_dot_bf16(const bf16* x, const bf16* y, std::size_t row_pairs, float* partials) {
  for (std::size_t k = 0; k < 2 * row_pairs; ++k) {
    const std::size_t row = pair_swapped(k, 2 * row_pairs);
    for (std::size_t j = 0; j < partial_sums; ++j) {
      const std::size_t i = row * partial_sums + j;
      partials[j] = accumulation<bf16>::add_product(partials[j], x[i], y[i]);
    }
  }
}
constexpr reduce_table reference_table{reference_sum<df64, df64>, reference_dot,
                                       reference_sum<bf16, float>, reference_dot_bf16};

const reduce_table& chosen() { PLUMBLINE_SELECT_TABLE(reference_table) }

// A last portion is filled up with terms that leave every sum as it is: -0, and products that are
// -0. (A df64 sum is never -0, so a +0 would do as well; a float one can be.)
template <class T>
constexpr T minus_zero = T(-0.0f);
template <>
constexpr df64 minus_zero<df64> = df64(-0.0);

template <class T>
bool is_finite(T x) {
  return std::isfinite(x);
}
template <>
bool is_finite(df64 x) {
  return std::isfinite(x.hi) && std::isfinite(x.lo);
}

constexpr std::size_t block = 512;  // a multiple of running_dot's portion

// Hands the terms on in contiguous portions.
template <class T, class Take>
void portions(strided<T> x, Take take) {
  if (x.stride == 1) return take(x.data, x.size);
  std::array<T, block> copies;
  for (std::size_t i = 0; i < x.size; i += block) {
    const std::size_t n = std::min(block, x.size - i);
    for (std::size_t k = 0; k < n; ++k) copies[k] = x[i + k];
    take(copies.data(), n);
  }
}
template <class T, class Take>
void portions(strided<T> x, strided<T> y, Take take) {
  if (x.stride == 1 && y.stride == 1) return take(x.data, y.data, x.size);
  std::array<T, block> x_copies, y_copies;
  for (std::size_t i = 0; i < x.size; i += block) {
    const std::size_t n = std::min(block, x.size - i);
    for (std::size_t k = 0; k < n; ++k) {
      x_copies[k] = x[i + k];
      y_copies[k] = y[i + k];
    }
    take(x_copies.data(), y_copies.data(), n);
  }
}

template <class T>
T sum_of(strided<T> x) {
  running_dot<T> running;
  portions(x, [&](const T* terms, std::size_t n) { running.add(terms, n); });
  const auto total = running.total();
  using rule = accumulation<T>;
  if (is_finite(total)) return rule::rounded(total);
  using sum_type = typename rule::sum_type;
  return rule::rounded(accumulate_dot_order<sum_type>(
      x.size, false, [&](sum_type s, std::size_t i) { return rule::add(s, x[i]); }));
}
template <class T>
T dot_of(strided<T> x, strided<T> y) {
  assert(x.size == y.size);
  running_dot<T> running;
  portions(x, y, [&](const T* xs, const T* ys, std::size_t n) { running.add(xs, ys, n); });
  const auto total = running.total();
  using rule = accumulation<T>;
  if (is_finite(total)) return rule::rounded(total);
  using sum_type = typename rule::sum_type;
  return rule::rounded(accumulate_dot_order<sum_type>(
      x.size, rule::pair_swap,
      [&](sum_type s, std::size_t i) { return rule::add_product(s, x[i], y[i]); }));
}

}  // namespace

template <>
void running_dot<df64>::add(const df64* x, const df64* y, std::size_t n) {
  const std::size_t rows = n / partial_sums, rest = n % partial_sums;
  const auto kernel = chosen().dot;
  if (rows != 0) kernel(x, y, rows, p_.data());
  if (rest == 0) return;
  std::array<df64, partial_sums> x_tail{}, y_tail{};
  std::copy_n(x + rows * partial_sums, rest, x_tail.data());
  std::copy_n(y + rows * partial_sums, rest, y_tail.data());
  kernel(x_tail.data(), y_tail.data(), 1, p_.data());
}
template <>
void running_dot<bf16>::add(const bf16* x, const bf16* y, std::size_t n) {
  const std::size_t pairs = n / portion, rest = n % portion;
  const auto kernel = chosen().dot_bf16;
  if (pairs != 0) kernel(x, y, pairs, p_.data());
  if (rest == 0) return;
  std::array<bf16, portion> x_tail, y_tail{};
  x_tail.fill(minus_zero<bf16>);
  std::copy_n(x + pairs * portion, rest, x_tail.data());
  std::copy_n(y + pairs * portion, rest, y_tail.data());
  kernel(x_tail.data(), y_tail.data(), 1, p_.data());
}

namespace {
template <class T, class Sum, class Kernel>
void add_terms(const T* x, std::size_t n, Sum* partials, Kernel kernel) {
  const std::size_t rows = n / partial_sums, rest = n % partial_sums;
  if (rows != 0) kernel(x, rows, partials);
  if (rest == 0) return;
  std::array<T, partial_sums> tail;
  tail.fill(minus_zero<T>);
  std::copy_n(x + rows * partial_sums, rest, tail.data());
  kernel(tail.data(), 1, partials);
}
template <class Sum>
Sum tree(std::array<Sum, partial_sums> p) {
  for (std::size_t half = partial_sums / 2; half > 0; half /= 2) {
    for (std::size_t j = 0; j < half; ++j) p[j] = p[j] + p[j + half];
  }
  return p[0];
}
}  // namespace

template <>
void running_dot<df64>::add(const df64* x, std::size_t n) {
  add_terms(x, n, p_.data(), chosen().sum);
}
template <>
void running_dot<bf16>::add(const bf16* x, std::size_t n) {
  add_terms(x, n, p_.data(), chosen().sum_bf16);
}
template <>
df64 running_dot<df64>::total() const {
  for (const df64& p : p_) {
    if (!is_finite(p)) return std::numeric_limits<double>::quiet_NaN();
  }
  return tree(p_);
}
template <>
float running_dot<bf16>::total() const {
  return tree(p_);
}

df64 sum(strided<df64> x) { return sum_of(x); }
df64 dot(strided<df64> x, strided<df64> y) { return dot_of(x, y); }
bf16 sum(strided<bf16> x) { return sum_of(x); }
bf16 dot(strided<bf16> x, strided<bf16> y) { return dot_of(x, y); }

}  // namespace plumbline::kernels
#endif
