// layouts/strided.md, Element Address (clause STR-07)
#include "element_offset.h"

namespace plumbline {

ElementOffset strided_offset(const std::vector<std::int64_t>& strides, const Index& index) {
  ElementOffset offset;
  for (std::size_t k = 0; k < strides.size(); ++k) {
    // The magnitude of -2^63 has no signed form.
    std::uint64_t bits = static_cast<std::uint64_t>(strides[k]);
    if (strides[k] < 0 && !mutant("wrong:", "negative strides taken forward"))
      offset.back = offset.back + Exact(index[k]) * Exact(0 - bits);
    else
      offset.forward = offset.forward + Exact(index[k]) * Exact(bits);
  }
  return offset;
}

}  // namespace plumbline
