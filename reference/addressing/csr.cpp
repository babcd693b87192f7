// layouts/csr.md, Element Lookup
#include "find.h"

namespace plumbline {

Position find_in_slice(const Array& pointers, const Array& indices, std::uint64_t line,
                       std::uint64_t value) {
  std::optional<std::uint64_t> begin = pointers.entry(line), end = pointers.entry(line + 1);
  if (!begin || !end) return refuse("buffers", "a pointer array too short");
  if (*begin > *end || *end > indices.size())
    return refuse("contents", "pointers " + std::to_string(*begin) + ", " + std::to_string(*end) +
                                  " into " + std::to_string(indices.size()) + " indices");
  std::uint64_t low = *begin, high = *end;
  while (low < high) {
    std::uint64_t middle = low + (high - low) / 2, found = *indices.entry(middle);
    if (found == value) return middle;
    if (found < value)
      low = middle + 1;
    else
      high = middle;
  }
  return std::nullopt;
}

Position find_csr(const Descriptor& d, const CompressedMatrix& layout, const Buffers& buffers,
                  const Index& index) {
  if (d.shape.size() != 2) return refuse("opaque", "CSR at a rank other than 2");
  if (buffers.size() < 3) return refuse("buffers", "fewer than three buffers");
  if (mutant("wrong:", "CSR by columns")) return find_csc(d, layout, buffers, index);
  return find_in_slice(Array(buffers[2], 8), Array(buffers[1], 8), index[0], index[1]);
}

}  // namespace plumbline
