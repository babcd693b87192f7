// Error-free transformations: a sum or a product as a rounded result and its exact error.
// Knuth (TAOCP 2, 4.2.2), Dekker (Numer. Math. 18, 1971); names as in Joldes, Muller, Popescu,
// "Tight and rigorous error bounds for basic building blocks of double-word arithmetic", ACM TOMS
// 44(2), 2017 (JMP below).
//
// Everything here needs round to nearest, subnormals kept, and no contraction of a*b+c: see
// environment.h, whose canary fails on a build or a thread that breaks one of these.
#pragma once

// -ffast-math, -Ofast and -funsafe-math-optimizations drop the errors that everything here returns.
// What clang does not say in a macro, the canary finds.
#if (defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__)) && !defined(PLUMBLINE_CANARY_OF_FAST_MATH)
#error "double-word arithmetic needs IEEE semantics: compile without fast-math, with -ffp-contract=off"
#endif

#include <cmath>

namespace plumbline {

// u, the unit roundoff of double, and eta, the smallest positive double.
inline constexpr double unit_roundoff = 0x1p-53;
inline constexpr double smallest_double = 0x1p-1074;

// sum + error = a + b exactly, or product + error = a * b exactly.
struct rounded {
  double result = 0;
  double error = 0;
};

// Domain: every a, b whose sum does not overflow (additions are exact in the subnormal range),
// unless |a| is the largest finite number: then an intermediate may overflow (Boldo, Graillat,
// Muller, ACM TOMS 44(1), 2017). There, and where the sum is not finite, the error is not finite
// either. The error is never -0.
inline rounded two_sum(double a, double b) {
  const double s = a + b;
  const double a_seen = s - b;
  const double b_seen = s - a_seen;
  const double a_error = a - a_seen;
  const double b_error = b - b_seen;
  return {s, a_error + b_error};
}

// Domain: a is zero, or |a| >= |b|, or more generally a is a multiple of the last place of b.
inline rounded fast_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}

// Domain: a * b does not overflow and is zero or at least 2^-968 in magnitude; below that the
// error is rounded to a multiple of eta.
inline rounded two_product(double a, double b) {
  const double p = a * b;
  return {p, std::fma(a, b, -p)};
}

// The same bits without a fused multiply-add, where also |a|, |b| <= 2^995 (Veltkamp's splitting
// multiplies by 2^27 + 1), |a * b| <= 2^1023 (the product of the upper halves may be the larger
// one), and the product is not zero.
inline rounded two_product_dekker(double a, double b) {
  const auto upper_half = [](double x) {
    const double scaled = 134217729.0 * x;
    return scaled - (scaled - x);
  };
  const double a1 = upper_half(a), a2 = a - a1;
  const double b1 = upper_half(b), b2 = b - b1;
  const double p = a * b;
  return {p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

}  // namespace plumbline
