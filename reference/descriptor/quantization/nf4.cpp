// quantization/nf4.md
#include "../judge.h"

namespace plumbline {

void Nf4::visit(Fields& f) {
  f.u32("axis", axis);
  f.u32("block_size", block_size);
  f.u32("scale_buffer_index", scale_buffer_index);
}

namespace {
bool is_block_size(std::uint32_t n) { return is_power_of_two(n) && n >= limit("QNF-05", 8u); }
}  // namespace

void judge_nf4(const Descriptor& d, const Nf4& s, Faults& faults) {
  const Quantization& q = *d.quantization;
  judge_storage_type(d, "QNF-12", {0x49}, faults);
  bool has_axis = s.axis < limit("QNF-04", d.header.rank);
  bool is_dynamic = has_axis && d.shape[s.axis] == dynamic_dimension;
  if (!has_axis)
    faults.add("QNF-04", q.byte_at(4), "axis " + std::to_string(s.axis), "an axis below the rank");
  else if (is_dynamic)
    faults.add("QNF-08", q.byte_at(4), "a dynamic size on axis " + std::to_string(s.axis),
               "a known size");
  if (d.header.layout_tag == layout::block_paged && s.axis == 0)
    faults.add("BPG-16", q.byte_at(4), "NF4 on the token axis", "per-block affine by pages");
  std::string found = "block size " + std::to_string(s.block_size);
  if (!is_block_size(s.block_size))
    faults.add("QNF-05", q.byte_at(8), found, "a power of two, 8 or more",
               s.block_size == 0 ? Class::N : Class::W);
  if (has_axis && !is_dynamic && d.shape[s.axis] > 0) {
    if (s.block_size > limit("QNF-06", d.shape[s.axis]))
      faults.add("QNF-06", q.byte_at(8), found,
                 "at most the size of the axis, " + std::to_string(d.shape[s.axis]));
    else if (is_block_size(s.block_size))
      judge_last_block(d, s.axis, s.block_size, "QNF-13", q.byte_at(8), faults);
  }
  judge_parameter_indices(d, "QNF-11", faults);
}

// One float32 absmax a block.
void need_nf4(const Descriptor& d, const Nf4& s, std::vector<Need>& needs) {
  if (s.axis >= d.shape.size() || d.has_dynamic_dimension() || s.block_size == 0) return;
  std::uint64_t axis_size = d.shape[s.axis];
  if (axis_size > 0 && s.block_size > axis_size) return;
  needs.push_back({s.scale_buffer_index, block_count(d, s.axis, s.block_size) * Exact(4), true,
                   axis_size == 0 ? "QNF-07" : "QNF-10", d.quantization->byte_at(12)});
  if (!is_block_size(s.block_size)) needs.back().unless = "QNF-05";
}

}  // namespace plumbline
