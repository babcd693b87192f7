// quantization/per-block-affine.md, Referenced Buffers, Validity Constraints. Its zero points are
// any int32 (open point D-156).
#include "pages.h"

namespace plumbline {

void judge_per_block_contents(Contents& c, const PerBlockAffine& scheme) {
  std::optional<std::uint64_t> blocks = scale_count(c.d);
  if (!blocks) return;
  std::size_t width = scheme.scale_type_tag == 3 ? 4 : 2;
  Array scales = c.array(scheme.scale_buffer_index, width);
  for (std::uint64_t b = 0; b < *blocks; ++b) {
    std::optional<std::uint64_t> bits = scales.entry(b);
    if (!bits) return;  // too short only where the scheme was refused
    if (is_finite(*bits, scheme.scale_type_tag) && !is_zero(*bits, scheme.scale_type_tag)) continue;
    c.fault("CON-54", scheme.scale_buffer_index, width * b, "scale bits " + hex_tag(*bits),
            "a finite scale, not zero");
    return;
  }
}

}  // namespace plumbline
