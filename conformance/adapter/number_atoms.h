// Scalars and tensors as the protocol writes them.
#pragma once

#include <bit>
#include <charconv>
#include <string>
#include <string_view>

#include "conformance/adapter/atoms.h"
#include "reference/algorithms/tensor.h"

namespace plumbline::adapter {

template <class T>
inline constexpr std::string_view type_name = "";
template <>
inline constexpr std::string_view type_name<float> = "f32";
template <>
inline constexpr std::string_view type_name<double> = "f64";
template <>
inline constexpr std::string_view type_name<bf16> = "bf16";
template <>
inline constexpr std::string_view type_name<df64> = "df64";

// Exactly the digits of the type's width.
template <class Bits>
Bits parse_digits(std::string_view digits) {
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  const bool fits = digits.size() == 2 * sizeof(Bits) && error == std::errc{} &&
                    end == digits.data() + digits.size();
  if (!fits) throw bad_request{"a number is the bits of its type, most significant digit first"};
  return static_cast<Bits>(bits);
}
template <class Bits>
std::string digits_text(Bits bits) {
  static constexpr std::string_view alphabet = "0123456789abcdef";
  std::string out;
  for (int shift = 8 * static_cast<int>(sizeof(Bits)) - 4; shift >= 0; shift -= 4)
    out += alphabet[static_cast<std::size_t>(bits >> shift & 15)];
  return out;
}

inline std::string_view after_0x(std::string_view text) {
  if (!text.starts_with("0x")) throw bad_request{"the bits of a number stand behind 0x"};
  return text.substr(2);
}

template <class T>
T parse_number(std::string_view text);
template <>
inline float parse_number(std::string_view text) {
  return std::bit_cast<float>(parse_digits<std::uint32_t>(after_0x(text)));
}
template <>
inline double parse_number(std::string_view text) {
  return std::bit_cast<double>(parse_digits<std::uint64_t>(after_0x(text)));
}
template <>
inline bf16 parse_number(std::string_view text) {
  return bf16::from_bits(parse_digits<std::uint16_t>(after_0x(text)));
}
template <>
inline df64 parse_number(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  if (colon == text.size()) throw bad_request{"a df64 is HI:LO"};
  return df64::raw(std::bit_cast<double>(parse_digits<std::uint64_t>(text.substr(0, colon))),
                   std::bit_cast<double>(parse_digits<std::uint64_t>(text.substr(colon + 1))));
}

inline std::string number_text(float x) {
  return "0x" + digits_text(std::bit_cast<std::uint32_t>(x));
}
inline std::string number_text(double x) {
  return "0x" + digits_text(std::bit_cast<std::uint64_t>(x));
}
inline std::string number_text(bf16 x) { return "0x" + digits_text(x.bits); }
inline std::string number_text(df64 x) {
  return digits_text(std::bit_cast<std::uint64_t>(x.hi)) + ':' +
         digits_text(std::bit_cast<std::uint64_t>(x.lo));
}

// "df64" of "df64[2,3]=..".
inline std::string_view type_of_tensor(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos) throw bad_request{"a tensor is TYPE[2,3]=v,v,.."};
  return text.substr(0, open);
}

template <class T>
tensor<T> parse_tensor(std::string_view text) {
  const std::size_t open = text.find('['), close = text.find("]=");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open ||
      text.substr(0, open) != type_name<T>)
    throw bad_request{"not a tensor of type " + std::string(type_name<T>)};
  shape_type shape;
  const std::string_view extents = text.substr(open + 1, close - open - 1);
  for (const std::uint64_t n :
       extents.empty() ? std::vector<std::uint64_t>{} : parse_index(extents)) {
    shape.push_back(n);
  }
  std::vector<T> values;
  std::string_view rest = text.substr(close + 2);
  if (rest == "-") rest = {};
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    values.push_back(parse_number<T>(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  tensor<T> t(std::move(shape), std::move(values));
  if (!t.is_consistent()) throw bad_request{"as many values as the shape has elements"};
  return t;
}

template <class T>
std::string tensor_text(const tensor<T>& t) {
  std::string out(type_name<T>);
  out += '[';
  for (std::size_t i = 0; i < t.shape.size(); ++i)
    out += (i > 0 ? "," : "") + std::to_string(t.shape[i]);
  out += "]=";
  for (std::size_t i = 0; i < t.values.size(); ++i)
    out += (i > 0 ? "," : "") + number_text(t.values[i]);
  return t.values.empty() ? out + '-' : out;
}

}  // namespace plumbline::adapter
