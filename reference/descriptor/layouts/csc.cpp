// layouts/csc.md; metadata.md, CSC. The fields are those of CSR (CompressedMatrix in csr.cpp).
#include "../judge.h"

namespace plumbline {

void judge_csc(const Descriptor& d, const CompressedMatrix& layout, Faults& faults) {
  judge_rank(d, "CSC-01", d.header.rank == 2, "rank 2", faults);
  if (d.header.rank == 2) judge_nnz(d, layout.nnz, layout.at, "CSC-08", faults);
  judge_zero(layout.reserved, "CSC-03", layout.at + 8, faults);
  judge_listed_buffers(d, "CSC-02", faults);
}

// values, row_indices, col_ptr
void need_csc(const Descriptor& d, const CompressedMatrix& layout, std::vector<Need>& needs) {
  if (d.shape.size() != 2) return;
  need_elements(d, 0, Exact(layout.nnz), "CSC-05", needs);
  needs.push_back({1, Exact(layout.nnz) * Exact(8), false, "CSC-05", size_fault_at(d, 1, false)});
  std::uint64_t columns = d.shape[1];
  if (columns != dynamic_dimension)
    needs.push_back(
        {2, (Exact(columns) + Exact(1)) * Exact(8), false, "CSC-05", size_fault_at(d, 2, false)});
}

}  // namespace plumbline
