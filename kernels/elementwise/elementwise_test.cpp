#include "kernels/elementwise/elementwise.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "kernels/test_targets.h"
#include "reference/scalar/conversions.h"

using namespace plumbline;
using kernels::strided;
using kernels::test::check_same_bits;
using kernels::test::kernel_operands;

namespace {

template <class T>
strided<T> whole(const std::vector<T>& x) {
  return {x.data(), x.size()};
}

template <class T>
struct operation {
  std::string name;
  std::function<void(strided<T>, strided<T>, std::span<T>)> kernel;
  std::function<T(T, T)> reference;
};

const df64 factor = df64(1.0 / 3, 0x1p-56);

const std::vector<operation<df64>> df64_operations{
    {"add", [](auto x, auto y, auto z) { kernels::add(x, y, z); }, std::plus<df64>{}},
    {"sub", [](auto x, auto y, auto z) { kernels::sub(x, y, z); }, std::minus<df64>{}},
    {"mul", [](auto x, auto y, auto z) { kernels::mul(x, y, z); }, std::multiplies<df64>{}},
    {"div", [](auto x, auto y, auto z) { kernels::div(x, y, z); }, std::divides<df64>{}},
    {"sqrt", [](auto x, auto, auto z) { kernels::sqrt(x, z); },
     [](df64 x, df64) { return sqrt(x); }},
    {"axpy", [](auto x, auto y, auto z) { kernels::axpy(factor, x, y, z); },
     [](df64 x, df64 y) { return y + factor * x; }},
};
const std::vector<operation<bf16>> bf16_operations{
    {"add", [](auto x, auto y, auto z) { kernels::add(x, y, z); }, std::plus<bf16>{}},
    {"sub", [](auto x, auto y, auto z) { kernels::sub(x, y, z); }, std::minus<bf16>{}},
    {"mul", [](auto x, auto y, auto z) { kernels::mul(x, y, z); }, std::multiplies<bf16>{}},
    {"div", [](auto x, auto y, auto z) { kernels::div(x, y, z); }, std::divides<bf16>{}},
    {"sqrt", [](auto x, auto, auto z) { kernels::sqrt(x, z); },
     [](bf16 x, bf16) { return sqrt(x); }},
};

// All pairs of the special values, then awkward operands, then plain ones.
std::pair<std::vector<df64>, std::vector<df64>> df64_operands() {
  kernel_operands stream(1);
  std::pair<std::vector<df64>, std::vector<df64>> pairs;
  for (const df64 x : plumbline::test::special_values()) {
    for (const df64 y : plumbline::test::special_values()) {
      pairs.first.push_back(x);
      pairs.second.push_back(y);
    }
  }
  for (int i = 0; i < 6000; ++i) {
    const bool plain = i % 2 == 0;
    pairs.first.push_back(plain ? stream.number() : stream.awkward());
    pairs.second.push_back(plain ? stream.number() : stream.awkward());
    if (i % 16 == 0) pairs.second.back() = -pairs.first.back();  // exact zeros
  }
  return pairs;
}

template <class T>
void check_operation(const operation<T>& op, const std::vector<T>& x, const std::vector<T>& y,
                     const std::string& hash_name) {
  CAPTURE(op.name);
  std::vector<T> expected, got(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) expected.push_back(op.reference(x[i], y[i]));
  kernels::test::on_every_target([&] {
    op.kernel(whole(x), whole(y), got);
    check_same_bits(got, expected);
    kernels::test::output_hash hash;
    hash.take(got);
    kernels::test::check_hash(hash_name + op.name, hash);

    // Tails of 0 to 2 vectors, at every distance from an aligned address, nothing beyond touched.
    const T guard = expected[7];
    for (std::size_t n = 0; n <= 33; ++n) {
      const std::size_t start = n % 5 + 1160;
      std::vector<T> z(n + 2, guard);
      op.kernel({x.data() + start, n}, {y.data() + start, n}, std::span(z).subspan(1, n));
      const auto first = expected.begin() + static_cast<std::ptrdiff_t>(start);
      std::vector<T> around{guard};
      around.insert(around.end(), first, first + static_cast<std::ptrdiff_t>(n));
      around.push_back(guard);
      check_same_bits(z, around);
    }

    // Strided: every third, backwards, one repeated; and onto its own operand.
    const std::size_t n = 700;
    std::vector<T> z(n), z_expected(n);
    op.kernel({x.data(), n, 3}, {y.data() + n, n, -1}, z);
    for (std::size_t i = 0; i < n; ++i) z_expected[i] = op.reference(x[3 * i], y[n - i]);
    check_same_bits(z, z_expected);
    op.kernel({x.data() + 5, n, 0}, {y.data(), n}, z);
    for (std::size_t i = 0; i < n; ++i) z_expected[i] = op.reference(x[5], y[i]);
    check_same_bits(z, z_expected);
    std::vector<T> in_place = x;
    op.kernel(whole(in_place), whole(y), in_place);
    check_same_bits(in_place, expected);
  });
}

}  // namespace

TEST_CASE("df64 elementwise: the reference's bits") {
  const auto [x, y] = df64_operands();
  for (const auto& op : df64_operations) check_operation(op, x, y, "df64_");
}

