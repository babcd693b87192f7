// layouts/morton.md, Morton Index Computation, as printed (open point D-120)
#include "element_offset.h"

namespace plumbline {

ElementOffset morton_offset(const std::vector<std::uint32_t>& morton_bits, const Index& index) {
  std::size_t rank = index.size();
  Exact morton_code(0);
  for (std::size_t b = 0; b < 64; ++b)  // an index has no higher bits
    for (std::size_t d = 0; d < rank; ++d) {
      std::size_t bit = b * rank + d;
      if (mutant("wrong:", "Morton bits from the last dimension")) bit = b * rank + (rank - 1 - d);
      if (b < morton_bits[d] && (index[d] >> b & 1) != 0)
        morton_code = morton_code + power_of_two(bit);  // each bit once: + is |
    }
  return {morton_code, Exact(0)};
}

}  // namespace plumbline
