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

// 1, so that the compiler cannot know it: fma(a, 1, b) is a + b bit for bit, and the machine has
// units that do nothing but multiply-adds.
HWY_INLINE vec hidden_one() {
  double one = 1.0;
  asm volatile("" : "+m"(one));
  return all(one);
}

// sums[e] += x[e] * y[e] for four elements at a time, operation by operation: four chains hide each
// other's latency. The additions that go by way of the multiply-add units are those of the product
// and of the low parts.
constexpr std::size_t chains = 4;

template <factors f>
HWY_INLINE void accumulate(vec_pair* sums, const vec_pair* x, const vec_pair* y, vec one) {
  vec hi[chains], lo[chains];
  for (std::size_t e = 0; e < chains; ++e) {
    if constexpr (f == factors::column_alone) {
      hi[e] = y[e].hi;
      lo[e] = y[e].lo;
    } else {
      const vec p = hn::Mul(x[e].hi, y[e].hi);
      const vec error = hn::MulSub(x[e].hi, y[e].hi, p);
      const vec low = hn::Mul(x[e].lo, y[e].lo);
      const vec cross = hn::MulAdd(x[e].lo, y[e].hi, hn::MulAdd(x[e].hi, y[e].lo, low));
      const vec rest = hn::MulAdd(error, one, cross);
      hi[e] = hn::MulAdd(p, one, rest);
      lo[e] = hn::NegMulAdd(hn::MulSub(hi[e], one, p), one, rest);
    }
  }
  for (std::size_t e = 0; e < chains; ++e) {
    const vec_pair s = two_sum(sums[e].hi, hi[e]);
    // two_sum of the low parts
    const vec t = hn::Add(sums[e].lo, lo[e]);
    const vec a_seen = hn::NegMulAdd(lo[e], one, t);
    const vec b_seen = hn::NegMulAdd(a_seen, one, t);
    const vec t_error = hn::MulAdd(hn::NegMulAdd(a_seen, one, sums[e].lo), one,
                                   hn::NegMulAdd(b_seen, one, lo[e]));
    const vec_pair v = fast_two_sum(s.hi, t);
    sums[e] = fast_two_sum(v.hi, hn::Add(hn::MulAdd(s.lo, one, t_error), v.lo));
  }
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
    row_panel += f == factors::both_columns ? 2 * columns : 2 * rows;
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
    {tile<4, factors::row_first>, 4, width},
    {tile<4, factors::row_second>, 4, width},
    {tile<1, factors::row_first>, 1, 4 * width},
    {tile<1, factors::row_second>, 1, 4 * width},
    {tile<1, factors::both_columns>, 1, 4 * width},
    {tile<1, factors::column_alone>, 1, 4 * width},
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
