#include "kernels/simd/select.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/bf16_dot/guard.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "kernels/bf16_dot/guard.h"
#include "kernels/simd/targets.h"

#ifndef PLUMBLINE_KERNELS_DOT_GUARD_ONCE
#define PLUMBLINE_KERNELS_DOT_GUARD_ONCE
namespace plumbline::kernels {
namespace {

// Of patterns without their sign: the least one less 1, so that zero does not count, and the most.
struct extremes {
  std::uint16_t least_less_1 = 0xffff, most = 0;

  void take(std::uint16_t pattern) {
    const auto size = static_cast<std::uint16_t>(pattern & 0x7fffu);
    least_less_1 = std::min(least_less_1, static_cast<std::uint16_t>(size - 1u));
    most = std::max(most, size);
  }
};
using look = void (*)(const bf16* x, std::size_t n, extremes& e);

}  // namespace
}  // namespace plumbline::kernels
#endif

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace plumbline::kernels::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

void look_at(const bf16* x, std::size_t n, extremes& e) {
  const hn::ScalableTag<std::uint16_t> u;
  constexpr std::size_t width = hn::MaxLanes(u);
  auto least = hn::Set(u, e.least_less_1), most = hn::Set(u, e.most);
  std::size_t i = 0;
  for (; i + width <= n; i += width) {
    const auto size = hn::And(hn::LoadU(u, &x[i].bits), hn::Set(u, 0x7fff));
    least = hn::Min(least, hn::Sub(size, hn::Set(u, 1)));
    most = hn::Max(most, size);
  }
  std::uint16_t lanes[width];
  hn::StoreU(least, u, lanes);
  for (const std::uint16_t lane : lanes) e.least_less_1 = std::min(e.least_less_1, lane);
  hn::StoreU(most, u, lanes);
  for (const std::uint16_t lane : lanes) e.most = std::max(e.most, lane);
  for (; i < n; ++i) e.take(x[i].bits);
}
constexpr look table = look_at;

}  // namespace
}  // namespace plumbline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace plumbline::kernels {
namespace {

void reference_look(const bf16* x, std::size_t n, extremes& e) {
  for (std::size_t i = 0; i < n; ++i) e.take(x[i].bits);
}
look chosen() { PLUMBLINE_SELECT_TABLE(reference_look) }

// The axes along which an operand moves, the closest last.
template <std::ptrdiff_t place::*distance>
axes moving(const step& s) {
  axes a;
  for (const axes* part : {&s.summed, &s.outputs}) {
    for (const axis& x : *part) {
      if (x.stride.*distance != 0) a.push_back(x);
    }
  }
  std::ranges::stable_sort(a, [](const axis& x, const axis& y) {
    return std::abs(x.stride.*distance) > std::abs(y.stride.*distance);
  });
  return a;
}

template <std::ptrdiff_t place::*distance>
extremes extremes_of(const step& s, const bf16* x) {
  axes outer = moving<distance>(s);
  axis inner;
  if (!outer.empty()) {
    inner = outer.back();
    outer.pop_back();
  }
  const auto kernel = chosen();
  const std::ptrdiff_t stride = inner.stride.*distance;
  extremes e;
  for (std::size_t line = 0; line < count(outer); ++line) {
    const bf16* start = x + place_of(outer, line).*distance;
    if (stride == 1) {
      kernel(start, inner.extent, e);
    } else {
      for (std::size_t i = 0; i < inner.extent; ++i) {
        e.take(start[static_cast<std::ptrdiff_t>(i) * stride].bits);
      }
    }
  }
  return e;
}

// The least biased exponent of what is not zero (1 to 254), 255 of zeros alone; nothing where an
// element is subnormal or not finite.
std::optional<int> least_exponent(const extremes& e) {
  const int least = e.least_less_1 + 1;  // 0x10000 of zeros alone
  if (least < 0x0080 || e.most >= 0x7f80) return std::nullopt;
  return std::min(255, least >> 7);
}

}  // namespace

std::size_t elements_of_lhs(const step& s) { return count(moving<&place::lhs>(s)); }
std::size_t elements_of_rhs(const step& s) { return count(moving<&place::rhs>(s)); }

bool dot_is_exact(const step& s, const bf16* lhs, const bf16* rhs) {
  const auto a = least_exponent(extremes_of<&place::lhs>(s, lhs));
  if (!a) return false;
  const auto b = least_exponent(extremes_of<&place::rhs>(s, rhs));
  return b && (*a - 127) + (*b - 127) >= -112;
}

}  // namespace plumbline::kernels
#endif
