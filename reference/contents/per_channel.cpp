// quantization/per-channel-affine.md, Referenced Buffers, Validity Constraints
#include "../types/element_type.h"
#include "pages.h"

namespace plumbline {

void judge_per_channel_contents(Contents& c, const PerChannelAffine& scheme) {
  std::optional<std::uint64_t> channels = scale_count(c.d);
  if (!channels) return;
  std::size_t scale_buffer = scheme.scale_buffer_index;
  Array scales = c.array(scale_buffer, 4);
  for (std::uint64_t k = 0; k < *channels; ++k) {
    std::optional<std::uint64_t> bits = scales.entry(k);
    if (!bits) return;  // too short only where the scheme was refused
    if (is_finite(*bits, 3) && !is_zero(*bits, 3)) continue;
    c.fault("CON-52", scale_buffer, 4 * k, "scale bits " + hex_tag(*bits),
            "a finite scale, not zero");
    break;
  }

  if (c.d.quantization->is_symmetric()) return;
  const ElementType* type = find_element_type(c.d.header.type_tag);
  bool is_signed = type && type->kind == NumberKind::signed_integer;
  bool is_unsigned = type && type->kind == NumberKind::unsigned_integer;
  if ((!is_signed && !is_unsigned) || type->bit_width > 32) return;  // QPC-14
  std::int64_t values = std::int64_t{1} << type->bit_width;
  std::int64_t lowest = is_signed ? -values / 2 : 0;
  std::int64_t highest = is_signed ? values / 2 - 1 : values - 1;
  std::size_t buffer = scheme.zero_point_buffer_index;
  // In one entry the zero points follow the scales (open point D-151).
  std::uint64_t start = buffer == scale_buffer ? *channels : 0;
  Array zero_points = c.array(buffer, 4);
  for (std::uint64_t k = start; k < start + *channels; ++k) {
    std::optional<std::uint64_t> bits = zero_points.entry(k);
    if (!bits) return;
    std::int64_t zero_point = static_cast<std::int32_t>(*bits);
    if (zero_point >= limit("CON-53.low", lowest) && zero_point <= limit("CON-53.high", highest))
      continue;
    c.fault("CON-53", buffer, 4 * k, "zero point " + std::to_string(zero_point),
            "a value of " + std::string(type->name));
    return;
  }
}

}  // namespace plumbline
