// QR, einsum and their derivatives judged by MPFR and exact rationals, each with the control in
// double that fails the same check.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>

#include "conformance/oracle/operands.h"
#include "conformance/oracle/tensor_oracle.h"
#include "reference/algorithms/einsum_derivatives.h"
#include "reference/algorithms/qr_derivatives.h"

using namespace plumbline;
using oracle::array;
using oracle::operand_source;
using oracle::pair;

namespace {

df64 to_scalar(pair x, df64) { return df64::raw(x.hi, x.lo); }
double to_scalar(pair x, double) { return x.hi; }
pair to_pair(df64 x) { return {x.hi, x.lo}; }
pair to_pair(double x) { return {x, 0}; }

template <class T>
tensor<T> to_tensor(const array& a) {
  tensor<T> t(a.shape);
  for (std::size_t i = 0; i < t.values.size(); ++i) t.values[i] = to_scalar(a.values[i], T{});
  return t;
}
template <class T>
array to_array(const tensor<T>& t) {
  array a{t.shape, {}};
  for (const T& x : t.values) a.values.push_back(to_pair(x));
  return a;
}

array random_array(operand_source& source, std::vector<std::size_t> shape, int spread) {
  array a{std::move(shape), {}};
  std::size_t count = 1;
  for (const std::size_t n : a.shape) count *= n;
  for (std::size_t i = 0; i < count; ++i) {
    a.values.push_back(source.near_power(source.between(-spread, spread)));
  }
  return a;
}

// The head of every value: what a double control is given, so that it is judged on its own input.
array heads(array a) {
  for (pair& x : a.values) x.lo = 0;
  return a;
}

array two_columns(pair a, pair b, pair c, pair d) { return {{2, 2}, {a, c, b, d}}; }

// The gradient of <w, z> in operand i: one unit tensor in its place for each of its entries.
std::vector<oracle::exact_sum> exact_gradient(const std::vector<label_list>& ops,
                                              const label_list& output, std::vector<array> x,
                                              std::size_t i, const array& w) {
  std::vector<oracle::exact_sum> gradient(x[i].values.size());
  for (std::size_t entry = 0; entry < gradient.size(); ++entry) {
    x[i].values.assign(gradient.size(), pair{});
    x[i].values[entry] = {1, 0};
    const auto sums = oracle::exact_einsum(ops, output, x);
    for (std::size_t o = 0; o < sums.size(); ++o) {
      const oracle::rational weight =
          oracle::rational(w.values[o].hi) + oracle::rational(w.values[o].lo);
      gradient[entry].value += sums[o].value * weight;
      gradient[entry].magnitude += sums[o].magnitude * abs(weight);
    }
  }
  return gradient;
}

// What both passes leave of the last column of `a`, over its norm, in units of u^2: the steps of
// qr() on that column, the norms by MPFR.
double remainder_of_last(const array& a) {
  const std::size_t m = a.shape[0], n = a.shape[1];
  const auto all = to_tensor<df64>(a);
  tensor<df64> before({m, n - 1});
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j + 1 < n; ++j) before(i, j) = all(i, j);
  }
  const auto f = qr(before);
  REQUIRE(f.has_value());
  std::vector<df64> v(m);
  for (std::size_t i = 0; i < m; ++i) v[i] = all(i, n - 1);
  const auto norm = [&v] {
    oracle::real sum = 0;
    for (const df64 x : v) sum += oracle::value(to_pair(x)) * oracle::value(to_pair(x));
    return oracle::real(sqrt(sum));
  };
  const oracle::real whole = norm();
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t j = 0; j + 1 < n; ++j) {
      const auto q = [&](std::size_t i) { return f->q(i, j); };
      const df64 p = inner_product<df64>(m, q, [&](std::size_t i) { return v[i]; });
      for (std::size_t i = 0; i < m; ++i) v[i] = v[i] - p * f->q(i, j);
    }
  }
  return oracle::real(norm() / whole * 0x1p106).convert_to<double>();
}

const std::vector<std::pair<std::size_t, std::size_t>> sizes = {
    {1, 1}, {2, 1}, {2, 2}, {3, 2}, {4, 3}, {5, 5}, {6, 4}, {8, 3}, {8, 5}};

}  // namespace

