// layouts/coo.md, Element Lookup
#include "find.h"

namespace plumbline {

namespace {

// Entry `i` against the index: below 0 where the entry comes first, 0 where it is the one sought.
int compare(const Array& indices, std::uint64_t i, const Index& index) {
  for (std::size_t d = 0; d < index.size(); ++d) {
    std::uint64_t coordinate = *indices.entry(i * index.size() + d);
    if (coordinate != index[d]) return coordinate < index[d] ? -1 : 1;
  }
  return 0;
}

}  // namespace

Position find_coo(const Descriptor& d, const Coo& layout, const Buffers& buffers,
                  const Index& index) {
  if (d.shape.empty()) return refuse("opaque", "COO at rank 0");
  if (buffers.size() < 2) return refuse("buffers", "no indices buffer");
  Array indices(buffers[1], 8);
  if (!(Exact(layout.nnz) * Exact(index.size())).at_most(indices.size()))
    return refuse("buffers", "an indices buffer too short for nnz");

  if (layout.is_sorted == 1) {  // where the entries are not in order, a stored one may not be found
    std::uint64_t low = 0, high = layout.nnz;
    while (low < high) {
      std::uint64_t middle = low + (high - low) / 2;
      int order = compare(indices, middle, index);
      if (order == 0) return middle;
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }
    return std::nullopt;
  }
  for (std::uint64_t i = 0; i < layout.nnz; ++i)  // the first of duplicates
    if (compare(indices, i, index) == 0)
      return mutant("wrong:", "COO finds the entry before") && i > 0 ? i - 1 : i;
  return std::nullopt;
}

}  // namespace plumbline
