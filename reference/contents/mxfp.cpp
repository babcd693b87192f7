// quantization/mxfp.md, Referenced Buffer: 00 and FF stand nowhere in the scale buffer (clause
// CON-62).
#include "pages.h"

namespace plumbline {

void judge_mxfp_contents(Contents& c, const Mxfp& scheme) {
  if (!scale_count(c.d)) return;
  ByteView scales = c.buffers[scheme.scale_buffer_index];
  for (std::size_t b = 0; b < scales.size(); ++b) {
    if (scales[b] >= limit("CON-62.low", 0x01) && scales[b] <= limit("CON-62.high", 0xFE)) continue;
    c.fault("CON-62", scheme.scale_buffer_index, b, "scale " + hex_tag(scales[b]), "0x01 to 0xfe");
    return;
  }
}

}  // namespace plumbline
