// QR and its derivatives: the values of the guide, the refusals, and checks in df64 itself.
// Residuals and derivatives are judged by MPFR in conformance/oracle/.
#include "reference/algorithms/qr.h"

#include <catch2/catch.hpp>
#include <string>

#include "reference/algorithms/qr_derivatives.h"
#include "reference/scalar/test_operands.h"
#include "reference/scalar/traits.h"

using namespace plumbline;

namespace {

constexpr double low = 0x1p-80;
using matrix = tensor<df64>;

// The columns one after the other, as one writes them by hand.
matrix columns(std::size_t m, std::size_t n, const std::vector<df64>& v) {
  matrix a({m, n});
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < m; ++i) a(i, j) = v[j * m + i];
  }
  return a;
}

template <class T>
T reconstruction_error(const tensor<T>& a, const qr_factors<T>& f) {
  T worst = 0.0;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) {
      T s = -a(i, j);
      for (std::size_t k = 0; k < a.columns(); ++k) s = s + f.q(i, k) * f.r(k, j);
      s = s < T(0.0) ? -s : s;
      if (worst < s) worst = s;
    }
  }
  return worst;
}

template <class T>
T orthogonality_error(const tensor<T>& q) {
  T worst = 0.0;
  for (std::size_t i = 0; i < q.columns(); ++i) {
    for (std::size_t j = 0; j < q.columns(); ++j) {
      T s = i == j ? -1.0 : 0.0;
      for (std::size_t k = 0; k < q.rows(); ++k) s = s + q(k, i) * q(k, j);
      s = s < T(0.0) ? -s : s;
      if (worst < s) worst = s;
    }
  }
  return worst;
}

void check_refused(const matrix& a, numeric_error_kind kind, const std::string& text) {
  const auto f = qr(a);
  CAPTURE(text, a.shape);
  REQUIRE_FALSE(f.has_value());
  CHECK(f.error().kind == kind);
  CHECK_THAT(f.error().text, Catch::Contains(text));
}

// |<JVP(v), w> - <v, VJP(w)>| over 1 and the sum of the absolute terms, summed in df64.
template <class T>
double duality_gap(const qr_factors<T>& jvp, const tensor<T>& vjp, const tensor<T>& v,
                   const qr_cotangents<T>& w) {
  df64 gap = 0.0, scale = 1.0;
  const auto add = [&](const tensor<T>& x, const tensor<T>& y, double sign) {
    for (std::size_t i = 0; i < x.values.size(); ++i) {
      const df64 product = df64(x.values[i]) * df64(y.values[i]);
      gap += product * sign;
      if (sign < 0) scale += abs(product);
    }
  };
  if (w.q) add(jvp.q, *w.q, 1);
  if (w.r) add(jvp.r, *w.r, 1);
  add(v, vjp, -1);
  return abs(gap / scale).hi;
}

bool close(df64 x, df64 y, double tolerance) { return abs(x - y) < tolerance; }

}  // namespace

TEST_CASE("a square factorisation reconstructs, is orthogonal and has a positive diagonal") {
  const matrix a = columns(3, 3, {3, 4, 0, 4, -3, 0, 0, 0, df64(1.0, low)});
  const auto f = qr(a);
  REQUIRE(f.has_value());
  CHECK(reconstruction_error(a, *f) < 1e-30);
  CHECK(orthogonality_error(f->q) < 1e-30);
  for (std::size_t k = 0; k < 3; ++k) CHECK(f->r(k, k) > 0.0);
  CHECK(f->r(0, 0) == 5.0);
  CHECK(same_bits(f->r(1, 0), df64(0.0)));
  CHECK(close(f->r(2, 2), df64(1.0, low), 1e-30));
}

TEST_CASE("the 3-4-5 column") {
  const auto f = qr(columns(2, 1, {3, 4}));
  REQUIRE(f.has_value());
  CHECK(f->r(0, 0) == 5.0);
  CHECK(f->q(0, 0).hi == 0.6);
  CHECK(f->q(1, 0).hi == 0.8);
  CHECK(orthogonality_error(f->q) < 1e-30);
}

