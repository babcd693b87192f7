#include "kernels/simd/select.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/einsum/pack_df64.cpp"
#include <cmath>
#include <cstdint>

#include "hwy/foreach_target.h"
#include "kernels/einsum/pack_kernels.h"
#include "kernels/simd/df64-inl.h"
#include "kernels/simd/targets.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace plumbline::kernels::HWY_NAMESPACE {
namespace {

using offsets = std::span<const std::ptrdiff_t>;

constexpr std::size_t line = 64 / sizeof(df64);  // of the cache

// Asks for the memory `elements` behind x, if there is any: it will be needed soon.
HWY_INLINE void fetch(const df64* x, std::size_t elements) {
  const auto address = reinterpret_cast<std::uintptr_t>(x) + elements * sizeof(df64);
  __builtin_prefetch(reinterpret_cast<const void*>(address), 0, 2);
}
HWY_INLINE void put(vec_pair x, double* hi, double* lo) {
  hn::StoreU(x.hi, lanes_of_double, hi);
  hn::StoreU(x.lo, lanes_of_double, lo);
}
void side_by_side(const df64* base, std::size_t columns, offsets terms, double* panel) {
  for (const std::ptrdiff_t term : terms) {
    for (std::size_t c = 0; c < columns; c += line) fetch(base + term + c, 2 * columns);
    for (std::size_t c = 0; c < columns; c += width) {
      put(load_spaced(base + term + c, 1), panel + c, panel + columns + c);
    }
    panel += 2 * columns;
  }
}
void apart(const df64* base, offsets columns, offsets terms, double* panel) {
  const std::size_t w = columns.size();
  for (std::size_t c = 0; c < w; c += width) {
    const df64* x[width];
    for (std::size_t i = 0; i < width; ++i) x[i] = base + columns[c + i];
    for (std::size_t k = 0; k < terms.size(); k += line) {
      for (std::size_t i = 0; i < width; ++i) fetch(x[i] + terms[k], 8 * line);
    }
    double* at = panel + c;
    for (const std::ptrdiff_t term : terms) {
      put(load_elements([&](std::size_t i) HWY_ATTR { return x[i] + term; }), at, at + w);
      at += 2 * w;
    }
  }
}

bool write(const double* sums, std::size_t columns, df64* out) {
  vec unsound = zero();  // a NaN where something is not finite
  for (std::size_t c = 0; c < columns; c += width) {
    const vec hi = hn::LoadU(lanes_of_double, sums + c);
    const vec lo = hn::LoadU(lanes_of_double, sums + columns + c);
    unsound = hn::Add(unsound, hn::Add(hn::Sub(hi, hi), hn::Sub(lo, lo)));
    hn::StoreInterleaved2(hi, lo, lanes_of_double, &out[c].hi);
  }
  return hn::AllTrue(lanes_of_double, is_zero(unsound));
}

constexpr pack_kernels<df64, double> table{side_by_side, apart, write};

}  // namespace
}  // namespace plumbline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace plumbline::kernels {
namespace {

void reference_apart(const df64* base, std::span<const std::ptrdiff_t> columns,
                     std::span<const std::ptrdiff_t> terms, double* panel) {
  const std::size_t w = columns.size();
  for (const std::ptrdiff_t term : terms) {
    for (std::size_t c = 0; c < w; ++c) {
      panel[c] = base[term + columns[c]].hi;
      panel[w + c] = base[term + columns[c]].lo;
    }
    panel += 2 * w;
  }
}
void reference_side_by_side(const df64* base, std::size_t columns,
                            std::span<const std::ptrdiff_t> terms, double* panel) {
  for (const std::ptrdiff_t term : terms) {
    for (std::size_t c = 0; c < columns; ++c) {
      panel[c] = base[term + static_cast<std::ptrdiff_t>(c)].hi;
      panel[columns + c] = base[term + static_cast<std::ptrdiff_t>(c)].lo;
    }
    panel += 2 * columns;
  }
}
bool reference_write(const double* sums, std::size_t columns, df64* out) {
  bool sound = true;
  for (std::size_t c = 0; c < columns; ++c) {
    out[c] = df64::raw(sums[c], sums[columns + c]);
    sound = sound && std::isfinite(out[c].hi) && std::isfinite(out[c].lo);
  }
  return sound;
}
constexpr pack_kernels<df64, double> reference_table{reference_side_by_side, reference_apart,
                                                     reference_write};

}  // namespace

const pack_kernels<df64, double>& df64_pack_kernels() { PLUMBLINE_SELECT_TABLE(reference_table) }

}  // namespace plumbline::kernels
#endif
