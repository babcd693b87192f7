// layouts/csc.md, Storage Invariants: those of CSR, column by column.
#include "pages.h"

namespace plumbline {

void judge_csc_contents(Contents& c, const CompressedMatrix& layout) {
  if (c.d.shape.size() == 2)
    judge_compressed(c, layout.nnz, c.d.shape[1], c.d.shape[0],
                     {.ends = "CON-31", .order = "CON-32", .sorted = "CON-33", .bounds = "CON-34"});
}

}  // namespace plumbline
