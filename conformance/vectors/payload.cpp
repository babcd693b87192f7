// Buffers and edits.
#include "conformance/vectors/payload.h"

#include <algorithm>
#include <array>
#include <string>

#include "conformance/vectors/keys.h"

namespace plumbline::vectors {
namespace {

enum class sort { whole, floating, brain };
struct item_type {
  std::string_view name;
  int bits;
  sort kind_of_item;
};
constexpr std::array item_types = std::to_array<item_type>({
    {"u8", 8, sort::whole},
    {"i8", 8, sort::whole},
    {"u16", 16, sort::whole},
    {"i16", 16, sort::whole},
    {"u32", 32, sort::whole},
    {"i32", 32, sort::whole},
    {"u64", 64, sort::whole},
    {"i64", 64, sort::whole},
    {"f16", 16, sort::floating},
    {"bf16", 16, sort::brain},
    {"f32", 32, sort::floating},
    {"f64", 64, sort::floating},
});

std::uint64_t whole_item(const item_type& type, const std::string& text) {
  const bool is_signed = type.name.front() == 'i';
  if (!is_signed) {
    const auto value = parse_unsigned(text);
    if (!value || (type.bits < 64 && (*value >> type.bits) != 0))
      throw value_error("not " + std::string(type.name) + ": " + text);
    return *value;
  }
  const auto value = parse_signed(text);
  const std::int64_t half = std::int64_t{1} << (std::min(type.bits, 63) - 1);
  if (!value || (type.bits < 64 && (*value < -half || *value >= half))) {
    throw value_error("not " + std::string(type.name) + ": " + text);
  }
  return static_cast<std::uint64_t>(*value);
}

std::uint64_t item_bits(const item_type& type, const std::string& text) {
  if (type.kind_of_item == sort::whole) return whole_item(type, text);
  if (type.kind_of_item == sort::floating) return parse_float(text, type.bits);
  if (text.starts_with("0x")) return parse_float(text, 16);
  const std::uint64_t single = parse_float(text, 32);
  if ((single & 0xffff) != 0) throw value_error("not exact in bf16: " + text);
  return single >> 16;
}

bytes typed(const item_type& type, std::string_view list) {
  bytes out;
  for (const std::string& part : split(list, ',')) {
    const std::size_t star = part.find('*');
    const std::string text(trim(std::string_view(part).substr(0, star)));
    std::uint64_t count = 1;
    if (star != std::string::npos) {
      const auto given = parse_unsigned(trim(std::string_view(part).substr(star + 1)));
      if (!given || *given > 100000) throw value_error("bad repetition: " + part);
      count = *given;
    }
    const std::uint64_t value = item_bits(type, text);
    for (std::uint64_t n = 0; n < count; ++n) {
      for (int shift = 0; shift < type.bits; shift += 8)
        out.push_back(static_cast<std::uint8_t>(value >> shift));
    }
  }
  return out;
}

}  // namespace

void add_buffer(std::string_view text, std::vector<bytes>& buffers) {
  const auto words = split(text, ' ');
  const auto index = parse_unsigned(words.front());
  if (!index || *index > 254 || words.size() < 2)
    throw value_error("data K HEX, or data K TYPE LIST");
  if (*index != buffers.size())
    throw value_error("data in ascending order, none left out (`-` is an empty buffer)");
  const std::string_view rest = trim(text.substr(words.front().size()));
  const std::string_view name = rest.substr(0, rest.find(' '));
  const auto type = std::ranges::find(item_types, name, &item_type::name);
  if (type != item_types.end()) {
    buffers.push_back(typed(*type, trim(rest.substr(name.size()))));
  } else {
    buffers.push_back(encode_value(kind::hex, rest).front());
  }
}

void apply_edit(std::string_view word, std::string_view text, bytes& data) {
  if (word == "cut") {
    const auto keep = parse_unsigned(text);
    if (!keep || *keep >= data.size()) throw value_error("cut N keeps fewer bytes than there are");
    data.resize(*keep);
    return;
  }
  if (word == "append") {
    const bytes more = encode_value(kind::hex, text).front();
    data.insert(data.end(), more.begin(), more.end());
    return;
  }
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) throw value_error("patch OFFSET HEX");
  const auto at = parse_unsigned(text.substr(0, space));
  const bytes over = encode_value(kind::hex, trim(text.substr(space))).front();
  if (!at || *at > data.size() || over.size() > data.size() - *at)
    throw value_error("patch lies outside the bytes");
  if (std::equal(over.begin(), over.end(), data.begin() + static_cast<std::ptrdiff_t>(*at))) {
    throw value_error("patch changes nothing");
  }
  std::copy(over.begin(), over.end(), data.begin() + static_cast<std::ptrdiff_t>(*at));
}

}  // namespace plumbline::vectors
