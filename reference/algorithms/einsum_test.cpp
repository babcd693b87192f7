// einsum: the values of the guide, every kind of pattern, the refusals, the orders of accumulation.
#include "reference/algorithms/einsum.h"

#include <catch2/catch.hpp>
#include <string>

#include "reference/scalar/test_operands.h"
#include "reference/scalar/traits.h"

using namespace plumbline;

namespace {

constexpr double low = 0x1p-80;
using array = tensor<df64>;

const array a({2, 2}, {1, 2, 3, 4}), b({2, 2}, {5, 6, 7, 8}), identity({2, 2}, {1, 0, 0, 1});

template <class T>
result<tensor<T>> run(const char* pattern, const std::vector<tensor<T>>& operands) {
  const auto p = parse_einsum_pattern(pattern);
  if (!p) return std::unexpected(p.error());
  return einsum(*p, operands);
}

void check(const char* pattern, const std::vector<array>& operands, const array& expected) {
  const auto z = run(pattern, operands);
  CAPTURE(pattern);
  REQUIRE(z.has_value());
  CHECK(z->shape == expected.shape);
  REQUIRE(z->values.size() == expected.values.size());
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    CHECK(same_bits(z->values[i], expected.values[i]));
  }
}

template <class T>
void check_refused(const char* pattern, const std::vector<tensor<T>>& operands,
                   numeric_error_kind kind, const std::string& text) {
  const auto z = run(pattern, operands);
  CAPTURE(pattern, text);
  REQUIRE_FALSE(z.has_value());
  CHECK(z.error().kind == kind);
  CHECK_THAT(z.error().text, Catch::Contains(text));
}

tensor<bf16> bf(shape_type shape, const std::vector<float>& values) {
  tensor<bf16> t(std::move(shape));
  for (std::size_t i = 0; i < values.size(); ++i) t.values[i] = bf16(values[i]);
  return t;
}

}  // namespace

TEST_CASE("the contractions of the guide") {
  check("ik,kj->ij", {a, b}, {{2, 2}, {19, 22, 43, 50}});
  check("bij,bjk->bik", {array({2, 1, 1}, {1, 2}), array({2, 1, 1}, {3, 4})}, {{2, 1, 1}, {3, 8}});
  check("i,j->ij", {array({2}, {2, 3}), array({2}, {5, 7})}, {{2, 2}, {10, 14, 15, 21}});
  check("ij,kl->ik", {a, b}, {{2, 2}, {33, 45, 77, 105}});
  const array diagonal({2, 2, 1}, {1, 0, 0, 2});
  check("iij,jk->ik", {diagonal, array({1, 2}, {3, 4})}, {{2, 2}, {3, 4, 6, 8}});
  check("ii,j->j", {array({2, 2}, {1, 0, 0, 2}), array({1}, {1})}, {{1}, {3}});
  check("ij,jk,kl->il", {a, b, identity}, {{2, 2}, {19, 22, 43, 50}});
  check("iij,jk,kl->il", {diagonal, array({1, 2}, {3, 4}), identity}, {{2, 2}, {3, 4, 6, 8}});
  check("ij,ij->ij", {a, b}, {{2, 2}, {5, 12, 21, 32}});
}

TEST_CASE("the low part survives the accumulation that a double loses") {
  check("ik,kj->ij", {array({1, 2}, {1, 1}), array({2, 1}, {1, low})}, {{1, 1}, {df64(1.0, low)}});
  const auto control =
      run<double>("ik,kj->ij", {tensor<double>({1, 2}, {1, 1}), tensor<double>({2, 1}, {1, low})});
  CHECK(control->values[0] - 1.0 == 0.0);
}

TEST_CASE("one operand: transposition, diagonal, trace, sums") {
  check("ij->ji", {a}, {{2, 2}, {1, 3, 2, 4}});
  check("ii->i", {a}, {{2}, {1, 4}});
  check("ii->", {a}, {{}, {5}});
  check("ij->i", {a}, {{2}, {3, 7}});
  check("ij->", {a}, {{}, {10}});
  check("i->i", {array({2}, {df64(1.0, low), -0.0})}, {{2}, {df64(1.0, low), 0.0}});
}