TEST_CASE("a low part of the input reaches the factors") {
  const auto f = qr(columns(2, 1, {3, df64(4.0, low)}));
  REQUIRE(f.has_value());
  const df64 r = f->r(0, 0), four = df64(4.0, low);
  CHECK(r != 5.0);
  CHECK(close(r * r, df64(9.0) + four * four, 1e-30));
  CHECK(orthogonality_error(f->q) < 1e-30);
  const auto control = qr(tensor<double>({2, 1}, {3, 4 + low}));
  CHECK(control->r(0, 0) == 5.0);  // a double has lost it
}

TEST_CASE("columns close to dependent stay orthogonal") {
  for (const double e : {1e-10, 1e-20, 1e-30}) {
    const matrix a = columns(2, 2, {1, 1, 1, df64(1.0, e)});
    const auto f = qr(a);
    CAPTURE(e);
    REQUIRE(f.has_value());
    CHECK(orthogonality_error(f->q) < 1e-30);
    CHECK(reconstruction_error(a, *f) < 1e-30);
    // R11 = e / sqrt 2, known to the last u^2 of the norm
    CHECK(abs(f->r(1, 1) - df64(e) / sqrt(df64(2.0))) < 4e-32);
  }
  // The control: without re-orthogonalisation the second column is far off.
  const matrix a = columns(2, 2, {1, 1, 1, df64(1.0, 1e-20)});
  const df64 scale = df64(1.0) / sqrt(df64(2.0));
  const df64 q0[2] = {scale, scale};
  const df64 p = q0[0] * a(0, 1) + q0[1] * a(1, 1);
  const df64 v[2] = {a(0, 1) - p * q0[0], a(1, 1) - p * q0[1]};
  const df64 n = sqrt(v[0] * v[0] + v[1] * v[1]);
  CHECK(abs((v[0] * q0[0] + v[1] * q0[1]) / n) > 1e-20);
}

TEST_CASE("random matrices of many shapes, with a double control") {
  test::operand_stream operands(40);
  for (const auto& [m, n] : std::vector<std::pair<std::size_t, std::size_t>>{
           {1, 1}, {2, 2}, {5, 3}, {8, 8}, {33, 4}, {40, 17}, {100, 5}}) {
    matrix a({m, n});
    tensor<double> control({m, n});
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      a.values[i] = operands.near_one();
      control.values[i] = a.values[i].hi;
    }
    const auto f = qr(a);
    const auto g = qr(control);
    CAPTURE(m, n);
    REQUIRE(f.has_value());
    REQUIRE(g.has_value());
    CHECK(orthogonality_error(f->q) < 1e-30);
    CHECK(reconstruction_error(a, *f) < 1e-28);
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(f->r(i, i) > 0.0);
      for (std::size_t j = 0; j < i; ++j) CHECK(same_bits(f->r(i, j), df64(0.0)));
    }
    if (m > 1) CHECK(orthogonality_error(g->q) > 1e-30);
  }
}

