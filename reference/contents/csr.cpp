// layouts/csr.md, Storage Invariants
#include "pages.h"

namespace plumbline {

void judge_compressed(Contents& c, std::uint64_t nnz, std::uint64_t lines, std::uint64_t positions,
                      const CompressedClauses& clauses) {
  Array indices = c.array(1, 8), pointers = c.array(2, 8);
  if (positions != dynamic_dimension)
    if (std::optional<std::uint64_t> j =
            first_not_below(indices, nnz, limit(clauses.bounds, positions)))
      c.fault(clauses.bounds, 1, 8 * *j, "index " + std::to_string(*indices.entry(*j)),
              "one below the size, " + std::to_string(positions));
  if (lines == dynamic_dimension) return;

  if (std::uint64_t first = *pointers.entry(0); first > limit(clauses.ends, std::uint64_t{0}))
    c.fault(clauses.ends, 2, 0, "a first pointer of " + std::to_string(first), "0");
  else if (std::uint64_t last = *pointers.entry(lines); last != nnz)
    c.fault(clauses.ends, 2, 8 * lines, "a last pointer of " + std::to_string(last),
            "nnz, " + std::to_string(nnz));
  if (std::optional<std::uint64_t> i = first_falling(clauses.order, pointers, lines + 1))
    c.fault(clauses.order, 2, 8 * *i,
            "pointer " + std::to_string(*pointers.entry(*i)) + " after " +
                std::to_string(*pointers.entry(*i - 1)),
            "pointers that never decrease");
  if (c.faults.broken(clauses.ends) || c.faults.broken(clauses.order)) return;
  for (std::uint64_t i = 0; i < lines; ++i)
    if (auto j = first_not_increasing(clauses.sorted, indices, *pointers.entry(i),
                                      *pointers.entry(i + 1))) {
      c.fault(clauses.sorted, 1, 8 * *j,
              "index " + std::to_string(*indices.entry(*j)) + " after " +
                  std::to_string(*indices.entry(*j - 1)),
              "strictly increasing indices");
      return;
    }
}

void judge_csr_contents(Contents& c, const CompressedMatrix& layout) {
  if (c.d.shape.size() == 2)
    judge_compressed(c, layout.nnz, c.d.shape[0], c.d.shape[1],
                     {.ends = "CON-26", .order = "CON-27", .sorted = "CON-28", .bounds = "CON-29"});
}

}  // namespace plumbline
