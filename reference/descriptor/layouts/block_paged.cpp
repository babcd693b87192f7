// layouts/block-paged.md (metadata.md has no table for it: open point D-125)
#include "../judge.h"

namespace plumbline {

void BlockPaged::visit(Fields& f, std::uint32_t) {
  at = f.offset();
  f.u32("page_size", page_size);
  f.u64("num_pages", num_pages);
  f.u32("paged_axis", paged_axis);
  f.u32("num_seqs", num_seqs);
  f.u8("kv_role", kv_role);
  f.u32("layer_index", layer_index);
  f.u8("block_table_index_type", block_table_index_type);
  f.bytes("reserved", reserved, 6);
}

void judge_block_paged(const Descriptor& d, const BlockPaged& layout, Faults& faults) {
  std::size_t at = layout.at;
  judge_rank(d, "BPG-01", d.header.rank == 3, "rank 3", faults);
  if (layout.page_size < limit("BPG-04", 1u)) faults.add("BPG-04", at, "page_size 0", "1 or more");
  if (layout.paged_axis > limit("BPG-12", 0u))
    faults.add("BPG-12", at + 12, "paged_axis " + std::to_string(layout.paged_axis), "0");
  if (layout.kv_role > limit("BPG-05", 2))
    faults.add("BPG-05", at + 20, "kv_role " + hex_tag(layout.kv_role), "0x00, 0x01 or 0x02");
  if (layout.block_table_index_type > limit("BPG-06.selector", 1))
    faults.add("BPG-06", at + 25, "index type " + hex_tag(layout.block_table_index_type),
               "0x00 (uint32) or 0x01 (uint64)", Class::N);
  else if (layout.block_table_index_type == 0 &&
           layout.num_pages > limit("BPG-06.pages", std::uint64_t{1} << 32))
    faults.add("BPG-06", at + 25, std::to_string(layout.num_pages) + " pages with uint32 page IDs",
               "uint64 page IDs above 2^32 pages", Class::W);
  judge_zero(layout.reserved, "BPG-07", at + 26, faults);
  judge_listed_buffers(d, "BPG-03", faults);
  if ((d.header.flags & flag::shard) != 0)
    faults.add("BPG-17", 15, "a shard section on a block-paged tensor", "no shard section");
}

// page_pool, block_table, seq_ptr; the length of block_table is the last entry of seq_ptr, which
// stands in the buffers (BPG-21).
void need_block_paged(const Descriptor& d, const BlockPaged& layout, std::vector<Need>& needs) {
  if (d.shape.size() != 3) return;
  std::uint64_t heads = d.shape[1], width = d.shape[2];
  if (heads != dynamic_dimension && width != dynamic_dimension)
    need_elements(
        d, 0, Exact(layout.num_pages) * Exact(layout.page_size) * Exact(heads) * Exact(width),
        "BPG-10", needs);
  if (layout.block_table_index_type <= 1)
    needs.push_back({2, (Exact(layout.num_seqs) + Exact(1)) * Exact(layout.index_width()), false,
                     "BPG-11", size_fault_at(d, 2, false)});
}

}  // namespace plumbline
