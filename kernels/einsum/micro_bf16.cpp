#include "kernels/simd/select.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/einsum/micro_bf16.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include <cmath>

#include "kernels/einsum/micro_kernels.h"
#include "kernels/simd/targets.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace plumbline::kernels::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using floats = hn::ScalableTag<float>;
using vec = hn::Vec<floats>;
constexpr floats d{};
constexpr std::size_t width = hn::MaxLanes(floats{});

template <std::size_t rows, std::size_t vectors, bool both_columns>
void tile(std::size_t terms, const float* row_panel, const float* column_panel, float* sums) {
  constexpr std::size_t columns = vectors * width;
  vec s[rows][vectors];
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t v = 0; v < vectors; ++v)
      s[r][v] = hn::LoadU(d, sums + r * columns + v * width);
  }
  for (std::size_t k = 0; k < terms; ++k) {
    vec column[vectors];
    for (std::size_t v = 0; v < vectors; ++v) column[v] = hn::LoadU(d, column_panel + v * width);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t v = 0; v < vectors; ++v) {
        const vec other =
            both_columns ? hn::LoadU(d, row_panel + v * width) : hn::Set(d, row_panel[r]);
        s[r][v] = hn::MulAdd(other, column[v], s[r][v]);
      }
    }
    column_panel += columns;
    row_panel += both_columns ? columns : rows;
  }
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t v = 0; v < vectors; ++v)
      hn::StoreU(s[r][v], d, sums + r * columns + v * width);
  }
}

// Twelve sums hide the latency of a multiply-add twice over. A product's factors commute here.
constexpr micro_kernels<float> table{
    {tile<6, 2, false>, 6, 2 * width}, {tile<6, 2, false>, 6, 2 * width},
    {tile<1, 8, false>, 1, 8 * width}, {tile<1, 8, false>, 1, 8 * width},
    {tile<1, 8, true>, 1, 8 * width},  {nullptr, 0, 0},
};

}  // namespace
}  // namespace plumbline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace plumbline::kernels {
namespace {

void reference_tile(std::size_t terms, const float* row_panel, const float* column_panel,
                    float* sum) {
  for (std::size_t k = 0; k < terms; ++k) *sum = std::fma(row_panel[k], column_panel[k], *sum);
}
constexpr micro_kernels<float> reference_table{
    {reference_tile, 1, 1}, {reference_tile, 1, 1}, {reference_tile, 1, 1},
    {reference_tile, 1, 1}, {reference_tile, 1, 1}, {nullptr, 0, 0},
};

}  // namespace

const micro_kernels<float>& bf16_micro_kernels() { PLUMBLINE_SELECT_TABLE(reference_table) }

}  // namespace plumbline::kernels
#endif
