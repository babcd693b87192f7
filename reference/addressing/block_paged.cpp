// layouts/block-paged.md, Element Lookup (clause BPG-23)
#include "find.h"

namespace plumbline {

Position find_paged(const Descriptor& d, const BlockPaged& layout, const Buffers& buffers,
                    const Index& index) {
  if (d.shape.size() != 3 || layout.paged_axis != 0 || layout.page_size == 0 ||
      layout.block_table_index_type > 1)
    return refuse("opaque", "block-paged fields that give no place");
  if (buffers.size() < 3) return refuse("buffers", "fewer than three buffers");
  std::uint64_t s = index[0], t = index[1], h = index[2], dim = index[3];
  std::uint64_t num_heads = d.shape[1], head_dim = d.shape[2];
  if (s >= layout.num_seqs)
    return refuse("range",
                  "sequence " + std::to_string(s) + " of " + std::to_string(layout.num_seqs));
  if (h >= num_heads)
    return refuse("range", "head " + std::to_string(h) + " of " + std::to_string(num_heads));
  if (dim >= head_dim)
    return refuse("range", "dimension " + std::to_string(dim) + " of " + std::to_string(head_dim));

  Array block_table(buffers[1], layout.index_width()), seq_ptr(buffers[2], layout.index_width());
  std::optional<std::uint64_t> begin = seq_ptr.entry(s), end = seq_ptr.entry(s + 1);
  if (!begin || !end) return refuse("buffers", "a seq_ptr buffer too short");
  if (*begin > *end)
    return refuse("contents",
                  "seq_ptr falls from " + std::to_string(*begin) + " to " + std::to_string(*end));
  std::uint64_t page_in_seq = t / layout.page_size, offset_in_page = t % layout.page_size;
  if (page_in_seq >= *end - *begin || t >= d.shape[0])
    return refuse("range", "token " + std::to_string(t) + " of a sequence of " +
                               std::to_string(*end - *begin) + " pages, " +
                               std::to_string(d.shape[0]) + " tokens in all");
  std::optional<std::uint64_t> phys_page = block_table.entry(*begin + page_in_seq);
  if (!phys_page) return refuse("contents", "seq_ptr leads past the block table");
  if (*phys_page >= layout.num_pages)
    return refuse("contents", "page ID " + std::to_string(*phys_page) + " of " +
                                  std::to_string(layout.num_pages) + " pages");
  if (mutant("wrong:", "pages not looked up")) phys_page = *begin + page_in_seq;
  Exact slot = Exact(*phys_page) * Exact(layout.page_size) + Exact(offset_in_page);
  Exact flat = (slot * Exact(num_heads) + Exact(h)) * Exact(head_dim) + Exact(dim);
  if (!flat.fits_u64()) return refuse("overflow", "a position beyond 64 bits");
  return static_cast<std::uint64_t>(flat.value());
}

}  // namespace plumbline
