// quantization/per-block-affine.md; layouts/block-paged.md, Quantization Compatibility
#include "../judge.h"

namespace plumbline {

void PerBlockAffine::visit(Fields& f) {
  f.u32("axis", axis);
  f.u32("block_size", block_size);
  f.u32("scale_buffer_index", scale_buffer_index);
  f.u32("zero_point_buffer_index", zero_point_buffer_index);
  f.u8("scale_type_tag", scale_type_tag);
  f.bytes("reserved", reserved, 3);
}

namespace {

bool is_block_size(std::uint32_t n) { return is_power_of_two(n) && n >= limit("QPB-05", 2u); }
bool is_scale_type(std::uint8_t tag) {
  return tag >= limit("QPB-09.low", 1) && tag <= limit("QPB-09.high", 3);
}

}  // namespace

void judge_per_block(const Descriptor& d, const PerBlockAffine& s, Faults& faults) {
  const Quantization& q = *d.quantization;
  judge_storage_type(d, "QPB-19", {0x10, 0x11, 0x48, 0x49, 0x4A, 0x4B}, faults);
  bool has_axis = s.axis < limit("QPB-04", d.header.rank);
  bool is_dynamic = has_axis && d.shape[s.axis] == dynamic_dimension;
  if (!has_axis)
    faults.add("QPB-04", q.byte_at(4), "axis " + std::to_string(s.axis), "an axis below the rank");
  else if (is_dynamic)
    faults.add("QPB-08", q.byte_at(4), "a dynamic size on axis " + std::to_string(s.axis),
               "a known size");
  std::string found = "block size " + std::to_string(s.block_size);
  if (!is_block_size(s.block_size))
    faults.add("QPB-05", q.byte_at(8), found, "a power of two, 2 or more",
               s.block_size == 0 ? Class::N : Class::W);

  if (auto* paged = std::get_if<BlockPaged>(&d.layout)) {
    if (s.axis != 0)
      faults.add("BPG-14", q.byte_at(4), "axis " + std::to_string(s.axis), "axis 0");
    else if (s.block_size != paged->page_size)
      faults.add("BPG-14", q.byte_at(8), found,
                 "the page size, " + std::to_string(paged->page_size));
  } else if (has_axis && !is_dynamic && d.shape[s.axis] > 0) {
    if (s.block_size > limit("QPB-06", d.shape[s.axis]))
      faults.add("QPB-06", q.byte_at(8), found,
                 "at most the size of the axis, " + std::to_string(d.shape[s.axis]));
    else if (is_block_size(s.block_size))
      judge_last_block(d, s.axis, s.block_size, "QPB-17", q.byte_at(8), faults);
  }
  judge_parameter_indices(d, "QPB-16", faults);
  if (q.is_symmetric() && s.zero_point_buffer_index != no_buffer)
    faults.add("QPB-12", q.byte_at(16),
               "zero point index " + std::to_string(s.zero_point_buffer_index) + " with SYMMETRIC",
               "0xffffffff");
  if (!is_scale_type(s.scale_type_tag))
    faults.add("QPB-09", q.byte_at(20), "scale type " + hex_tag(s.scale_type_tag),
               "0x01, 0x02 or 0x03");
  judge_zero(s.reserved, "QPB-10", q.byte_at(21), faults);
}

// One scale and one int32 zero point a block; on a block-paged tensor one a slot of each page
// (open point D-142). In one entry, the scales first (open point D-151).
void need_per_block(const Descriptor& d, const PerBlockAffine& s, std::vector<Need>& needs) {
  const Quantization& q = *d.quantization;
  Exact count;
  std::string scale_clause, zero_point_clause;
  if (auto* paged = std::get_if<BlockPaged>(&d.layout)) {
    if (s.axis != 0 || s.block_size != paged->page_size) return;
    count = Exact(paged->num_pages) * Exact(paged->page_size);
    scale_clause = zero_point_clause = "BPG-13";
  } else {
    if (s.axis >= d.shape.size() || d.has_dynamic_dimension() || s.block_size == 0) return;
    std::uint64_t axis_size = d.shape[s.axis];
    if (axis_size > 0 && s.block_size > axis_size) return;
    count = block_count(d, s.axis, s.block_size);
    scale_clause = axis_size == 0 ? "QPB-07" : "QPB-13";
    zero_point_clause = axis_size == 0 ? "QPB-07" : "QPB-14";
  }
  // Without blocks the buffers are empty, whatever the type of a scale; zero points have one type.
  bool knows_scales = is_scale_type(s.scale_type_tag) || scale_clause == "QPB-07";
  std::string presupposed =
      d.header.layout_tag != layout::block_paged && !is_block_size(s.block_size) ? "QPB-05" : "";
  Exact scales = count * Exact(s.scale_type_tag == 3 ? 4 : 2);
  if (!q.is_symmetric() && s.zero_point_buffer_index == s.scale_buffer_index) {
    if (knows_scales)
      needs.push_back({s.scale_buffer_index, scales + count * Exact(4), true, scale_clause,
                       q.byte_at(20), false, presupposed});
    return;
  }
  if (knows_scales)
    needs.push_back({s.scale_buffer_index, scales, true, scale_clause,
                     scale_clause == "QPB-07" ? q.byte_at(12) : q.byte_at(20), false, presupposed});
  if (!q.is_symmetric())
    needs.push_back({s.zero_point_buffer_index, count * Exact(4), true, zero_point_clause,
                     q.byte_at(16), false, presupposed});
}

}  // namespace plumbline
