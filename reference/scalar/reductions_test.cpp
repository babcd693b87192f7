// The orders of accumulation, written down a second time and compared bit for bit; the promise of
// wide accumulation beside the per-step control that breaks it.
#include "reference/scalar/reductions.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "reference/scalar/environment.h"
#include "reference/scalar/test_operands.h"
#include "reference/scalar/traits.h"

using plumbline::bf16;
using plumbline::df64;
using plumbline::same_bits;
using plumbline::test::operand_stream;

namespace {

template <class T>
T sum(const std::vector<T>& x) {
  return plumbline::sum(std::span<const T>(x));
}
template <class T>
T dot(const std::vector<T>& x, const std::vector<T>& y) {
  return plumbline::dot(std::span<const T>(x), std::span<const T>(y));
}

// The tree as the contract spells it.
template <class Sum>
Sum tree(std::vector<Sum> p) {
  for (int j = 0; j < 16; ++j) p[std::size_t(j)] += p[std::size_t(j + 16)];
  for (int j = 0; j < 8; ++j) p[std::size_t(j)] += p[std::size_t(j + 8)];
  for (int j = 0; j < 4; ++j) p[std::size_t(j)] += p[std::size_t(j + 4)];
  for (int j = 0; j < 2; ++j) p[std::size_t(j)] += p[std::size_t(j + 2)];
  return p[0] += p[1];
}

const std::vector<std::size_t> sizes = {0,  1,  2,  31, 32,  33,  63,  64,
                                        65, 95, 96, 97, 127, 200, 1000};

}  // namespace

TEST_CASE("the arithmetic environment of this test is sound") {
  CHECK(plumbline::environment_faults().empty());
}

TEST_CASE("df64 and double sums and dot products follow the dot order") {
  operand_stream operands(10);
  for (const std::size_t n : sizes) {
    std::vector<df64> x(n), y(n);
    std::vector<double> a(n), b(n);
    std::vector<df64> total(32), products(32);
    std::vector<double> double_products(32);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = operands.near_one();
      y[i] = operands.near_one();
      a[i] = x[i].hi;
      b[i] = y[i].hi;
      total[i % 32] += x[i];
      products[i % 32] += x[i] * y[i];
      double_products[i % 32] += a[i] * b[i];
    }
    CAPTURE(n);
    CHECK(same_bits(sum(x), tree(total)));
    CHECK(same_bits(dot(x, y), tree(products)));
    CHECK(same_bits(dot(a, b), tree(double_products)));
    if (n >= 200) {  // and no other order
      df64 sequential;
      for (const df64 t : x) sequential += t;
      CHECK_FALSE(same_bits(sum(x), sequential));
    }
  }
}

TEST_CASE("bf16 sums accumulate in float in the dot order, products in swapped pairs") {
  operand_stream operands(11);
  bool swap_matters = false;
  for (const std::size_t n : sizes) {
    std::vector<bf16> x(n), y(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = bf16(static_cast<float>(operands.number(operands.between(-3, 3))));
      y[i] = bf16(static_cast<float>(operands.number(operands.between(-3, 3))));
    }
    std::vector<float> total(32), swapped(32), straight(32);
    for (std::size_t i = 0; i < n; ++i) {
      total[i % 32] += float(x[i]);
      straight[i % 32] = std::fma(float(x[i]), float(y[i]), straight[i % 32]);
    }
    // Partial sum j: j+32, j, j+96, j+64, ...; a last single term alone.
    for (std::size_t first = 0; first < n; first += 64) {
      for (std::size_t j = 0; j < 32; ++j) {
        for (const std::size_t i : {first + 32 + j, first + j}) {
          if (i < n) swapped[j] = std::fma(float(x[i]), float(y[i]), swapped[j]);
        }
      }
    }
    CAPTURE(n);
    CHECK(same_bits(sum(x), bf16(tree(total))));
    CHECK(same_bits(dot(x, y), bf16(tree(swapped))));
    // bf16 hides most of the difference, so look at the floats.
    const float accumulated = plumbline::accumulate_dot_order<float>(
        n, true, [&](float s, std::size_t i) { return std::fma(float(x[i]), float(y[i]), s); });
    CHECK(same_bits(accumulated, tree(swapped)));
    swap_matters = swap_matters || !same_bits(tree(swapped), tree(straight));
  }
  CHECK(swap_matters);
}

