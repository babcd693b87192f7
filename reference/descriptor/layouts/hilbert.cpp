// layouts/hilbert.md; metadata.md, Hilbert Curve
#include "../judge.h"

namespace plumbline {

void Hilbert::visit(Fields& f, std::uint32_t) {
  at = f.offset();
  f.u32("hilbert_order", hilbert_order);
  f.u32("hilbert_rank", hilbert_rank);
}

void judge_hilbert(const Descriptor& d, const Hilbert& layout, Faults& faults) {
  for (std::size_t k = 0; k < d.shape.size(); ++k) {
    // A dynamic size is compared when it is known (open point D-037).
    if (d.shape[k] == dynamic_dimension) continue;
    if (layout.hilbert_order > 63 || d.shape[k] != std::uint64_t{1} << layout.hilbert_order) {
      faults.add("HIL-01", layout.at,
                 "dimension " + std::to_string(k) + " of size " + std::to_string(d.shape[k]) +
                     " with order " + std::to_string(layout.hilbert_order),
                 "2 to the power of the order");
      break;
    }
  }
  if (layout.hilbert_order < limit("HIL-04", 1u))
    faults.add("HIL-04", layout.at, "order 0", "an order above 0");
  if (layout.hilbert_rank != d.header.rank)
    faults.add("HIL-02", layout.at + 4,
               "hilbert_rank " + std::to_string(layout.hilbert_rank) + " at rank " +
                   std::to_string(d.header.rank),
               "the rank of the tensor");
  else if (layout.hilbert_rank < limit("HIL-03", 2u))
    faults.add("HIL-03", layout.at + 4, "hilbert_rank " + std::to_string(layout.hilbert_rank),
               "2 or more");
}

void need_hilbert(const Descriptor& d, const Hilbert& layout, std::vector<Need>& needs) {
  Faults own;
  judge_hilbert(d, layout, own);
  for (const char* clause : {"HIL-01", "HIL-02", "HIL-03", "HIL-04"})
    if (own.broken(clause)) return;
  Exact count = power_of_two(std::uint64_t{layout.hilbert_rank} * layout.hilbert_order);
  Reach reach;
  reach.high = count.is_beyond() ? Exact::beyond() : Exact(count.value() - 1);
  need_reach(d, reach, "HIL-06", needs);
}

}  // namespace plumbline
