#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "kernels/bf16_dot/bf16_dot.h"
#include "kernels/bf16_dot/model.h"

namespace plumbline::kernels {
namespace {

// Zeros, subnormals, both ends of the range, ones with and without a last place, what is not finite.
constexpr std::array<std::uint16_t, 24> edges{
    0x0000, 0x8000, 0x0001, 0x807f, 0x0080, 0x8080, 0x00ff, 0x0100, 0x1f80, 0x2000, 0x3f7f, 0x3f80,
    0xbf80, 0x3f81, 0xbf81, 0x4000, 0x5f80, 0x4b80, 0xcb81, 0x7f00, 0x7f7f, 0xff7f, 0x7f80, 0x7fc0};
constexpr std::array<std::uint32_t, 20> sum_edges{
    0x00000000, 0x80000000, 0x00000001, 0x80400000, 0x007fffff, 0x00800000, 0x80800000,
    0x00800001, 0x00ffffff, 0x3f800000, 0x3f800001, 0xbf7fffff, 0x4b800000, 0x4b7fffff,
    0xcb800001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000};

// splitmix64: the same numbers on every machine.
class random_bits {
 public:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }

  // Half of them near one, where sums round; the others edges or anything.
  std::uint16_t element() {
    const std::uint64_t kind = next() % 4;
    if (kind == 0) return edges[below(edges.size())];
    const std::uint64_t bits = next();
    if (kind == 1) return static_cast<std::uint16_t>(bits);
    return static_cast<std::uint16_t>((bits & 0x807f) | (0x3b80 + (bits >> 16 & 0x780)));
  }
  std::uint32_t pair() { return static_cast<std::uint32_t>(element()) | std::uint32_t{element()} << 16; }
  float sum() {
    const std::uint64_t kind = next() % 4;
    if (kind == 0) return std::bit_cast<float>(sum_edges[below(sum_edges.size())]);
    const auto bits = static_cast<std::uint32_t>(next());
    if (kind == 1) return std::bit_cast<float>(bits);
    return std::bit_cast<float>((bits & 0x807fffffu) | (0x3b800000u + (bits >> 4 & 0x07800000u)));
  }

 private:
  std::uint64_t state_ = 1;
};

// Unless the product and the sum come to 2^-126 only by rounding.
bool is_settled(float x, float y, float sum) {
  const double product = double{x} * double{y}, c = double{flushed(sum)};  // exact
  const double s = product + c, c_seen = s - product;
  const double error = (product - (s - c_seen)) + (c - c_seen);
  return std::fabs(std::fma(x, y, flushed(sum))) != 0x1p-126f ||
         (error == 0 && std::fabs(s) == 0x1p-126);
}
bool is_settled(float sum, std::uint32_t x, std::uint32_t y) {
  const auto factor = [](std::uint32_t pair, int i) { return flushed(element_of_pair(pair, i)); };
  const float between = flushed(std::fma(factor(x, 1), factor(y, 1), flushed(sum)));
  return is_settled(factor(x, 1), factor(y, 1), sum) &&
         is_settled(factor(x, 0), factor(y, 0), between);
}
bool agree(float x, float y) {
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
}

}  // namespace

bool has_dot_semantics(const dot_kernel& kernel) {
  random_bits random;
  const std::size_t sums = kernel.rows * kernel.columns;
  for (int round = 0; round < 400; ++round) {
    // Mostly one instruction a sum, now and then a few: their order, and how panels are read.
    const std::size_t count = round % 8 == 7 ? 1 + random.below(5) : 1;
    std::vector<std::uint32_t> row_panel(count * kernel.rows), column_panel(count * kernel.columns);
    std::vector<float> tile(sums);
    for (std::uint32_t& x : row_panel) x = random.pair();
    for (std::uint32_t& y : column_panel) y = random.pair();
    for (float& s : tile) s = random.sum();
    // Sums that cancel a first product.
    for (std::size_t i = 0; i < sums; i += 7) {
      const std::uint32_t x = row_panel[i / kernel.columns], y = column_panel[i % kernel.columns];
      tile[i] = -element_of_pair(x, 1) * element_of_pair(y, 1);
    }
    const std::vector<float> before = tile;
    kernel.run(count, row_panel.data(), column_panel.data(), tile.data());
    for (std::size_t i = 0; i < sums; ++i) {
      float expected = before[i];
      bool settled = true;
      for (std::size_t k = 0; k < count; ++k) {
        const std::uint32_t x = row_panel[k * kernel.rows + i / kernel.columns];
        const std::uint32_t y = column_panel[k * kernel.columns + i % kernel.columns];
        settled = settled && is_settled(expected, x, y);
        expected = dot_model(expected, x, y);
      }
      if (settled && !agree(tile[i], expected)) return false;
    }
  }
  return true;
}

}  // namespace plumbline::kernels
