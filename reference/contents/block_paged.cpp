// layouts/block-paged.md, Storage Invariants 1 to 3, Logical Shape, Partial trailing page
#include "pages.h"

namespace plumbline {

void judge_paged_contents(Contents& c, const BlockPaged& layout) {
  // A paged axis other than 0 has no meaning here; only a permissive reader comes this far
  // (BPG-12).
  if (c.d.shape.size() != 3 || layout.paged_axis != 0 || layout.block_table_index_type > 1) return;
  std::size_t width = layout.index_width();
  Array block_table = c.array(1, width), seq_ptr = c.array(2, width);
  std::uint64_t last_at = std::uint64_t{layout.num_seqs} * width;
  std::uint64_t first = *seq_ptr.entry(0), logical_pages = *seq_ptr.entry(layout.num_seqs);

  if (first > limit("CON-45", std::uint64_t{0}))
    c.fault("CON-45", 2, 0, "a first sequence pointer of " + std::to_string(first), "0");
  if (auto s = first_falling("CON-46", seq_ptr, std::uint64_t{layout.num_seqs} + 1))
    c.fault("CON-46", 2, *s * width,
            "sequence pointer " + std::to_string(*seq_ptr.entry(*s)) + " after " +
                std::to_string(*seq_ptr.entry(*s - 1)),
            "pointers that never decrease");
  if (logical_pages > limit("BPG-21", block_table.size()))
    c.fault("BPG-21", 2, last_at, counted(logical_pages, "logical page"),
            "at most the " + std::to_string(block_table.size()) + " entries of the block table");
  if (c.faults.broken("CON-45")) return;
  std::uint64_t tokens = c.d.shape[0];
  if (tokens != dynamic_dimension &&
      !Exact(tokens).at_most(
          limit("BPG-22", (Exact(logical_pages) * Exact(layout.page_size)).value())))
    c.fault("BPG-22", 2, last_at,
            counted(logical_pages, "logical page") + " of " + std::to_string(layout.page_size),
            "room for " + std::to_string(tokens) + " tokens");
  if (c.faults.broken("BPG-21")) return;
  if (auto k = first_not_below(block_table, logical_pages, limit("CON-47", layout.num_pages)))
    c.fault("CON-47", 1, *k * width, "page ID " + std::to_string(*block_table.entry(*k)),
            "one below the number of pages, " + std::to_string(layout.num_pages));
}

}  // namespace plumbline
