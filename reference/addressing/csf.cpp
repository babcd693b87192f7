// layouts/csf.md, Element Lookup
#include "find.h"

namespace plumbline {

Position find_csf(const Descriptor& d, const Csf& layout, const Buffers& buffers,
                  const Index& index) {
  std::size_t rank = d.shape.size();
  if (rank < 3 || layout.mode_order.size() != rank) return refuse("opaque", "CSF below rank 3");
  if (buffers.size() < 2 * rank + 1) return refuse("buffers", "fewer than 2 * rank + 1 buffers");
  std::vector<bool> named(rank);
  for (std::uint32_t mode : layout.mode_order) {
    if (mode >= rank || named[mode])  // only a permissive reader comes here
      return refuse("opaque", "a mode_order that is no permutation");
    named[mode] = true;
  }
  std::uint64_t p = 0;  // the virtual root
  for (std::size_t level = 0; level < rank; ++level) {
    Array pos(buffers[2 * level + 1], 8), crd(buffers[2 * level + 2], 8);
    // p + 1 is an entry for every node of the level above (clause CON-38).
    if (!pos.entry(p + 1))
      return refuse("contents", "no pointers for node " + std::to_string(p) + " of level " +
                                    std::to_string(level));
    std::size_t mode = layout.mode_order[level];
    if (mutant("wrong:", "CSF without mode_order")) mode = level;
    Position found = find_in_slice(pos, crd, p, index[mode]);
    if (!found || !*found) return found;
    p = **found;
  }
  return p;
}

}  // namespace plumbline
