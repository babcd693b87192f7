// layouts/composite.md, Head Descriptor and Head Layout-Specific Fields. What needs the members is
// in composite_set.cpp.
#include "../../types/element_type.h"
#include "../judge.h"

namespace plumbline {

void CompositeHead::visit(Fields& f, std::uint32_t) {
  at = f.offset();
  f.u8("composition_rule", composition_rule);
  f.u8("combine_op", combine_op);
  f.bytes("reserved", reserved, 2);
  f.u32("member_count", member_count);
}

void judge_composite_head(const Descriptor& d, const CompositeHead& head, const Options& options,
                          Faults& faults) {
  if (d.byte_offset > limit("CMP-02", std::uint64_t{0}))
    faults.add("CMP-02", d.byte_offset_at(), "byte_offset " + std::to_string(d.byte_offset),
               "0: a head owns no data");
  if (d.buffers.buffer_count > limit("CMP-01", 0))
    faults.add("CMP-01", d.buffers.at, counted(d.buffers.buffer_count, "buffer"),
               "0 buffers: a head owns no data");
  if ((d.header.flags & flag::composite_member) != 0)
    faults.add("CMP-03", 15, "the composite member flag on a head", "the flag clear");
  if ((d.header.flags & flag::quantization) != 0)
    faults.add("CMP-04", 15, "the quantization flag on a head", "the flag clear");

  std::uint8_t r = head.composition_rule;
  if (is_invalid_tag(r))
    faults.add("CMP-31", head.at, "composition rule " + hex_tag(r), "a rule other than 0x00, 0xff");
  else if (is_private_tag(r)) {
    if (!options.agreement.covers(Agreed::rule, r))
      faults.add("CMP-09", head.at, "private composition rule " + hex_tag(r),
                 "an agreement on this rule");
  } else if (r > limit("CMP-08", rule::group))
    faults.add("CMP-08", head.at, "composition rule " + hex_tag(r), "0x01, 0x02 or 0x03");

  if ((r == rule::partition || r == rule::group) && head.combine_op > limit("CMP-10", 0))
    faults.add("CMP-10", head.at + 1, "combine_op " + hex_tag(head.combine_op), "0x00");
  if (r == rule::overlay &&
      (head.combine_op < limit("CMP-11.low", 1) || head.combine_op > limit("CMP-11.high", 2)))
    faults.add("CMP-11", head.at + 1, "combine_op " + hex_tag(head.combine_op), "0x01 or 0x02");
  judge_zero(head.reserved, "CMP-12", head.at + 2, faults);
  if (head.member_count == 0xFFFFFFFF)
    faults.add("CMP-13", head.at + 4, "an open member_count", "a definite count");
  if (r == rule::overlay && head.member_count < limit("CMP-14", 1u))
    faults.add("CMP-14", head.at + 4, "an overlay without members", "at least the base");
}

}  // namespace plumbline
