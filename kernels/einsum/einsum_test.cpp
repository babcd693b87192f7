#include "kernels/einsum/einsum.h"

#include <map>

#include "kernels/test_targets.h"

using namespace plumbline;
using kernels::workspace;
using kernels::test::kernel_operands;

namespace {

struct example {
  const char* pattern;
  std::vector<shape_type> shapes;
};

// Every way in which the labels of a step can stand, 32 outputs or more and fewer, extents around
// the tiles and blocks.
const std::vector<example> df64_examples{
    {"ik,kj->ij", {{7, 5}, {5, 9}}},
    {"ik,kj->ij", {{1, 300}, {300, 40}}},
    {"ik,kj->ij", {{70, 3}, {3, 1}}},
    {"ik,kj->ij", {{66, 131}, {131, 35}}},
    {"ki,jk->ji", {{6, 13}, {8, 6}}},
    {"ik,kj->ij", {{3, 70}, {70, 3}}},
    {"ij,ij->ij", {{6, 11}, {6, 11}}},
    {"bik,bkj->bij", {{5, 3, 4}, {5, 4, 6}}},
    {"bi,bi->b", {{37, 9}, {37, 9}}},
    {"ib,bj->bij", {{2, 40}, {40, 2}}},
    {"i,j->ij", {{9}, {17}}},
    {"i,i->", {{100}, {100}}},
    {"ij->ji", {{7, 6}}},
    {"ijk->", {{4, 5, 6}}},
    {"ij->j", {{9, 45}}},
    {"ii->", {{40}}},
    {"ii->i", {{40}}},
    {"iji->j", {{3, 50, 3}}},
    {"ii,ij->j", {{6}, {6, 40}}},
    {"iik,kj->ij", {{7, 7, 3}, {3, 8}}},
    {"ik,kl,lj->ij", {{6, 4}, {4, 5}, {5, 7}}},
    {"a,b,c->cab", {{3}, {4}, {5}}},
    {"ik,j->ij", {{8, 5}, {6}}},
    {"i,kj->ij", {{8}, {3, 9}}},
    {"ik,kj->ij", {{8, 0}, {0, 8}}},
    {"ik,kj->ij", {{0, 3}, {3, 8}}},
    {"i,j->ij", {{3}, {300}}},
    {"ij,k->jik", {{2, 3}, {20}}},
    {"abcd,dceb->ea", {{4, 3, 2, 5}, {5, 2, 6, 3}}},
    {"ik,kj->ij", {{5, 130}, {130, 140}}},
};
const std::vector<example> bf16_examples{
    {"ik,kj->ij", {{7, 5}, {5, 9}}},
    {"ik,kj->ij", {{1, 301}, {301, 40}}},
    {"ik,kj->ij", {{13, 259}, {259, 70}}},
    {"ki,jk->ji", {{6, 13}, {8, 6}}},
    {"ik,kj->ij", {{3, 70}, {70, 3}}},
    {"ik,kj->ij", {{3, 65}, {65, 3}}},
    {"ij,ij->ij", {{6, 11}, {6, 11}}},
    {"bik,bkj->bij", {{5, 3, 4}, {5, 4, 6}}},
    {"bi,bi->b", {{37, 9}, {37, 9}}},
    {"i,j->ij", {{9}, {17}}},
    {"i,i->", {{129}, {129}}},
    {"ik,kj->ij", {{8, 0}, {0, 8}}},
    {"abc,dcb->ad", {{4, 3, 7}, {9, 7, 3}}},
    {"ik,kj->ij", {{250, 3}, {3, 40}}},
    {"ik,kj->ij", {{3, 4}, {4, 1030}}},
};

shape_type full(const std::string& labels, const shape_type& shape) {
  return shape.size() == labels.size() ? shape : shape_type(labels.size(), shape[0]);
}

template <class T, class Make>
std::vector<tensor<T>> make_operands(const einsum_pattern& pattern, const example& e, Make make) {
  std::vector<tensor<T>> operands;
  for (std::size_t i = 0; i < e.shapes.size(); ++i) {
    const shape_type shape = full(std::string(pattern.operands[i].size(), 'x'), e.shapes[i]);
    operands.emplace_back(shape, kernel_operands::many(*element_count(shape), make));
  }
  return operands;
}

template <class T>
void check(const result<tensor<T>>& got, const result<tensor<T>>& expected) {
  REQUIRE(got.has_value());
  REQUIRE(expected.has_value());
  CHECK(got->shape == expected->shape);
  kernels::test::check_same_bits(got->values, expected->values);
}

template <class T, class Make, class Hash>
void check_examples(const std::vector<example>& examples, Make make, Hash take) {
  for (const example& e : examples) {
    CAPTURE(e.pattern, e.shapes);
    const auto pattern = parse_einsum_pattern(e.pattern);
    REQUIRE(pattern.has_value());
    const auto operands = make_operands<T>(*pattern, e, make);
    const auto expected = einsum(*pattern, operands);
    kernels::test::on_every_target([&] {
      for (const unsigned threads : {1u, 3u}) {
        workspace work{.threads = threads};
        const auto got = kernels::einsum(*pattern, operands, work);
        check(got, expected);
        if (got && threads == 1) take(*got);
      }
    });
  }
}

}  // namespace