TEST_CASE("what lies outside the domain of QR is refused") {
  using enum numeric_error_kind;
  check_refused({{2}, {1, 2}}, rank_mismatch, "rank-2");
  check_refused({{1, 1, 1}, {1}}, rank_mismatch, "rank-2");
  check_refused({{}, {1}}, rank_mismatch, "rank-2");
  check_refused(columns(2, 3, {1, 0, 0, 1, 1, 1}), invalid_argument, "rows as columns");
  check_refused(columns(2, 2, {0, 0, 1, 1}), invalid_argument, "zero column");
  check_refused(columns(2, 2, {1, 1, 0, 0}), invalid_argument, "zero column");
  check_refused({{0, 0}, {}}, invalid_argument, "empty");
  check_refused({{3, 0}, {}}, invalid_argument, "empty");
  check_refused({{2, 2}, {1, 2, 3}}, shape_mismatch, "[2,2]");
  const double inf = std::numeric_limits<double>::infinity();
  check_refused(columns(2, 1, {inf, 1}), invalid_argument, "finite");
  check_refused(columns(2, 1, {1, std::numeric_limits<double>::quiet_NaN()}), invalid_argument,
                "finite");
  check_refused(columns(2, 1, {1e300, 1}), invalid_argument, "finite");
  check_refused(columns(2, 1, {0x1p505, 1}), invalid_argument, "overflow");
  check_refused(columns(2, 1, {1e-140, 0}), invalid_argument, "underflow");
  CHECK(qr(columns(2, 1, {0x1p499, 1})).has_value());
  CHECK(qr(columns(2, 1, {0x1p-449, 0})).has_value());
}

TEST_CASE("dependent columns are refused, though their norms are not exactly zero") {
  using enum numeric_error_kind;
  check_refused(columns(2, 2, {1, 1, 1, 1}), invalid_argument, "column 1 depends");
  check_refused(columns(2, 2, {2, 2, 2, 2}), invalid_argument, "zero column");
  check_refused(columns(3, 2, {.1, .2, .3, .2, .4, .6}), invalid_argument, "depends");
  // Accepted by a test for exact zero, with a Q that is not orthogonal in the first case.
  check_refused(columns(2, 2, {1, 2, 2, 4}), invalid_argument, "depends");
  check_refused(columns(2, 2, {3, 4, 6, 8}), invalid_argument, "depends");
  check_refused(columns(3, 2, {1, 2, 3, 2, 4, 6}), invalid_argument, "depends");
  matrix equal({64, 64});
  for (std::size_t i = 0; i < 64; ++i) {
    for (std::size_t j = 0; j < 64; ++j) equal(i, j) = static_cast<double>(i + 1);
  }
  check_refused(equal, invalid_argument, "column 1 depends");
  CHECK(qr(columns(2, 2, {1, 1, 1, df64(1.0, 1e-30)})).has_value());
  // in double, by its own unit
  CHECK_FALSE(qr(tensor<double>({2, 2}, {1, 2, 2, 4})).has_value());
  CHECK(qr(tensor<double>({2, 2}, {1, 1, 1, 1 + 1e-14})).has_value());

  test::operand_stream operands(41);
  for (int trial = 0; trial < 200; ++trial) {  // integer combinations of integer columns: exact
    const auto m = static_cast<std::size_t>(operands.between(3, 40));
    const auto n =
        static_cast<std::size_t>(operands.between(2, std::min<int>(8, static_cast<int>(m))));
    matrix a({m, n});
    for (df64& x : a.values) x = static_cast<double>(operands.between(-9, 9));
    for (std::size_t i = 0; i < m; ++i) {
      df64 s = 0.0;
      for (std::size_t j = 0; j + 1 < n; ++j) s += a(i, j) * df64(static_cast<double>(j) - 1.5);
      a(i, n - 1) = s;
    }
    CHECK_FALSE(qr(a).has_value());
  }
}

TEST_CASE("dependent columns behind ill-conditioned ones are accepted, orthogonal and exact") {
  // a2 = a1 + 2^-e a3, exactly as pairs: the rank is two. The remainder of a3 is the rounding of
  // q2, which is known to the digits that 2^-e leaves: above the threshold of its column.
  const double a1[4] = {.1, .2, .3, .7}, a3[4] = {1, 2, -1, 3};
  for (const int e : {60, 80, 95, 100}) {
    matrix a({4, 3});
    for (std::size_t i = 0; i < 4; ++i) {
      a(i, 0) = a1[i];
      a(i, 1) = df64(a1[i], std::ldexp(a3[i], -e));
      a(i, 2) = a3[i];
      CHECK(same_bits(a(i, 1) - a(i, 0), df64(std::ldexp(a3[i], -e))));
    }
    const auto f = qr(a);
    CAPTURE(e);
    REQUIRE(f.has_value());
    CHECK(orthogonality_error(f->q) < 1e-30);
    CHECK(reconstruction_error(a, *f) < 1e-30);
    CHECK(f->r(2, 2) < std::ldexp(1.0, e - 100));
  }
  // Behind a column that is well conditioned the same dependence is found.
  check_refused(columns(4, 3, {.1, .2, .3, .7, 1, 2, -1, 3, 1, 2, -1, 3}),
                numeric_error_kind::invalid_argument, "column 2 depends");
}

