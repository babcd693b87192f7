// The keys of the fields and the wire type of each (conformance/PROTOCOL.md, "Keys of fields and
// encode").
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/vectors/vector.h"

namespace plumbline::vectors {

enum class kind { u8, u16, u32, u64, i32, i64, f32, f64, u32_list, u64_list, i64_list, hex };

struct value_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The wire type of a key, numbers in it not judged ("buffer.7.alignment"); nullopt for an unknown
// key.
std::optional<kind> kind_of(std::string_view key);
bool is_list(kind k);
std::size_t width_of(kind k);  // bytes of one item; 1 for hex

// The text as it stands in a vector becomes items of little-endian bytes: one for a scalar or hex,
// one for each entry of a list. Throws value_error when the text does not fit the type.
std::vector<bytes> encode_value(kind k, std::string_view text);
// The same value in the one form that the compiled files use.
std::string canonical(kind k, std::string_view text);

// Integers as the protocol writes them; `dynamic` is the all-ones dimension.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);
std::optional<std::int64_t> parse_signed(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);

// Floats: 0x and the bits, or a decimal number, nan, inf, -inf. `bits` is 16, 32 or 64; half-width
// decimals must be exact, so that no rounding hides in a vector.
std::uint64_t parse_float(std::string_view text, int bits);
std::string format_float(std::uint64_t value, int bits);

}  // namespace plumbline::vectors