TEST_CASE("df64 einsum: the reference's bits, for every pattern, target and number of threads") {
  kernel_operands stream(7);
  std::map<kernels::target, kernels::test::output_hash> hashes;
  check_examples<df64>(
      df64_examples, [&] { return stream.number(); },
      [&](const tensor<df64>& z) { hashes[kernels::current_target()].take(z.values); });
  for (const auto& [target, hash] : hashes) kernels::test::check_hash("df64_einsum", hash);
}

TEST_CASE("einsum whose elements are used once: the reference's bits beyond the blocks' edges") {
  kernel_operands stream(13);
  const std::vector<example> examples{
      {"ij,j->i", {{70, 600}, {600}}},       {"j,ij->i", {{600}, {70, 600}}},
      {"i,ij->j", {{19}, {19, 1100}}},       {"ij,i->j", {{530, 37}, {530}}},
      {"bi,bi->b", {{150, 45}, {150, 45}}},  {"ib,bi->b", {{45, 150}, {150, 45}}},
      {"abi,bi->ab", {{5, 9, 21}, {9, 21}}}, {"iaj,ij->a", {{7, 40, 6}, {7, 6}}},
      {"abc,c->ab", {{3, 40, 11}, {11}}},
  };
  check_examples<df64>(
      examples, [&] { return stream.number(); }, [](const auto&) {});
  check_examples<df64>(
      examples, [&] { return stream.below(500) != 0 ? stream.number() : stream.awkward(); },
      [](const auto&) {});
  check_examples<bf16>(
      examples, [&] { return stream.number_bf16(); }, [](const auto&) {});
  check_examples<df64>(
      {{"ija->a", {{5, 9, 133}}}, {"aij->a", {{133, 5, 9}}}}, [&] { return stream.number(); },
      [](const auto&) {});
}

TEST_CASE("df64 einsum with what overflows, underflows or is not finite") {
  kernel_operands stream(8);
  for (int round = 0; round < 12; ++round) {
    const bool rare = round % 2 == 0;
    check_examples<df64>(
        {df64_examples[static_cast<std::size_t>(round)],
         df64_examples[static_cast<std::size_t>(round) + 13]},
        [&] { return rare && stream.below(40) != 0 ? stream.number() : stream.awkward(); },
        [](const auto&) {});
  }
}

TEST_CASE("bf16 einsum: the reference's bits") {
  kernel_operands stream(9);
  std::map<kernels::target, kernels::test::output_hash> hashes;
  check_examples<bf16>(
      bf16_examples, [&] { return stream.number_bf16(); },
      [&](const tensor<bf16>& z) { hashes[kernels::current_target()].take(z.values); });
  for (const auto& [target, hash] : hashes) kernels::test::check_hash("bf16_einsum", hash);
  for (int round = 0; round < 3; ++round) {
    check_examples<bf16>(
        bf16_examples,
        [&] {
          return stream.below(round == 0 ? 1 : 30) != 0 ? stream.number_bf16()
                                                        : stream.awkward_bf16();
        },
        [](const auto&) {});
  }
}

