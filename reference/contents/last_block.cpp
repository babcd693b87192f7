// quantization.md, Partial Block Policy; quantization/per-block-affine.md, Padding (NF4 alike): the
// unused elements of a started last block are zero. Element addresses are the layout's own, so
// there are such elements only where they lie behind all others (open points D-153, D-154).
#include "../types/element_type.h"
#include "pages.h"

namespace plumbline {

std::optional<Exact> whole_block_elements(const Descriptor& d) {
  if (!d.quantization || d.has_dynamic_dimension() || d.is_empty()) return std::nullopt;
  std::uint32_t axis = 0, block_size = 0;
  if (auto* s = std::get_if<PerBlockAffine>(&d.quantization->scheme))
    axis = s->axis, block_size = s->block_size;
  if (auto* s = std::get_if<Nf4>(&d.quantization->scheme))
    axis = s->axis, block_size = s->block_size;
  std::size_t rank = d.shape.size();
  bool at_end = (d.header.layout_tag == layout::row_major && axis == 0) ||
                (d.header.layout_tag == layout::column_major && axis + 1 == rank);
  if (block_size == 0 || axis >= rank || !at_end) return std::nullopt;
  Exact stored = block_count(d, axis, block_size) * Exact(block_size);
  std::optional<std::uint32_t> bits = d.element_bits();
  if (!bits || d.buffers.handles.empty()) return std::nullopt;
  Exact end = Exact(d.byte_offset) + bytes_for_elements(*bits, stored);
  if (!end.at_most(d.buffers.handles[0].byte_size)) return std::nullopt;  // QPB-17, QNF-13
  return stored;
}

void judge_block_fill(Contents& c) {
  std::optional<Exact> stored = whole_block_elements(c.d);
  std::optional<std::uint32_t> bits = c.d.element_bits();
  if (!stored || !bits || is_private_tag(c.d.header.type_tag)) return;
  // The fill is one run of bits, from the end of the elements to the end of the last block.
  u128 begin = limit("CON-57.begin", c.d.element_count().value() * *bits);
  u128 end = limit("CON-57.end", stored->value() * *bits);
  ByteView data = c.buffers[0];
  for (u128 byte = begin / 8; byte * 8 < end; ++byte) {
    unsigned mask = 0xFF;
    if (begin > byte * 8) mask &= 0xFFu << static_cast<unsigned>(begin - byte * 8);
    if (end < byte * 8 + 8) mask &= (1u << static_cast<unsigned>(end - byte * 8)) - 1;
    std::uint64_t at = c.d.byte_offset + static_cast<std::uint64_t>(byte);
    if (at >= data.size()) return;
    if ((data[static_cast<std::size_t>(at)] & mask) == 0) continue;
    c.fault("CON-57", 0, at,
            "a last block filled with " + hex_tag(data[static_cast<std::size_t>(at)] & mask),
            "zero elements");
    return;
  }
}

}  // namespace plumbline
