// element-types.md, Boolean Type, Sub-Byte Floating-Point Types, Sub-Byte Integer Types: the unused
// high bits behind the last element are zero. They are the bits behind the last stored element in
// the byte (6-bit: the group of three bytes) that holds it; later bytes and strided holes are free,
// and so is the padding of private types (open points D-088, D-176).
#include "../types/element_type.h"
#include "pages.h"

namespace plumbline {

namespace {

std::string_view padding_clause(const ElementType& type) {
  if (type.bit_width == 1) return "CON-05";
  if (type.bit_width == 2) return "CON-16";
  if (type.bit_width == 6) return "CON-12";
  return type.kind == NumberKind::floating ? "CON-09" : "CON-15";
}

}  // namespace

void judge_padding(Contents& c) {
  const ElementType* type = find_element_type(c.d.header.type_tag);
  if (!type || type->bit_width >= 8) return;
  std::optional<Exact> stored = storage_elements(c.d);
  // Elements of a whole last block are stored too; that they are zero is clause CON-57's business.
  if (std::optional<Exact> whole = whole_block_elements(c.d)) stored = whole;
  if (!stored || stored->is_beyond()) return;

  std::uint64_t group_elements = type->bit_width == 6 ? 4 : 8 / type->bit_width;
  std::uint64_t group_bytes = type->bit_width == 6 ? 3 : 1;
  std::uint64_t used = static_cast<std::uint64_t>(stored->value() % group_elements);
  if (used == 0) return;
  Exact start = Exact(c.d.byte_offset) + Exact(stored->value() / group_elements * group_bytes);
  ByteView data = c.buffers[0];
  for (std::uint64_t n = 0; n < group_bytes; ++n) {
    if (!start.at_most(data.size()) || !(start + Exact(n + 1)).at_most(data.size())) return;
    std::uint64_t at = static_cast<std::uint64_t>(start.value()) + n;
    std::uint64_t used_bits =
        limit(padding_clause(*type), used * type->bit_width);  // of the whole group
    std::uint64_t before = 8 * n;
    unsigned mask = used_bits <= before       ? 0xFFu
                    : used_bits >= before + 8 ? 0u
                                              : 0xFFu << (used_bits - before) & 0xFFu;
    if ((data[static_cast<std::size_t>(at)] & mask) == 0) continue;
    c.fault(padding_clause(*type), 0, at,
            "padding bits " + hex_tag(data[static_cast<std::size_t>(at)] & mask),
            "zero behind the last element");
    return;
  }
}

}  // namespace plumbline
