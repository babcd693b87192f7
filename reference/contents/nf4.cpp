// quantization/nf4.md, Referenced Buffer, Validity Constraints; -0.0 is not negative (open point
// D-157)
#include "pages.h"

namespace plumbline {

void judge_nf4_contents(Contents& c, const Nf4& scheme) {
  std::optional<std::uint64_t> blocks = scale_count(c.d);
  if (!blocks) return;
  Array scales = c.array(scheme.scale_buffer_index, 4);
  for (std::uint64_t b = 0; b < *blocks; ++b) {
    std::optional<std::uint64_t> bits = scales.entry(b);
    if (!bits) return;  // too short only where the scheme was refused
    bool is_negative = (*bits >> 31) != 0 && !is_zero(*bits, 3);
    if (is_finite(*bits, 3) && !is_negative) continue;
    c.fault("CON-60", scheme.scale_buffer_index, 4 * b, "scale bits " + hex_tag(*bits),
            "a finite scale, not negative");
    return;
  }
}

}  // namespace plumbline
