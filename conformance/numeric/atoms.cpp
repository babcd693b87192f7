// Atoms from text and back.
#include "conformance/numeric/atoms.h"

#include <mpfr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace plumbline::numeric {
namespace {

using oracle::pair;
using oracle::real;

constexpr std::array scalars = {scalar::f32, scalar::f64, scalar::bf16, scalar::df64};
constexpr std::size_t longest_tensor = 1U << 16;

int digits_of(scalar type) { return type == scalar::bf16 ? 4 : type == scalar::f32 ? 8 : 16; }

bool all_hex(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  });
}

std::string hex(std::uint64_t bits, int digits) {
  static constexpr std::string_view alphabet = "0123456789abcdef";
  std::string out;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += alphabet[bits >> shift & 15];
  return out;
}

std::uint64_t bits_of(std::string_view digits) {
  std::uint64_t bits = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  return bits;
}

double float_of(scalar type, std::uint64_t bits) {
  if (type == scalar::bf16) return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  if (type == scalar::f32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return std::bit_cast<double>(bits);
}

// The bits of a double that fits the type exactly.
std::uint64_t float_bits(scalar type, double x, std::string_view text) {
  if (type == scalar::f64 || type == scalar::df64) return std::bit_cast<std::uint64_t>(x);
  const auto single = static_cast<float>(x);
  const auto bits = std::bit_cast<std::uint32_t>(single);
  const bool exact =
      std::isnan(x) || (double{single} == x && (type == scalar::f32 || (bits & 0xffff) == 0));
  if (!exact) {
    throw atom_error("not exact in " + std::string(name_of(type)) + ": " + std::string(text));
  }
  return type == scalar::f32 ? bits : bits >> 16;
}

double read_number(std::string_view text) {
  std::string_view digits = text;
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  double x = 0;
  const bool is_hex = digits.starts_with("0x");
  if (is_hex) digits.remove_prefix(2);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), x,
                      is_hex ? std::chars_format::hex : std::chars_format::general);
  // A hexadecimal number has its exponent: without one it could be meant as bits.
  const bool fits = error == std::errc{} && end == digits.data() + digits.size() &&
                    !digits.starts_with('-') && (!is_hex || digits.contains('p'));
  if (!fits) throw atom_error("not a number: " + std::string(text));
  return negative ? -x : x;
}

std::string double_digits(std::string_view text) {
  if (text.size() == 16 && all_hex(text)) return hex(bits_of(text), 16);
  return hex(std::bit_cast<std::uint64_t>(read_number(text)), 16);
}

struct tensor_words {
  scalar type;
  std::string head;
  std::vector<std::size_t> shape;
  std::vector<std::string> items;
};

tensor_words words_of(std::string_view text) {
  const auto fail = [&] {
    throw atom_error("not a tensor, TYPE[2,3]=v,v,..: " + std::string(text.substr(0, 60)));
  };
  const std::size_t open = text.find('['), close = text.find("]=");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) fail();
  tensor_words t{
      scalar_named(text.substr(0, open)), std::string(text.substr(0, close + 2)), {}, {}};
  std::size_t count = 1;
  if (close > open + 1) {
    for (const std::string& extent : split(text.substr(open + 1, close - open - 1), ',')) {
      std::size_t n = 0;
      const auto [end, error] = std::from_chars(extent.data(), extent.data() + extent.size(), n);
      if (error != std::errc{} || end != extent.data() + extent.size() || n > longest_tensor)
        fail();
      t.shape.push_back(n);
      count *= n;
      if (count > longest_tensor) fail();
    }
  }
  const std::string_view values = text.substr(close + 2);
  if (!values.empty() && values != "-") t.items = split(values, ',');
  if (t.items.size() != count) {
    throw atom_error(std::to_string(t.items.size()) + " values in " + t.head);
  }
  return t;
}

}  // namespace

std::string_view name_of(scalar type) {
  switch (type) {
    case scalar::f32:
      return "f32";
    case scalar::f64:
      return "f64";
    case scalar::bf16:
      return "bf16";
    case scalar::df64:
      return "df64";
  }
  return "";
}

scalar scalar_named(std::string_view name) {
  const auto found = std::ranges::find(scalars, name, name_of);
  if (found == scalars.end()) throw atom_error("no such type: " + std::string(name));
  return *found;
}