TEST_CASE("the tensor oracle on cases known") {
  const array a{{2, 2}, {{1, 0}, {2, 0}, {3, 0}, {4, 0}}},
      b{{2, 2}, {{5, 0}, {6, 0}, {7, 0}, {8, 0}}};
  const auto sums = oracle::exact_einsum({{0, 1}, {1, 2}}, {0, 2}, {a, b});
  REQUIRE(sums.size() == 4);
  CHECK(sums[0].value == 19);
  CHECK(sums[1].value == 22);
  CHECK(sums[2].value == 43);
  CHECK(sums[3].value == 50);
  CHECK(oracle::einsum_error(sums, {{19, 0}, {22, 0}, {43, 0}, {50, 0}}) == 0);
  CHECK(oracle::einsum_error(sums, {{19, 0}, {22, 0}, {43, 0}, {50, 0x1p-100}}) ==
        Approx(64.0 / 50));
  CHECK(oracle::exact_einsum({{0, 0}}, {}, {a})[0].value == 5);
  CHECK(oracle::exact_einsum({{0, 1}}, {1}, {array{{1, 2}, {{-1, 0}, {2, 0}}}})[0].magnitude == 1);

  const array column{{2, 1}, {{3, 0}, {4, 0}}}, along{{2, 1}, {{1, 0}, {2, 0}}};
  const auto d = oracle::qr_difference(column, along);
  CHECK(oracle::difference({{2.2, 0}}, d.r) < 1e-15);
  CHECK(oracle::difference({{-0.064, 0}, {0.048, 0}}, d.q) < 1e-15);
  CHECK(oracle::difference({{2.2, 0}}, d.r) > 1e-18);  // 2.2 is no double
  const auto g = oracle::qr_gradient(column, {{2, 1}, {{.5, 0}, {-.25, 0}}}, {{1, 1}, {{2, 0}}});
  CHECK(oracle::difference({{1.288, 0}, {1.534, 0}}, g) < 1e-15);

  CHECK(oracle::independence(two_columns({1, 0}, {2, 0}, {2, 0}, {4, 0})) == 0);
  CHECK(oracle::independence(two_columns({1, 0}, {0, 0}, {0, 0}, {1, 0})) == 0x1p106);
  const auto exact_error =
      oracle::judge_qr(column, {{2, 1}, {{.6, 0}, {.8, 0}}}, {{1, 1}, {{5, 0}}});
  CHECK(exact_error.orthogonality > 0x1p45);  // 0.6 and 0.8 are no df64 of theirs
}

TEST_CASE("QR: reconstruction and orthogonality, near-dependent columns included") {
  operand_source source(21);
  double reconstruction = 0, orthogonality = 0;
  for (const auto& [m, n] : sizes) {
    for (int kind = 0; kind < 4; ++kind) {
      array a = random_array(source, {m, n}, kind == 1 ? 40 : 2);
      if (kind >= 2 && n > 1) {  // the last column next to the one before
        for (std::size_t i = 0; i < m; ++i) {
          const pair near = a.values[i * n + n - 2];
          const double off = std::ldexp(source.number(0), kind == 2 ? -60 : -92);
          a.values[i * n + n - 1] = to_pair(to_scalar(near, df64{}) + off);
        }
      }
      const auto f = qr(to_tensor<df64>(a));
      CAPTURE(m, n, kind);
      REQUIRE(f.has_value());
      const auto error = oracle::judge_qr(a, to_array(f->q), to_array(f->r));
      CHECK(error.upper);
      CHECK(error.positive);
      CHECK(error.orthogonality * 0x1p-106 < 1e-30);
      CHECK(error.reconstruction * 0x1p-106 < 1e-30);
      reconstruction = std::max(reconstruction, error.reconstruction);
      orthogonality = std::max(orthogonality, error.orthogonality);

      if (kind == 1 || m == 1) continue;
      const auto g = qr(to_tensor<double>(a));  // the control
      if (kind >= 2 && n > 1) {                 // in double the two columns are one
        CHECK_FALSE(g.has_value());
        continue;
      }
      REQUIRE(g.has_value());
      const auto bad = oracle::judge_qr(heads(a), to_array(g->q), to_array(g->r));
      CHECK(std::max(bad.orthogonality, bad.reconstruction) * 0x1p-106 > 1e-30);
    }
  }
  std::printf("QR: reconstruction within %.1f u^2, orthogonality within %.1f u^2\n", reconstruction,
              orthogonality);
}

