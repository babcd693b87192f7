#include "kernels/simd/select.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/qr/project.cpp"
#include "hwy/foreach_target.h"
#include "kernels/simd/df64-inl.h"

#include <array>
#include <cstdint>

#include "hwy/cache_control.h"
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

constexpr std::size_t vectors = partial_sums / width;
constexpr std::size_t chains = vectors < 4 ? vectors : 4;  // hide each other's latency

// Lane i of what is `lanes` further on, round about.
HWY_INLINE vec rotated(vec x, std::size_t lanes) {
  alignas(64) std::int64_t from[width];
  for (std::size_t i = 0; i < width; ++i) from[i] = static_cast<std::int64_t>((i + lanes) % width);
  return hn::TableLookupLanes(x, hn::SetTableIndices(lanes_of_double, from));
}
// The tree of the dot order. No sum that started at +0 is -0.
HWY_INLINE df64 tree(vec_pair* p) {
  for (std::size_t half = vectors / 2; half > 0; half /= 2) {
    for (std::size_t v = 0; v < half; ++v) p[v] = poison_add(p[v], p[v + half]);
  }
  for (std::size_t half = width / 2; half > 0; half /= 2) {
    p[0] = poison_add(p[0], {rotated(p[0].hi, half), rotated(p[0].lo, half)});
  }
  return df64::raw(hn::GetLane(p[0].hi), hn::GetLane(p[0].lo));
}

df64 dot_columns(std::size_t n, column x, column y) {
  const vec one = hidden_one();
  vec_pair partials[vectors];
  for (std::size_t first = 0; first < vectors; first += chains) {
    vec_pair p[chains];
    for (std::size_t v = 0; v < chains; ++v) p[v] = {zero(), zero()};
    for (std::size_t i = first * width; i < n; i += partial_sums) {
      vec_pair terms[chains];
      for (std::size_t v = 0; v < chains; ++v) {
        terms[v] = balanced_mul(load_parts(x, i + v * width), load_parts(y, i + v * width), one);
      }
      for (std::size_t v = 0; v < chains; ++v) p[v] = balanced_add(p[v], terms[v], one);
    }
    for (std::size_t v = 0; v < chains; ++v) partials[first + v] = p[v];
  }
  return tree(partials);
}

// y - p x for some vectors from i on, where `factor` is -p: -(p x) is (-p) x, bit for bit.
HWY_INLINE void subtract_vectors(vec_pair factor, column x, column y, std::size_t i, vec one) {
  vec_pair terms[chains], z[chains];
  for (std::size_t v = 0; v < chains; ++v) {
    terms[v] = balanced_mul(factor, load_parts(x, i + v * width), one);
  }
  auto any_zero = is_zero(all(1.0));
  for (std::size_t v = 0; v < chains; ++v) {
    z[v] = balanced_add(load_parts(y, i + v * width), terms[v], one);
    any_zero = hn::Or(any_zero, is_zero(z[v].hi));
  }
  if (HWY_UNLIKELY(!hn::AllFalse(lanes_of_double, any_zero))) {  // its sign
    for (std::size_t v = 0; v < chains; ++v) {
      z[v] = finite_add(load_parts(y, i + v * width),
                        finite_mul(factor, load_parts(x, i + v * width)));
    }
  }
  for (std::size_t v = 0; v < chains; ++v) {
    hn::StoreU(z[v].hi, lanes_of_double, y.hi + i + v * width);
    hn::StoreU(z[v].lo, lanes_of_double, y.lo + i + v * width);
  }
}

df64 subtract_and_dot(std::size_t n, df64 p, column x, column y, column next) {
  const vec_pair factor = all(-p);
  const vec one = hidden_one();
  for (std::size_t i = 0; i < n; i += chains * width) {
    for (std::size_t k = i; k < i + chains * width; k += 8) {  // a line of the cache
      hwy::Prefetch(next.hi + k);
      hwy::Prefetch(next.lo + k);
    }
    subtract_vectors(factor, x, y, i, one);
  }
  return dot_columns(n, next, y);
}

void scale(std::size_t n, df64 s, column y) {
  const vec_pair factor = all(s);
  for (std::size_t i = 0; i < n; i += width) {
    const vec_pair z = finite_mul(load_parts(y, i), factor);
    hn::StoreU(z.hi, lanes_of_double, y.hi + i);
    hn::StoreU(z.lo, lanes_of_double, y.lo + i);
  }
}

constexpr project_kernels table{dot_columns, subtract_and_dot, scale};

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
df64 reference_subtract_and_dot(std::size_t n, df64 p, column x, column y, column next) {
  for (std::size_t i = 0; i < n; ++i) {
    const df64 z = df64::raw(y.hi[i], y.lo[i]) - p * df64::raw(x.hi[i], x.lo[i]);
    y.hi[i] = z.hi;
    y.lo[i] = z.lo;
  }
  return reference_dot(n, next, y);
}
void reference_scale(std::size_t n, df64 s, column y) {
  for (std::size_t i = 0; i < n; ++i) {
    const df64 z = df64::raw(y.hi[i], y.lo[i]) * s;
    y.hi[i] = z.hi;
    y.lo[i] = z.lo;
  }
}
constexpr project_kernels reference_table{reference_dot, reference_subtract_and_dot,
                                          reference_scale};

}  // namespace

const project_kernels& chosen_project_kernels() { PLUMBLINE_SELECT_TABLE(reference_table) }

}  // namespace plumbline::kernels
#endif
