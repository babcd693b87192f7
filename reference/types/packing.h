// element-types.md: Byte Order, Boolean Type, 4-bit, 2-bit and 6-bit packing: the bits of one
// element in a run of packed elements. memory-layout.md, Element Address Computation, says which
// run.
//
// Whole-byte elements (8 bits, 16, 24, ..) are little-endian. 1-, 2- and 4-bit elements fill a byte
// from its low bits up, private types too (open points D-042, D-176). 6-bit elements are stored by
// groups: four in three bytes, low bits first; a group is there whole or not at all (D-080).
//
// A Refusal is of kind `buffers` where the element is not wholly inside the bytes, `opaque` where
// the width has no packing (0, 3, 5, 7, 12, ..), `contents` where a code has more bits than the
// width.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <vector>

#include "../exact.h"
#include "../question.h"

namespace plumbline {

constexpr bool is_packable(std::uint32_t bit_width) {
  return bit_width == 1 || bit_width == 2 || bit_width == 4 || bit_width == 6 ||
         (bit_width >= 8 && bit_width % 8 == 0);
}

// Where the lowest bit of element `slot` lies in a run that starts at byte 0.
struct Place {
  Exact byte;
  std::uint32_t bit = 0;
};
Place place_of(std::uint32_t bit_width, std::uint64_t slot);

// The bits of element `slot`, for widths up to 128.
std::expected<u128, Refusal> load_bits(ByteView run, std::uint32_t bit_width, std::uint64_t slot);
// The same for every width: little-endian bytes; an element narrower than a byte is one byte, its
// value in the low bits.
std::expected<Bytes, Refusal> load_bytes(ByteView run, std::uint32_t bit_width, std::uint64_t slot);
// Writes element `slot` and leaves every other bit alone.
std::expected<void, Refusal> store_bits(std::span<std::uint8_t> run, std::uint32_t bit_width,
                                        std::uint64_t slot, u128 bits);

// The bits of the element whose lowest bit is bit `bit` of byte `byte` (an Address of address.h).
std::expected<u128, Refusal> load_bits_at(ByteView bytes, std::uint32_t bit_width,
                                          std::uint64_t byte, std::uint32_t bit);

// Whole arrays of sub-byte elements, one code a byte on the unpacked side.
std::expected<std::vector<std::uint8_t>, Refusal> unpack(ByteView run, std::uint32_t bit_width,
                                                         std::uint64_t count);
// The padding bits behind the last element are zero.
std::expected<Bytes, Refusal> pack(std::span<const std::uint8_t> codes, std::uint32_t bit_width);

}  // namespace plumbline