TEST_CASE("QR derivatives: the values known in closed form") {
  const auto f = qr(columns(2, 1, {3, 4}));
  REQUIRE(f.has_value());
  // dR = q . dA; the gradient of R is q
  const auto tangent = qr_jvp(*f, std::optional(columns(2, 1, {1, 0})));
  REQUIRE((tangent.has_value() && tangent->has_value()));
  CHECK(close((*tangent)->r(0, 0), df64(3.0) / 5.0, 1e-31));
  const auto gradient = qr_vjp(*f, {std::nullopt, matrix({1, 1}, {10})});
  REQUIRE((gradient.has_value() && gradient->has_value()));
  CHECK(close((**gradient)(0, 0), 6.0, 1e-30));
  CHECK(close((**gradient)(1, 0), 8.0, 1e-30));

  // v = [1,2], wQ = [1/2,-1/4], wR = 2: dQ = [-0.064,0.048], dR = 2.2, Abar = [1.288,1.534]
  const auto jvp = qr_jvp(*f, std::optional(columns(2, 1, {1, 2})));
  const auto vjp = qr_vjp(*f, {columns(2, 1, {.5, -.25}), matrix({1, 1}, {2})});
  const df64 thousand = 1000.0;
  CHECK(close((*jvp)->q(0, 0) * thousand, -64.0, 1e-28));
  CHECK(close((*jvp)->q(1, 0) * thousand, 48.0, 1e-28));
  CHECK(close((*jvp)->r(0, 0) * 10.0, 22.0, 1e-29));
  CHECK(close((**vjp)(0, 0) * thousand, 1288.0, 1e-28));
  CHECK(close((**vjp)(1, 0) * thousand, 1534.0, 1e-28));
  // Duality: both sides are 4.356.
  const df64 forward = (*jvp)->q(0, 0) * .5 - (*jvp)->q(1, 0) * .25 + (*jvp)->r(0, 0) * 2.0;
  const df64 backward = (**vjp)(0, 0) + (**vjp)(1, 0) * 2.0;
  CHECK(close(forward * thousand, 4356.0, 1e-27));
  CHECK(close(backward * thousand, 4356.0, 1e-27));

  // L = the sum of R^2, along (1, -1/2): a central difference and the gradient, both 2. L
  // is a quadratic, so any step is exact but for rounding.
  const df64 h = 1e-10;
  const df64 up = qr(columns(2, 1, {df64(3.0) + h, df64(4.0) - h * .5}))->r(0, 0);
  const df64 down = qr(columns(2, 1, {df64(3.0) - h, df64(4.0) + h * .5}))->r(0, 0);
  const df64 slope = (up * up - down * down) / (h * 2.0);
  const df64 along = (**gradient)(0, 0) - (**gradient)(1, 0) * .5;
  CHECK(close(along, 2.0, 1e-30));
  CHECK(close(slope, 2.0, 2e-20));
}

