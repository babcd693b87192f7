#include "kernels/simd/select.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/elementwise.cpp"
#include "hwy/foreach_target.h"
#include "kernels/simd/bf16-inl.h"
#include "kernels/simd/df64-inl.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "hwy/cache_control.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/simd/targets.h"
#include "reference/scalar/conversions.h"

#ifndef PLUMBLINE_KERNELS_ELEMENTWISE_ONCE
#define PLUMBLINE_KERNELS_ELEMENTWISE_ONCE
namespace plumbline::kernels {
namespace {

// Contiguous operands of n elements.
struct elementwise_table {
  template <class T>
  using binary = void (*)(const T* x, const T* y, T* z, std::size_t n);
  template <class T, class R>
  using unary = void (*)(const T* x, R* z, std::size_t n);

  binary<df64> add, sub, mul, div, one_term, one_term_past_cache;
  unary<df64, df64> sqrt;
  void (*axpy)(df64 a, const df64* x, const df64* y, df64* z, std::size_t n);
  binary<bf16> add_bf16, sub_bf16, mul_bf16, div_bf16;
  unary<bf16, bf16> sqrt_bf16;
  unary<bf16, float> widen;
  unary<float, bf16> narrow;
};

// The reference's operations, under one name each.
struct plus {
  template <class T>
  T operator()(T x, T y) const {
    return x + y;
  }
};
struct minus {
  template <class T>
  T operator()(T x, T y) const {
    return x - y;
  }
};
struct times {
  template <class T>
  T operator()(T x, T y) const {
    return x * y;
  }
};
struct times_from_zero {
  df64 operator()(df64 x, df64 y) const {
    const df64 z = x * y;
    return df64::raw(z.hi + 0.0, z.lo);
  }
};
struct over {
  template <class T>
  T operator()(T x, T y) const {
    return x / y;
  }
};
struct root {
  df64 operator()(df64 x) const { return plumbline::sqrt(x); }
  bf16 operator()(bf16 x) const { return plumbline::sqrt(x); }
};

}  // namespace
}  // namespace plumbline::kernels
#endif

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace plumbline::kernels::HWY_NAMESPACE {
namespace {

// Each gives the result and marks the lanes that the reference must redo.
using mask = hn::Mask<doubles>;
struct answer {
  vec_pair z;
  mask redo;
};

struct vector_add : plus {
  static HWY_INLINE answer vectors(vec_pair x, vec_pair y) {
    const vec_pair z = finite_add(x, y);
    return {z, is_not_finite(z.hi)};
  }
};
struct vector_sub : minus {
  static HWY_INLINE answer vectors(vec_pair x, vec_pair y) {
    return vector_add::vectors(x, negative(y));
  }
};
struct vector_mul : times {
  static HWY_INLINE answer vectors(vec_pair x, vec_pair y) {
    const vec_pair z = finite_mul(x, y);
    return {z, is_not_finite(z.hi)};
  }
};
struct vector_times_from_zero : times_from_zero {
  static HWY_INLINE answer vectors(vec_pair x, vec_pair y) {
    const vec_pair z = finite_mul(x, y);
    return {{hn::Add(z.hi, zero()), z.lo}, is_not_finite(z.hi)};
  }
};
// Where both are of moderate size, or x is zero, the reference scales nothing.
struct vector_div : over {
  static HWY_INLINE answer vectors(vec_pair x, vec_pair y) {
    const vec one = all(1.0), most = all(0x1p400), least = all(0x1p-400);
    const vec x_size = hn::Abs(x.hi), y_size = hn::Abs(y.hi);
    const mask none = hn::And(is_zero(x.hi), is_zero(x.lo));
    const mask x_moderate = hn::And(hn::Le(x_size, most), hn::Ge(x_size, least));
    const mask y_moderate = hn::And(hn::Le(y_size, most), hn::Ge(y_size, least));

    const vec t = hn::Div(one, y.hi);
    const vec_pair e = fast_two_sum(hn::NegMulAdd(y.hi, t, one), hn::Neg(hn::Mul(y.lo, t)));
    const vec_pair p = two_product(e.hi, t);
    const vec_pair d = fast_two_sum(p.hi, hn::MulAdd(e.lo, t, p.lo));
    const vec_pair s = two_sum(d.hi, t);
    const vec_pair m = fast_two_sum(s.hi, hn::Add(d.lo, s.lo));
    const vec_pair h = two_product(x.hi, m.hi);
    const vec low = hn::Mul(x.lo, m.lo);
    const vec cross = hn::MulAdd(x.lo, m.hi, hn::MulAdd(x.hi, m.lo, low));
    const vec_pair q = fast_two_sum(h.hi, hn::Add(h.lo, cross));
    const vec_pair z = fast_two_sum(q.hi, q.lo);
    const vec signed_zero = hn::And(hn::Xor(x.hi, y.hi), all(-0.0));
    return {
        {hn::IfThenElse(none, signed_zero, z.hi), hn::IfThenZeroElse(none, hn::Add(z.lo, zero()))},
        hn::Not(hn::And(y_moderate, hn::Or(x_moderate, none)))};
  }
};
struct vector_sqrt : root {
  static HWY_INLINE answer vectors(vec_pair x) {
    const mask none = hn::And(is_zero(x.hi), is_zero(x.lo));
    const mask plain = hn::And(hn::Ge(x.hi, all(0x1p-700)), hn::Lt(x.hi, all(HUGE_VAL)));
    const vec s = hn::Sqrt(x.hi);
    const vec remainder = hn::Add(hn::NegMulAdd(s, s, x.hi), x.lo);
    const vec_pair z = fast_two_sum(s, hn::Div(remainder, hn::Mul(all(2.0), s)));
    return {{hn::IfThenElse(none, x.hi, z.hi), hn::IfThenZeroElse(none, hn::Add(z.lo, zero()))},
            hn::Not(hn::Or(plain, none))};
  }
};

template <class Op>
HWY_NOINLINE void redo(const df64* x, const df64* y, df64* z, Op op) {
  for (std::size_t i = 0; i < width; ++i) z[i] = op(x[i], y[i]);
}

template <bool streaming = false, class Op>
HWY_INLINE void one_vector(const df64* x, const df64* y, df64* z, const Op& op) {
  const answer r = op.vectors(load(x), load(y));
  if (HWY_UNLIKELY(!hn::AllFalse(lanes_of_double, r.redo))) {
    redo(x, y, z, op);
  } else if constexpr (streaming) {
    stream(r.z, z);
  } else {
    store(r.z, z);
  }
}

HWY_INLINE bool is_aligned(const void* z, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(z) % bytes == 0;
}
// Asks for memory that is needed soon, if it is there.
HWY_INLINE void fetch_ahead(const void* x) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(x) + 2048), 0, 3);
}

