#include "kernels/qr/qr.h"

#include <map>

#include "kernels/test_targets.h"

using namespace plumbline;
using kernels::workspace;
using kernels::test::check_same_bits;
using kernels::test::kernel_operands;

namespace {

using hashes = std::map<kernels::target, kernels::test::output_hash>;

// Around the 32 partial sums and the vectors.
const std::vector<shape_type> shapes{{1, 1},  {2, 1},  {3, 3},   {5, 2},   {17, 9}, {31, 6},
                                     {32, 7}, {33, 8}, {64, 20}, {97, 13}, {40, 40}};

tensor<df64> random_matrix(kernel_operands& stream, const shape_type& shape) {
  return {shape, kernel_operands::many(*element_count(shape), [&] { return stream.number(); })};
}

void check_factors(const tensor<df64>& a) {
  const auto expected = qr(a);
  workspace work;
  const auto got = kernels::qr(a, work);
  REQUIRE(got.has_value() == expected.has_value());
  if (!got) {
    CHECK(got.error().kind == expected.error().kind);
    return;
  }
  check_same_bits(got->q.values, expected->q.values);
  check_same_bits(got->r.values, expected->r.values);
}

}  // namespace

TEST_CASE("df64 QR: the reference's bits") {
  kernel_operands stream(13);
  hashes all;
  for (const shape_type& shape : shapes) {
    CAPTURE(shape);
    const tensor<df64> a = random_matrix(stream, shape);
    // Zeros of both signs, and a column that is almost the one before it.
    tensor<df64> hard = a;
    for (std::size_t i = 0; i < hard.rows(); ++i) {
      for (std::size_t k = 0; k < hard.columns(); ++k) {
        if ((i + k) % 3 == 0 && i != k) hard(i, k) = i % 2 == 0 ? 0.0 : -0.0;
      }
      if (hard.columns() > 1 && i != 1) hard(i, 1) = hard(i, 0) + df64(i % 2 == 0 ? 1e-25 : 0.0);
    }
    kernels::test::on_every_target([&] {
      check_factors(a);
      check_factors(hard);
      workspace work;
      const auto f = kernels::qr(a, work);
      REQUIRE(f.has_value());
      all[kernels::current_target()].take(f->q.values);
      all[kernels::current_target()].take(f->r.values);
    });
  }
  for (const auto& [target, hash] : all) kernels::test::check_hash("df64_qr", hash);
}

TEST_CASE("df64 QR refuses what the reference refuses") {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto matrix = [](std::initializer_list<df64> values) {
    return tensor<df64>({values.size() / 2, 2}, values);
  };
  kernels::test::on_every_target([&] {
    check_factors(tensor<df64>({2}));
    check_factors(tensor<df64>({0, 0}));
    check_factors(tensor<df64>({2, 3}));
    check_factors(tensor<df64>({2, 2}, std::vector<df64>(3)));
    check_factors(matrix({1.0, 2.0, 2.0, 4.0}));
    check_factors(matrix({1.0, 0.0, 2.0, 0.0}));
    check_factors(matrix({1.0, infinity, 2.0, 1.0}));
    check_factors(matrix({1.0, -infinity, 2.0, std::nan("")}));
    check_factors(matrix({1.0, 0x1p600, 2.0, 1.0}));
    check_factors(matrix({1.0, 0x1p510, 2.0, 1.0}));
    check_factors(matrix({1.0, 0x1p-460, 2.0, 0x1p-470}));
    check_factors(matrix({1.0, 0x1p-440, 2.0, -0x1p-440}));
    check_factors(matrix({0x1p499, 0x1p-440, 0x1p400, 1.0}));
    check_factors(matrix({df64(1.0), df64(1.0), df64(1.0), df64(1.0, 1e-30)}));
  });
  workspace tight{.scratch_limit = 100};
  const auto refused = kernels::qr(matrix({1.0, 2.0, 2.0, 1.0}), tight);
  REQUIRE(!refused.has_value());
  CHECK(refused.error().kind == numeric_error_kind::invalid_argument);
  CHECK(tight.scratch_peak == 0);
}

TEST_CASE("df64 QR derivatives: the reference's bits") {
  kernel_operands stream(14);
  hashes all;
  for (const shape_type& shape : shapes) {
    CAPTURE(shape);
    const auto f = qr(random_matrix(stream, shape)).value();
    const std::optional<tensor<df64>> tangent = random_matrix(stream, shape);
    const qr_cotangents<df64> both{random_matrix(stream, shape),
                                   random_matrix(stream, {shape[1], shape[1]})};
    const auto jvp = qr_jvp(f, tangent).value();
    kernels::test::on_every_target([&] {
      workspace work;
      auto& hash = all[kernels::current_target()];
      const auto got = kernels::qr_jvp(f, tangent, work).value();
      REQUIRE(got.has_value());
      check_same_bits(got->q.values, jvp->q.values);
      check_same_bits(got->r.values, jvp->r.values);
      hash.take(got->q.values);
      for (const auto& cotangents : {both, qr_cotangents<df64>{both.q, std::nullopt},
                                     qr_cotangents<df64>{std::nullopt, both.r}}) {
        const auto expected = qr_vjp(f, cotangents).value();
        const auto vjp = kernels::qr_vjp(f, cotangents, work).value();
        REQUIRE(vjp.has_value());
        check_same_bits(vjp->values, expected->values);
        hash.take(vjp->values);
      }
      CHECK(kernels::qr_jvp(f, std::nullopt, work).value() == std::nullopt);
      CHECK(kernels::qr_vjp(f, {}, work).value() == std::nullopt);
      CHECK(!kernels::qr_jvp(f, tensor<df64>({1, 7}), work));
      CHECK(!kernels::qr_vjp(f, {tensor<df64>({1, 7}), std::nullopt}, work));
      workspace none{.scratch_limit = 0};
      CHECK(!kernels::qr_jvp(f, tangent, none));
      CHECK(!kernels::qr_vjp(f, both, none));
    });
  }
  for (const auto& [target, hash] : all) kernels::test::check_hash("df64_qr_derivatives", hash);
}
