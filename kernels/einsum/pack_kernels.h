// How elements come from memory into a column panel (micro_kernels.h) and sums from a tile back to
// memory, by vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/scalar/bf16.h"
#include "reference/scalar/df64.h"

namespace plumbline::kernels {

template <class T, class Lane, class PanelLane = Lane>
struct pack_kernels {
  using offsets = std::span<const std::ptrdiff_t>;

  // A whole panel of `columns` columns: where they lie side by side, and where they lie anywhere.
  void (*side_by_side)(const T* base, std::size_t columns, offsets terms, PanelLane* panel);
  void (*apart)(const T* base, offsets columns, offsets terms, PanelLane* panel);
  // One row of a tile, side by side and rounded; false when a sum is poisoned (df64.h).
  bool (*write)(const Lane* sums, std::size_t columns, T* out);
};

const pack_kernels<df64, double>& df64_pack_kernels();
const pack_kernels<bf16, float>& bf16_pack_kernels();
// For panels of pairs of terms (kernels/bf16_dot).
const pack_kernels<bf16, float, std::uint32_t>& paired_bf16_pack_kernels();

}  // namespace plumbline::kernels
