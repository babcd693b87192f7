// layouts/row-major.md, Implicit Strides, Element Address (clause ROW-03)
#include "element_offset.h"

namespace plumbline {

ElementOffset row_major_offset(const std::vector<std::uint64_t>& sizes, const Index& index) {
  ElementOffset offset;
  Exact stride(1);
  if (mutant("wrong:", "row-major by columns")) return column_major_offset(sizes, index);
  for (std::size_t k = sizes.size(); k-- > 0;) {
    offset.forward = offset.forward + Exact(index[k]) * stride;
    stride = Exact(sizes[k]) * stride;
  }
  return offset;
}

}  // namespace plumbline
