// layouts/csf.md (metadata.md has no table for it: open point D-125)
#include "../judge.h"

namespace plumbline {

void Csf::visit(Fields& f, std::uint32_t rank) {
  at = f.offset();
  f.u64("nnz", nnz);
  f.u32s("mode_order", mode_order, rank);
  f.bytes("reserved", reserved, 8);
}

void judge_csf(const Descriptor& d, const Csf& layout, Faults& faults) {
  std::uint32_t rank = d.header.rank;
  judge_rank(d, "CSF-01", rank >= limit("CSF-01", 3u), "rank 3 or more", faults);
  if (rank >= 3) judge_nnz(d, layout.nnz, layout.at, "CSF-12", faults);
  std::set<std::uint32_t> named;
  for (std::size_t level = 0; level < layout.mode_order.size(); ++level) {
    std::uint32_t mode = layout.mode_order[level];
    if (mode >= limit("CSF-03", rank) || !named.insert(mode).second) {
      faults.add("CSF-03", layout.at + 8 + 4 * level, "mode_order names " + std::to_string(mode),
                 "each dimension below the rank once");
      break;
    }
  }
  judge_zero(layout.reserved, "CSF-02", layout.at + 8 + 4 * layout.mode_order.size(), faults);
  judge_listed_buffers(d, "CSF-06", faults);
  if ((d.header.flags & flag::shard) != 0)
    faults.add("CSF-11", 15, "a shard section on a CSF tensor", "no shard section");
}

// values, then pos and crd of each level. The counts of inner levels stand in the buffers (open
// point D-138), so only what the descriptor fixes is asked for here.
void need_csf(const Descriptor& d, const Csf& layout, std::vector<Need>& needs) {
  std::size_t rank = d.shape.size();
  if (rank < 3) return;
  need_elements(d, 0, Exact(layout.nnz), "CSF-07", needs);
  for (std::size_t level = 0; level < rank; ++level) {
    std::size_t pos = 2 * level + 1, crd = 2 * level + 2;
    needs.push_back({pos, Exact(level == 0 ? 16 : 8), false, "CSF-07", size_fault_at(d, pos, false)});
    Exact coordinates = level + 1 == rank ? Exact(layout.nnz) * Exact(8) : Exact(0);
    needs.push_back({crd, coordinates, false, "CSF-07", size_fault_at(d, crd, false)});
  }
}

}  // namespace plumbline