TEST_CASE("rank-0 outputs, extents of zero and one") {
  check("i,i->", {array({2}, {1, 2}), array({2}, {3, 4})}, {{}, {11}});
  check("ij,jk->ik", {array({2, 0}, {}), array({0, 1}, {})}, {{2, 1}, {0, 0}});
  check("ij,jk->ik", {array({0, 2}, {}), array({2, 1}, {1, 1})}, {{0, 1}, {}});
  check("iii->i", {array({2, 2, 2}, {1, 0, 0, 0, 0, 0, 0, 2})}, {{2}, {1, 2}});
  check("ij,k,l->", {a, array({1}, {2}), array({3}, {1, 1, 1})}, {{}, {60}});
}

TEST_CASE("patterns are validated") {
  using enum numeric_error_kind;
  check_refused<df64>("ik,kj->iz", {a, b}, invalid_argument, "no operand names the output label z");
  check_refused<df64>("ik,kj->ii", {a, b}, invalid_argument, "repeats the label i");
  check_refused<df64>("->", {}, invalid_argument, "no operand");
  check_refused<df64>(",ij->ij", {a, b}, invalid_argument, "operand 0 of the pattern has no label");
  check_refused<df64>("ij,->ij", {a, b}, invalid_argument, "operand 1 of the pattern has no label");
  check_refused<df64>("ij", {a}, invalid_argument, "output");
  check_refused<df64>("i j->ij", {a}, invalid_argument, "ASCII letter");
  check_refused<df64>("i->i,j", {a}, invalid_argument, "ASCII letter");
  check_refused<df64>("ik,kj->ij", {array({1, 2}, {1, 1}), array({3, 1}, {1, 1, 1})},
                      invalid_argument, "shared label");
  check_refused<df64>("ii->i", {array({1, 2}, {1, 1})}, invalid_argument, "shared label i");
  check_refused<df64>("ik,kj->ij", {a}, invalid_argument, "operands");
  check_refused<df64>("ijk->i", {a}, rank_mismatch, "labels");
  check_refused<df64>("ij->i", {array({2, 2}, {1})}, invalid_argument, "fill");

  const auto numbered = make_einsum_pattern({{7, 9}, {9, 4}}, {7, 4});
  REQUIRE(numbered.has_value());
  CHECK(numbered->operands == std::vector<label_list>{{7, 9}, {9, 4}});
  CHECK(numbered->output == label_list{7, 4});
  CHECK_FALSE(make_einsum_pattern({{7, 9}, {}}, {7}).has_value());

  // The struct is open: what no function made is checked where it is used.
  const auto refused = [](const einsum_pattern& p, const std::vector<array>& operands) {
    const auto z = einsum(p, operands);
    REQUIRE_FALSE(z.has_value());
    CHECK(z.error().kind == invalid_argument);
  };
  refused({}, {});
  refused({{{1}}, {9}}, {array({2}, {1, 2})});
  refused({{{1}}, {1, 1}}, {array({2}, {1, 2})});
}

TEST_CASE("the orders of accumulation") {
  test::operand_stream operands(50);
  const std::size_t k = 100;
  for (const std::size_t columns : {std::size_t{31}, std::size_t{32}}) {  // 31 outputs and 32
    array x({1, k}), y({k, columns});
    for (array* t : {&x, &y}) {
      for (df64& v : t->values) v = operands.near_one();
    }
    const auto z = run("ik,kj->ij", std::vector{x, y});
    REQUIRE(z.has_value());
    bool orders_differ = false;
    for (std::size_t j = 0; j < columns; ++j) {
      df64 sequential = 0.0;
      std::vector<df64> column(k);
      for (std::size_t i = 0; i < k; ++i) {
        sequential = sequential + x(0, i) * y(i, j);
        column[i] = y(i, j);
      }
      const df64 dotted = dot(std::span<const df64>(x.values), std::span<const df64>(column));
      CHECK(same_bits(z->values[j], columns < 32 ? dotted : sequential));
      orders_differ = orders_differ || !same_bits(dotted, sequential);
    }
    CHECK(orders_differ);
  }
}

TEST_CASE("summed labels run in order of first appearance, the last fastest") {
  test::operand_stream operands(51);
  array x({3, 5}), y({5, 4, 3});  // ab,bca->: summed a, b, c
  for (array* t : {&x, &y}) {
    for (df64& v : t->values) v = operands.near_one();
  }
  std::vector<df64> lhs, rhs;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      for (std::size_t l = 0; l < 4; ++l) {
        lhs.push_back(x.values[i * 5 + j]);
        rhs.push_back(y.values[(j * 4 + l) * 3 + i]);
      }
    }
  }
  check("ab,bca->", {x, y}, {{}, {dot(std::span<const df64>(lhs), std::span<const df64>(rhs))}});
}

