// df64 arithmetic on vectors, for one of Highway's targets at a time: the operations of
// reference/scalar/df64.h, in the same order. Compiled without contraction, like everything here.
#if defined(PLUMBLINE_KERNELS_SIMD_DF64_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMBLINE_KERNELS_SIMD_DF64_INL_H
#undef PLUMBLINE_KERNELS_SIMD_DF64_INL_H
#else
#define PLUMBLINE_KERNELS_SIMD_DF64_INL_H
#endif

#include "hwy/highway.h"
#include "reference/scalar/df64.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace plumbline::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using doubles = hn::ScalableTag<double>;
using vec = hn::Vec<doubles>;
inline constexpr doubles lanes_of_double{};
inline constexpr std::size_t width = hn::MaxLanes(doubles{});

struct vec_pair {
  vec hi, lo;  // or a result and its error
};

HWY_INLINE vec zero() { return hn::Zero(lanes_of_double); }
HWY_INLINE vec all(double x) { return hn::Set(lanes_of_double, x); }
HWY_INLINE vec_pair all(df64 x) { return {all(x.hi), all(x.lo)}; }

// `width` elements as they lie in memory. Within the vectors they stand in an order of their own,
// which store() undoes.
HWY_INLINE vec_pair load(const df64* x) {
  const double* p = &x->hi;
  const vec a = hn::LoadU(lanes_of_double, p), b = hn::LoadU(lanes_of_double, p + width);
  return {hn::InterleaveLower(lanes_of_double, a, b), hn::InterleaveUpper(lanes_of_double, a, b)};
}
HWY_INLINE void store(vec_pair x, df64* z) {
  double* p = &z->hi;
  hn::StoreU(hn::InterleaveLower(lanes_of_double, x.hi, x.lo), lanes_of_double, p);
  hn::StoreU(hn::InterleaveUpper(lanes_of_double, x.hi, x.lo), lanes_of_double, p + width);
}
// Past the cache; z is aligned to a vector.
HWY_INLINE void stream(vec_pair x, df64* z) {
  double* p = &z->hi;
  hn::Stream(hn::InterleaveLower(lanes_of_double, x.hi, x.lo), lanes_of_double, p);
  hn::Stream(hn::InterleaveUpper(lanes_of_double, x.hi, x.lo), lanes_of_double, p + width);
}

// Every second one, from `first` on, of `width` elements from anywhere; at(i) is where element i lies.
template <class D, class At>
HWY_INLINE hn::Vec<D> every_second(D d, std::size_t first, const At& at) {
  if constexpr (hn::MaxLanes(D{}) == 2) {
    return hn::LoadU(d, &at(first)->hi);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, every_second(half, first + hn::MaxLanes(D{}) / 2, at),
                       every_second(half, first, at));
  }
}
// In their own order, which hn::StoreInterleaved2 keeps.
template <class At>
HWY_INLINE vec_pair load_elements(const At& at) {
  const vec even = every_second(lanes_of_double, 0, at), odd = every_second(lanes_of_double, 1, at);
  return {hn::InterleaveLower(lanes_of_double, even, odd),
          hn::InterleaveUpper(lanes_of_double, even, odd)};
}
HWY_INLINE vec_pair load_spaced(const df64* x, std::ptrdiff_t spacing) {
  return load_elements([x, spacing](std::size_t i) HWY_ATTR {
    return x + static_cast<std::ptrdiff_t>(i) * spacing;
  });
}

HWY_INLINE vec_pair two_sum(vec a, vec b) {
  const vec s = hn::Add(a, b);
  const vec a_seen = hn::Sub(s, b);
  const vec b_seen = hn::Sub(s, a_seen);
  return {s, hn::Add(hn::Sub(a, a_seen), hn::Sub(b, b_seen))};
}
HWY_INLINE vec_pair fast_two_sum(vec a, vec b) {
  const vec s = hn::Add(a, b);
  return {s, hn::Sub(b, hn::Sub(s, a))};
}
HWY_INLINE vec_pair two_product(vec a, vec b) {
  const vec p = hn::Mul(a, b);
  return {p, hn::MulSub(a, b, p)};
}