template <class Op>
void map(const df64* x, const df64* y, df64* z, std::size_t n, const Op& op,
         bool streaming = false) {
  std::size_t i = 0;
  // Where elements begin in the middle of 16 bytes, none is ever aligned to a vector.
  if ((streaming || n * sizeof(df64) >= past_cache_bytes) && is_aligned(z, sizeof(df64))) {
    for (; i < n && !is_aligned(z + i, width * sizeof(double)); ++i) z[i] = op(x[i], y[i]);
    for (; i + width <= n; i += width) {
      for (std::size_t k = 0; k < width; k += 4) {
        fetch_ahead(x + i + k);
        fetch_ahead(y + i + k);
      }
      one_vector<true>(x + i, y + i, z + i, op);
    }
    if (!streaming) hwy::FlushStream();  // otherwise the caller does, once for all parts
  }
  for (; i + width <= n; i += width) one_vector(x + i, y + i, z + i, op);
  if (i == n) return;
  df64 x_tail[width], y_tail[width], z_tail[width];
  std::fill_n(x_tail, width, df64(1.0));
  std::fill_n(y_tail, width, df64(1.0));
  std::copy_n(x + i, n - i, x_tail);
  std::copy_n(y + i, n - i, y_tail);
  one_vector(x_tail, y_tail, z_tail, op);
  std::copy_n(z_tail, n - i, z + i);
}

template <class Op>
void binary(const df64* x, const df64* y, df64* z, std::size_t n) {
  map(x, y, z, n, Op{});
}
void one_term_past_cache(const df64* x, const df64* y, df64* z, std::size_t n) {
  map(x, y, z, n, vector_times_from_zero{}, true);
}

