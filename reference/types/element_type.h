// element-types.md: the type tag space and the properties of every defined type.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "../exact.h"

namespace plumbline {

enum class NumberKind { floating, signed_integer, unsigned_integer, boolean, complex };

// One row of element-types.md, Type Properties Summary.
struct ElementType {
  std::uint8_t tag;
  std::string_view name;
  int tier;
  std::uint32_t bit_width;
  NumberKind kind;
  std::uint32_t alignment;  // natural alignment of one element, in bytes
};

// The defined type of that tag, or nullptr (reserved, private and unassigned tags).
const ElementType* find_element_type(std::uint8_t tag);
const ElementType* find_element_type(std::string_view name);

constexpr bool is_private_tag(std::uint8_t tag) { return tag >= 0xF0 && tag <= 0xFE; }
constexpr bool is_invalid_tag(std::uint8_t tag) { return tag == 0x00 || tag == 0xFF; }

// element-types.md, Buffer Size Calculation: bytes for `count` contiguous elements of `bit_width`
// bits. Whole-byte widths take width/8 each; 1-, 2- and 4-bit ones are rounded up to whole bytes;
// 6-bit ones take three bytes for every started group of four (open point D-080).
Exact bytes_for_elements(std::uint32_t bit_width, Exact count);

// Elements that share a byte: 8, 4 or 2; 1 for whole-byte types. 6-bit types have none (0).
constexpr std::uint32_t packing_factor(std::uint32_t bit_width) {
  return bit_width == 6 ? 0 : bit_width < 8 ? 8 / bit_width : 1;
}

}  // namespace plumbline
