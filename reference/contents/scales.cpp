// What the parameter arrays of the schemes share.
#include "pages.h"

namespace plumbline {

namespace {
// The exponent bits of float16 (01), bfloat16 (02) and float32 (03), and all bits but the sign.
std::uint64_t exponent_bits(std::uint8_t tag) {
  return tag == 1 ? 0x7C00 : tag == 2 ? 0x7F80 : 0x7F800000;
}
std::uint64_t magnitude_bits(std::uint8_t tag) { return tag == 3 ? 0x7FFFFFFF : 0x7FFF; }
}  // namespace

bool is_finite(std::uint64_t bits, std::uint8_t type_tag) {
  return (bits & exponent_bits(type_tag)) != exponent_bits(type_tag);
}

bool is_zero(std::uint64_t bits, std::uint8_t type_tag) {
  return (bits & magnitude_bits(type_tag)) == 0;
}

std::optional<std::uint64_t> scale_count(const Descriptor& d) {
  std::vector<Need> needs;
  need_parameters(d, needs);
  if (needs.empty()) return std::nullopt;  // its preconditions do not hold, or a size is not known
  Exact count;
  const Quantization& q = *d.quantization;
  if (auto* s = std::get_if<PerChannelAffine>(&q.scheme)) count = Exact(d.shape[s->axis]);
  if (auto* s = std::get_if<PerBlockAffine>(&q.scheme)) {
    auto* paged = std::get_if<BlockPaged>(&d.layout);
    count = paged ? Exact(paged->num_pages) * Exact(paged->page_size)
                  : block_count(d, s->axis, s->block_size);
  }
  if (auto* s = std::get_if<Nf4>(&q.scheme)) count = block_count(d, s->axis, s->block_size);
  if (auto* s = std::get_if<Mxfp>(&q.scheme)) count = block_count(d, s->axis, s->block_size);
  if (!count.fits_u64()) return std::nullopt;
  return static_cast<std::uint64_t>(count.value());
}

}  // namespace plumbline