// One operand only: the second is not looked at.
struct vector_root_of_first {
  static HWY_INLINE answer vectors(vec_pair x, vec_pair) { return vector_sqrt::vectors(x); }
  df64 operator()(df64 x, df64) const { return root{}(x); }
};
void square_roots(const df64* x, df64* z, std::size_t n) {
  map(x, x, z, n, vector_root_of_first{});
}

struct vector_axpy {
  df64 a;
  HWY_INLINE answer vectors(vec_pair x, vec_pair y) const {
    const vec_pair product = finite_mul(all(a), x);
    const vec_pair z = finite_add(y, product);
    return {z, hn::Or(is_not_finite(product.hi), is_not_finite(z.hi))};
  }
  df64 operator()(df64 x, df64 y) const { return y + a * x; }
};
void multiples_added(df64 a, const df64* x, const df64* y, df64* z, std::size_t n) {
  map(x, y, z, n, vector_axpy{a});
}

// --- bfloat16, in float

template <class Op>
void map_bf16(const bf16* x, const bf16* y, bf16* z, std::size_t n, Op op) {
  std::size_t i = 0;
  for (; i + float_width <= n; i += float_width) {
    store_narrow(op(load_wide(x + i), load_wide(y + i)), z + i);
  }
  if (i == n) return;
  bf16 x_tail[float_width] = {}, y_tail[float_width] = {}, z_tail[float_width];
  std::copy_n(x + i, n - i, x_tail);
  std::copy_n(y + i, n - i, y_tail);
  store_narrow(op(load_wide(x_tail), load_wide(y_tail)), z_tail);
  std::copy_n(z_tail, n - i, z + i);
}

struct float_add {
  template <class V>
  HWY_INLINE V operator()(V x, V y) const {
    return hn::Add(x, y);
  }
};
struct float_sub {
  template <class V>
  HWY_INLINE V operator()(V x, V y) const {
    return hn::Sub(x, y);
  }
};
struct float_mul {
  template <class V>
  HWY_INLINE V operator()(V x, V y) const {
    return hn::Mul(x, y);
  }
};
struct float_div {
  template <class V>
  HWY_INLINE V operator()(V x, V y) const {
    return hn::Div(x, y);
  }
};
struct float_root {
  template <class V>
  HWY_INLINE V operator()(V x, V) const {
    return hn::Sqrt(x);
  }
};
template <class Op>
void binary_bf16(const bf16* x, const bf16* y, bf16* z, std::size_t n) {
  map_bf16(x, y, z, n, Op{});
}
void square_roots_bf16(const bf16* x, bf16* z, std::size_t n) {
  map_bf16(x, x, z, n, float_root{});
}

void widened(const bf16* x, float* z, std::size_t n) {
  std::size_t i = 0;
  for (; i + float_width <= n; i += float_width) hn::StoreU(load_wide(x + i), floats{}, z + i);
  for (; i < n; ++i) z[i] = plumbline::widen(x[i]);
}
// Some vectors at a time share one look for a NaN: without one, rounding is an addition and the upper
// halves are the result.
HWY_INLINE hn::Vec<words> rounded_up(hn::Vec<floats> x) {
  const words u;
  const auto b = hn::BitCast(u, x);
  const auto odd = hn::And(hn::ShiftRight<16>(b), hn::Set(u, 1));
  return hn::Add(hn::Add(b, hn::Set(u, 0x7fff)), odd);
}
// Two vectors whose upper halves are to stand side by side: with two blocks of 16 bytes a vector,
// packing works within the blocks, so that they are loaded in the order that it leaves.
struct two_vectors {
  hn::Vec<floats> a, b;
};
HWY_INLINE two_vectors load_to_join(const float* x) {
  const floats f;
  if constexpr (float_width == 8) {
    const hn::Half<floats> h;
    return {hn::Combine(f, hn::LoadU(h, x + 8), hn::LoadU(h, x)),
            hn::Combine(f, hn::LoadU(h, x + 12), hn::LoadU(h, x + 4))};
  } else {
    return {hn::LoadU(f, x), hn::LoadU(f, x + float_width)};
  }
}
HWY_INLINE auto joined_upper_halves(hn::Vec<words> a, hn::Vec<words> b) {
  const hn::Repartition<std::uint16_t, floats> u;
  if constexpr (float_width == 8) {
    const hn::Repartition<std::int32_t, floats> s;
    const hn::Repartition<std::int16_t, floats> n;
    return hn::BitCast(u, hn::ReorderDemote2To(n, hn::ShiftRight<16>(hn::BitCast(s, a)),
                                               hn::ShiftRight<16>(hn::BitCast(s, b))));
  } else {
    return hn::ConcatOdd(u, hn::BitCast(u, b), hn::BitCast(u, a));
  }
}
template <std::size_t vectors, bool streaming>
HWY_INLINE void narrow_vectors(const float* x, bf16* z) {
  const floats f;
  const hn::Repartition<std::uint16_t, floats> u;
  constexpr std::size_t pairs = vectors / 2;
  two_vectors two[pairs];
  hn::Vec<floats> sums[pairs];
  for (std::size_t i = 0; i < pairs; ++i) two[i] = load_to_join(x + 2 * i * float_width);
  for (std::size_t i = 0; i < pairs; ++i) sums[i] = hn::Add(two[i].a, two[i].b);
  for (std::size_t i = 0; i < pairs; ++i) {
    const auto joined = joined_upper_halves(rounded_up(two[i].a), rounded_up(two[i].b));
    std::uint16_t* at = &z[2 * i * float_width].bits;
    if constexpr (streaming) {
      hn::Stream(joined, u, at);
    } else {
      hn::StoreU(joined, u, at);
    }
  }
  // A NaN where one of them is (and where infinities of both signs are: then for nothing). Looked at
  // last, so that no store waits for it.
  for (std::size_t half = pairs / 2; half != 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) sums[i] = hn::Add(sums[i], sums[i + half]);
  }
  if (HWY_UNLIKELY(!hn::AllFalse(f, hn::IsNaN(sums[0])))) {
    for (std::size_t i = 0; i < vectors * float_width; i += float_width) {
      store_narrow(hn::LoadU(f, x + i), z + i);
    }
  }
}

