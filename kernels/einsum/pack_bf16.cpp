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

void pairs_one_by_one(const bf16* base, std::span<const std::ptrdiff_t> columns,
                      std::span<const std::ptrdiff_t> terms, std::uint32_t* panel) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const bf16* x = base + columns[c];
    std::uint32_t* at = panel + c;
    for (std::size_t k = 0; k < terms.size(); k += 2, at += columns.size()) {
      const std::uint32_t second = k + 1 < terms.size() ? x[terms[k + 1]].bits : 0;
      *at = x[terms[k]].bits | second << 16;
    }
  }
}

struct bf16_packers {
  pack_kernels<bf16, float> single;
  pack_kernels<bf16, float, std::uint32_t> paired;
};

}  // namespace
}  // namespace plumbline::kernels
#endif

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace plumbline::kernels::HWY_NAMESPACE {
namespace {

void side_by_side(const bf16* base, std::size_t columns, std::span<const std::ptrdiff_t> terms,
                  float* panel) {
  for (std::size_t k = 0; k < terms.size(); ++k, panel += columns) {
    const bf16* x = base + terms[k];
    // The next panel's elements, if they are there: a line of the cache holds those of two panels.
    __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(x) +
                                                     2 * columns * sizeof(bf16)),
                       0, 2);
    for (std::size_t c = 0; c < columns; c += float_width) {
      hn::StoreU(load_wide(x + c), floats{}, panel + c);
    }
  }
}
bool write(const float* sums, std::size_t columns, bf16* out) {
  for (std::size_t c = 0; c < columns; c += float_width) {
    store_narrow(hn::LoadU(floats{}, sums + c), out + c);
  }
  return true;
}

HWY_INLINE hn::Vec<words> load_words(const bf16* x) {
  return hn::PromoteTo(words{}, hn::LoadU(halves{}, &x->bits));
}
void pairs_side_by_side(const bf16* base, std::size_t columns,
                        std::span<const std::ptrdiff_t> terms, std::uint32_t* panel) {
  for (std::size_t k = 0; k < terms.size(); k += 2, panel += columns) {
    const bool single = k + 1 == terms.size();
    const bf16 *first = base + terms[k], *second = single ? nullptr : base + terms[k + 1];
    for (std::size_t c = 0; c < columns; c += float_width) {
      auto pairs = load_words(first + c);
      if (!single) pairs = hn::Or(pairs, hn::ShiftLeft<16>(load_words(second + c)));
      hn::StoreU(pairs, words{}, panel + c);
    }
  }
}

constexpr bf16_packers table{{side_by_side, one_by_one, write},
                             {pairs_side_by_side, pairs_one_by_one, write}};

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
void reference_pairs_side_by_side(const bf16* base, std::size_t columns,
                                  std::span<const std::ptrdiff_t> terms, std::uint32_t* panel) {
  for (std::size_t k = 0; k < terms.size(); k += 2) {
    for (std::size_t c = 0; c < columns; ++c) {
      const bf16* x = base + c;
      const std::uint32_t second = k + 1 < terms.size() ? x[terms[k + 1]].bits : 0;
      *panel++ = x[terms[k]].bits | second << 16;
    }
  }
}
constexpr bf16_packers reference_table{
    {reference_side_by_side, one_by_one, reference_write},
    {reference_pairs_side_by_side, pairs_one_by_one, reference_write}};

const bf16_packers& chosen() { PLUMBLINE_SELECT_TABLE(reference_table) }

}  // namespace

const pack_kernels<bf16, float>& bf16_pack_kernels() { return chosen().single; }
const pack_kernels<bf16, float, std::uint32_t>& paired_bf16_pack_kernels() {
  return chosen().paired;
}

}  // namespace plumbline::kernels
#endif
