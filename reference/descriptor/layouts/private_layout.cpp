// memory-layout.md, Extension Layouts; metadata.md, Extension Layouts; and layouts of unknown tags.
#include "../../types/element_type.h"
#include "../judge.h"

namespace plumbline {

void PrivateLayout::visit(Fields& f, std::uint32_t) {
  at = f.offset();
  f.u64("extension_layout_id", extension_layout_id);
  f.blob("extension_data_length", extension_data_length, "extension_data", extension_data);
}

void UnknownLayout::visit(Fields& f, std::uint32_t) {
  f.reading() ? f.rest("raw", raw) : f.bytes("raw", raw, raw.size());
}

Layout layout_for(std::uint8_t tag) {
  switch (tag) {
    case layout::row_major:
    case layout::column_major: return Contiguous{};
    case layout::strided: return Strided{};
    case layout::tiled: return Tiled{};
    case layout::morton: return Morton{};
    case layout::coo: return Coo{};
    case layout::csr:
    case layout::csc: return CompressedMatrix{};
    case layout::csf: return Csf{};
    case layout::block_paged: return BlockPaged{};
    case layout::composite: return CompositeHead{};
    case layout::hilbert: return Hilbert{};
  }
  if (is_private_tag(tag)) return PrivateLayout{};
  return UnknownLayout{};
}

void judge_private_layout(const Descriptor& d, const PrivateLayout& layout, const Options& options,
                          Faults& faults) {
  if (!options.agreement.covers(Agreed::layout, d.header.layout_tag))
    faults.add("LAY-07", layout.at,
               "private layout " + hex_tag(d.header.layout_tag) + " with id " +
                   hex_tag(layout.extension_layout_id),
               "an agreement on this layout");
}

}  // namespace plumbline
