// df64: an unevaluated sum of two doubles (double-double, double-word), about 106 bits.
//
// CONTRACT. u = 2^-53, eta = 2^-1074, RN = rounding to nearest double, ties to even.
//   representation  hi and lo, IEEE binary64; the value is hi + lo. 16 bytes, hi first.
//   canonical form  hi = RN(hi + lo), and lo is never -0. A number that is not finite has lo = +0.
//                   The sign of a zero is the sign of hi. A value has one canonical form (and zero
//                   two), so == and <=> may look at hi and then at lo. A pair of doubles is
//                   normalised when it becomes a df64; only raw() keeps a pair as it stands.
//   domain          operands in canonical form, round to nearest, subnormals kept. On raw pairs
//                   that are not canonical the operations return some pair and trap nowhere.
//   bounds          stand at each operation, with their paper. They are relative to the exact
//                   result. Underflow adds an absolute term, given as a multiple of eta; there is
//                   none in additions, which are exact in the subnormal range.
//   not finite      hi is what IEEE arithmetic gives on the values: inf - inf, 0 * inf, 0 / 0,
//                   inf / inf and the square root of a negative number are NaN, x / 0 is inf, and
//                   whatever rounds beyond the largest finite number is inf; lo is +0. An overflow
//                   in an intermediate is no overflow of the result: the operation is then
//                   made on operands that are scaled down.
//   signed zeros    as IEEE: x + (-x) = +0, (-0) + (-0) = -0, signs multiply in * and /,
//                   sqrt(-0) = -0. A result that underflows keeps its sign.
//   NaN             any NaN operand gives NaN; sign and payload are not promised.
//   commutative     + bit for bit; * is not (Alg. 12 treats its operands differently in the last
//                   bits); x - y is x + (-y) bit for bit.
//   poison          x + y and x * y without their corrections (namespace network) give hi = NaN, or
//                   hi = inf with lo not finite, wherever the result or an intermediate is not
//                   finite; elsewhere they differ in the signs of zeros alone. A sum that starts
//                   at +0 never sees those signs: a kernel may accumulate without corrections and
//                   start again with them when its result is not finite.
//
// Papers: JMP = Joldes, Muller, Popescu, ACM TOMS 44(2), 2017. MR22 = Muller, Rideau,
// "Formalization of double-word arithmetic, and comments on [JMP]", ACM TOMS 48(1), 2022. LLMPR23 =
// Lefevre, Louvet, Muller, Picot, Rideau, "Accurate calculation of Euclidean norms using
// double-word arithmetic", ACM TOMS 49(1), 2023. ZA25 = Zhang, Aiken, "Automatic verification of
// floating-point accumulation networks", CAV 2025.
#pragma once

#include <cmath>
#include <compare>

#include "error_free.h"

namespace plumbline {

struct df64 {
  double hi = 0;
  double lo = 0;

  constexpr df64() = default;
  constexpr df64(double value) : hi(value) {}  // exact

  // The canonical form of a + b. A zero b leaves a as it is, -0 included.
  df64(double a, double b) {
    rounded s = two_sum(a, b);
    // Where an intermediate overflowed, |b| is large, and a quarter loses nothing.
    if (!std::isfinite(s.error)) {
      s = two_sum(0.25 * a, 0.25 * b);
      s = {4.0 * s.result, 4.0 * s.error};
    }
    hi = b == 0 ? a : s.result;
    lo = b == 0 || !std::isfinite(hi) ? 0.0 : s.error;
  }

  // The pair as it stands: for loads, which keep every pattern.
  static constexpr df64 raw(double hi, double lo) {
    df64 x;
    x.hi = hi;
    x.lo = lo;
    return x;
  }

