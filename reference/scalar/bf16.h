// bf16: bfloat16, the upper half of a binary32 (the specification's element type 0x02).
//
// CONTRACT.
//   representation  1 sign, 8 exponent, 7 significand bits; every one of the 65,536 patterns is a
//                   value, and loads, stores and copies keep it.
//   storage         a float becomes the nearest bfloat16, ties to even: subnormals are kept, what
//                   lies at or above 2^128 - 2^119 becomes inf, a NaN stays a NaN (its sign and
//                   upper payload too) and becomes quiet. Widening is exact.
//   operations      + - * / sqrt are computed in float and rounded once more. A float has more than
//                   2 * 8 + 2 bits, so the result is the correctly rounded one (Figueroa 1995)
//                   wherever it is zero or not below 2^-126; below, it is within half a unit in the
//                   last place plus 2^-150. + and - are correctly rounded everywhere.
//   not finite      as IEEE float arithmetic; sign and payload of a computed NaN are not promised.
//   signed zeros    as IEEE.
//   order           of the values: -0 == +0, NaN equals nothing and has no order.
//   commutative     + and * bit for bit.
// A sum of many terms is not a chain of these operations: see reductions.h.
#pragma once

#include <bit>
#include <cmath>
#include <compare>
#include <cstdint>

namespace plumbline {

struct bf16 {
  std::uint16_t bits = 0;

  constexpr bf16() = default;
  explicit constexpr bf16(float value) : bits(nearest(value)) {}
  // By way of float a double would be rounded twice.
  explicit bf16(double) = delete;

  static constexpr bf16 from_bits(std::uint16_t bits) {
    bf16 x;
    x.bits = bits;
    return x;
  }
  explicit constexpr operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }

 private:
  static constexpr std::uint16_t nearest(float value) {
    const auto b = std::bit_cast<std::uint32_t>(value);
    const bool is_nan = (b & 0x7fffffffu) > 0x7f800000u;
    if (is_nan) return static_cast<std::uint16_t>(b >> 16 | 0x0040u);
    // Half a unit less one, and the one when the kept part is odd: a carry runs into the exponent.
    const std::uint32_t odd = b >> 16 & 1u;
    return static_cast<std::uint16_t>((b + 0x7fffu + odd) >> 16);
  }
};

inline bf16 operator+(bf16 x, bf16 y) { return bf16(float(x) + float(y)); }
inline bf16 operator-(bf16 x, bf16 y) { return bf16(float(x) - float(y)); }
inline bf16 operator*(bf16 x, bf16 y) { return bf16(float(x) * float(y)); }
inline bf16 operator/(bf16 x, bf16 y) { return bf16(float(x) / float(y)); }
inline bf16 sqrt(bf16 x) { return bf16(std::sqrt(float(x))); }
// Of the pattern alone, NaN included.
constexpr bf16 operator-(bf16 x) {
  return bf16::from_bits(static_cast<std::uint16_t>(x.bits ^ 0x8000u));
}
constexpr bf16 abs(bf16 x) { return bf16::from_bits(static_cast<std::uint16_t>(x.bits & 0x7fffu)); }

constexpr bool isnan(bf16 x) { return (x.bits & 0x7fffu) > 0x7f80u; }
constexpr bool isinf(bf16 x) { return (x.bits & 0x7fffu) == 0x7f80u; }
constexpr bool isfinite(bf16 x) { return (x.bits & 0x7f80u) != 0x7f80u; }
constexpr bool signbit(bf16 x) { return (x.bits & 0x8000u) != 0; }

inline bool operator==(bf16 x, bf16 y) { return float(x) == float(y); }
inline std::partial_ordering operator<=>(bf16 x, bf16 y) { return float(x) <=> float(y); }

}  // namespace plumbline
