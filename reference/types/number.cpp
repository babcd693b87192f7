// element-types.md: from codes to numbers and back.
#include "number.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "../mutation.h"
#include "element_type.h"

namespace plumbline {

namespace {

using Top = FloatFormat::Top;

struct NamedFormat {
  std::uint8_t tag;
  FloatFormat format;
};
constexpr NamedFormat formats[] = {
    // tag, exponent bits, mantissa bits, bias
    {0x01, {5, 10, 15, Top::special}},     // float16
    {0x02, {8, 7, 127, Top::special}},     // bfloat16
    {0x03, {8, 23, 127, Top::special}},    // float32
    {0x04, {11, 52, 1023, Top::special}},  // float64
    {0x40, {4, 3, 7, Top::last_nan}},      // float8_e4m3
    {0x41, {5, 2, 15, Top::special}},      // float8_e5m2
    {0x43, {2, 1, 1, Top::numbers}},       // float4_e2m1
    {0x44, {2, 3, 1, Top::numbers}},       // float6_e2m3
    {0x45, {3, 2, 3, Top::numbers}},       // float6_e3m2
};
constexpr std::uint8_t e8m0 = 0x42;

constexpr std::uint64_t ones(int bits) { return (std::uint64_t{1} << bits) - 1; }

// A double from its fields; exact for every format of the table.
double value_of(const FloatFormat& f, std::uint64_t code) {
  if (mutant("wrong:", "subnormal codes are zero") &&
      (code >> f.mantissa_bits & ones(f.exponent_bits)) == 0)
    return 0;
  bool negative = (code >> (f.exponent_bits + f.mantissa_bits) & 1) != 0;
  std::uint64_t exponent = code >> f.mantissa_bits & ones(f.exponent_bits);
  std::uint64_t mantissa = code & ones(f.mantissa_bits);
  bool at_top = exponent == ones(f.exponent_bits);
  bool is_infinity = f.top == Top::special && at_top && mantissa == 0;
  bool is_nan = (f.top == Top::special && at_top && mantissa != 0) ||
                (f.top == Top::last_nan && at_top && mantissa == ones(f.mantissa_bits));
  if (is_nan)
    return std::bit_cast<double>(std::uint64_t{negative} << 63 | ones(11) << 52 |
                                 mantissa << (52 - f.mantissa_bits));
  double magnitude;
  if (is_infinity)
    magnitude = std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    magnitude = std::ldexp(static_cast<double>(mantissa), 1 - f.bias - f.mantissa_bits);
  else
    magnitude = std::ldexp(static_cast<double>(mantissa | std::uint64_t{1} << f.mantissa_bits),
                           static_cast<int>(exponent) - f.bias - f.mantissa_bits);
  return negative ? -magnitude : magnitude;
}

// The nearest integer of a number below 2^53, ties to even, whatever the rounding mode is.
std::uint64_t nearest_integer(double x) {
  double below = std::floor(x), rest = x - below;
  std::uint64_t integer = static_cast<std::uint64_t>(below);
  bool is_odd = integer % 2 != 0;
  return integer + (rest > 0.5 || (rest == 0.5 && is_odd) ? 1 : 0);
}

std::optional<std::uint64_t> nearest_code(const FloatFormat& f, double value) {
  std::uint64_t sign = std::uint64_t{std::signbit(value)} << (f.exponent_bits + f.mantissa_bits);
  std::uint64_t top = ones(f.exponent_bits) << f.mantissa_bits;
  std::uint64_t last = top | ones(f.mantissa_bits);
  if (std::isnan(value)) {
    if (f.top == Top::numbers) return std::nullopt;
    if (f.top == Top::last_nan) return sign | last;
    std::uint64_t payload =
        (std::bit_cast<std::uint64_t>(value) & ones(52)) >> (52 - f.mantissa_bits);
    return sign | top | payload | std::uint64_t{1} << (f.mantissa_bits - 1);
  }
  // The first code behind the finite ones in magnitude: infinity, NaN, or one code too many.
  std::uint64_t overflow = f.top == Top::special ? top : f.top == Top::last_nan ? last : last + 1;
  std::uint64_t code = overflow;
  if (value == 0) {
    code = 0;
  } else if (std::isfinite(value)) {
    int lowest = 1 - f.bias;  // exponent of the smallest normal number
    int exponent = std::max(std::ilogb(value), lowest);
    // The magnitude in units of its last place; below 2^(mantissa_bits + 1).
    std::uint64_t units = nearest_integer(std::ldexp(std::fabs(value), f.mantissa_bits - exponent));
    // A carry out of the mantissa raises the exponent field by one, as it should; a subnormal
    // number has no leading one to take off.
    if (exponent <= static_cast<int>(ones(f.exponent_bits)) - f.bias)
      code = (static_cast<std::uint64_t>(exponent - lowest) << f.mantissa_bits) + units;
  }
  if (code < overflow) return sign | code;
  return sign | (f.top == Top::numbers ? last : overflow);
}

// 2^(code - 127).
std::optional<std::uint64_t> nearest_power_of_two(double value) {
  if (!(value > 0) || !std::isfinite(value)) return std::nullopt;
  int exponent = std::ilogb(value);
  double ratio = std::ldexp(value, -exponent);  // from 1 to below 2
  bool is_odd = (exponent + 127) % 2 != 0;
  if (ratio > 1.5 || (ratio == 1.5 && is_odd)) ++exponent;
  if (exponent < 1 - 127 || exponent > 254 - 127) return std::nullopt;
  return static_cast<std::uint64_t>(exponent + 127);
}

}  // namespace

const FloatFormat* find_float_format(std::uint8_t tag) {
  for (const NamedFormat& named : formats)
    if (named.tag == tag) return &named.format;
  return nullptr;
}

std::optional<i128> integer_value(std::uint8_t tag, std::uint64_t code) {
  const ElementType* type = find_element_type(tag);
  if (!type || type->bit_width > 64) return std::nullopt;
  if (u128{code} >> type->bit_width != 0) return std::nullopt;  // no code of this type
  switch (type->kind) {
    case NumberKind::boolean:
    case NumberKind::unsigned_integer:
      return static_cast<i128>(code);
    case NumberKind::signed_integer: {
      bool negative = (code >> (type->bit_width - 1) & 1) != 0;
      return static_cast<i128>(code) - (negative ? i128{1} << type->bit_width : 0);
    }
    default:
      return std::nullopt;
  }
}

std::optional<double> exact_float64(std::uint8_t tag, std::uint64_t code) {
  if (const FloatFormat* f = find_float_format(tag)) {
    int width = 1 + f->exponent_bits + f->mantissa_bits;
    if (u128{code} >> width != 0) return std::nullopt;
    return value_of(*f, code);
  }
  if (tag == e8m0) {
    if (code < 0x01 || code > 0xFE) return std::nullopt;
    return std::ldexp(1.0, static_cast<int>(code) - 127);
  }
  std::optional<i128> integer = integer_value(tag, code);
  if (!integer) return std::nullopt;
  double nearest = static_cast<double>(*integer);
  if (static_cast<i128>(nearest) != *integer) return std::nullopt;
  return nearest;
}

std::optional<float> exact_float32(std::uint8_t tag, std::uint64_t code) {
  std::optional<double> value = exact_float64(tag, code);
  if (!value) return std::nullopt;
  if (std::isnan(*value)) {
    std::uint64_t bits = std::bit_cast<std::uint64_t>(*value);
    if ((bits & ones(29)) != 0) return std::nullopt;
    std::uint64_t narrow = bits >> 63 << 31 | ones(8) << 23 | (bits & ones(52)) >> 29;
    return std::bit_cast<float>(static_cast<std::uint32_t>(narrow));
  }
  if (std::isfinite(*value) && std::fabs(*value) > std::numeric_limits<float>::max())
    return std::nullopt;
  float nearest = static_cast<float>(*value);
  if (static_cast<double>(nearest) != *value) return std::nullopt;
  return nearest;
}

std::optional<std::uint64_t> nearest_code(std::uint8_t tag, double value) {
  if (tag == e8m0) return nearest_power_of_two(value);
  const FloatFormat* f = find_float_format(tag);
  return f ? nearest_code(*f, value) : std::nullopt;
}

}  // namespace plumbline
