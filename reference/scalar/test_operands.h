// Operands for the scalar tests: a reproducible stream of df64, plain and awkward, over the whole
// exponent range or near 1.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "df64.h"

namespace plumbline::test {

class operand_stream {
 public:
  explicit operand_stream(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {  // splitmix64
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t n) { return bits() % n; }
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint64_t>(high - low + 1)));
  }

  // Random bits, or a run of ones or zeros at one end, where roundings go wrong.
  double number(int exponent) {
    const std::uint64_t all = (std::uint64_t{1} << 52) - 1;
    const std::uint64_t random = bits() & all, mask = (std::uint64_t{1} << below(53)) - 1;
    std::uint64_t significand = random;
    switch (below(5)) {
      case 0:
        significand = random & mask;
        break;
      case 1:
        significand = random | (all & ~mask);
        break;
      case 2:
        significand = random & ~mask;
        break;
      case 3:
        significand = random | mask;
        break;
      default:
        break;
    }
    const double x = std::ldexp(1.0 + std::ldexp(static_cast<double>(significand), -52), exponent);
    return bits() & 1 ? x : -x;
  }
  df64 pair(int exponent) {
    const int gap = below(4) == 0 ? between(53, 120) : between(53, 55);
    return df64(number(exponent), below(16) == 0 ? 0.0 : number(exponent - gap));
  }
  df64 near_one() { return pair(between(-3, 3)); }
  df64 anywhere() { return pair(between(-1080, 1023)); }

 private:
  std::uint64_t state_;
};

// The corners of the range and what is not finite.
inline std::vector<df64> special_values() {
  using limits = std::numeric_limits<double>;
  std::vector<df64> values;
  for (const double x : {0.0, 1.0, 3.0, 0x1p-1074, 0x1.8p-1073, 0x1p-1022, 0x1p-969, 0x1p1000,
                         0x1p1023, limits::max(), limits::infinity()}) {
    values.push_back(x);
    values.push_back(-x);
  }
  values.push_back(limits::quiet_NaN());
  for (const double sign : {1.0, -1.0}) {
    values.push_back(df64::raw(sign * limits::max(), sign * 0x1.fffffffffffffp969));
    values.push_back(df64::raw(sign * limits::max(), sign * -0x1p969));
    values.push_back(df64::raw(sign, sign * 0x1p-80));
    values.push_back(df64::raw(sign, sign * -0x1p-1074));
  }
  return values;
}

}  // namespace plumbline::test
