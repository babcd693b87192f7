// layouts/csr.md; metadata.md, CSR
#include "../judge.h"

namespace plumbline {

void CompressedMatrix::visit(Fields& f, std::uint32_t) {
  at = f.offset();
  f.u64("nnz", nnz);
  f.bytes("reserved", reserved, 8);
}

void judge_csr(const Descriptor& d, const CompressedMatrix& layout, Faults& faults) {
  judge_rank(d, "CSR-01", d.header.rank == 2, "rank 2", faults);
  if (d.header.rank == 2) judge_nnz(d, layout.nnz, layout.at, "CSR-08", faults);
  judge_zero(layout.reserved, "CSR-03", layout.at + 8, faults);
  judge_listed_buffers(d, "CSR-02", faults);
}

// values, col_indices, row_ptr
void need_csr(const Descriptor& d, const CompressedMatrix& layout, std::vector<Need>& needs) {
  if (d.shape.size() != 2) return;
  need_elements(d, 0, Exact(layout.nnz), "CSR-05", needs);
  needs.push_back({1, Exact(layout.nnz) * Exact(8), false, "CSR-05", size_fault_at(d, 1, false)});
  std::uint64_t rows = d.shape[0];
  if (rows != dynamic_dimension)
    needs.push_back(
        {2, (Exact(rows) + Exact(1)) * Exact(8), false, "CSR-05", size_fault_at(d, 2, false)});
}

}  // namespace plumbline
