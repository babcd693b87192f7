#include "fields.h"

#include <algorithm>
#include <charconv>

#include "../mutation.h"

namespace plumbline {

namespace {

// Runs an integer visit through the 64-bit form that the walkers share.
template <class T, class Visit>
void through_u64(T& value, Visit visit) {
  std::uint64_t wide = static_cast<std::uint64_t>(value);
  visit(wide);
  value = static_cast<T>(wide);
}

std::string print(std::uint64_t value, std::size_t width, bool is_signed, bool is_float) {
  if (is_float) {
    static const char digits[] = "0123456789abcdef";
    std::string text = "0x";
    for (std::size_t i = 2 * width; i-- > 0;) text += digits[value >> (4 * i) & 15];
    return text;
  }
  if (!is_signed) return std::to_string(value);
  std::int64_t number = width == 4 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(value))
                                   : static_cast<std::int64_t>(value);
  return std::to_string(number);
}

std::string print(const Bytes& bytes) { return bytes.empty() ? "-" : to_hex(bytes); }

}  // namespace

void Fields::u8(std::string_view name, std::uint8_t& value) {
  through_u64(value, [&](std::uint64_t& v) { integer(name, -1, 1, Kind::unsigned_integer, v); });
}
void Fields::u16(std::string_view name, std::uint16_t& value) {
  through_u64(value, [&](std::uint64_t& v) { integer(name, -1, 2, Kind::unsigned_integer, v); });
}
void Fields::u32(std::string_view name, std::uint32_t& value) {
  through_u64(value, [&](std::uint64_t& v) { integer(name, -1, 4, Kind::unsigned_integer, v); });
}
void Fields::u64(std::string_view name, std::uint64_t& value) {
  integer(name, -1, 8, Kind::unsigned_integer, value);
}
void Fields::i32(std::string_view name, std::int32_t& value) {
  through_u64(value, [&](std::uint64_t& v) { integer(name, -1, 4, Kind::signed_integer, v); });
}
void Fields::f32(std::string_view name, std::uint32_t& bits) {
  through_u64(bits, [&](std::uint64_t& v) { integer(name, -1, 4, Kind::float_bits, v); });
}
void Fields::f64(std::string_view name, std::uint64_t& bits) {
  integer(name, -1, 8, Kind::float_bits, bits);
}

void Fields::u32s(std::string_view name, std::vector<std::uint32_t>& values, std::size_t count) {
  list(name, count);
  holds(name, count, values.size());
  for (std::size_t i = 0; i < count && ok(); ++i) {
    std::uint64_t v = i < values.size() ? values[i] : 0;
    integer(name, static_cast<int>(i), 4, Kind::unsigned_integer, v);
    if (ok() && i >= values.size()) values.push_back(0);
    if (ok()) values[i] = static_cast<std::uint32_t>(v);
  }
}
void Fields::u64s(std::string_view name, std::vector<std::uint64_t>& values, std::size_t count) {
  list(name, count);
  holds(name, count, values.size());
  for (std::size_t i = 0; i < count && ok(); ++i) {
    std::uint64_t v = i < values.size() ? values[i] : 0;
    integer(name, static_cast<int>(i), 8, Kind::unsigned_integer, v);
    if (ok() && i >= values.size()) values.push_back(0);
    if (ok()) values[i] = v;
  }
}
void Fields::i64s(std::string_view name, std::vector<std::int64_t>& values, std::size_t count) {
  list(name, count);
  holds(name, count, values.size());
  for (std::size_t i = 0; i < count && ok(); ++i) {
    std::uint64_t v = i < values.size() ? static_cast<std::uint64_t>(values[i]) : 0;
    integer(name, static_cast<int>(i), 8, Kind::signed_integer, v);
    if (ok() && i >= values.size()) values.push_back(0);
    if (ok()) values[i] = static_cast<std::int64_t>(v);
  }
}
void Fields::list(std::string_view, std::size_t) {}
void Fields::holds(std::string_view, std::uint64_t, std::size_t) {}
void Fields::blob(std::string_view length_name, std::uint32_t& length, std::string_view name,
                  Bytes& value) {
  if (std::size_t run = run_length(name, value); run > 0) length = static_cast<std::uint32_t>(run);
  u32(length_name, length);
  bytes(name, value, length);
}
std::size_t Fields::run_length(std::string_view, const Bytes& value) const { return value.size(); }

// --- bytes -> struct

std::optional<ByteView> ReadFields::take(std::string_view name, std::uint64_t count) {
  if (!ok_) return std::nullopt;
  std::optional<ByteView> taken = reader_.take(count);
  if (!taken) {
    ok_ = false;
    cut_name_ = prefix_ + std::string(name);
    cut_width_ = count;
  }
  return taken;
}
void ReadFields::integer(std::string_view name, int index, std::size_t width, Kind,
                         std::uint64_t& value) {
  if (std::optional<ByteView> taken = take(name, width))
    value = little_endian(*taken);
  else if (index >= 0 && cut_name_ == prefix_ + std::string(name))
    cut_name_ += "[" + std::to_string(index) + "]";
}
void ReadFields::bytes(std::string_view name, Bytes& value, std::uint64_t count) {
  if (std::optional<ByteView> taken = take(name, count)) value.assign(taken->begin(), taken->end());
}
void ReadFields::rest(std::string_view name, Bytes& value) { bytes(name, value, left()); }

// --- struct -> bytes

