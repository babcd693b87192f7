// The sizes of all buffers together: element-types.md, Buffer Size Calculation; the Buffer Size
// parts of the layout pages; the Referenced Buffers parts of the schemes.
#include "../types/element_type.h"
#include "judge.h"

namespace plumbline {

std::size_t size_fault_at(const Descriptor& d, std::size_t k, bool holds_elements) {
  if (holds_elements && is_private_tag(d.header.type_tag) && d.extension_type)
    return d.extension_type->at + (d.extension_type->bit_width < 8 ? 4 : 0);
  return d.buffers.at == not_read ? not_read : d.buffers.handle_at(k);
}

void need_elements(const Descriptor& d, std::size_t k, Exact count, std::string_view clause,
                   std::vector<Need>& needs) {
  if (std::optional<std::uint32_t> bits = d.element_bits())
    needs.push_back({k, bytes_for_elements(*bits, count), false, std::string(clause),
                     size_fault_at(d, k, true)});
}

void need_reach(const Descriptor& d, Reach reach, std::string_view clause,
                std::vector<Need>& needs) {
  std::optional<std::uint32_t> bits = d.element_bits();
  if (!bits) return;
  if (d.byte_offset > 0 && clause != "STR-04") clause = "OFF-05";
  // Bytes before byte_offset: the floor of a negative offset is the ceiling of its magnitude.
  Exact before = bytes_for_elements(*bits, reach.low);
  Exact after = bytes_for_elements(*bits, reach.high + Exact(1));
  Need need{0, Exact(d.byte_offset) + after, false, std::string(clause), size_fault_at(d, 0, true)};
  if (!before.at_most(limit(clause, "start", d.byte_offset))) {
    need.bytes = Exact::beyond();
    need.below_start = true;
  }
  needs.push_back(need);
}

std::vector<Need> all_needs(const Descriptor& d) {
  std::vector<Need> needs;
  std::uint8_t tag = d.header.layout_tag;
  if (d.shape.size() != d.header.rank) return needs;  // cut short
  if (d.is_empty() && (layout::is_dense(tag) || layout::is_sparse(tag)))
    needs.push_back({0, Exact(0), true, "SHP-08", size_fault_at(d, 0, false)});

  // What depends on a dynamic size waits until it is known (open point D-035).
  bool reaches = layout::is_dense(tag) && !d.has_dynamic_dimension() && !d.is_empty();
  if (reaches) {
    if (std::holds_alternative<Contiguous>(d.layout)) need_contiguous(d, needs);
    if (auto* l = std::get_if<Strided>(&d.layout)) need_strided(d, *l, needs);
    if (auto* l = std::get_if<Tiled>(&d.layout)) need_tiled(d, *l, needs);
    if (auto* l = std::get_if<Morton>(&d.layout)) need_morton(d, *l, needs);
    if (auto* l = std::get_if<Hilbert>(&d.layout)) need_hilbert(d, *l, needs);
  }
  if (auto* l = std::get_if<Coo>(&d.layout)) need_coo(d, *l, needs);
  if (auto* l = std::get_if<CompressedMatrix>(&d.layout))
    tag == layout::csr ? need_csr(d, *l, needs) : need_csc(d, *l, needs);
  if (auto* l = std::get_if<Csf>(&d.layout)) need_csf(d, *l, needs);
  if (auto* l = std::get_if<BlockPaged>(&d.layout)) need_block_paged(d, *l, needs);
  need_parameters(d, needs);
  return needs;
}

void judge_sizes(const Descriptor& d, Faults& faults) {
  for (const Need& need : all_needs(d)) {
    if (need.buffer >= d.buffers.handles.size()) continue;
    std::uint64_t size = d.buffers.handles[need.buffer].byte_size;
    std::string which = "buffer " + std::to_string(need.buffer) + " of " + counted(size, "byte");
    std::string least = need.bytes.fits_u64()
                            ? counted(static_cast<std::uint64_t>(need.bytes.value()), "byte")
                            : "2^64 bytes, which no buffer has";
    bool fits = !need.below_start && need.bytes.at_most(limit(need.clause, need.buffer, size));
    bool has_more = need.exact && fits && size > limit(need.clause, "most", need.bytes.value());
    if (fits && !has_more) continue;
    if (need.below_start)
      faults.add(need.clause, need.offset, "an element before the start of buffer 0",
                 "a byte_offset that leaves room below it");
    else if (!fits)
      faults.add(need.clause, need.offset, which, "a larger one: its contents need at least " + least);
    else
      faults.add(need.clause, need.offset, which, "exactly " + least, Class::W);
    // A byte_offset outside the buffer is one fault, not two.
    bool from_byte_offset = need.clause == "OFF-05" || need.clause == "STR-04";
    faults.unless(from_byte_offset ? "OFF-01" : need.unless);
    if (!fits && !need.below_start) faults.too_small();
  }
}

}  // namespace plumbline
