// The least bytes of every buffer: the Buffer Size parts of the layout pages and the Referenced
// Buffers parts of the schemes; element-types.md, Buffer Size Calculation.
#pragma once

#include <cstdint>
#include <expected>
#include <vector>

#include "../descriptor/sections.h"
#include "../question.h"

namespace plumbline {

// The least bytes of each buffer that the descriptor's own fields ask for; 0 where they ask for
// none (an array whose length stands in another buffer, as block_table, or the buffers of a private
// scheme). dynamic: a size waits for a dimension; opaque: private or unknown layout, type of
// unknown width, or layout fields that give no size; overflow: more than 2^64 - 1 bytes, which no
// buffer has.
std::expected<std::vector<std::uint64_t>, Refusal> least_sizes(const Descriptor& d);

// Bytes of `count` contiguous elements of a defined type. The width of a private type stands in the
// descriptor's extension type section, so a private tag is refused (opaque): there is no size to
// give.
std::expected<std::uint64_t, Refusal> buffer_size_bytes(std::uint8_t type_tag, std::uint64_t count);
// Bits of one element of a defined type; 0 for every other tag, which says "ask the section", not a
// width.
std::uint32_t bit_width_sentinel(std::uint8_t type_tag);

}  // namespace plumbline