TEST_CASE("the dependence threshold lies between what is dependent and what is not") {
  const auto accepted = [](const array& a) { return qr(to_tensor<df64>(a)).has_value(); };
  const auto plus = [](double x, double e) { return to_pair(df64(x, e)); };
  // Dependent inputs that a test for an exact zero accepts: truly dependent, and refused.
  for (const array& a :
       {two_columns({1, 0}, {2, 0}, {2, 0}, {4, 0}), two_columns({3, 0}, {6, 0}, {4, 0}, {8, 0}),
        two_columns({1, 0}, {1, 0}, {1, 0}, {1, 0})}) {
    CHECK(oracle::independence(a) == 0);
    CHECK_FALSE(accepted(a));
  }
  // (1,1), (1,1+1e-30): independent by 40 u^2, and accepted.
  const array near = two_columns({1, 0}, {1, 0}, {1, 0}, plus(1, 1e-30));
  CHECK(oracle::independence(near) > 40);
  CHECK(oracle::independence(near) < 41);
  CHECK(accepted(near));

  // Columns (x,y), (x,y) + off: with the exact measure from MPFR, everything up to 8 - 3 units is
  // refused and everything from 8 + 3 on accepted; 3 units is more than the projections ever left
  // of dependent columns.
  operand_source source(22);
  int refused = 0, taken = 0;
  for (int i = 0; i < 2000; ++i) {
    const pair x = source.near_power(source.between(-2, 2)),
               y = source.near_power(source.between(-2, 2));
    const double off = std::ldexp(source.number(0), -source.between(100, 107));
    const array a = two_columns(x, x, y, to_pair(to_scalar(y, df64{}) + off));
    const double units = oracle::independence(a);
    if (units <= dependence_threshold - 3) {
      CAPTURE(units);
      CHECK_FALSE(accepted(a));
      ++refused;
    }
    if (units >= dependence_threshold + 3) {
      CAPTURE(units);
      CHECK(accepted(a));
      ++taken;
    }
  }
  CHECK(refused > 300);
  CHECK(taken > 300);
}

TEST_CASE("what exactly dependent columns leave stays below the threshold") {
  double worst = 0;
  const auto check = [&](const array& a) {
    const double units = remainder_of_last(a);
    CAPTURE(a.shape, units);
    CHECK(units <= 2.5);
    CHECK_FALSE(qr(to_tensor<df64>(a)).has_value());
    worst = std::max(worst, units);
  };
  // The dependent inputs that a test for an exact zero is known by.
  const auto two = [&](const std::vector<double>& x, const std::vector<double>& y) {
    array a{{x.size(), 2}, {}};
    for (std::size_t i = 0; i < x.size(); ++i) {
      a.values.push_back({x[i], 0});
      a.values.push_back({y[i], 0});
    }
    CHECK(oracle::independence(a) == 0);
    check(a);
  };
  two({1, 1}, {1, 1});
  two({2, 2}, {2, 2});
  two({1, 2}, {2, 4});
  two({3, 4}, {6, 8});
  two({1, 2, 3}, {2, 4, 6});
  two({.1, .2, .3}, {.2, .4, .6});
  std::vector<double> ramp;
  for (int i = 1; i <= 64; ++i) ramp.push_back(i);
  two(ramp, ramp);  // the first two columns of 64 equal ones: qr() goes no further

  // Random integers with low parts, and a combination of them in small integers: exact as pairs.
  operand_source source(26);
  const auto random = [&](std::size_t m, std::size_t n) {
    array a{{m, n}, std::vector<pair>(m * n)};
    std::vector<double> weight(n - 1);
    for (double& w : weight) w = source.between(-3, 3);
    weight[0] = 1;  // never a zero column
    for (std::size_t i = 0; i < m; ++i) {
      double hi = 0, lo = 0;
      for (std::size_t j = 0; j + 1 < n; ++j) {
        const double x = source.between(-99, 99), y = source.between(-99, 99);
        a.values[i * n + j] = to_pair(df64(x, y * 0x1p-80));
        hi += weight[j] * x;
        lo += weight[j] * y;
      }
      a.values[i * n + n - 1] = to_pair(df64(hi, lo * 0x1p-80));
    }
    return a;
  };
  for (int trial = 0; trial < 300; ++trial) {
    const auto n = static_cast<std::size_t>(source.between(2, 12));
    check(random(n + static_cast<std::size_t>(source.between(2, 30)), n));
  }
  for (const auto& [m, n] : {std::pair<std::size_t, std::size_t>{64, 40}, {128, 60}, {128, 100}}) {
    check(random(m, n));
  }

  // The independent ones that must stay, by the same measure.
  const double near =
      remainder_of_last(two_columns({1, 0}, {1, 0}, {1, 0}, to_pair(df64(1, 1e-30))));
  CHECK(near > 40);
  CHECK(near < 41);
  CHECK(worst < dependence_threshold / 2);
  CHECK(near > dependence_threshold * 2);
  std::printf("QR: dependent columns leave at most %.2f u^2, the nearest independent ones %.1f\n",
              worst, near);
}

