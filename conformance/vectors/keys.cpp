// Keys, their wire types, and values to bytes.
#include "conformance/vectors/keys.h"

#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace plumbline::vectors {
namespace {

struct key_row {
  std::string_view pattern;  // '#' stands for a number
  kind type;
};

constexpr std::array key_table = std::to_array<key_row>({
    {"version_major", kind::u8},
    {"version_minor", kind::u8},
    {"descriptor_length", kind::u32},
    {"flags", kind::u32},
    {"type_tag", kind::u8},
    {"layout_tag", kind::u8},
    {"rank", kind::u32},
    {"shape", kind::u64_list},
    {"byte_offset", kind::u64},
    {"layout.strides", kind::i64_list},
    {"layout.tile.#.tile_shape", kind::u64_list},
    {"layout.tile.#.outer_layout", kind::u8},
    {"layout.tile.#.inner_layout", kind::u8},
    {"layout.tile.#.reserved", kind::hex},
    {"layout.tile.#.outer_strides", kind::i64_list},
    {"layout.tile.#.inner_strides", kind::i64_list},
    {"layout.morton_bits", kind::u32_list},
    {"layout.nnz", kind::u64},
    {"layout.is_sorted", kind::u8},
    {"layout.reserved", kind::hex},
    {"layout.mode_order", kind::u32_list},
    {"layout.page_size", kind::u32},
    {"layout.num_pages", kind::u64},
    {"layout.paged_axis", kind::u32},
    {"layout.num_seqs", kind::u32},
    {"layout.kv_role", kind::u8},
    {"layout.layer_index", kind::u32},
    {"layout.block_table_index_type", kind::u8},
    {"layout.composition_rule", kind::u8},
    {"layout.combine_op", kind::u8},
    {"layout.member_count", kind::u32},
    {"layout.hilbert_order", kind::u32},
    {"layout.hilbert_rank", kind::u32},
    {"layout.extension_layout_id", kind::u64},
    {"layout.extension_data_length", kind::u32},
    {"layout.extension_data", kind::hex},
    {"layout.raw", kind::hex},
    {"buffer_count", kind::u8},
    {"buffer.#.byte_size", kind::u64},
    {"buffer.#.alignment", kind::u32},
    {"buffer.#.device_tag", kind::u8},
    {"buffer.#.sync_mode", kind::u8},
    {"buffer.#.memory_class", kind::u8},
    {"buffer.#.reserved", kind::u8},
    {"quantization.quantization_length", kind::u32},
    {"quantization.scheme_tag", kind::u8},
    {"quantization.scheme_version", kind::u8},
    {"quantization.flags", kind::u16},
    {"quantization.scale", kind::f32},
    {"quantization.zero_point", kind::i32},
    {"quantization.reserved", kind::hex},
    {"quantization.axis", kind::u32},
    {"quantization.block_size", kind::u32},
    {"quantization.scale_buffer_index", kind::u32},
    {"quantization.zero_point_buffer_index", kind::u32},
    {"quantization.scale_type_tag", kind::u8},
    {"quantization.payload", kind::hex},
    {"quantization.padding", kind::hex},
    {"shard.parent_shape", kind::u64_list},
    {"shard.shard_offset", kind::u64_list},
    {"statistics.computed_mask", kind::u32},
    {"statistics.reserved", kind::hex},
    {"statistics.nnz", kind::u64},
    {"statistics.sparsity_ratio", kind::f64},
    {"statistics.value_min", kind::f64},
    {"statistics.value_max", kind::f64},
    {"statistics.value_abs_max", kind::f64},
    {"statistics.value_mean", kind::f64},
    {"statistics.value_stddev", kind::f64},
    {"statistics.nm_n", kind::u8},
    {"statistics.nm_m", kind::u8},
    {"statistics.has_nan", kind::u8},
    {"statistics.has_inf", kind::u8},
    {"statistics.reserved2", kind::hex},
    {"extension.bit_width", kind::u32},
    {"extension.packing_factor", kind::u8},
    {"extension.is_float", kind::u8},
    {"extension.is_signed", kind::u8},
    {"extension.sign_bits", kind::u8},
    {"extension.exponent_bits", kind::u8},
    {"extension.mantissa_bits", kind::u8},
    {"extension.reserved", kind::hex},
    {"extension.exponent_bias", kind::u32},
    {"extension.has_nan", kind::u8},
    {"extension.has_inf", kind::u8},
    {"extension.reserved2", kind::hex},
    {"member.member_role", kind::u8},
    {"member.reserved", kind::hex},
    {"tail", kind::hex},
});

bool matches(std::string_view pattern, std::string_view key) {
  std::size_t k = 0;
  for (char p : pattern) {
    if (p != '#') {
      if (k >= key.size() || key[k++] != p) return false;
      continue;
    }
    const std::size_t start = k;
    while (k < key.size() && key[k] >= '0' && key[k] <= '9') ++k;
    if (k == start || (key[start] == '0' && k > start + 1)) return false;  // one spelling a number
  }
  return k == key.size();
}

bytes little_endian(std::uint64_t value, std::size_t width) {
  bytes out;
  for (std::size_t i = 0; i < width; ++i)
    out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  return out;
}

bool is_signed_kind(kind k) { return k == kind::i32 || k == kind::i64 || k == kind::i64_list; }

// The value of one integer item as 64 bits, checked against its width.
std::uint64_t integer_bits(kind k, std::string_view text) {
  const std::size_t width = width_of(k);
  if (is_signed_kind(k)) {
    const auto value = parse_signed(text);
    if (!value) throw value_error("not a signed number: " + std::string(text));
    if (width == 4 && (*value < INT32_MIN || *value > INT32_MAX)) {
      throw value_error("does not fit in 32 bits: " + std::string(text));
    }
    return static_cast<std::uint64_t>(*value);
  }
  const auto value = parse_unsigned(text);
  if (!value) throw value_error("not a number: " + std::string(text));
  if (width < 8 && (*value >> (8 * width)) != 0) {
    throw value_error("does not fit in " + std::to_string(8 * width) +
                      " bits: " + std::string(text));
  }
  return *value;
}

// "-" is the empty list; "1*64" is sixty-four ones.
std::vector<std::string> list_items(std::string_view text) {
  if (text == "-") return {};
  std::vector<std::string> out;
  for (const std::string& part : split(text, ',')) {
    const std::size_t star = part.find('*');
    if (star == std::string::npos) {
      out.push_back(part);
      continue;
    }
    const auto count = parse_unsigned(trim(std::string_view(part).substr(star + 1)));
    if (!count || *count == 0 || *count > 100000) throw value_error("bad repetition: " + part);
    out.insert(out.end(), *count, std::string(trim(std::string_view(part).substr(0, star))));
  }
  return out;
}

std::string print_integer(kind k, std::uint64_t bits) {
  return is_signed_kind(k) ? std::to_string(static_cast<std::int64_t>(bits)) : std::to_string(bits);
}

std::uint16_t exact_half(double value, std::string_view text) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7e00;
  if (std::isinf(value)) return static_cast<std::uint16_t>(sign | 0x7c00);
  for (unsigned code = 0; code < 0x7c00; ++code) {
    const int exponent = static_cast<int>(code >> 10);
    const double mantissa = code & 0x3ff;
    const double candidate =
        exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    if (candidate == std::fabs(value)) return static_cast<std::uint16_t>(sign | code);
  }
  throw value_error("not exact in 16 bits: " + std::string(text));
}

}  // namespace

