// Codes and the numbers they stand for: widening is exact, narrowing is to the nearest, ties to even.
#include "reference/types/number.h"

#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "../build.h"
#include "../target.h"
#include "reference/types/element_type.h"

namespace plumbline::fuzz {

namespace {

using Rational = boost::multiprecision::cpp_rational;

std::string hex(double value) { return std::to_string(std::bit_cast<std::uint64_t>(value)); }

// The finite number of a code; nothing for infinities, NaN and codes without a number.
std::optional<Rational> number_of(std::uint8_t tag, std::uint64_t code) {
  std::optional<double> value = exact_float64(tag, code);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return Rational(*value);
}

std::string widen(std::uint8_t tag, std::uint64_t code) {
  std::optional<double> wide = exact_float64(tag, code);
  std::optional<i128> integer = integer_value(tag, code);
  if (wide && integer && static_cast<i128>(*wide) != *integer) return "widened to another integer";
  if (std::optional<float> narrow = exact_float32(tag, code)) {
    if (!wide) return "a float32 without a float64";
    bool same = std::isnan(*wide) ? std::isnan(*narrow) && std::signbit(*wide) == std::signbit(*narrow)
                                  : std::bit_cast<std::uint64_t>(double{*narrow}) ==
                                        std::bit_cast<std::uint64_t>(*wide);
    if (!same) return "float32 and float64 differ";
  }
  bool is_floating = find_float_format(tag) != nullptr || tag == 0x42;
  if (!wide || !is_floating) return "";
  std::optional<std::uint64_t> back = nearest_code(tag, *wide);
  if (std::isnan(*wide)) {
    if (!back || !exact_float64(tag, *back) || !std::isnan(*exact_float64(tag, *back)))
      return "a NaN does not stay one";
  } else if (back != code) {
    return "widened and narrowed to code " + (back ? std::to_string(*back) : "none");
  }
  return "";
}

std::string narrow(std::uint8_t tag, double value) {
  std::optional<std::uint64_t> code = nearest_code(tag, value);
  if (!code || !std::isfinite(value)) return "";
  std::optional<Rational> here = number_of(tag, *code);
  if (!here) return "";  // overflow: to infinity, NaN or nothing, as number.h says
  // The neighbours in magnitude may not be nearer, and not as near unless the code is the even one.
  Rational wanted(value), distance = abs(wanted - *here);
  for (std::uint64_t other : {*code - 1, *code + 1}) {
    std::optional<Rational> there = number_of(tag, other);
    if (!there) continue;
    Rational away = abs(wanted - *there);
    if (away < distance) return "code " + std::to_string(other) + " is nearer";
    if (away == distance && away != 0 && *code % 2 != 0) return "a tie went to the odd code";
  }
  return "";
}

}  // namespace

std::string numbers(ByteView input) {
  Choices choices(input);
  static constexpr std::uint8_t floating[] = {0x01, 0x02, 0x03, 0x04, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45};
  std::uint8_t tag = choices.one_in(4) ? choices.byte() : floating[choices.below(std::size(floating))];
  std::uint64_t code = choices.wide();
  const ElementType* type = find_element_type(tag);
  std::uint32_t bits = type ? type->bit_width : 0;
  if (bits > 0 && bits < 64 && !choices.one_in(16)) code &= (std::uint64_t{1} << bits) - 1;
  if (bits < 64 && code >> bits != 0 && (exact_float64(tag, code) || integer_value(tag, code)))
    return "type " + std::to_string(tag) + ": a number for a code with more bits than the type";

  // A number near those of the type: some power of two times a few bits, or any double.
  double value = std::bit_cast<double>(choices.wide());
  if (!choices.one_in(4)) {
    int exponent = static_cast<int>(choices.byte()) - 150;
    value = std::ldexp(static_cast<double>(choices.wide() >> choices.below(64)), exponent);
    if (choices.one_in(2)) value = -value;
  }
  std::string broken = widen(tag, code);
  if (broken.empty()) broken = narrow(tag, value);
  if (broken.empty()) return "";
  return "type " + std::to_string(tag) + ", code " + std::to_string(code) + ", number " + hex(value) + ": " + broken;
}

}  // namespace plumbline::fuzz