TEST_CASE("bf16 elementwise: the reference's bits") {
  // Every pattern once as the first operand.
  std::vector<bf16> x, y;
  kernel_operands stream(2);
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    x.push_back(bf16::from_bits(static_cast<std::uint16_t>(bits)));
    y.push_back(bits % 3 == 0 ? stream.number_bf16() : stream.awkward_bf16());
  }
  for (const auto& op : bf16_operations) check_operation(op, x, y, "bf16_");
}

TEST_CASE("widen and narrow keep every pattern") {
  std::vector<bf16> all;
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    all.push_back(bf16::from_bits(static_cast<std::uint16_t>(bits)));
  }
  // Around every bf16: itself, its halfway points, their neighbours, and a random lower half.
  std::vector<float> floats;
  kernel_operands stream(3);
  for (std::uint32_t upper = 0; upper < 0x10000u; ++upper) {
    for (const std::uint32_t lower : {0x0000u, 0x0001u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
      floats.push_back(std::bit_cast<float>(upper << 16 | lower));
    }
    floats.push_back(
        std::bit_cast<float>(upper << 16 | static_cast<std::uint32_t>(stream.bits() & 0xffffu)));
  }
  kernels::test::on_every_target([&] {
    std::vector<float> wide(all.size());
    kernels::widen(whole(all), wide);
    std::vector<bf16> narrow_again(floats.size());
    kernels::narrow(whole(floats), narrow_again);
    // Bits, not values: a NaN keeps its sign and payload.
    std::size_t wrong = 0;
    kernels::test::output_hash hash;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(wide[i]);
      wrong += bits != std::uint32_t{all[i].bits} << 16;
      hash.take(std::uint64_t{bits});
    }
    kernels::test::check_hash("bf16_widen", hash);
    hash = {};
    for (std::size_t i = 0; i < floats.size(); ++i) {
      wrong += narrow_again[i].bits != narrow(floats[i]).bits;
      hash.take(std::uint64_t{narrow_again[i].bits});
    }
    kernels::test::check_hash("bf16_narrow", hash);
    CHECK(wrong == 0);

    std::vector<bf16> few(21);
    kernels::narrow({floats.data() + 400000, few.size(), -7}, few);
    for (std::size_t i = 0; i < few.size(); ++i)
      wrong += few[i].bits != narrow(floats[400000 - 7 * i]).bits;
    std::vector<float> few_wide(21);
    kernels::widen({all.data() + 100, few_wide.size(), 2}, few_wide);
    for (std::size_t i = 0; i < few.size(); ++i) wrong += few_wide[i] != widen(all[100 + 2 * i]);
    CHECK(wrong == 0);
  });
}

TEST_CASE("df64 results past the cache: the reference's bits, wherever they start") {
  const std::size_t n = kernels::past_cache_bytes / sizeof(df64) + 5;
  kernel_operands stream(16);
  const auto some = kernel_operands::many(5003, [&] {
    return stream.below(100) != 0 ? stream.number() : stream.awkward();
  });
  std::vector<df64> x(n), y(n), sums(n), products(n), roots(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = some[i % 5003];
    y[i] = some[i % 4999];
    sums[i] = x[i] + y[i];
    products[i] = df64(0.0) + x[i] * y[i];
    roots[i] = sqrt(x[i]);
  }
  kernels::test::on_every_target([&] {
    for (const std::size_t start : {0u, 1u, 3u}) {
      std::vector<df64> memory(n + start + 1, df64(7.0));
      const std::span<df64> z = std::span(memory).subspan(start, n);
      const auto check = [&](const std::vector<df64>& expected) {
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < n; ++i) wrong += !same_bits(z[i], expected[i]);
        CHECK(wrong == 0);
        CHECK(memory.back() == df64(7.0));
      };
      kernels::add(whole(x), whole(y), z);
      check(sums);
      kernels::one_term_sums(whole(x), whole(y), z, true);
      check(products);
      kernels::sqrt(whole(x), z);
      check(roots);
    }
  });
}

TEST_CASE("past the cache: short results and those that no vector can be aligned to") {
  kernel_operands stream(15);
  const std::size_t most = 40;
  const auto x = stream.many(most, [&] { return stream.number(); });
  const auto y = stream.many(most, [&] { return stream.number(); });
  kernels::test::on_every_target([&] {
    for (std::size_t n = 1; n <= most; ++n) {
      for (std::size_t start = 0; start < 8; ++start) {  // in doubles
        std::vector<double> memory(start + 2 * n + 8, 7.0);
        const std::span<df64> z(new (memory.data() + start) df64[n], n);
        kernels::one_term_sums({x.data(), n}, {y.data(), n}, z, true);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < n; ++i) {
          const df64 product = x[i] * y[i];
          wrong += !same_bits(z[i], df64::raw(product.hi + 0.0, product.lo));
        }
        CHECK(wrong == 0);
        CHECK(std::count(memory.begin(), memory.end(), 7.0) == static_cast<std::ptrdiff_t>(start + 8));
      }
    }
  });
}

TEST_CASE("narrow past the cache: the reference's bits, wherever the result starts") {
  const std::size_t n = (std::size_t{4} << 20) + 77;  // bf16 elements, above 8 MiB
  kernel_operands stream(14);
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(stream.bits()));
  }
  for (const std::size_t start : {0u, 1u, 30u}) {
    kernels::test::on_every_target([&] {
      std::vector<bf16> z(n + start);
      kernels::narrow({x.data(), n}, std::span(z).subspan(start));
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < n; ++i) wrong += z[start + i].bits != narrow(x[i]).bits;
      CHECK(wrong == 0);
    });
  }
}
