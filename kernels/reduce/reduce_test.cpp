#include "kernels/reduce/reduce.h"

#include <limits>

#include "kernels/test_targets.h"

using namespace plumbline;
using kernels::strided;
using kernels::test::kernel_operands;

namespace {

template <class T>
void check_sums(const std::vector<T>& x, const std::vector<T>& y, std::size_t n) {
  CAPTURE(n);
  const std::span<const T> xs(x.data() + 1, n), ys(y.data() + 2, n);
  CHECK(same_bits(kernels::sum(strided<T>(xs)), sum(xs)));
  CHECK(same_bits(kernels::dot(strided<T>(xs), strided<T>(ys)), dot(xs, ys)));
}

template <class T>
void check_strided(const std::vector<T>& x, const std::vector<T>& y, std::size_t n) {
  CAPTURE(n);
  std::vector<T> xs, ys;
  for (std::size_t i = 0; i < n; ++i) {
    xs.push_back(x[3 * i]);
    ys.push_back(y[n - i]);
  }
  const strided<T> third(x.data(), n, 3), backwards(y.data() + n, n, -1);
  CHECK(same_bits(kernels::sum(third), sum(std::span<const T>(xs))));
  CHECK(same_bits(kernels::dot(third, backwards),
                  dot(std::span<const T>(xs), std::span<const T>(ys))));
}

// Lengths around the 32 partial sums and the tails of 0 to 2 vectors, and longer ones.
std::vector<std::size_t> lengths() {
  std::vector<std::size_t> n;
  for (std::size_t i = 0; i <= 100; ++i) n.push_back(i);
  for (const std::size_t i : {127u, 128u, 159u, 511u, 512u, 513u, 1024u, 1055u, 3001u})
    n.push_back(i);
  return n;
}

}  // namespace

TEST_CASE("df64 sum and dot: the reference's bits") {
  kernel_operands stream(4);
  const auto x = kernel_operands::many(10000, [&] { return stream.number(); });
  const auto y = kernel_operands::many(10000, [&] { return stream.number(); });
  auto zeros = x;
  for (std::size_t i = 0; i < zeros.size(); ++i) {
    if (i % 3 != 0) zeros[i] = i % 2 == 0 ? df64(-0.0) : i % 5 == 0 ? -x[i - 1] : df64(0.0);
  }
  kernels::test::on_every_target([&] {
    for (const std::size_t n : lengths()) {
      check_sums(x, y, n);
      check_sums(zeros, y, n);
      check_strided(x, y, n);
    }
    kernels::test::output_hash sums, dots;
    for (std::size_t n = 0; n < 2000; n += 37) {
      sums.take(kernels::sum({x.data(), n}));
      dots.take(kernels::dot({x.data(), n}, {y.data(), n}));
    }
    kernels::test::check_hash("df64_sum", sums);
    kernels::test::check_hash("df64_dot", dots);
  });
}

TEST_CASE("df64 sum and dot with what overflows, underflows or is not finite") {
  kernel_operands stream(5);
  kernels::test::on_every_target([&] {
    for (int round = 0; round < 200; ++round) {
      const std::size_t n = stream.below(200);
      auto x = kernel_operands::many(n + 3, [&] { return stream.number(); });
      const auto y = kernel_operands::many(
          n + 3, [&] { return round % 2 == 0 ? stream.awkward() : stream.number(); });
      x[stream.below(n + 3)] = stream.awkward();
      check_sums(x, y, n);
      check_sums(y, x, n);
    }
  });
}

TEST_CASE("bf16 sum and dot: the reference's bits") {
  kernel_operands stream(6);
  const auto x = kernel_operands::many(10000, [&] { return stream.number_bf16(); });
  const auto y = kernel_operands::many(10000, [&] { return stream.number_bf16(); });
  kernels::test::on_every_target([&] {
    for (const std::size_t n : lengths()) {
      check_sums(x, y, n);
      check_strided(x, y, n);
    }
    kernels::test::output_hash sums, dots;
    for (std::size_t n = 0; n < 2000; n += 37) {
      sums.take(kernels::sum({x.data(), n}));
      dots.take(kernels::dot({x.data(), n}, {y.data(), n}));
    }
    kernels::test::check_hash("bf16_sum", sums);
    kernels::test::check_hash("bf16_dot", dots);
    for (int round = 0; round < 200; ++round) {
      const std::size_t n = stream.below(200);
      const auto any = kernel_operands::many(n + 3, [&] { return stream.awkward_bf16(); });
      check_sums(any, y, n);
      // Products that underflow: a partial sum can become -0, and must stay it.
      const auto tiny = kernel_operands::many(n + 3, [&] {
        return bf16::from_bits(static_cast<std::uint16_t>(0x8000u | (stream.bits() & 0x3fu)));
      });
      const std::vector<bf16> small(n + 3, bf16::from_bits(0x0080));
      check_sums(tiny, small, n);
    }
  });
}
