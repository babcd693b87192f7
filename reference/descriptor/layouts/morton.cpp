// layouts/morton.md; metadata.md, Morton (Z-Order Curve)
#include <algorithm>

#include "../judge.h"

namespace plumbline {

void Morton::visit(Fields& f, std::uint32_t rank) {
  at = f.offset();
  f.u32s("morton_bits", morton_bits, rank);
}

void judge_morton(const Descriptor& d, const Morton& layout, Faults& faults) {
  for (std::size_t k = 0; k < layout.morton_bits.size(); ++k) {
    std::uint32_t bits = layout.morton_bits[k];
    std::size_t at = layout.at + 4 * k;
    if (bits < limit("MOR-01", 1u)) {
      faults.add("MOR-01", at, "0 bits for dimension " + std::to_string(k), "1 bit or more");
      continue;
    }
    std::uint64_t size = d.shape[k];
    // A dynamic size is compared when it is known (open point D-037).
    if (size != dynamic_dimension &&
        !Exact(size).at_most(limit("MOR-02", power_of_two(std::min(bits, 127u)).value())))
      faults.add("MOR-02", at,
                 counted(bits, "bit") + " for a dimension of size " + std::to_string(size),
                 "a size of at most 2 to the power of the bits");
  }
}

// Room for 2^sum(bits) elements, and for the highest code that the printed algorithm gives: with
// unequal bit counts it may lie beyond that (open point D-120).
void need_morton(const Descriptor& d, const Morton& layout, std::vector<Need>& needs) {
  std::size_t rank = d.shape.size();
  if (layout.morton_bits.size() != rank) return;
  std::uint64_t sum = 0;
  Exact highest_code(0);
  for (std::size_t k = 0; k < rank; ++k) {
    std::uint64_t bits = layout.morton_bits[k];
    sum += bits;
    std::uint64_t index = d.shape[k] - 1;
    if (bits < 64) index = std::min(index, (std::uint64_t{1} << bits) - 1);
    for (std::uint64_t b = 0; b < 64; ++b)
      if (index >> b & 1) highest_code = highest_code + power_of_two(b * rank + k);
  }
  Exact count = larger(power_of_two(sum), highest_code + Exact(1));
  Reach reach;
  reach.high = count.is_beyond() ? Exact::beyond() : Exact(count.value() - 1);
  need_reach(d, reach, "MOR-03", needs);
}

}  // namespace plumbline
