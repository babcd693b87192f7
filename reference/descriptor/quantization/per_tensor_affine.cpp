// quantization/per-tensor-affine.md
#include "../judge.h"

#include "../../types/element_type.h"

namespace plumbline {

void PerTensorAffine::visit(Fields& f) {
  f.f32("scale", scale);
  f.i32("zero_point", zero_point);
  f.bytes("reserved", reserved, 4);
}

void judge_per_tensor(const Descriptor& d, const PerTensorAffine& s, Faults& faults) {
  const Quantization& q = *d.quantization;
  judge_storage_type(d, "QPT-09", {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4A, 0x4B},
                     faults);
  bool is_finite = (s.scale & 0x7F800000) != 0x7F800000, is_zero = (s.scale & 0x7FFFFFFF) == 0;
  if (!is_finite || is_zero)
    faults.add("QPT-04", q.byte_at(4), "scale bits " + hex_tag(s.scale), "a finite scale, not zero");
  if (!faults.broken("QPT-09")) {
    const ElementType& type = *find_element_type(d.header.type_tag);
    bool is_signed = type.kind == NumberKind::signed_integer;
    std::int64_t values = std::int64_t{1} << type.bit_width;
    std::int64_t lowest = is_signed ? -values / 2 : 0;
    std::int64_t highest = is_signed ? values / 2 - 1 : values - 1;
    if (s.zero_point < limit("QPT-06.low", lowest) || s.zero_point > limit("QPT-06.high", highest))
      faults.add("QPT-06", q.byte_at(8), "zero point " + std::to_string(s.zero_point),
                 "a value of " + std::string(type.name));
  }
  judge_zero(s.reserved, "QPT-07", q.byte_at(12), faults);
}

}  // namespace plumbline
