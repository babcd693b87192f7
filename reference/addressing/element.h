// What addressing and lookup share: one element in one buffer.
#pragma once

#include <optional>

#include "address.h"
#include "element_offset.h"

namespace plumbline {

// The bytes of one element, little-endian as stored. Narrower than a byte: one byte, the element in
// its low bits, the others zero.
using Stored = Bytes;

// dynamic, or range: an index outside the shape or of the wrong length.
std::optional<Refusal> refuse_index(const std::vector<std::uint64_t>& shape, const Index& index);

// memory-layout.md, Whole-Byte Types, Sub-Byte Types: the place of the element `offset` elements
// from `byte_offset`, in a buffer of `size` bytes that holds all of it (of a 6-bit one: its whole
// group).
std::expected<Address, Refusal> place_element(std::uint32_t bits, std::uint64_t byte_offset,
                                              ElementOffset offset, std::uint64_t size);
// The element at a place that place_element gave for this buffer.
Stored read_element(ByteView buffer, std::uint32_t bits, const Address& a);

// The buffers, each cut to the byte_size of its table entry. Refused (buffers) when their number is
// not that of the table or one is shorter than its entry says.
std::expected<Buffers, Refusal> fit_buffers(const Descriptor& d, const Buffers& buffers);

}  // namespace plumbline