void narrowed(const float* x, bf16* z, std::size_t n) {
  std::size_t i = 0;
  if (n * sizeof(bf16) >= past_cache_bytes) {
    for (; !is_aligned(z + i, 2 * float_width * sizeof(bf16)); ++i) z[i] = plumbline::narrow(x[i]);
    constexpr std::size_t group = 4 * float_width;
    for (; i + group <= n; i += group) {
      for (std::size_t k = 0; k < group; k += 64 / sizeof(float)) fetch_ahead(x + i + k);
      narrow_vectors<4, true>(x + i, z + i);
    }
    hwy::FlushStream();
  }
  if (n >= 64 * float_width) {  // stores within lines of the cache pay for the first few elements
    for (; !is_aligned(z + i, 32); ++i) z[i] = plumbline::narrow(x[i]);
  }
  for (; i + 8 * float_width <= n; i += 8 * float_width) narrow_vectors<8, false>(x + i, z + i);
  for (; i + 2 * float_width <= n; i += 2 * float_width) narrow_vectors<2, false>(x + i, z + i);
  for (; i < n; ++i) z[i] = plumbline::narrow(x[i]);
}

constexpr elementwise_table table{
    binary<vector_add>,
    binary<vector_sub>,
    binary<vector_mul>,
    binary<vector_div>,
    binary<vector_times_from_zero>,
    one_term_past_cache,
    square_roots,
    multiples_added,
    binary_bf16<float_add>,
    binary_bf16<float_sub>,
    binary_bf16<float_mul>,
    binary_bf16<float_div>,
    square_roots_bf16,
    widened,
    narrowed,
};

}  // namespace
}  // namespace plumbline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace plumbline::kernels {
namespace {

template <class T, class Op>
void reference_binary(const T* x, const T* y, T* z, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) z[i] = Op{}(x[i], y[i]);
}
template <class T>
void reference_root(const T* x, T* z, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) z[i] = root{}(x[i]);
}
void reference_axpy(df64 a, const df64* x, const df64* y, df64* z, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) z[i] = y[i] + a * x[i];
}
void reference_widen(const bf16* x, float* z, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) z[i] = plumbline::widen(x[i]);
}
void reference_narrow(const float* x, bf16* z, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) z[i] = plumbline::narrow(x[i]);
}
constexpr elementwise_table reference_table{
    reference_binary<df64, plus>,
    reference_binary<df64, minus>,
    reference_binary<df64, times>,
    reference_binary<df64, over>,
    reference_binary<df64, times_from_zero>,
    reference_binary<df64, times_from_zero>,
    reference_root<df64>,
    reference_axpy,
    reference_binary<bf16, plus>,
    reference_binary<bf16, minus>,
    reference_binary<bf16, times>,
    reference_binary<bf16, over>,
    reference_root<bf16>,
    reference_widen,
    reference_narrow,
};

