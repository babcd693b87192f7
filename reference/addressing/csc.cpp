// layouts/csc.md, Element Lookup: as CSR, column by column.
#include "find.h"

namespace plumbline {

Position find_csc(const Descriptor& d, const CompressedMatrix& layout, const Buffers& buffers,
                  const Index& index) {
  if (d.shape.size() != 2) return refuse("opaque", "CSC at a rank other than 2");
  if (buffers.size() < 3) return refuse("buffers", "fewer than three buffers");
  if (mutant("wrong:", "CSC by rows")) return find_csr(d, layout, buffers, index);
  return find_in_slice(Array(buffers[2], 8), Array(buffers[1], 8), index[1], index[0]);
}

}  // namespace plumbline
