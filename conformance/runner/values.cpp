// Values from text.
#include "conformance/runner/values.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "conformance/vectors/keys.h"

namespace plumbline::runner {
namespace {

using vectors::kind;

constexpr std::size_t longest_shown = 60;

std::string shortened(const std::string& text) {
  return text.size() <= longest_shown ? text : text.substr(0, longest_shown) + "..";
}

bool is_nan(kind k, const std::string& canonical_bits) {
  const int bits = k == kind::f32 ? 32 : 64;
  const std::uint64_t value = vectors::parse_float(canonical_bits, bits);
  const std::uint64_t infinity = bits == 32 ? 0x7f800000U : 0x7ff0000000000000U;
  return (value & (infinity | (infinity - 1))) > infinity;
}

bool same(kind k, const std::string& expected, const std::string& got) {
  try {
    const bool is_float = k == kind::f32 || k == kind::f64;
    if (is_float && !got.starts_with("0x")) return false;  // the protocol writes bits, not decimals
    const std::string a = vectors::canonical(k, expected), b = vectors::canonical(k, got);
    return a == b || (is_float && is_nan(k, a) && is_nan(k, b));
  } catch (const vectors::value_error&) {
    return false;
  }
}

bool same_floats(const std::string& expected, const std::string& got) {
  const auto a = vectors::split(expected, ','), b = vectors::split(got, ',');
  return a.size() == b.size() && std::ranges::equal(a, b, [](const auto& x, const auto& y) {
           return x == y || same(kind::f32, x, y);
         });
}

}  // namespace

bool same_value(std::string_view op, const std::string& expected, const std::string& got) {
  if (op == "size") return same(kind::u64_list, expected, got);
  if (op == "dequantise") return same_floats(expected, got);
  if (op == "encode") return same(kind::hex, expected, got);
  const auto a = vectors::split(expected, ' '), b = vectors::split(got, ' ');
  if (a.size() != b.size()) return false;
  if (op == "address") {
    return std::ranges::equal(a, b,
                              [](const auto& x, const auto& y) { return same(kind::u64, x, y); });
  }
  if (a.size() > 2 || a[0] != b[0]) return false;  // stored HEX, or zero
  return a.size() == 1 || same(kind::hex, a[1], b[1]);
}

bool same_field(std::string_view key, const std::string& expected, const std::string& got) {
  const auto type = vectors::kind_of(key);
  return type ? same(*type, expected, got) : expected == got;
}

vectors::named_values parse_fields(std::string_view text) {
  vectors::named_values out;
  std::set<std::string, std::less<>> seen;
  for (const std::string& word : vectors::split(text, ' ')) {
    if (word.empty()) continue;
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      throw std::invalid_argument("\"" + shortened(word) + "\" is no key=value");
    out.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    if (!seen.insert(out.back().first).second)
      throw std::invalid_argument(out.back().first + " stands twice");
  }
  return out;
}

std::string difference(const vectors::named_values& expected, const vectors::named_values& got,
                       bool all) {
  for (const auto& [key, value] : expected) {
    const auto it = std::ranges::find(got, key, &vectors::named_values::value_type::first);
    if (it == got.end()) return key + " is missing";
    if (!same_field(key, value, it->second)) {
      return key + " is " + shortened(value) + ", got " + shortened(it->second);
    }
  }
  if (!all) return {};
  for (const auto& [key, value] : got) {
    if (std::ranges::find(expected, key, &vectors::named_values::value_type::first) ==
        expected.end()) {
      return key + "=" + shortened(value) + " is not there";
    }
  }
  return {};
}

}  // namespace plumbline::runner
