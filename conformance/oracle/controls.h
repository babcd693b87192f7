// Algorithms that the studies must tell from those of the contract: sums of a larger error, and all
// operations without a thought for the ends of the range. For the tests.
#pragma once

#include <cmath>

#include "conformance/oracle/df64_oracle.h"

namespace plumbline::oracle::control {

// s + e = a + b.
struct sum_and_error {
  double s, e;
};
inline sum_and_error two_sum(double a, double b) {
  const double s = a + b, aa = s - b, bb = s - aa;
  return {s, (a - aa) + (b - bb)};
}
inline pair fast_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}

// JMP Alg. 6 (AccurateDWPlusDW), and made on quarters where an intermediate overflows.
inline pair accurate_network(pair x, pair y) {
  const auto s = two_sum(x.hi, y.hi), t = two_sum(x.lo, y.lo);
  const pair v = fast_two_sum(s.s, s.e + t.s);
  return fast_two_sum(v.hi, t.e + v.lo);
}
inline constexpr error_bound accurate_bound{3 + 12 * 0x1p-53, 0, "JMP Alg. 6, for comparison"};
inline pair accurate_sum(operation, pair x, pair y) {
  const pair z = accurate_network(x, y);
  if (z.hi == 0) return {x.hi + y.hi, 0};  // the sign of a zero
  if (std::isfinite(z.hi)) return z;
  const pair q = accurate_network({0.25 * x.hi, 0.25 * x.lo}, {0.25 * y.hi, 0.25 * y.lo});
  return std::isfinite(4 * q.hi) ? pair{4 * q.hi, 4 * q.lo} : pair{4 * q.hi, 0};
}

// JMP Alg. 5 (SloppyDWPlusDW).
inline pair sloppy_sum(operation, pair x, pair y) {
  const auto s = two_sum(x.hi, y.hi);
  return fast_two_sum(s.s, s.e + (x.lo + y.lo));
}

// The networks with IEEE arithmetic on the heads as their only answer where they are not finite:
// JMP Alg. 6, 12, 17 and LLMPR23 Alg. 8, within the wider of the bounds, 15 u^2 and 4 * 2^-1074,
// as long as no intermediate leaves the range.
inline constexpr error_bound unscaled_bound{15 + 0x1p-40, 4, "without a thought for the range"};
inline pair unscaled(operation op, pair x, pair y) {
  const auto or_heads = [](pair z, double heads) {
    return std::isfinite(z.hi) && z.hi != 0 ? z : pair{heads, 0};
  };
  switch (op) {
    case operation::add_double:
    case operation::sub_double:
    case operation::mul_double:
    case operation::div_double:
      y.lo = 0;
      break;
    default:
      break;
  }
  switch (op) {
    case operation::sub:
    case operation::sub_double:
      y = {-y.hi, -y.lo};
      [[fallthrough]];
    case operation::add:
    case operation::add_double:
      return or_heads(accurate_network(x, y), x.hi + y.hi);
    case operation::mul:
    case operation::mul_double: {
      const double p = x.hi * y.hi, e = std::fma(x.hi, y.hi, -p);
      const double cross = std::fma(x.lo, y.hi, std::fma(x.hi, y.lo, x.lo * y.lo));
      return or_heads(fast_two_sum(p, e + cross), p);
    }
    case operation::div:
    case operation::div_double: {
      const double t = x.hi / y.hi, p = t * y.hi, e = std::fma(t, y.hi, -p);
      const pair r = fast_two_sum(p, std::fma(t, y.lo, e));
      return or_heads(fast_two_sum(t, ((x.hi - r.hi) + (x.lo - r.lo)) / y.hi), t);
    }
    case operation::sqrt: {
      const double s = std::sqrt(x.hi);
      return or_heads(fast_two_sum(s, (std::fma(-s, s, x.hi) + x.lo) / (2 * s)), s);
    }
  }
  return {};
}

}  // namespace plumbline::oracle::control
