// Directed conversions between scalars. There are four, each a pair of its own: no promotion, no
// conversion in several hops, and every other pair is refused by name.
//
//   f64 -> df64   exact, lo = +0; inf and NaN stay
//   df64 -> f64   RN(hi + lo), which of a canonical df64 is hi; inf and NaN stay
//   bf16 -> f32   exact
//   f32 -> bf16   to nearest, ties to even (bf16.h)
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>
#include <vector>

#include "bf16.h"
#include "df64.h"
#include "error.h"

namespace plumbline {

inline df64 widen(double x) { return x; }
inline double narrow(df64 x) {
  return x.lo == 0 ? x.hi : x.hi + x.lo;  // -0 + +0 would lose the sign
}
inline float widen(bf16 x) { return float(x); }
inline bf16 narrow(float x) { return bf16(x); }

enum class scalar_type : std::uint8_t { f32, f64, bf16, df64 };
std::string_view to_string(scalar_type type);
std::size_t byte_width(scalar_type type);

// Converts a buffer of elements in their byte form (storage.h).
// unsupported_type: the pair is none of the four. shape_mismatch: not a whole number of elements.
std::expected<std::vector<std::uint8_t>, numeric_error> convert(
    scalar_type source, scalar_type target, std::span<const std::uint8_t> elements);

}  // namespace plumbline