std::optional<kind> kind_of(std::string_view key) {
  for (const key_row& row : key_table) {
    if (matches(row.pattern, key)) return row.type;
  }
  return std::nullopt;
}

bool is_list(kind k) { return k == kind::u32_list || k == kind::u64_list || k == kind::i64_list; }

std::size_t width_of(kind k) {
  switch (k) {
    case kind::u8:
      return 1;
    case kind::u16:
      return 2;
    case kind::u32:
    case kind::i32:
    case kind::f32:
    case kind::u32_list:
      return 4;
    case kind::u64:
    case kind::i64:
    case kind::f64:
    case kind::u64_list:
    case kind::i64_list:
      return 8;
    case kind::hex:
      return 1;
  }
  return 1;
}

std::vector<bytes> encode_value(kind k, std::string_view text) {
  if (k == kind::hex) {
    if (text == "-") return {bytes{}};
    auto data = from_hex(text);
    if (!data || data->empty()) throw value_error("not hex: " + std::string(text));
    return {*std::move(data)};
  }
  if (k == kind::f32) return {little_endian(parse_float(text, 32), 4)};
  if (k == kind::f64) return {little_endian(parse_float(text, 64), 8)};
  if (!is_list(k)) return {little_endian(integer_bits(k, text), width_of(k))};
  std::vector<bytes> out;
  for (const std::string& item : list_items(text)) {
    out.push_back(little_endian(integer_bits(k, item), width_of(k)));
  }
  return out;
}

std::string canonical(kind k, std::string_view text) {
  if (k == kind::hex) {
    const std::string digits = to_hex(encode_value(k, text).front());
    return digits.empty() ? "-" : digits;
  }
  if (k == kind::f32) return format_float(parse_float(text, 32), 32);
  if (k == kind::f64) return format_float(parse_float(text, 64), 64);
  if (!is_list(k)) return print_integer(k, integer_bits(k, text));
  std::string out;
  for (const std::string& item : list_items(text)) {
    if (!out.empty()) out += ',';
    out += print_integer(k, integer_bits(k, item));
  }
  return out.empty() ? "-" : out;
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  if (text == "dynamic") return UINT64_MAX;
  int base = 10;
  if (text.starts_with("0x")) {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_signed(std::string_view text) {
  if (!text.starts_with('-')) {
    const auto value = parse_unsigned(text);
    if (!value || *value > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
    return static_cast<std::int64_t>(*value);
  }
  const auto magnitude = parse_unsigned(text.substr(1));
  if (!magnitude || *magnitude > static_cast<std::uint64_t>(INT64_MAX) + 1) return std::nullopt;
  return static_cast<std::int64_t>(0 - *magnitude);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t at = text.find(separator);
    out.emplace_back(trim(text.substr(0, at)));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::uint64_t parse_float(std::string_view text, int bits) {
  if (text.starts_with("0x")) {
    const auto value = parse_unsigned(text);
    if (!value || text.size() != 2 + static_cast<std::size_t>(bits) / 4) {
      throw value_error("float bits need " + std::to_string(bits / 4) +
                        " digits: " + std::string(text));
    }
    return *value;
  }
  const std::string number(text);
  char* end = nullptr;
  errno = 0;
  if (bits == 32) {
    const float value = std::strtof(number.c_str(), &end);
    if (number.empty() || *end != 0) throw value_error("not a float: " + number);
    return std::isnan(value) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(value);
  }
  const double value = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != 0) throw value_error("not a float: " + number);
  if (bits == 16) return exact_half(value, text);
  return std::isnan(value) ? 0x7ff8000000000000u : std::bit_cast<std::uint64_t>(value);
}

std::string format_float(std::uint64_t value, int bits) {
  bytes big;
  for (int shift = bits - 8; shift >= 0; shift -= 8)
    big.push_back(static_cast<std::uint8_t>(value >> shift));
  return "0x" + to_hex(big);
}

}  // namespace plumbline::vectors
