// layouts/strided.md
#include "../judge.h"

namespace plumbline {

void Strided::visit(Fields& f, std::uint32_t rank) {
  at = f.offset();
  f.i64s("strides", strides, rank);
}

// Negative, zero and overlapping strides are all legal (STR-02); what counts is where they lead
// (STR-04), which need_strided states.
void judge_strided(const Descriptor&, const Strided&, Faults&) {}

// layouts/strided.md, Buffer Size: the lowest and the highest element offset.
void need_strided(const Descriptor& d, const Strided& layout, std::vector<Need>& needs) {
  if (layout.strides.size() != d.shape.size()) return;
  Reach reach;
  for (std::size_t k = 0; k < d.shape.size(); ++k) {
    std::int64_t stride = layout.strides[k];
    // The magnitude of -2^63 has no signed form.
    std::uint64_t magnitude =
        stride < 0 ? 0 - static_cast<std::uint64_t>(stride) : static_cast<std::uint64_t>(stride);
    Exact distance = Exact(magnitude) * Exact(d.shape[k] - 1);
    (stride < 0 ? reach.low : reach.high) = (stride < 0 ? reach.low : reach.high) + distance;
  }
  need_reach(d, reach, "STR-04", needs);
}

}  // namespace plumbline