TEST_CASE("QR derivatives against differences in MPFR") {
  operand_source source(23);
  double worst = 0;
  for (const auto& [m, n] : sizes) {
    const array a = random_array(source, {m, n}, 1), v = random_array(source, {m, n}, 1);
    const array wq = random_array(source, {m, n}, 1), wr = random_array(source, {n, n}, 1);
    const auto f = qr(to_tensor<df64>(a));
    REQUIRE(f.has_value());
    // Errors grow with the condition of R; these matrices stay below a few thousand.
    double condition = 1;
    for (std::size_t k = 0; k < n; ++k) condition = std::max(condition, 8 / f->r(k, k).hi);
    const double tolerance = 1e-28 * condition * condition;

    CAPTURE(m, n, condition);
    const auto jvp = qr_jvp(*f, std::optional(to_tensor<df64>(v)));
    const auto exact = oracle::qr_difference(a, v);
    const double q_error = oracle::difference(to_array((*jvp)->q).values, exact.q);
    const double r_error = oracle::difference(to_array((*jvp)->r).values, exact.r);
    CHECK(q_error < tolerance);
    CHECK(r_error < tolerance);

    for (int present = 1; present < 4; ++present) {
      qr_cotangents<df64> w;
      if (present & 1) w.q = to_tensor<df64>(wq);
      if (present & 2) w.r = to_tensor<df64>(wr);
      const auto vjp = qr_vjp(*f, w);
      const auto gradient =
          oracle::qr_gradient(a, present & 1 ? wq : array{}, present & 2 ? wr : array{});
      const double error = oracle::difference(to_array(**vjp).values, gradient);
      CHECK(error < tolerance);
      worst = std::max(worst, error / (condition * condition));
    }

    if (m == 1) continue;  // the control: the same formulas in double
    const auto g = qr(to_tensor<double>(a));
    const auto coarse_jvp = qr_jvp(*g, std::optional(to_tensor<double>(v)));
    const auto exact_coarse = oracle::qr_difference(heads(a), heads(v));
    CHECK(std::max(oracle::difference(to_array((*coarse_jvp)->q).values, exact_coarse.q),
                   oracle::difference(to_array((*coarse_jvp)->r).values, exact_coarse.r)) >
          tolerance);
    const auto coarse = qr_vjp(*g, {to_tensor<double>(wq), to_tensor<double>(wr)});
    CHECK(oracle::difference(to_array(**coarse).values,
                             oracle::qr_gradient(heads(a), heads(wq), heads(wr))) > tolerance);
  }
  std::printf("QR VJP: largest error %.1e times the square of the condition\n", worst);
}