TEST_CASE("einsum into memory of the caller's writes every element and nothing else") {
  kernel_operands stream(15);
  for (const example& e : df64_examples) {
    CAPTURE(e.pattern, e.shapes);
    const auto pattern = parse_einsum_pattern(e.pattern).value();
    const auto operands = make_operands<df64>(pattern, e, [&] { return stream.number(); });
    const auto expected = einsum(pattern, operands).value();
    const std::vector<kernels::tensor_view<df64>> views(operands.begin(), operands.end());
    kernels::test::on_every_target([&] {
      workspace work;
      const std::size_t n = expected.values.size();
      std::vector<df64> memory(n + 2, df64(7.0));
      const std::span<df64> out = std::span(memory).subspan(1, n);
      REQUIRE(kernels::einsum_into(pattern, views, out, work));
      kernels::test::check_same_bits(std::vector<df64>(out.begin(), out.end()), expected.values);
      CHECK((memory.front() == df64(7.0) && memory.back() == df64(7.0)));
      const auto refused = kernels::einsum_into(pattern, views, std::span(memory), work);
      REQUIRE(!refused);
      CHECK(refused.error().kind == numeric_error_kind::shape_mismatch);
    });
  }
}

TEST_CASE("einsum of views: permuted, diagonal, backwards, every second, repeated") {
  kernel_operands stream(10);
  const tensor<df64> a({12, 10}, kernel_operands::many(120, [&] { return stream.number(); }));
  const tensor<df64> b({9, 20}, kernel_operands::many(180, [&] { return stream.number(); }));
  const auto pattern = parse_einsum_pattern("ik,kj->ij").value();
  // a transposed and upside down: rows of 6 from every second column; b with every second column.
  const kernels::tensor_view<df64> left(a.values.data() + 119, {5, 9}, {-2, -10});
  const kernels::tensor_view<df64> right(b.values.data(), {9, 10}, {20, 2});
  tensor<df64> left_copy({5, 9}), right_copy({9, 10});
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t k = 0; k < 9; ++k) left_copy(i, k) = a.values[119 - 2 * i - 10 * k];
  }
  for (std::size_t k = 0; k < 9; ++k) {
    for (std::size_t j = 0; j < 10; ++j) right_copy(k, j) = b(k, 2 * j);
  }
  const tensor<df64> one({9, 10}, std::vector<df64>(90, b.values[3]));
  kernels::test::on_every_target([&] {
    workspace work;
    check(kernels::einsum(pattern, std::vector{left, right}, work),
          einsum(pattern, std::vector{left_copy, right_copy}));
    const kernels::tensor_view<df64> repeated(b.values.data() + 3, {9, 10}, {0, 0});
    check(kernels::einsum(pattern, std::vector{left, repeated}, work),
          einsum(pattern, std::vector{left_copy, one}));
  });
}