TEST_CASE("a bf16 dot product in which the pair swap shows") {
  // Partial sum 0 holds 1, 0, 2^24, -2^24. Swapped: 1, then 1 - 2^24, then 1. As they stand, 1 +
  // 2^24 would lose the 1.
  std::vector<bf16> x(128), ones(128, bf16(1.0f));
  x[0] = bf16(1.0f);
  x[64] = bf16(0x1p24f);
  x[96] = bf16(-0x1p24f);
  CHECK(float(dot(x, ones)) == 1.0f);
  CHECK(float(sum(x)) == 0.0f);  // sums of elements are not swapped
}

TEST_CASE("the pair swap") {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < 7; ++k) order.push_back(plumbline::pair_swapped(k, 7));
  CHECK(order == std::vector<std::size_t>{1, 0, 3, 2, 5, 4, 6});
  std::vector<std::size_t> sequence;
  plumbline::accumulate_sequential<int>(5, true, [&](int s, std::size_t i) {
    sequence.push_back(i);
    return s;
  });
  CHECK(sequence == std::vector<std::size_t>{1, 0, 3, 2, 4});
}

TEST_CASE("sums start at +0") {
  CHECK(same_bits(sum(std::vector<df64>{}), df64(0.0)));
  CHECK(same_bits(sum(std::vector<df64>{-0.0}), df64(0.0)));
  CHECK(same_bits(sum(std::vector<bf16>{bf16(-0.0f)}), bf16(0.0f)));
}

TEST_CASE("three hundred ones are 300, where rounding at every step stalls at 256") {
  const std::vector<bf16> ones(300, bf16(1.0f));
  CHECK(float(sum(ones)) == 300.0f);
  CHECK(float(dot(ones, ones)) == 300.0f);
  bf16 per_step;
  for (const bf16 x : ones) per_step = per_step + x;
  CHECK(float(per_step) == 256.0f);
}

TEST_CASE("one rounding at the end, not a sum of rounded values") {
  // Storage already rounds 1 + 2^-9 to 1, so ten of them are 10. 1 + 2^-7 is stored exactly: ten of
  // them are 10.078125, whose nearest bfloat16 is 10.0625.
  CHECK(float(sum(std::vector<bf16>(10, bf16(1.0f + 0x1p-9f)))) == 10.0f);
  CHECK(float(sum(std::vector<bf16>(10, bf16(1.0f + 0x1p-7f)))) == 10.0625f);
  // 256 and eight ones: 264; per step 256 stays.
  std::vector<bf16> x(9, bf16(1.0f));
  x[0] = bf16(256.0f);
  CHECK(float(sum(x)) == 264.0f);
  bf16 per_step;
  for (const bf16 t : x) per_step = per_step + t;
  CHECK(float(per_step) == 256.0f);
}

TEST_CASE("a df64 sum keeps what a double sum drops") {
  const double low = 0x1p-80;
  CHECK(same_bits(sum(std::vector<df64>{1.0, low}), df64::raw(1.0, low)));
  CHECK(sum(std::vector<df64>{1.0, low}) - df64(1.0) == low);
  CHECK(sum(std::vector<double>{1.0, low}) - 1.0 == 0.0);
  CHECK(same_bits(sum(std::vector<df64>{df64(1.0, low), low, 0.0, 0.0}), df64::raw(1.0, 0x1p-79)));
  CHECK(same_bits(dot(std::vector<df64>{1.0, 1.0}, std::vector<df64>{1.0, low}),
                  df64::raw(1.0, low)));
  CHECK(dot(std::vector<double>{1.0, 1.0}, std::vector<double>{1.0, low}) - 1.0 == 0.0);
}

TEST_CASE("what is not finite passes through a sum") {
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<df64> x(100, 1.0);
  x[37] = inf;
  CHECK(same_bits(sum(x), df64(inf)));
  CHECK(same_bits(dot(x, x), df64(inf)));
  x[90] = -inf;
  CHECK(isnan(sum(x)));
}
