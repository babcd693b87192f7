// layouts/row-major.md, layouts/column-major.md: no fields; room for the product of the dimensions.
#include "../../types/element_type.h"
#include "../judge.h"

namespace plumbline {

void need_contiguous(const Descriptor& d, std::vector<Need>& needs) {
  std::optional<std::uint32_t> bits = d.element_bits();
  if (!bits) return;
  // element-types.md, Buffer Size Calculation has one clause a kind of packing.
  std::string_view clause = is_private_tag(d.header.type_tag) ? "EXT-17"
                            : *bits == 6                      ? "ELT-10"
                            : *bits < 8                       ? "ELT-09"
                                                              : "ELT-08";
  Exact count = d.element_count();  // 1 or more: empty tensors have no need
  Reach reach;
  reach.high = count.is_beyond() ? Exact::beyond() : Exact(count.value() - 1);
  need_reach(d, reach, clause, needs);
}

}  // namespace plumbline
