// layouts/column-major.md, Implicit Strides, Element Address (clause COL-03)
#include "element_offset.h"

namespace plumbline {

ElementOffset column_major_offset(const std::vector<std::uint64_t>& sizes, const Index& index) {
  ElementOffset offset;
  Exact stride(1);
  if (mutant("wrong:", "column-major by rows")) return row_major_offset(sizes, index);
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    offset.forward = offset.forward + Exact(index[k]) * stride;
    stride = Exact(sizes[k]) * stride;
  }
  return offset;
}

}  // namespace plumbline
