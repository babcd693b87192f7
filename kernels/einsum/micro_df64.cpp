#include "kernels/simd/select.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/einsum/micro_df64.cpp"
#include "hwy/foreach_target.h"
#include "kernels/simd/df64-inl.h"

#include "kernels/einsum/micro_kernels.h"
#include "kernels/simd/targets.h"

#ifndef PLUMBLINE_KERNELS_MICRO_DF64_ONCE
#define PLUMBLINE_KERNELS_MICRO_DF64_ONCE
namespace plumbline::kernels {
namespace {
enum class factors { row_first, row_second, both_columns, column_alone };
}
}  // namespace plumbline::kernels
#endif

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace plumbline::kernels::HWY_NAMESPACE {
namespace {

// sums[e] += x[e] * y[e] for four elements at a time, operation by operation: four chains hide each
// other's latency.
constexpr std::size_t chains = 4;

template <factors f>
HWY_INLINE void accumulate(vec_pair* sums, const vec_pair* x, const vec_pair* y, vec one) {
  vec_pair terms[chains];
  for (std::size_t e = 0; e < chains; ++e) {
    terms[e] = f == factors::column_alone ? y[e] : balanced_mul(x[e], y[e], one);
  }
  for (std::size_t e = 0; e < chains; ++e) sums[e] = balanced_add(sums[e], terms[e], one);
}

template <std::size_t rows, factors f>
void tile(std::size_t terms, const double* row_panel, const double* column_panel, double* sums) {
  constexpr std::size_t vectors = chains / rows, columns = vectors * width;
  vec_pair s[chains];
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t v = 0; v < vectors; ++v) {
      const double* at = sums + r * 2 * columns + v * width;
      s[r * vectors + v] = {hn::LoadU(lanes_of_double, at),
                            hn::LoadU(lanes_of_double, at + columns)};
    }
  }
  const vec one = hidden_one();
  for (std::size_t k = 0; k < terms; ++k) {
    vec_pair x[chains], y[chains];
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t v = 0; v < vectors; ++v) {
        const std::size_t e = r * vectors + v;
        const double* column = column_panel + v * width;
        const vec_pair c{hn::LoadU(lanes_of_double, column),
                         hn::LoadU(lanes_of_double, column + columns)};
        vec_pair other = c;
        if constexpr (f == factors::both_columns) {
          const double* left = row_panel + v * width;
          other = {hn::LoadU(lanes_of_double, left), hn::LoadU(lanes_of_double, left + columns)};
        } else if constexpr (f != factors::column_alone) {
          other = {all(row_panel[2 * r]), all(row_panel[2 * r + 1])};
        }
        x[e] = f == factors::row_second ? c : other;
        y[e] = f == factors::row_second ? other : c;
      }
    }
    accumulate<f>(s, x, y, one);
    column_panel += 2 * columns;
    if constexpr (f != factors::column_alone) {  // which has no row panel
      row_panel += f == factors::both_columns ? 2 * columns : 2 * rows;
    }
  }
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t v = 0; v < vectors; ++v) {
      double* at = sums + r * 2 * columns + v * width;
      hn::StoreU(s[r * vectors + v].hi, lanes_of_double, at);
      hn::StoreU(s[r * vectors + v].lo, lanes_of_double, at + columns);
    }
  }
}

constexpr micro_kernels<double> table{
    {tile<4, factors::row_first>, 4, width},        {tile<4, factors::row_second>, 4, width},
    {tile<1, factors::row_first>, 1, 4 * width},    {tile<1, factors::row_second>, 1, 4 * width},
    {tile<1, factors::both_columns>, 1, 4 * width}, {tile<1, factors::column_alone>, 1, 4 * width},
};

}  // namespace
}  // namespace plumbline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace plumbline::kernels {
namespace {

template <factors f>
void reference_tile(std::size_t terms, const double* row_panel, const double* column_panel,
                    double* sum) {
  df64 s = df64::raw(sum[0], sum[1]);
  for (std::size_t k = 0; k < terms; ++k) {
    const df64 column = df64::raw(column_panel[2 * k], column_panel[2 * k + 1]);
    if constexpr (f == factors::column_alone) {
      s = s + column;
    } else {
      const df64 row = df64::raw(row_panel[2 * k], row_panel[2 * k + 1]);
      s = s + (f == factors::row_second ? column * row : row * column);
    }
  }
  sum[0] = s.hi;
  sum[1] = s.lo;
}
constexpr micro_kernels<double> reference_table{
    {reference_tile<factors::row_first>, 1, 1},    {reference_tile<factors::row_second>, 1, 1},
    {reference_tile<factors::row_first>, 1, 1},    {reference_tile<factors::row_second>, 1, 1},
    {reference_tile<factors::both_columns>, 1, 1}, {reference_tile<factors::column_alone>, 1, 1},
};

}  // namespace

const micro_kernels<double>& df64_micro_kernels() { PLUMBLINE_SELECT_TABLE(reference_table) }

}  // namespace plumbline::kernels
#endif