void WriteFields::integer(std::string_view, int, std::size_t width, Kind, std::uint64_t& value) {
  std::size_t begin = out.size();
  append_little_endian(out, value, width);
  if (mutant("wrong:", "most significant byte first"))
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
}
void WriteFields::holds(std::string_view name, std::uint64_t count, std::size_t held) {
  if (count != held && !miscounted) miscounted = {prefix_ + std::string(name), out.size(), held, count};
}
void WriteFields::bytes(std::string_view name, Bytes& value, std::uint64_t count) {
  holds(name, count, value.size());
  out.insert(out.end(), value.begin(), value.end());
}
void WriteFields::rest(std::string_view name, Bytes& value) { bytes(name, value, value.size()); }

// --- struct -> list

void ListFields::integer(std::string_view name, int index, std::size_t width, Kind kind,
                         std::uint64_t& value) {
  fields.push_back({prefix_ + std::string(name), index, offset_, width,
                    print(value, width, kind == Kind::signed_integer, kind == Kind::float_bits)});
  offset_ += width;
}
void ListFields::bytes(std::string_view name, Bytes& value, std::uint64_t) {
  fields.push_back({prefix_ + std::string(name), -1, offset_, value.size(), print(value)});
  offset_ += value.size();
}
void ListFields::rest(std::string_view name, Bytes& value) {
  if (!value.empty()) bytes(name, value, value.size());
}
void ListFields::list(std::string_view name, std::size_t count) {
  if (count == 0) fields.push_back({prefix_ + std::string(name), -1, offset_, 0, "-"});
}

// --- text -> struct

bool ParseFields::has_prefix(std::string_view prefix) const {
  auto found = text_.lower_bound(prefix);
  return found != text_.end() && found->first.starts_with(prefix);
}
std::size_t ParseFields::length(std::string_view key) const {
  auto found = text_.find(key);
  return found == text_.end() ? 0 : split_list(found->second).size();
}
void ParseFields::fail(FieldTextFault why) {
  if (ok_) error_ = std::move(why);
  ok_ = false;
}
std::optional<std::string> ParseFields::unused() const {
  for (const auto& [key, value] : text_)
    if (!used_.contains(key)) return key;
  return std::nullopt;
}
void ParseFields::list(std::string_view name, std::size_t count) {
  std::string key = prefix_ + std::string(name);
  auto found = text_.find(key);
  members_.clear();
  if (found == text_.end()) {
    if (count > 4096)  // a rank without its shape is no ground to allocate one
      fail({key + " is missing"});
    else
      members_.assign(count, "0");
    return;
  }
  used_.insert(*found);
  members_ = split_list(found->second);
  const auto is_integer = [](const std::string& text) {
    return parse_integer(text, 8, true) || parse_integer(text, 8, false);
  };
  if (found->second.empty() || !std::ranges::all_of(members_, is_integer))
    fail({key + " is no list of integers: " + found->second.substr(0, 40), true});
  if (members_.size() != count)
    fail({key + " has " + std::to_string(members_.size()) + " members, the rank asks for " +
          std::to_string(count)});
}
void ParseFields::integer(std::string_view name, int index, std::size_t width, Kind kind,
                          std::uint64_t& value) {
  if (!ok_) return;
  std::string key = prefix_ + std::string(name);
  std::string text;
  if (index >= 0) {
    text = members_[static_cast<std::size_t>(index)];
  } else {
    auto found = text_.find(key);
    if (found == text_.end()) return;
    used_.insert(*found);
    text = found->second;
  }
  std::optional<std::uint64_t> parsed = parse_integer(text, width, kind == Kind::signed_integer);
  if (parsed)
    value = *parsed;
  else
    fail({key + " is no integer of " + std::to_string(width) + " bytes: " + text.substr(0, 40),
          true});
}
void ParseFields::bytes(std::string_view name, Bytes& value, std::uint64_t count) {
  if (!ok_) return;
  std::string key = prefix_ + std::string(name);
  auto found = text_.find(key);
  if (found == text_.end()) {
    if (count > 4096)  // a length without its bytes is no ground to allocate them
      fail({key + " is missing"});
    else if (value.size() != count)
      value.assign(static_cast<std::size_t>(count), 0);
    return;
  }
  used_.insert(*found);
  std::optional<Bytes> parsed = found->second == "-" ? Bytes{} : from_hex(found->second);
  if (!parsed || found->second.empty())
    fail({key + " is no bytes in hex: " + found->second.substr(0, 40), true});
  else if (parsed->size() != count)
    fail({key + " is not " + std::to_string(count) + " bytes in hex"});
  else
    value = *parsed;
}
void ParseFields::rest(std::string_view name, Bytes& value) {
  bytes(name, value, run_length(name, value));
}
std::size_t ParseFields::run_length(std::string_view name, const Bytes& value) const {
  auto found = text_.find(prefix_ + std::string(name));
  if (found == text_.end()) return value.size();
  return found->second == "-" ? 0 : found->second.size() / 2;
}

std::optional<std::uint64_t> parse_integer(std::string_view text, std::size_t width,
                                           bool is_signed) {
  bool minus = text.starts_with('-');
  if (minus) text.remove_prefix(1);
  if (minus && !is_signed) return std::nullopt;
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    base = 16;
  }
  std::uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  std::uint64_t sign_bit = std::uint64_t{1} << (8 * width - 1);
  std::uint64_t largest = is_signed ? sign_bit - (minus ? 0 : 1) : sign_bit - 1 + sign_bit;
  if (value > largest) return std::nullopt;
  if (minus) value = 0 - value;
  return width == 8 ? value : value & (sign_bit - 1 + sign_bit);
}

std::vector<std::string> split_list(std::string_view text, char separator) {
  std::vector<std::string> members;
  if (text == "-" || text.empty()) return members;
  for (std::size_t begin = 0;;) {
    std::size_t end = text.find(separator, begin);
    members.emplace_back(text.substr(begin, end == text.npos ? text.npos : end - begin));
    if (end == text.npos) return members;
    begin = end + 1;
  }
}

}  // namespace plumbline