HWY_INLINE auto is_zero(vec x) { return hn::Eq(x, zero()); }
// Not Ne: Highway leaves open whether a NaN is unequal.
HWY_INLINE auto is_not_finite(vec x) { return hn::Not(hn::Eq(hn::Sub(x, x), zero())); }

// The sum without the corrections for zeros and for what is not finite (df64.h, poison).
HWY_INLINE vec_pair poison_add(vec_pair x, vec_pair y) {
  const vec_pair s = two_sum(x.hi, y.hi), t = two_sum(x.lo, y.lo);
  const vec_pair v = fast_two_sum(s.hi, t.hi);
  return fast_two_sum(v.hi, hn::Add(hn::Add(s.lo, t.lo), v.lo));
}
// The same with a zero's sign.
HWY_INLINE vec_pair finite_add(vec_pair x, vec_pair y) {
  const vec_pair z = poison_add(x, y);
  return {hn::IfThenElse(is_zero(z.hi), hn::Add(x.hi, y.hi), z.hi), z.lo};
}
HWY_INLINE vec_pair poison_mul(vec_pair x, vec_pair y) {
  const vec_pair p = two_product(x.hi, y.hi);
  const vec low = hn::Mul(x.lo, y.lo);
  const vec cross = hn::MulAdd(x.lo, y.hi, hn::MulAdd(x.hi, y.lo, low));
  return fast_two_sum(p.hi, hn::Add(p.lo, cross));
}
HWY_INLINE vec_pair finite_mul(vec_pair x, vec_pair y) {
  const vec p = hn::Mul(x.hi, y.hi);
  const vec_pair z = poison_mul(x, y);
  const auto none = is_zero(p);
  return {hn::IfThenElse(none, p, z.hi), hn::IfThenZeroElse(none, hn::Add(z.lo, zero()))};
}

// 1, so that the compiler cannot know it: fma(a, 1, b) is a + b bit for bit, and the machine has
// units that do nothing but multiply-adds.
HWY_INLINE vec hidden_one() {
  double one = 1.0;
  asm volatile("" : "+m"(one));
  return all(one);
}
// poison_mul and poison_add with some of the additions by way of multiply-adds with `one`: those of
// the product, and as many of the low parts' as were fastest; each is a cycle later than an addition.
HWY_INLINE vec_pair balanced_mul(vec_pair x, vec_pair y, vec one) {
  const vec_pair p = two_product(x.hi, y.hi);
  const vec low = hn::Mul(x.lo, y.lo);
  const vec cross = hn::MulAdd(x.lo, y.hi, hn::MulAdd(x.hi, y.lo, low));
  const vec rest = hn::MulAdd(p.lo, one, cross);
  const vec hi = hn::MulAdd(p.hi, one, rest);
  return {hi, hn::NegMulAdd(hn::MulSub(hi, one, p.hi), one, rest)};
}
HWY_INLINE vec_pair balanced_add(vec_pair x, vec_pair y, vec one) {
  const vec_pair s = two_sum(x.hi, y.hi);
  const vec t = hn::Add(x.lo, y.lo);  // and its error, as two_sum
  const vec a_seen = hn::Sub(t, y.lo);
  const vec b_seen = hn::NegMulAdd(a_seen, one, t);
  const vec t_error =
      hn::Add(hn::NegMulAdd(a_seen, one, x.lo), hn::NegMulAdd(b_seen, one, y.lo));
  const vec_pair v = fast_two_sum(s.hi, t);
  return fast_two_sum(v.hi, hn::Add(hn::Add(s.lo, t_error), v.lo));
}

HWY_INLINE vec_pair negative(vec_pair x) { return {hn::Neg(x.hi), hn::Sub(zero(), x.lo)}; }

}  // namespace plumbline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
#endif
