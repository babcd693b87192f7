// What the standard library and tests ask of the scalars: std::numeric_limits, std::hash, and the
// project's equality of bits.
//
// Hash and same_bits take every NaN for the positive quiet one without payload. The hash agrees
// with ==, so -0 hashes as +0; same_bits tells them apart.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "bf16.h"
#include "df64.h"

namespace plumbline {

inline std::uint64_t bits_of(double x) {
  return x != x ? 0x7ff8000000000000u : std::bit_cast<std::uint64_t>(x);
}
inline std::uint32_t bits_of(float x) {
  return x != x ? 0x7fc00000u : std::bit_cast<std::uint32_t>(x);
}
inline std::uint16_t bits_of(bf16 x) { return isnan(x) ? std::uint16_t{0x7fc0} : x.bits; }

inline bool same_bits(double x, double y) { return bits_of(x) == bits_of(y); }
inline bool same_bits(float x, float y) { return bits_of(x) == bits_of(y); }
inline bool same_bits(bf16 x, bf16 y) { return bits_of(x) == bits_of(y); }
inline bool same_bits(df64 x, df64 y) { return same_bits(x.hi, y.hi) && same_bits(x.lo, y.lo); }

}  // namespace plumbline

template <>
struct std::hash<plumbline::df64> {
  std::size_t operator()(plumbline::df64 x) const {
    const std::uint64_t hi = plumbline::bits_of(x.hi + 0.0), lo = plumbline::bits_of(x.lo + 0.0);
    return std::hash<std::uint64_t>{}(hi ^ std::rotl(lo * 0x9e3779b97f4a7c15u, 32));
  }
};

template <>
struct std::hash<plumbline::bf16> {
  std::size_t operator()(plumbline::bf16 x) const {
    return std::hash<std::uint16_t>{}(x.bits == 0x8000u ? std::uint16_t{0} : plumbline::bits_of(x));
  }
};

// 106 bits where the error term has room: min() is the least power of two from which every value
// with 106 bits is a df64. Rounding is neither to nearest nor directed; the largest bound of an
// operation, 9.8 u^2 of a quotient, is 4.9 epsilon.
template <>
class std::numeric_limits<plumbline::df64> : public std::numeric_limits<double> {
  using df64 = plumbline::df64;

 public:
  static constexpr bool is_iec559 = false;
  static constexpr int digits = 106;
  static constexpr int digits10 = 31;
  static constexpr int max_digits10 = 33;
  static constexpr int min_exponent = -968;
  static constexpr int min_exponent10 = -291;
  static constexpr std::float_round_style round_style = std::round_indeterminate;
  static constexpr df64 min() { return 0x1p-969; }
  static constexpr df64 max() { return df64::raw(0x1.fffffffffffffp1023, 0x1.fffffffffffffp969); }
  static constexpr df64 lowest() { return df64::raw(-max().hi, -max().lo); }
  static constexpr df64 epsilon() { return 0x1p-105; }
  static constexpr df64 round_error() { return 4.9; }
  static constexpr df64 infinity() { return std::numeric_limits<double>::infinity(); }
  static constexpr df64 quiet_NaN() { return std::numeric_limits<double>::quiet_NaN(); }
  static constexpr df64 signaling_NaN() { return std::numeric_limits<double>::signaling_NaN(); }
  static constexpr df64 denorm_min() { return 0x1p-1074; }
};

template <>
class std::numeric_limits<plumbline::bf16> : public std::numeric_limits<float> {
  using bf16 = plumbline::bf16;

 public:
  static constexpr bool is_iec559 = false;
  static constexpr int digits = 8;
  static constexpr int digits10 = 2;
  static constexpr int max_digits10 = 4;
  static constexpr bf16 min() { return bf16::from_bits(0x0080); }
  static constexpr bf16 max() { return bf16::from_bits(0x7f7f); }
  static constexpr bf16 lowest() { return bf16::from_bits(0xff7f); }
  static constexpr bf16 epsilon() { return bf16::from_bits(0x3c00); }
  static constexpr bf16 round_error() { return bf16::from_bits(0x3f00); }
  static constexpr bf16 infinity() { return bf16::from_bits(0x7f80); }
  static constexpr bf16 quiet_NaN() { return bf16::from_bits(0x7fc0); }
  static constexpr bf16 signaling_NaN() { return bf16::from_bits(0x7fa0); }
  static constexpr bf16 denorm_min() { return bf16::from_bits(0x0001); }
};
