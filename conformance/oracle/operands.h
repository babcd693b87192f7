// Operands for the error studies: pairs of doubles that sit where double-double arithmetic errs
// most. Made of bits; nothing here computes with an implementation. The same seed gives the same
// operands everywhere: no two draws stand in one expression that leaves their order open.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "real.h"

namespace plumbline::oracle {

class operand_source {
 public:
  explicit operand_source(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {  // splitmix64
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t n) { return bits() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint64_t>(high - low) + 1));
  }

  // 52 bits: random, with a run of zeros or ones at either end, or within a few units of an end.
  std::uint64_t significand() {
    const std::uint64_t random = bits() & all, mask = (std::uint64_t{1} << below(53)) - 1;
    switch (below(8)) {
      case 0:
        return random;
      case 1:
        return random & mask;
      case 2:
        return all & ~(random & mask);
      case 3:
        return random & ~mask;
      case 4:
        return random | mask;
      case 5:
        return all - below(8);
      case 6:
        return below(8);
      default: {
        const std::uint64_t one_bit = std::uint64_t{1} << below(52);
        return (one_bit + below(3)) & all;
      }
    }
  }
  double number(int exponent) {
    const double magnitude =
        std::ldexp(static_cast<double>(significand() | (all + 1)), exponent - 52);
    return one_in(2) ? magnitude : -magnitude;
  }

  // A normalised pair with hi near 2^exponent; lo mostly just below half a unit of hi.
  pair near_power(int exponent) {
    const int gap = one_in(8) ? between(53, 113) : between(53, 55);
    const double lo = one_in(32) ? 0.0 : number(exponent - gap);
    return normalised(number(exponent), lo);
  }
  pair anywhere() { return near_power(between(-1080, 1023)); }

  // A partner for a sum with x: cancelling, of about the same size, or up to 60 powers apart.
  pair summand(pair x) {
    const int exponent = std::ilogb(x.hi);
    if (one_in(8)) {  // hi cancels fully or but for its last places
      const double hi = std::bit_cast<double>(std::bit_cast<std::uint64_t>(-x.hi) + below(9) - 4);
      return normalised(hi, number(exponent - between(53, 60)));
    }
    const int near = exponent + between(-2, 2), apart = one_in(4) ? between(0, 60) : 0;
    pair y = near_power(near - apart);
    if (one_in(2) && (x.hi > 0) == (y.hi > 0)) y = {-y.hi, -y.lo};
    return y;
  }

  // A few bits changed, or the tail of hi or lo replaced.
  pair mutated(pair x) {
    for (std::uint64_t changes = below(3) + 1; changes > 0; --changes) {
      double& part = one_in(2) ? x.hi : x.lo;
      std::uint64_t b = std::bit_cast<std::uint64_t>(part);
      const std::uint64_t mask = (std::uint64_t{1} << below(53)) - 1;
      switch (below(3)) {
        case 0:
          b ^= std::uint64_t{1} << below(52);
          break;
        case 1:
          b += below(64) - 32;
          break;
        default:
          b = (b & ~mask) | (bits() & mask);
          break;
      }
      part = std::bit_cast<double>(b);
    }
    return normalised(x.hi, x.lo);
  }

  static pair normalised(double hi, double lo) {
    if (!std::isfinite(hi + lo)) return {1, 0};
    if (std::fabs(hi) < std::fabs(lo)) std::swap(hi, lo);
    const double sum = hi + lo;
    return {sum, (lo - (sum - hi)) + 0.0};  // Dekker's fast sum, exact for |hi| >= |lo|
  }

 private:
  static constexpr std::uint64_t all = (std::uint64_t{1} << 52) - 1;
  std::uint64_t state_;
};

}  // namespace plumbline::oracle