TEST_CASE("einsum and its derivatives against exact rationals, random patterns") {
  operand_source source(24);
  const std::vector<std::size_t> extents = {2, 3, 1, 5};
  double worst = 0;
  int control_fails = 0, controls = 0, jvp_controls = 0, jvp_fails = 0, vjp_controls = 0,
      vjp_fails = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t count = source.below(3) + 1;
    std::vector<label_list> ops(count);
    label_list all;
    for (label_list& o : ops) {
      const std::uint64_t rank = source.below(3) + 1;
      for (std::uint64_t i = 0; i < rank; ++i) o.push_back(static_cast<label>(source.below(4)));
      all = first_seen(all, o);
    }
    label_list output;
    for (const label l : all) {
      if (source.one_in(2)) output.push_back(l);
    }
    const auto pattern = make_einsum_pattern(ops, output);
    REQUIRE(pattern.has_value());
    const auto random = [&](const label_list& ls) {
      std::vector<std::size_t> shape;
      for (const label l : ls) shape.push_back(extents[l]);
      return random_array(source, shape, 2);
    };
    std::vector<array> x;
    std::vector<tensor<df64>> operands;
    std::vector<tensor<double>> coarse;
    for (const label_list& o : ops) {
      x.push_back(random(o));
      operands.push_back(to_tensor<df64>(x.back()));
      coarse.push_back(to_tensor<double>(x.back()));
    }
    std::size_t terms = 1;
    for (const label l : all) terms *= extents[l];
    const double bound = oracle::einsum_bound(terms, count);

    CAPTURE(trial);
    const auto z = einsum(*pattern, operands);
    REQUIRE(z.has_value());
    const double error =
        oracle::einsum_error(oracle::exact_einsum(ops, output, x), to_array(*z).values);
    CHECK(error <= bound);
    worst = std::max(worst, error);
    if (count > 1) {
      std::vector<array> x_heads;
      for (const array& a : x) x_heads.push_back(heads(a));
      const auto c = einsum(*pattern, coarse);
      ++controls;
      control_fails += oracle::einsum_error(oracle::exact_einsum(ops, output, x_heads),
                                            to_array(*c).values) > bound;
    }

    const array w = random(output);
    for (std::size_t i = 0; i < count; ++i) {
      const array v = random(ops[i]);
      optional_tensors<df64> tangents(count);
      tangents[i] = to_tensor<df64>(v);
      const auto jvp = einsum_jvp(*pattern, operands, tangents);
      auto replaced = x;
      replaced[i] = v;
      CHECK(oracle::einsum_error(oracle::exact_einsum(ops, output, replaced),
                                 to_array(**jvp).values) <= bound);
      const auto vjp = einsum_vjp(*pattern, operands, i, std::optional(to_tensor<df64>(w)));
      CHECK(oracle::einsum_error(exact_gradient(ops, output, x, i, w), to_array(**vjp).values) <=
            bound);

      if (count < 2) continue;
      std::vector<array> x_heads;
      for (const array& t : x) x_heads.push_back(heads(t));
      optional_tensors<double> coarse_tangents(count);
      coarse_tangents[i] = to_tensor<double>(v);
      const auto coarse_jvp = einsum_jvp(*pattern, coarse, coarse_tangents);
      const auto coarse_vjp = einsum_vjp(*pattern, coarse, i, std::optional(to_tensor<double>(w)));
      if (w.values.size() > 1) {  // a single weight may be short, and its products exact
        ++vjp_controls;
        vjp_fails += oracle::einsum_error(exact_gradient(ops, output, x_heads, i, heads(w)),
                                          to_array(**coarse_vjp).values) > bound;
      }
      ++jvp_controls;
      x_heads[i] = heads(v);
      jvp_fails += oracle::einsum_error(oracle::exact_einsum(ops, output, x_heads),
                                        to_array(**coarse_jvp).values) > bound;
    }
  }
  CHECK(jvp_controls > 80);
  CHECK(jvp_fails == jvp_controls);
  CHECK(vjp_controls > 50);
  CHECK(vjp_fails == vjp_controls);
  CHECK(controls > 20);
  CHECK(control_fails == controls);
  std::printf("einsum: largest error %.2f u^2 of the sum of absolute products\n", worst);
}

TEST_CASE("large contractions in both orders of accumulation") {
  operand_source source(25);
  for (const std::size_t columns : {std::size_t{3}, std::size_t{40}}) {
    const std::size_t k = 200;
    const array x = random_array(source, {1, k}, 10), y = random_array(source, {k, columns}, 10);
    const auto z = einsum(parse_einsum_pattern("ik,kj->ij").value(),
                          std::vector{to_tensor<df64>(x), to_tensor<df64>(y)});
    REQUIRE(z.has_value());
    const auto exact = oracle::exact_einsum({{0, 1}, {1, 2}}, {0, 2}, {x, y});
    CHECK(oracle::einsum_error(exact, to_array(*z).values) <= oracle::einsum_bound(k, 1));
  }
}
