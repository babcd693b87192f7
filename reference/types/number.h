// element-types.md: the numbers that the codes of the element types stand for, and the codes
// nearest to a number.
//
// Widening (exact_float64, exact_float32) is exact or refused: it gives nothing where
//   - the type has no real value here: complex, private and unknown types, and float128;
//   - the code is one of float8_e8m0's reserved ones, 00 and FF (open point D-083);
//   - the target cannot hold this very value: an int64 such as 2^53 + 1 in float64, an int32 such
//     as 2^24 + 1 or a float64 such as 0.1 in float32.
// A NaN keeps its sign, and its payload left-aligned, so that a signalling NaN stays one; a float64
// NaN whose payload does not fit gives nothing in float32. Signed zeros and subnormals are kept.
//
// Narrowing (nearest_code) rounds the float64 once, to nearest, ties to the even code:
//   - float16, bfloat16, float32, float64, float8_e5m2: overflow becomes an infinity, as IEEE 754
//     says (and the non-saturating conversion of OFP8);
//   - float8_e4m3: overflow and infinities become NaN. It is the same conversion of OFP8: the type
//     has no infinity, and what did not fit must not come back as the plausible 448;
//   - float4_e2m1, float6_e2m3, float6_e3m2: overflow and infinities are clamped to the largest
//     number of that sign (element-types.md); a NaN has no code and gives nothing;
//   - float8_e8m0: the nearest power of two, a tie at 1.5 * 2^n to the even code; nothing for what
//     is not positive, not finite, or would round to a reserved code.
//   A NaN keeps its sign and the upper bits of its payload and becomes quiet. Subnormals are kept.
// A float32 is narrowed by way of float64, which is exact.
#pragma once

#include <cstdint>
#include <optional>

#include "../exact.h"

namespace plumbline {

// A binary floating-point format with one sign bit.
struct FloatFormat {
  // What the codes with all exponent bits set are.
  enum class Top {
    special,   // infinity for mantissa 0, otherwise NaN
    last_nan,  // numbers, but for the mantissa of all ones, which is NaN
    numbers,   // numbers
  };
  int exponent_bits, mantissa_bits, bias;
  Top top;
};
// The format of a floating type; nullptr for every other type, float8_e8m0 (no sign, no mantissa)
// and float128.
const FloatFormat* find_float_format(std::uint8_t tag);

// The integer of that code; bool counts as 0 and 1. Nothing for other types.
std::optional<i128> integer_value(std::uint8_t tag, std::uint64_t code);

std::optional<double> exact_float64(std::uint8_t tag, std::uint64_t code);
std::optional<float> exact_float32(std::uint8_t tag, std::uint64_t code);

// The code of a floating type nearest to `value`.
std::optional<std::uint64_t> nearest_code(std::uint8_t tag, double value);

}  // namespace plumbline