TEST_CASE("einsum derivatives: the reference's bits") {
  kernel_operands stream(11);
  std::map<kernels::target, kernels::test::output_hash> hashes;
  for (const example& e : df64_examples) {
    CAPTURE(e.pattern, e.shapes);
    const auto pattern = parse_einsum_pattern(e.pattern).value();
    const auto make = [&] { return stream.number(); };
    const auto operands = make_operands<df64>(pattern, e, make);
    const auto directions = make_operands<df64>(pattern, e, make);
    optional_tensors<df64> tangents(directions.begin(), directions.end());
    if (tangents.size() == 3) tangents[1].reset();
    const auto z = einsum(pattern, operands).value();
    const tensor<df64> cotangent(z.shape, kernel_operands::many(z.values.size(), make));
    const auto jvp = einsum_jvp(pattern, operands, tangents).value();
    kernels::test::on_every_target([&] {
      workspace work{.threads = 2};
      auto& hash = hashes[kernels::current_target()];
      const auto got = kernels::einsum_jvp(pattern, operands, tangents, work);
      REQUIRE((got.has_value() && got->has_value() && jvp.has_value()));
      kernels::test::check_same_bits((*got)->values, jvp->values);
      hash.take((*got)->values);
      for (std::size_t i = 0; i < operands.size(); ++i) {
        const auto expected = einsum_vjp<df64>(pattern, operands, i, cotangent).value();
        const auto vjp = kernels::einsum_vjp(pattern, operands, i, cotangent, work);
        REQUIRE((vjp.has_value() && vjp->has_value()));
        CHECK((*vjp)->shape == expected->shape);
        kernels::test::check_same_bits((*vjp)->values, expected->values);
        hash.take((*vjp)->values);
      }
    });
  }
  for (const auto& [target, hash] : hashes)
    kernels::test::check_hash("df64_einsum_derivatives", hash);
  // Without a tangent or cotangent there is none.
  const auto pattern = parse_einsum_pattern("i,i->").value();
  const std::vector<tensor<df64>> operands(2, tensor<df64>({3}));
  workspace work;
  CHECK(kernels::einsum_jvp(pattern, operands, {std::nullopt, std::nullopt}, work).value() ==
        std::nullopt);
  CHECK(kernels::einsum_vjp(pattern, operands, 1, std::nullopt, work).value() == std::nullopt);
}

TEST_CASE("einsum refuses what the reference refuses") {
  const auto pattern = parse_einsum_pattern("ik,kj->ij").value();
  workspace work;
  const auto refusal = [&](const std::vector<tensor<df64>>& operands) {
    const auto expected = einsum(pattern, operands);
    const auto got = kernels::einsum(pattern, operands, work);
    REQUIRE(!expected.has_value());
    REQUIRE(!got.has_value());
    CHECK(got.error().kind == expected.error().kind);
  };
  refusal({tensor<df64>({2, 3})});
  refusal({tensor<df64>({2, 3}), tensor<df64>({4, 2})});
  refusal({tensor<df64>({2, 3}), tensor<df64>({3})});
  refusal({tensor<df64>({2, 3}, std::vector<df64>(5)), tensor<df64>({3, 2})});
  const auto refused_kind = [&](const char* text, const std::vector<tensor<bf16>>& operands) {
    const auto p = parse_einsum_pattern(text).value();
    const auto got = kernels::einsum(p, operands, work);
    REQUIRE(!got.has_value());
    CHECK(got.error().kind == einsum(p, operands).error().kind);
  };
  refused_kind("ij->ji", {tensor<bf16>({2, 2})});
  refused_kind("ii,ij->j", {tensor<bf16>({2, 2}), tensor<bf16>({2, 2})});
  CHECK(!kernels::einsum(einsum_pattern{}, std::vector<tensor<df64>>{}, work));
  CHECK(!kernels::einsum(einsum_pattern{{{1}}, {9}}, std::vector<tensor<df64>>{tensor<df64>({2})}, work));
}

TEST_CASE("einsum stays within its scratch, and says how much it took") {
  const auto pattern = parse_einsum_pattern("ik,kl,lj->ij").value();
  kernel_operands stream(12);
  std::vector<tensor<df64>> operands;
  for (int i = 0; i < 3; ++i) {
    operands.emplace_back(shape_type{40, 40},
                          kernel_operands::many(1600, [&] { return stream.number(); }));
  }
  const auto expected = einsum(pattern, operands);
  workspace work{.threads = 2};
  check(kernels::einsum(pattern, operands, work), expected);
  REQUIRE(work.scratch_peak > 0);
  workspace enough{.threads = 1, .scratch_limit = work.scratch_peak};
  check(kernels::einsum(pattern, operands, enough), expected);
  CHECK(enough.scratch_peak <= work.scratch_peak);
  for (const std::size_t limit : {std::size_t{0}, std::size_t{100}, enough.scratch_peak - 1}) {
    workspace tight{.threads = 2, .scratch_limit = limit};
    const auto refused = kernels::einsum(pattern, operands, tight);
    REQUIRE(!refused.has_value());
    CHECK(refused.error().kind == numeric_error_kind::invalid_argument);
    CHECK(tight.scratch_peak <= limit);
  }
}