const elementwise_table& chosen() { PLUMBLINE_SELECT_TABLE(reference_table) }

// Strided operands pass through a block of their own.
constexpr std::size_t block = 256;

template <class T>
class gathered {
 public:
  explicit gathered(strided<T> x) : x_(x) {}
  // Elements i, .., i + n - 1.
  const T* at(std::size_t i, std::size_t n) {
    if (x_.stride == 1) return x_.data + i;
    if (x_.stride == 0 && i != 0) return copies_.data();  // as they were
    const std::size_t copied = x_.stride == 0 ? std::min(block, x_.size) : n;
    for (std::size_t k = 0; k < copied; ++k) copies_[k] = x_[i + k];
    return copies_.data();
  }
  std::size_t most() const { return x_.stride == 1 ? x_.size : block; }

 private:
  strided<T> x_;
  std::array<T, block> copies_;
};

template <class T, class Kernel>
void apply(strided<T> x, strided<T> y, std::span<T> z, Kernel kernel) {
  assert(x.size == z.size() && y.size == z.size());
  gathered<T> xs(x), ys(y);
  const std::size_t most = std::min(xs.most(), ys.most());
  // All blocks but the first begin with a line of the cache: none is written in two ways.
  const std::size_t first = reinterpret_cast<std::uintptr_t>(z.data()) % 64 / sizeof(T);
  for (std::size_t i = 0, n = 0; i < z.size(); i += n) {
    n = std::min(i == 0 && most == block ? most - first : most, z.size() - i);
    kernel(xs.at(i, n), ys.at(i, n), z.data() + i, n);
  }
}
template <class T, class R, class Kernel>
void apply(strided<T> x, std::span<R> z, Kernel kernel) {
  assert(x.size == z.size());
  gathered<T> xs(x);
  for (std::size_t i = 0; i < z.size(); i += xs.most()) {
    const std::size_t n = std::min(xs.most(), z.size() - i);
    kernel(xs.at(i, n), z.data() + i, n);
  }
}

}  // namespace

void add(strided<df64> x, strided<df64> y, std::span<df64> z) { apply(x, y, z, chosen().add); }
void sub(strided<df64> x, strided<df64> y, std::span<df64> z) { apply(x, y, z, chosen().sub); }
void mul(strided<df64> x, strided<df64> y, std::span<df64> z) { apply(x, y, z, chosen().mul); }
void one_term_sums(strided<df64> x, strided<df64> y, std::span<df64> z, bool past_cache) {
  apply(x, y, z, past_cache ? chosen().one_term_past_cache : chosen().one_term);
  if (past_cache) hwy::FlushStream();
}
void div(strided<df64> x, strided<df64> y, std::span<df64> z) { apply(x, y, z, chosen().div); }
void sqrt(strided<df64> x, std::span<df64> z) { apply(x, z, chosen().sqrt); }
void axpy(df64 a, strided<df64> x, strided<df64> y, std::span<df64> z) {
  const auto kernel = chosen().axpy;
  apply(x, y, z,
        [&](const df64* xs, const df64* ys, df64* zs, std::size_t n) { kernel(a, xs, ys, zs, n); });
}

void add(strided<bf16> x, strided<bf16> y, std::span<bf16> z) { apply(x, y, z, chosen().add_bf16); }
void sub(strided<bf16> x, strided<bf16> y, std::span<bf16> z) { apply(x, y, z, chosen().sub_bf16); }
void mul(strided<bf16> x, strided<bf16> y, std::span<bf16> z) { apply(x, y, z, chosen().mul_bf16); }
void div(strided<bf16> x, strided<bf16> y, std::span<bf16> z) { apply(x, y, z, chosen().div_bf16); }
void sqrt(strided<bf16> x, std::span<bf16> z) { apply(x, z, chosen().sqrt_bf16); }

void widen(strided<bf16> x, std::span<float> z) { apply(x, z, chosen().widen); }
void narrow(strided<float> x, std::span<bf16> z) { apply(x, z, chosen().narrow); }

}  // namespace plumbline::kernels
#endif
