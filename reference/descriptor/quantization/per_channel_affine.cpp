// quantization/per-channel-affine.md
#include "../judge.h"

namespace plumbline {

void PerChannelAffine::visit(Fields& f) {
  f.u32("axis", axis);
  f.u32("scale_buffer_index", scale_buffer_index);
  f.u32("zero_point_buffer_index", zero_point_buffer_index);
  f.u8("scale_type_tag", scale_type_tag);
  f.bytes("reserved", reserved, 3);
}

void judge_per_channel(const Descriptor& d, const PerChannelAffine& s, Faults& faults) {
  const Quantization& q = *d.quantization;
  judge_storage_type(d, "QPC-14", {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4A, 0x4B},
                     faults);
  if (s.axis >= limit("QPC-04", d.header.rank))
    faults.add("QPC-04", q.byte_at(4), "axis " + std::to_string(s.axis), "an axis below the rank");
  else if (d.shape[s.axis] == dynamic_dimension)
    faults.add("QPC-13", q.byte_at(4), "a dynamic size on axis " + std::to_string(s.axis),
               "a known size");
  if (d.header.layout_tag == layout::block_paged && s.axis == 0)
    faults.add("BPG-15", q.byte_at(4), "per-channel quantization of the token axis", "axis 1 or 2");
  judge_parameter_indices(d, "QPC-11", faults);
  if (q.is_symmetric()) {
    if (s.zero_point_buffer_index != no_buffer)
      faults.add("QPC-08", q.byte_at(12),
                 "zero point index " + std::to_string(s.zero_point_buffer_index) + " with SYMMETRIC",
                 "0xffffffff");
    if (s.zero_point_buffer_index == 0)  // the page has no exception for SYMMETRIC here
      faults.add("QNT-18", q.byte_at(12), "buffer index 0", "a buffer other than the tensor's data");
  }
  if (s.scale_type_tag != 3)
    faults.add("QPC-05", q.byte_at(16), "scale type " + hex_tag(s.scale_type_tag), "0x03 (float32)");
  judge_zero(s.reserved, "QPC-06", q.byte_at(17), faults);
}

// One float32 scale and one int32 zero point a channel; in one entry, the scales first (D-151).
void need_per_channel(const Descriptor& d, const PerChannelAffine& s, std::vector<Need>& needs) {
  const Quantization& q = *d.quantization;
  if (s.axis >= d.shape.size() || d.shape[s.axis] == dynamic_dimension) return;
  Exact channels(d.shape[s.axis]);
  if (!q.is_symmetric() && s.zero_point_buffer_index == s.scale_buffer_index) {
    needs.push_back({s.scale_buffer_index, channels * Exact(8), true, "QPC-09", q.byte_at(12)});
    return;
  }
  needs.push_back({s.scale_buffer_index, channels * Exact(4), true, "QPC-09", q.byte_at(8)});
  if (!q.is_symmetric())
    needs.push_back({s.zero_point_buffer_index, channels * Exact(4), true, "QPC-10", q.byte_at(12)});
}

}  // namespace plumbline