TEST_CASE("JVP and VJP are adjoint at every size") {
  test::operand_stream operands(42);
  int controls = 0, control_fails = 0;  // the same check on derivatives in double
  const auto head = [](const matrix& x) {
    tensor<double> y(x.shape);
    for (std::size_t i = 0; i < y.values.size(); ++i) y.values[i] = x.values[i].hi;
    return y;
  };
  for (std::size_t n = 1; n <= 5; ++n) {
    for (std::size_t m = n; m <= 8; ++m) {
      matrix a({m, n}), v({m, n}), wq({m, n}), wr({n, n});
      for (matrix* x : {&a, &v, &wq, &wr}) {
        for (df64& t : x->values) t = operands.pair(operands.between(-1, 1));
      }
      const auto f = qr(a);
      REQUIRE(f.has_value());
      for (int present = 1; present < 4; ++present) {
        qr_cotangents<df64> w;
        if (present & 1) w.q = wq;
        if (present & 2) w.r = wr;
        const auto jvp = qr_jvp(*f, std::optional(v));
        const auto vjp = qr_vjp(*f, w);
        REQUIRE((jvp.has_value() && jvp->has_value() && vjp.has_value() && vjp->has_value()));
        CAPTURE(m, n, present);
        CHECK(duality_gap(**jvp, **vjp, v, w) < 1e-27);
        if (m > 1) {
          const auto g = qr(head(a));
          qr_cotangents<double> coarse;
          if (w.q) coarse.q = head(*w.q);
          if (w.r) coarse.r = head(*w.r);
          const auto coarse_jvp = qr_jvp(*g, std::optional(head(v)));
          const auto coarse_vjp = qr_vjp(*g, coarse);
          ++controls;
          control_fails += duality_gap(**coarse_jvp, **coarse_vjp, head(v), coarse) >= 1e-27;
        }
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < i; ++j) CHECK(same_bits((*jvp)->r(i, j), df64(0.0)));
        }
      }
    }
  }
  CHECK(controls == 87);
  CHECK(control_fails == controls);
}

TEST_CASE("no tangent and no cotangent are no derivative, not a zero one") {
  const auto f = qr(columns(2, 1, {3, 4}));
  const auto jvp = qr_jvp(*f, std::optional<matrix>());
  REQUIRE(jvp.has_value());
  CHECK_FALSE(jvp->has_value());
  const auto vjp = qr_vjp(*f, qr_cotangents<df64>{});
  REQUIRE(vjp.has_value());
  CHECK_FALSE(vjp->has_value());
  // The cotangent of Q alone is enough.
  CHECK(qr_vjp(*f, {columns(2, 1, {1, 0}), std::nullopt}).value().has_value());
}

TEST_CASE("QR derivatives refuse a singular R and shapes that do not fit") {
  const qr_factors<df64> singular{matrix({1, 1}, {1}), matrix({1, 1}, {0})};
  const auto jvp = qr_jvp(singular, std::optional(matrix({1, 1}, {1})));
  REQUIRE_FALSE(jvp.has_value());
  CHECK_THAT(jvp.error().text, Catch::Contains("invertible"));
  const auto vjp = qr_vjp(singular, {std::nullopt, matrix({1, 1}, {1})});
  REQUIRE_FALSE(vjp.has_value());
  CHECK_THAT(vjp.error().text, Catch::Contains("invertible"));

  const auto f = qr(columns(2, 1, {3, 4}));
  const auto wrong = qr_jvp(*f, std::optional(matrix({1, 2}, {1, 1})));
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().kind == numeric_error_kind::shape_mismatch);
  CHECK_FALSE(qr_vjp(*f, {matrix({1, 1}, {1}), std::nullopt}).has_value());
  CHECK_FALSE(qr_vjp(*f, {std::nullopt, matrix({2, 1}, {1, 1})}).has_value());
  const qr_factors<df64> odd{matrix({2, 1}, {1, 0}), matrix({2, 2}, {1, 0, 0, 1})};
  CHECK_FALSE(qr_jvp(odd, std::optional(matrix({2, 1}, {1, 1}))).has_value());
  const qr_factors<df64> flat{matrix({2}, {1, 0}), matrix({1, 1}, {1})};
  CHECK(qr_vjp(flat, {std::nullopt, matrix({1, 1}, {1})}).error().kind ==
        numeric_error_kind::rank_mismatch);
}