  bool is_canonical() const {
    if (!std::isfinite(hi)) return lo == 0 && !std::signbit(lo);
    return hi + lo == hi && !(lo == 0 && std::signbit(lo));
  }
};

inline bool isnan(df64 x) { return std::isnan(x.hi); }
inline bool isinf(df64 x) { return std::isinf(x.hi); }
inline bool isfinite(df64 x) { return std::isfinite(x.hi); }
inline bool signbit(df64 x) { return std::signbit(x.hi); }

// Equality and order of the values; -0 == +0, NaN equals nothing and has no order.
inline bool operator==(df64 x, df64 y) { return x.hi == y.hi && x.lo == y.lo; }
inline std::partial_ordering operator<=>(df64 x, df64 y) {
  const auto order = x.hi <=> y.hi;
  return order == 0 ? x.lo <=> y.lo : order;
}

// Exact. Subtracting from +0 keeps a zero lo positive.
inline df64 operator-(df64 x) { return df64::raw(-x.hi, 0.0 - x.lo); }
inline df64 operator+(df64 x) { return x; }
inline df64 abs(df64 x) { return std::signbit(x.hi) ? -x : x; }

// The networks as the papers have them, without a word about zeros and what is not finite.
namespace network {

// ZA25, their double-double addition. The same 20 operations as JMP Alg. 6 (AccurateDWPlusDW).
inline df64 add(df64 x, df64 y) {
  const rounded s = two_sum(x.hi, y.hi);
  const rounded t = two_sum(x.lo, y.lo);
  const rounded v = fast_two_sum(s.result, t.result);
  const double w = (s.error + t.error) + v.error;
  const rounded z = fast_two_sum(v.result, w);
  return df64::raw(z.result, z.error);
}

// JMP Alg. 4 (DWPlusFP).
inline df64 add(df64 x, double y) {
  const rounded s = two_sum(x.hi, y);
  const rounded z = fast_two_sum(s.result, x.lo + s.error);
  return df64::raw(z.result, z.error);
}

// JMP Alg. 12 (DWTimesDW3).
inline df64 multiply(df64 x, df64 y) {
  const rounded p = two_product(x.hi, y.hi);
  const double low = x.lo * y.lo;
  const double cross = std::fma(x.lo, y.hi, std::fma(x.hi, y.lo, low));
  const rounded z = fast_two_sum(p.result, p.error + cross);
  return df64::raw(z.result, z.error);
}

// JMP Alg. 7 (DWTimesFP1).
inline df64 multiply(df64 x, double y) {
  const rounded p = two_product(x.hi, y);
  const rounded t = fast_two_sum(p.result, x.lo * y);
  const rounded z = fast_two_sum(t.result, t.error + p.error);
  return df64::raw(z.result, z.error);
}

}  // namespace network

namespace scaling {

inline df64 scaled(df64 x, double f) { return df64::raw(x.hi * f, x.lo * f); }

// A result in canonical form times a power of two that loses nothing; inf beyond the largest
// number.
inline df64 grown(df64 x, double f) {
  const double hi = x.hi * f;
  return std::isfinite(hi) ? df64::raw(hi, x.lo * f + 0.0) : df64(hi);
}

// Sums and products near the top of the range or beyond it, of finite operands. What the small
// operand loses by scaling is far below u^2 of the result.
template <class Y>
df64 sum_near_top(df64 x, Y y) {
  return grown(network::add(scaled(x, 0.25), y * 0.25), 4.0);
}
template <class Y>
df64 product_near_top(df64 x, Y y) {
  const df64 z = network::multiply(scaled(x, 0x1p-600), y * 0x1p-600);
  return grown(grown(z, 0x1p600), 0x1p600);
}

}  // namespace scaling

// 2 u^2, largest seen 1.5 u^2 (ZA25); JMP's bound 3 u^2 for the same operations is attained.
inline df64 operator+(df64 x, df64 y) {
  const df64 z = network::add(x, y);
  const double ieee = x.hi + y.hi;
  if (z.hi == 0 || !std::isfinite(x.hi) || !std::isfinite(y.hi)) return ieee;
  return std::isfinite(z.hi) ? z : scaling::sum_near_top(x, y);
}
inline df64 operator-(df64 x, df64 y) { return x + -y; }

// 2 u^2, attained (JMP).
inline df64 operator+(df64 x, double y) {
  const df64 z = network::add(x, y);
  const double ieee = x.hi + y;
  if (z.hi == 0 || !std::isfinite(x.hi) || !std::isfinite(y)) return ieee;
  return std::isfinite(z.hi) ? z : scaling::sum_near_top(x, y);
}
inline df64 operator+(double x, df64 y) { return y + x; }
inline df64 operator-(df64 x, double y) { return x + -y; }
inline df64 operator-(double x, df64 y) { return -y + x; }

// 4 u^2 (MR22), attained; + 2 eta.
inline df64 operator*(df64 x, df64 y) {
  const df64 z = network::multiply(x, y);
  const double ieee = x.hi * y.hi;
  if (ieee == 0 || !std::isfinite(x.hi) || !std::isfinite(y.hi)) return ieee;
  return std::isfinite(z.hi) ? df64::raw(z.hi, z.lo + 0.0) : scaling::product_near_top(x, y);
}

// 1.5 u^2 + 4 u^3 (JMP), attained; + eta.
inline df64 operator*(df64 x, double y) {
  const df64 z = network::multiply(x, y);
  const double ieee = x.hi * y;
  if (ieee == 0 || !std::isfinite(x.hi) || !std::isfinite(y)) return ieee;
  return std::isfinite(z.hi) ? df64::raw(z.hi, z.lo + 0.0) : scaling::product_near_top(x, y);
}
inline df64 operator*(double x, df64 y) { return y * x; }

// Division works on operands brought near 1 by powers of two, so that neither 1/y nor a product
// overflows or underflows on the way; one rounding to the subnormal range may follow at the end.
namespace scaling {

// 2^700, 1 or 2^-700, so that |a| * factor(a) lies within 2^-400 .. 2^400 (or is 0, inf, NaN).
inline double factor(double a) {
  return std::fabs(a) > 0x1p400 ? 0x1p-700 : std::fabs(a) < 0x1p-400 ? 0x1p700 : 1.0;
}
inline double root(double factor) { return factor > 1 ? 0x1p350 : factor < 1 ? 0x1p-350 : 1.0; }

// q of x * x_factor and y * y_factor, taken back to x / y in two equal steps: whatever is inexact
// after the first is zero after the second. Then the corrections: y = 0 or operands that are not
// finite make q NaN.
inline df64 quotient(df64 q, double x, double y, double x_factor, double y_factor) {
  const double step = root(y_factor) / root(x_factor);
  const rounded z = fast_two_sum(q.hi * step * step, q.lo * step * step);
  if (!std::isfinite(z.result)) return std::isnan(z.result) ? x / y : z.result;
  if (z.result == 0) return std::copysign(0.0, x) * std::copysign(1.0, y);
  return df64::raw(z.result, z.error + 0.0);
}

}  // namespace scaling

// JMP Alg. 18 (DWDivDW3) with Alg. 12 as its last product: 9.8 u^2, largest seen 6.5 u^2; + eta.
inline df64 operator/(df64 x, df64 y) {
  const double x_factor = scaling::factor(x.hi), y_factor = scaling::factor(y.hi);
  const df64 a = scaling::scaled(x, x_factor), b = scaling::scaled(y, y_factor);
  const double t = 1.0 / b.hi;
  const rounded e = fast_two_sum(std::fma(-b.hi, t, 1.0), -(b.lo * t));
  // t * (1 + e) by DWTimesFP3 (Alg. 9) and DWPlusFP (Alg. 4)
  const rounded p = two_product(e.result, t);
  const rounded d = fast_two_sum(p.result, std::fma(e.error, t, p.error));
  const rounded s = two_sum(d.result, t);
  const rounded m = fast_two_sum(s.result, d.error + s.error);
  const rounded h = two_product(a.hi, m.result);
  const double low = a.lo * m.error;
  const double cross = std::fma(a.lo, m.result, std::fma(a.hi, m.error, low));
  const rounded q = fast_two_sum(h.result, h.error + cross);
  return scaling::quotient(df64::raw(q.result, q.error), x.hi, y.hi, x_factor, y_factor);
}
inline df64 operator/(double x, df64 y) { return df64(x) / y; }

// JMP Alg. 15 (DWDivFP3): 3 u^2; + eta.
inline df64 operator/(df64 x, double y) {
  const double x_factor = scaling::factor(x.hi), y_factor = scaling::factor(y);
  const df64 a = scaling::scaled(x, x_factor);
  const double b = y * y_factor;
  const double t = a.hi / b;
  const rounded p = two_product(t, b);
  const double remainder = ((a.hi - p.result) - p.error) + a.lo;
  const rounded q = fast_two_sum(t, remainder / b);
  return scaling::quotient(df64::raw(q.result, q.error), x.hi, y, x_factor, y_factor);
}

// LLMPR23 Alg. 8 (SQRTDWtoDW): 25/8 u^2, attained. Small operands are scaled, so that the remainder
// x - s^2 is exact; no result underflows.
inline df64 sqrt(df64 x) {
  const bool small = x.hi < 0x1p-700;
  const df64 a = small ? scaling::scaled(x, 0x1p700) : x;
  const double s = std::sqrt(a.hi);
  const double remainder = std::fma(-s, s, a.hi) + a.lo;
  const rounded z = fast_two_sum(s, remainder / (2.0 * s));
  if (!std::isfinite(s) || s == 0) return s;
  const double back = small ? 0x1p-350 : 1.0;
  return df64::raw(z.result * back, z.error * back + 0.0);
}

inline df64& operator+=(df64& x, df64 y) { return x = x + y; }
inline df64& operator-=(df64& x, df64 y) { return x = x - y; }
inline df64& operator*=(df64& x, df64 y) { return x = x * y; }
inline df64& operator/=(df64& x, df64 y) { return x = x / y; }

}  // namespace plumbline
