#include "kernels/simd/select.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/einsum/pack_bf16.cpp"
#include "hwy/foreach_target.h"
#include "kernels/einsum/pack_kernels.h"
#include "kernels/simd/bf16-inl.h"
#include "kernels/simd/targets.h"

#ifndef PLUMBLINE_KERNELS_PACK_BF16_ONCE
#define PLUMBLINE_KERNELS_PACK_BF16_ONCE
namespace plumbline::kernels {
namespace {

// Column by column, so that memory is read along the terms where they are closer together.
void one_by_one(const bf16* base, std::span<const std::ptrdiff_t> columns,
                std::span<const std::ptrdiff_t> terms, float* panel) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t k = 0; k < terms.size(); ++k) {
      panel[k * columns.size() + c] = float(base[columns[c] + terms[k]]);
    }
  }
}

}  // namespace
}  // namespace plumbline::kernels
#endif

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace plumbline::kernels::HWY_NAMESPACE {
namespace {

void side_by_side(const bf16* base, std::size_t columns, std::span<const std::ptrdiff_t> terms,
                  float* panel) {
  for (const std::ptrdiff_t term : terms) {
    for (std::size_t c = 0; c < columns; c += float_width) {
      hn::StoreU(load_wide(base + term + c), floats{}, panel + c);
    }
    panel += columns;
  }
}
bool write(const float* sums, std::size_t columns, bf16* out) {
  for (std::size_t c = 0; c < columns; c += float_width) {
    store_narrow(hn::LoadU(floats{}, sums + c), out + c);
  }
  return true;
}

constexpr pack_kernels<bf16, float> table{side_by_side, one_by_one, write};

}  // namespace
}  // namespace plumbline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace plumbline::kernels {
namespace {

void reference_side_by_side(const bf16* base, std::size_t columns,
                            std::span<const std::ptrdiff_t> terms, float* panel) {
  for (const std::ptrdiff_t term : terms) {
    for (std::size_t c = 0; c < columns; ++c)
      *panel++ = float(base[term + static_cast<std::ptrdiff_t>(c)]);
  }
}
bool reference_write(const float* sums, std::size_t columns, bf16* out) {
  for (std::size_t c = 0; c < columns; ++c) out[c] = bf16(sums[c]);
  return true;
}
constexpr pack_kernels<bf16, float> reference_table{reference_side_by_side, one_by_one,
                                                    reference_write};

}  // namespace

const pack_kernels<bf16, float>& bf16_pack_kernels() { PLUMBLINE_SELECT_TABLE(reference_table) }

}  // namespace plumbline::kernels
#endif