TEST_CASE("the fold is from the left and each step counts its own outputs") {
  test::operand_stream operands(52);
  array x({8, 8}), y({8, 8}), v({8});
  for (array* t : {&x, &y, &v}) {
    for (df64& w : t->values) w = operands.near_one();
  }
  // (x y) has 64 outputs and goes sequentially, (x y) v has 8 and takes the dot order.
  const auto inner = run("ij,jk->ik", std::vector{x, y});
  const auto outer = run("ik,k->i", std::vector{*inner, v});
  check("ij,jk,k->i", {x, y, v}, *outer);
}

TEST_CASE("bf16: wide accumulation and one rounding, beside the per-step control") {
  const std::vector<float> ones(300, 1.0f);
  const auto z = run<bf16>("ik,kj->ij", {bf({1, 300}, ones), bf({300, 1}, ones)});
  REQUIRE(z.has_value());
  CHECK(float(z->values[0]) == 300.0f);
  bf16 per_step;
  for (int i = 0; i < 300; ++i) per_step = per_step + bf16(1.0f) * bf16(1.0f);
  CHECK(float(per_step) == 256.0f);

  const auto product = run<bf16>("ik,kj->ij", {bf({2, 2}, {1, 2, 3, 4}), bf({2, 2}, {5, 6, 7, 8})});
  CHECK(std::vector<float>{float(product->values[0]), float(product->values[1]),
                           float(product->values[2]),
                           float(product->values[3])} == std::vector<float>{19, 22, 43, 50});
  // Rounded after the accumulation: 10 (1 + 2^-7) = 10.078125, whose nearest bfloat16 is 10.0625.
  const auto ten = run<bf16>("i,i->", {bf({10}, std::vector<float>(10, 1 + 0x1p-7f)),
                                       bf({10}, std::vector<float>(10, 1.0f))});
  CHECK(float(ten->values[0]) == 10.0625f);
}

TEST_CASE("bf16: the order of accumulation is that of swapped pairs") {
  test::operand_stream operands(53);
  const std::size_t k = 75;
  for (const std::size_t columns : {std::size_t{5}, std::size_t{40}}) {
    tensor<bf16> x({1, k}), y({k, columns});
    for (tensor<bf16>* t : {&x, &y}) {
      // Powers far apart, so that the order shows after the rounding.
      for (bf16& v : t->values)
        v = bf16(static_cast<float>(operands.number(operands.between(-6, 6))));
    }
    const auto z = run<bf16>("ik,kj->ij", {x, y});
    for (std::size_t j = 0; j < columns; ++j) {
      const auto fma = [&](float s, std::size_t i) {
        return std::fma(float(x.values[i]), float(y(i, j)), s);
      };
      float expected = 0;
      if (columns < 32) {
        expected = accumulate_dot_order<float>(k, true, fma);
      } else {
        for (std::size_t i = 0; i + 1 < k; i += 2) expected = fma(fma(expected, i + 1), i);
        expected = fma(expected, k - 1);
      }
      CHECK(same_bits(z->values[j], bf16(expected)));
    }
  }
}

TEST_CASE("bf16: contractions in which the pair swap shows, in both orders") {
  // 1, 0, 2^24, -2^24 in one sum: 1 when swapped, 0 as they stand.
  for (const std::size_t columns : {std::size_t{1}, std::size_t{32}}) {
    const std::size_t stride = columns < few_outputs ? partial_sums : 1, k = 4 * stride;
    tensor<bf16> x({1, k}), ones({k, columns});
    for (bf16& v : ones.values) v = bf16(1.0f);
    x.values[0] = bf16(1.0f);
    x.values[2 * stride] = bf16(0x1p24f);
    x.values[3 * stride] = bf16(-0x1p24f);
    const auto z = run<bf16>("ik,kj->ij", {x, ones});
    REQUIRE(z.has_value());
    for (const bf16 v : z->values) CHECK(float(v) == 1.0f);
  }
}

TEST_CASE("bf16 refuses traces, diagonals and any number of operands but two") {
  using enum numeric_error_kind;
  const tensor<bf16> x = bf({2, 2}, {1, 2, 3, 4});
  check_refused<bf16>("ii,ij->j", {x, x}, invalid_argument, "trace");
  check_refused<bf16>("ij,jk,kl->il", {x, x, x}, invalid_argument, "two operands, not 3");
  check_refused<bf16>("ij->ji", {x}, invalid_argument, "two operands, not 1");
  check_refused<bf16>("ij,jk->ik", {x, bf({3, 1}, {1, 1, 1})}, invalid_argument, "shared label");
}
