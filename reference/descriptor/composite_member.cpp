// metadata.md, Composite Member Section
#include "judge.h"

namespace plumbline {

void CompositeMember::visit(Fields& f) {
  at = f.offset();
  f.prefix("member.");
  f.u8("member_role", member_role);
  f.bytes("reserved", reserved, 15);
}

void judge_composite_member(const Descriptor& d, Faults& faults) {
  const CompositeMember& m = *d.composite_member;
  if (m.member_role > limit("MEM-01", 1))
    faults.add("MEM-01", m.at, "member_role " + hex_tag(m.member_role),
               "0x00 (correction) or 0x01 (base)");
  judge_zero(m.reserved, "MEM-02", m.at + 1, faults);
}

}  // namespace plumbline
