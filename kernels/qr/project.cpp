#include "kernels/simd/select.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/qr/project.cpp"
#include "hwy/foreach_target.h"
#include "kernels/simd/df64-inl.h"

#include <array>

#include "kernels/qr/project_kernels.h"
#include "kernels/simd/targets.h"
#include "reference/scalar/reductions.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace plumbline::kernels::HWY_NAMESPACE {
namespace {

HWY_INLINE vec_pair load_parts(column x, std::size_t i) {
  return {hn::LoadU(lanes_of_double, x.hi + i), hn::LoadU(lanes_of_double, x.lo + i)};
}

df64 dot_columns(std::size_t n, column x, column y) {
  constexpr std::size_t group = 4 * width;
  const vec one = hidden_one();
  alignas(64) double hi[partial_sums], lo[partial_sums];
  const column partials{hi, lo};
  for (std::size_t j = 0; j < partial_sums; j += group) {
    vec_pair p0{zero(), zero()}, p1 = p0, p2 = p0, p3 = p0;
    for (std::size_t i = j; i < n; i += partial_sums) {
      const auto term = [&](std::size_t v) HWY_ATTR {
        return balanced_mul(load_parts(x, i + v * width), load_parts(y, i + v * width), one);
      };
      p0 = balanced_add(p0, term(0), one);
      p1 = balanced_add(p1, term(1), one);
      p2 = balanced_add(p2, term(2), one);
      p3 = balanced_add(p3, term(3), one);
    }
    std::size_t v = j;
    for (const vec_pair p : {p0, p1, p2, p3}) {
      hn::StoreU(p.hi, lanes_of_double, hi + v);
      hn::StoreU(p.lo, lanes_of_double, lo + v);
      v += width;
    }
  }
  // The tree, in vectors as long as there are enough partial sums.
  std::size_t half = partial_sums / 2;
  for (; half >= width; half /= 2) {
    for (std::size_t j = 0; j < half; j += width) {
      const vec_pair s = poison_add(load_parts(partials, j), load_parts(partials, j + half));
      hn::StoreU(s.hi, lanes_of_double, hi + j);
      hn::StoreU(s.lo, lanes_of_double, lo + j);
    }
  }
  for (; half > 0; half /= 2) {
    for (std::size_t j = 0; j < half; ++j) {
      const df64 s = df64::raw(hi[j], lo[j]) + df64::raw(hi[j + half], lo[j + half]);
      hi[j] = s.hi;
      lo[j] = s.lo;
    }
  }
  return df64::raw(hi[0], lo[0]);
}

void subtract_column(std::size_t n, df64 p, column x, column y) {
  const vec_pair factor = all(-p);  // -(p x) is (-p) x, bit for bit
  const vec one = hidden_one();
  for (std::size_t i = 0; i < n; i += width) {
    const vec_pair x_part = load_parts(x, i), y_part = load_parts(y, i);
    vec_pair z = balanced_add(y_part, balanced_mul(factor, x_part, one), one);
    if (HWY_UNLIKELY(!hn::AllFalse(lanes_of_double, is_zero(z.hi)))) {  // its sign
      z = finite_add(y_part, finite_mul(factor, x_part));
    }
    hn::StoreU(z.hi, lanes_of_double, y.hi + i);
    hn::StoreU(z.lo, lanes_of_double, y.lo + i);
  }
}

constexpr project_kernels table{dot_columns, subtract_column};

}  // namespace
}  // namespace plumbline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace plumbline::kernels {
namespace {

df64 reference_dot(std::size_t n, column x, column y) {
  return accumulate_dot_order<df64>(n, false, [&](df64 sum, std::size_t i) {
    return sum + df64::raw(x.hi[i], x.lo[i]) * df64::raw(y.hi[i], y.lo[i]);
  });
}
void reference_subtract(std::size_t n, df64 p, column x, column y) {
  for (std::size_t i = 0; i < n; ++i) {
    const df64 z = df64::raw(y.hi[i], y.lo[i]) - p * df64::raw(x.hi[i], x.lo[i]);
    y.hi[i] = z.hi;
    y.lo[i] = z.lo;
  }
}
constexpr project_kernels reference_table{reference_dot, reference_subtract};

}  // namespace

const project_kernels& chosen_project_kernels() { PLUMBLINE_SELECT_TABLE(reference_table) }

}  // namespace plumbline::kernels
#endif