pair read_scalar(scalar type, std::string_view atom) {
  const auto fail = [&] {
    throw atom_error("not the bits of a " + std::string(name_of(type)) + ": " +
                     std::string(atom.substr(0, 40)));
  };
  if (type == scalar::df64) {
    if (atom.size() != 33 || atom[16] != ':' || !all_hex(atom.substr(0, 16)) ||
        !all_hex(atom.substr(17)))
      fail();
    return {float_of(type, bits_of(atom.substr(0, 16))), float_of(type, bits_of(atom.substr(17)))};
  }
  const auto digits = static_cast<std::size_t>(digits_of(type));
  if (!atom.starts_with("0x") || atom.size() != digits + 2 || !all_hex(atom.substr(2))) fail();
  return {float_of(type, bits_of(atom.substr(2))), 0};
}

std::string atom_of(scalar type, std::string_view text) {
  if (type == scalar::df64) {
    const std::size_t colon = text.find(':');
    const std::string_view lo = colon == std::string_view::npos ? "0" : text.substr(colon + 1);
    return double_digits(text.substr(0, colon)) + ':' + double_digits(lo);
  }
  const auto digits = static_cast<std::size_t>(digits_of(type));
  if (text.starts_with("0x") && text.size() == digits + 2 && all_hex(text.substr(2)))
    return "0x" + hex(bits_of(text.substr(2)), digits_of(type));
  return "0x" + hex(float_bits(type, read_number(text), text), digits_of(type));
}

std::string atom_of(scalar type, pair value) {
  const std::string head = hex(float_bits(type, value.hi, "a value"), digits_of(type));
  if (type != scalar::df64) return "0x" + head;
  return head + ':' + hex(std::bit_cast<std::uint64_t>(value.lo), 16);
}

tensor read_tensor(std::string_view atom) {
  const tensor_words words = words_of(atom);
  tensor t;
  t.type = words.type;
  t.shape = words.shape;
  for (const std::string& item : words.items) t.values.push_back(read_scalar(t.type, item));
  return t;
}

std::string tensor_atom_of(std::string_view text) {
  const tensor_words words = words_of(text);
  std::string out = words.head;
  for (std::size_t i = 0; i < words.items.size(); ++i)
    out += (i > 0 ? "," : "") + atom_of(words.type, words.items[i]);
  return words.items.empty() ? out + '-' : out;
}

std::string head_of(const tensor& t) {
  std::string out(name_of(t.type));
  for (std::size_t i = 0; i < t.shape.size(); ++i)
    out += (i == 0 ? "[" : ",") + std::to_string(t.shape[i]);
  return out + (t.shape.empty() ? "[]=" : "]=");
}

std::string tensor_atom_of(const tensor& t) {
  std::string out = head_of(t);
  for (std::size_t i = 0; i < t.values.size(); ++i)
    out += (i > 0 ? "," : "") + atom_of(t.type, t.values[i]);
  return t.values.empty() ? out + '-' : out;
}

std::string real_text(const real& x, bool in_full) {
  if (isnan(x)) return "nan";
  if (isinf(x)) return x > 0 ? "inf" : "-inf";
  if (x == 0) return mpfr_signbit(x.backend().data()) != 0 ? "-0" : "0";
  mpfr_t m;
  mpfr_init2(m, in_full ? mpfr_get_prec(x.backend().data()) : 212);
  mpfr_set(m, x.backend().data(), MPFR_RNDN);
  mpfr_exp_t exponent = 0;
  char* const text = mpfr_get_str(nullptr, &exponent, 16, 0, m, MPFR_RNDN);
  std::string digits = text;
  mpfr_free_str(text);
  mpfr_clear(m);
  std::string out = digits.front() == '-' ? "-0x" : "0x";
  if (digits.front() == '-') digits.erase(0, 1);
  digits.erase(digits.find_last_not_of('0') + 1);
  out += digits.front();
  if (digits.size() > 1) out += '.' + digits.substr(1);
  return out + 'p' + std::to_string(4 * (exponent - 1));
}

real read_real(std::string_view text) {
  const std::string word(text);
  real x;
  char* end = nullptr;
  mpfr_strtofr(x.backend().data(), word.c_str(), &end, 0, MPFR_RNDN);
  if (word.empty() || *end != '\0' || !isfinite(x)) throw atom_error("not a real number: " + word);
  return x;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t end = text.find(separator);
    out.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

}  // namespace plumbline::numeric
