// quantization/mxfp.md
#include "../judge.h"

namespace plumbline {

void Mxfp::visit(Fields& f) {
  f.u32("axis", axis);
  f.u32("block_size", block_size);
  f.u32("scale_buffer_index", scale_buffer_index);
}

namespace {

bool is_block_size(std::uint32_t n) {
  return is_power_of_two(n) && n >= limit("QMX-05.low", 16u) && n <= limit("QMX-05.high", 2048u);
}

bool is_positive_multiple(std::uint64_t size, std::uint32_t block_size) {
  return size > 0 && size % block_size == 0;
}

}  // namespace

void judge_mxfp(const Descriptor& d, const Mxfp& s, Faults& faults) {
  const Quantization& q = *d.quantization;
  judge_storage_type(d, "QMX-11", {0x40, 0x41, 0x43, 0x44, 0x45, 0x10, 0x48}, faults);
  bool has_axis = s.axis < limit("QMX-04", d.header.rank);
  bool is_dynamic = has_axis && d.shape[s.axis] == dynamic_dimension;
  if (!has_axis)
    faults.add("QMX-04", q.byte_at(4), "axis " + std::to_string(s.axis), "an axis below the rank");
  else if (is_dynamic)
    faults.add("QMX-07", q.byte_at(4), "a dynamic size on axis " + std::to_string(s.axis),
               "a known size");
  if (d.header.layout_tag == layout::block_paged && s.axis == 0)
    faults.add("BPG-16", q.byte_at(4), "MXFP on the token axis", "per-block affine by pages");
  std::string found = "block size " + std::to_string(s.block_size);
  if (!is_block_size(s.block_size))
    faults.add("QMX-05", q.byte_at(8), found, "a power of two from 16 to 2048");
  else if (has_axis && !is_dynamic && !is_positive_multiple(d.shape[s.axis], s.block_size))
    faults.add("QMX-06", q.byte_at(8), found + " on an axis of " + std::to_string(d.shape[s.axis]),
               "an axis of a positive multiple of the block size");
  judge_parameter_indices(d, "QMX-10", faults);
}

// One float8_e8m0 a block.
void need_mxfp(const Descriptor& d, const Mxfp& s, std::vector<Need>& needs) {
  if (s.axis >= d.shape.size() || d.has_dynamic_dimension() || !is_block_size(s.block_size)) return;
  if (!is_positive_multiple(d.shape[s.axis], s.block_size)) return;
  needs.push_back({s.scale_buffer_index, block_count(d, s.axis, s.block_size), true, "QMX-09",
                   d.quantization->byte_at(12)});
}

}  // namespace plumbline
