// layouts/coo.md; metadata.md, COO
#include "../judge.h"

namespace plumbline {

void Coo::visit(Fields& f, std::uint32_t) {
  at = f.offset();
  f.u64("nnz", nnz);
  f.u8("is_sorted", is_sorted);
  f.bytes("reserved", reserved, 7);
}

void judge_coo(const Descriptor& d, const Coo& layout, Faults& faults) {
  judge_nnz(d, layout.nnz, layout.at, "COO-07", faults);
  if (layout.is_sorted > limit("COO-02.sorted", 1))
    faults.add("COO-02", layout.at + 8, "is_sorted " + hex_tag(layout.is_sorted), "0x00 or 0x01");
  judge_zero(layout.reserved, "COO-02", layout.at + 9, faults);
  judge_listed_buffers(d, "COO-01", faults);
}

void need_coo(const Descriptor& d, const Coo& layout, std::vector<Need>& needs) {
  need_elements(d, 0, Exact(layout.nnz), "COO-04", needs);
  needs.push_back({1, Exact(layout.nnz) * Exact(d.header.rank) * Exact(8), false, "COO-04",
                   size_fault_at(d, 1, false)});
}

// --- what the sparse pages share

void judge_nnz(const Descriptor& d, std::uint64_t nnz, std::size_t at,
               std::string_view statistics_clause, Faults& faults) {
  if (!d.has_dynamic_dimension()) {
    Exact cells = d.element_count();
    if (!cells.is_beyond() && nnz > limit("COO-08", cells.value()))
      faults.add("COO-08", at, "nnz " + std::to_string(nnz),
                 "at most the number of cells, " +
                     std::to_string(static_cast<std::uint64_t>(cells.value())));
  }
  if (d.statistics && (d.statistics->computed_mask & statistic::nnz) != 0 &&
      d.statistics->nnz != nnz)
    faults.add(statistics_clause, d.statistics->at + 8,
               "nnz " + std::to_string(d.statistics->nnz) + " in the statistics",
               "the layout's nnz, " + std::to_string(nnz));
}

void judge_listed_buffers(const Descriptor& d, std::string_view clause, Faults& faults) {
  std::size_t listed = d.buffers.buffer_count, own = layout_buffer_count(d);
  if (listed < limit(clause, 0, own))
    faults.add(clause, d.buffers.at, counted(listed, "buffer"), std::to_string(own), Class::N);
  if ((d.header.flags & flag::quantization) == 0 && listed > limit(clause, 1, own))
    faults.add(clause, d.buffers.at, counted(listed, "buffer"), std::to_string(own), Class::W);
}

}  // namespace plumbline
