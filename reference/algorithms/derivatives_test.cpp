// Derivatives of einsum, of the conversions and of the total; what has no derivative. Checked by
// hand and by duality here, by MPFR and exact rationals in conformance/oracle/.
#include <catch2/catch.hpp>
#include <string>

#include "reference/algorithms/conversion_derivatives.h"
#include "reference/algorithms/derivative_rules.h"
#include "reference/algorithms/einsum_derivatives.h"
#include "reference/algorithms/total.h"
#include "reference/scalar/test_operands.h"
#include "reference/scalar/traits.h"

using namespace plumbline;

namespace {

constexpr double low = 0x1p-80;
using array = tensor<df64>;

const array a({2, 2}, {1, 2, 3, 4}), b({2, 2}, {5, 6, 7, 8}), identity({2, 2}, {1, 0, 0, 1});
const array ones({2, 2}, {1, 1, 1, 1});

einsum_pattern pattern(const char* text) { return parse_einsum_pattern(text).value(); }

template <class T>
bool same(const tensor<T>& x, const tensor<T>& y) {
  if (x.shape != y.shape || x.values.size() != y.values.size()) return false;
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    if (!same_bits(x.values[i], y.values[i])) return false;
  }
  return true;
}

// The gradient of operand i, which must exist.
array gradient(const char* text, const std::vector<array>& operands, std::size_t i,
               const array& cotangent) {
  return einsum_vjp(pattern(text), operands, i, std::optional(cotangent)).value().value();
}
array tangent(const char* text, const std::vector<array>& operands,
              const optional_tensors<df64>& tangents) {
  return einsum_jvp(pattern(text), operands, tangents).value().value();
}

df64 dot_of(const array& x, const array& y) {
  return dot(std::span<const df64>(x.values), std::span<const df64>(y.values));
}

// What a control in double is given, and what it gave, summed up in df64.
tensor<double> heads(const array& x) {
  tensor<double> y(x.shape);
  for (std::size_t i = 0; i < y.values.size(); ++i) y.values[i] = x.values[i].hi;
  return y;
}
array widened(const tensor<double>& x) { return converted<df64>(x); }

// |<JVP(v), w> - <v, VJP(w)>| over 1 and the sum of the absolute terms.
double duality_gap(const array& jvp, const array& w, const array& vjp, const array& v) {
  df64 scale = 1.0;
  for (std::size_t k = 0; k < v.values.size(); ++k) scale += abs(vjp.values[k] * v.values[k]);
  return abs((dot_of(jvp, w) - dot_of(vjp, v)) / scale).hi;
}

}  // namespace

TEST_CASE("the adjoint of a matrix product matches the products written by hand") {
  CHECK(same(gradient("ik,kj->ij", {a, b}, 0, identity), {{2, 2}, {5, 7, 6, 8}}));  // B^T
  CHECK(same(gradient("ik,kj->ij", {a, b}, 1, identity), {{2, 2}, {1, 3, 2, 4}}));  // A^T
}

TEST_CASE("the adjoint keeps a low part in the cotangent") {
  const array column({2, 1}, {1, 1}), row({1, 2}, {1, low});
  CHECK(same(gradient("ik,kj->ij", {column, row}, 0, ones),
             {{2, 1}, {df64(1.0, low), df64(1.0, low)}}));
  CHECK(1.0 + low == 1.0);  // the control
}

TEST_CASE("tangents match the products written by hand; an absent one counts for nothing") {
  CHECK(same(tangent("ik,kj->ij", {a, b}, {identity, std::nullopt}), b));
  CHECK(same(tangent("ik,kj->ij", {a, b}, {std::nullopt, ones}), {{2, 2}, {3, 3, 7, 7}}));
  CHECK(same(tangent("ik,kj->ij", {a, b}, {identity, ones}), {{2, 2}, {8, 9, 14, 15}}));
  // A tangent that is never made zero: inf in the other operand does not turn into NaN.
  const array infinite({1}, {std::numeric_limits<double>::infinity()});
  const array one({1}, {1});
  CHECK(same(tangent("i,i->i", {infinite, one}, {one, std::nullopt}), one));
  const auto none = einsum_jvp(pattern("ik,kj->ij"), {a, b}, optional_tensors<df64>(2));
  REQUIRE(none.has_value());
  CHECK_FALSE(none->has_value());
  const auto no_cotangent = einsum_vjp(pattern("ik,kj->ij"), {a, b}, 0, std::optional<array>());
  REQUIRE(no_cotangent.has_value());
  CHECK_FALSE(no_cotangent->has_value());
}

TEST_CASE("a matrix product: a central difference of a loss, and duality, with their values") {
  const array x({2, 2}, {.5, .75, -.25, .125}), y({2, 2}, {2, -1, .5, 1.5});
  const auto p = pattern("ik,kj->ij");
  // L = the sum of the squares of x y, along the identity in x: the gradient 2 (x y) y^T and the
  // difference both give 5.125.
  const auto loss = [&](const df64& step) {
    const array moved({2, 2}, {df64(.5) + step, .75, -.25, df64(.125) + step});
    const array z = einsum(p, std::vector{moved, y}).value();
    return dot_of(z, z);
  };
  array twice = einsum(p, std::vector{x, y}).value();
  for (df64& t : twice.values) t = t * 2.0;
  CHECK(dot_of(gradient("ik,kj->ij", {x, y}, 0, twice), identity) == 5.125);
  const df64 h = 1e-12;
  CHECK(abs((loss(h) - loss(-h)) / (h * 2.0) - 5.125) < 5.125e-20);
  // <JVP(v), w> = <v, VJP(w)> = 1.3125
  const array v({2, 2}, {1, -.5, .5, 2}), w({2, 2}, {.25, .5, -1, 1.5});
  CHECK(dot_of(tangent("ik,kj->ij", {x, y}, {v, std::nullopt}), w) == 1.3125);
  CHECK(dot_of(v, gradient("ik,kj->ij", {x, y}, 0, w)) == 1.3125);
}

TEST_CASE("any number of operands has both derivatives") {
  CHECK(same(gradient("ij,jk,kl->il", {a, identity, identity}, 0, ones), ones));
  const array scaled({2, 2}, {2, 0, 0, 3});
  CHECK(same(tangent("ij,jk,kl->il", {a, scaled, identity}, {ones, std::nullopt, std::nullopt}),
             {{2, 2}, {2, 3, 2, 3}}));
  // A tangent on the third operand alone is a tangent.
  CHECK(same(tangent("ij,jk,kl->il", {a, identity, identity}, {std::nullopt, std::nullopt, b}),
             {{2, 2}, {19, 22, 43, 50}}));
  // Duality over three operands, exactly: <JVP(v), w> = <v, VJP(w)> = 7.75
  const array v({2, 2}, {1, -.5, .5, 2}), w({2, 2}, {.25, .5, -1, 1.5});
  const std::vector<array> three{a, scaled, identity};
  CHECK(dot_of(tangent("ij,jk,kl->il", three, {v, std::nullopt, std::nullopt}), w) == 7.75);
  CHECK(dot_of(v, gradient("ij,jk,kl->il", three, 0, w)) == 7.75);
}

TEST_CASE("repeated labels: the gradient is zero off the diagonal") {
  const array diagonal({2, 2, 1}, {1, 5, 6, 2}), row({1, 2}, {3, 4});
  CHECK(same(gradient("iij,jk->ik", {diagonal, row}, 0, ones), {{2, 2, 1}, {7, 0, 0, 7}}));
  CHECK(same(gradient("iij,jk->ik", {diagonal, row}, 1, ones), {{1, 2}, {3, 3}}));
  // a trace
  CHECK(
      same(gradient("ii,j->j", {a, array({1}, {2})}, 0, array({1}, {1})), {{2, 2}, {2, 0, 0, 2}}));
  CHECK(same(gradient("ii->", {a}, 0, array({}, {3})), {{2, 2}, {3, 0, 0, 3}}));
  CHECK(same(gradient("ii->i", {a}, 0, array({2}, {3, 4})), {{2, 2}, {3, 0, 0, 4}}));
}

TEST_CASE("labels summed out: the gradient is broadcast over them") {
  CHECK(same(gradient("ij,kl->ik", {a, b}, 0, ones), {{2, 2}, {26, 26, 26, 26}}));
  CHECK(same(gradient("ij,kl->ik", {a, b}, 1, ones), {{2, 2}, {10, 10, 10, 10}}));
  CHECK(same(gradient("ij->", {a}, 0, array({}, {df64(1.0, low)})),
             {{2, 2}, std::vector<df64>(4, df64(1.0, low))}));
  CHECK(same(gradient("i,i->", {array({2}, {1, 2}), array({2}, {3, 4})}, 0, array({}, {2})),
             {{2}, {6, 8}}));
}

TEST_CASE("JVP and VJP of random patterns are adjoint") {
  test::operand_stream operands(60);
  const std::vector<std::size_t> extents = {2, 3, 1, 4};
  int repeated = 0, summed = 0, many = 0, controls = 0, control_fails = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t count = operands.below(4) + 1;
    std::vector<label_list> labels(count);
    label_list all;
    for (label_list& o : labels) {
      const std::size_t rank = operands.below(3) + 1;
      for (std::size_t i = 0; i < rank; ++i) o.push_back(static_cast<label>(operands.below(4)));
      repeated += first_seen(o).size() < o.size();
      all = first_seen(all, o);
    }
    label_list output;
    for (const label l : all) {
      if (operands.below(2) == 0) output.push_back(l);
    }
    summed += output.size() < all.size();
    many += count > 2;
    const auto p = make_einsum_pattern(labels, output);
    REQUIRE(p.has_value());
    const auto random = [&](const label_list& ls) {
      shape_type shape;
      for (const label l : ls) shape.push_back(extents[l]);
      array t(shape);
      for (df64& x : t.values) x = operands.pair(operands.between(-1, 1));
      return t;
    };
    std::vector<array> x;
    optional_tensors<df64> v(count);
    for (std::size_t i = 0; i < count; ++i) {
      x.push_back(random(labels[i]));
      v[i] = random(labels[i]);
    }
    const array w = random(output);
    for (std::size_t i = 0; i < count; ++i) {
      optional_tensors<df64> one(count);
      one[i] = v[i];
      const auto jvp = einsum_jvp(*p, x, one);
      const auto vjp = einsum_vjp(*p, x, i, std::optional(w));
      REQUIRE((jvp.has_value() && vjp.has_value()));
      CHECK((*vjp)->shape == x[i].shape);
      CAPTURE(trial, i);
      CHECK(duality_gap(**jvp, w, **vjp, *v[i]) < 1e-28);
      if (count < 2) continue;  // the control: the same check on derivatives in double
      std::vector<tensor<double>> coarse;
      for (const array& t : x) coarse.push_back(heads(t));
      optional_tensors<double> coarse_one(count);
      coarse_one[i] = heads(*v[i]);
      const auto coarse_jvp = einsum_jvp(*p, coarse, coarse_one);
      const auto coarse_vjp = einsum_vjp(*p, coarse, i, std::optional(heads(w)));
      ++controls;
      control_fails += duality_gap(widened(**coarse_jvp), widened(heads(w)), widened(**coarse_vjp),
                                   widened(heads(*v[i]))) >= 1e-28;
    }
  }
  CHECK(repeated > 5);
  CHECK(summed > 5);
  CHECK(many > 5);
  CHECK(controls > 50);
  CHECK(control_fails == controls);
}

TEST_CASE("einsum derivatives refuse what does not fit") {
  const auto p = pattern("ik,kj->ij");
  CHECK_FALSE(einsum_jvp(p, {a, b}, optional_tensors<df64>(1)).has_value());
  CHECK_FALSE(
      einsum_jvp(p, {a, b}, optional_tensors<df64>{array({2}, {1, 1}), std::nullopt}).has_value());
  CHECK_FALSE(einsum_vjp(p, {a, b}, 2, std::optional(ones)).has_value());
  const auto shape = einsum_vjp(p, {a, b}, 0, std::optional(array({2}, {1, 1})));
  REQUIRE_FALSE(shape.has_value());
  CHECK(shape.error().kind == numeric_error_kind::shape_mismatch);
  CHECK_FALSE(einsum_vjp(p, {a, array({3, 1}, {1, 1, 1})}, 0, std::optional(ones)).has_value());
}

TEST_CASE("the four derivatives of the conversions") {
  const array wide({2}, {df64(1.0, low), 2.0});
  const tensor<double> narrow_values({2}, {3, 4});
  // narrowing narrows its tangent and widens its cotangent
  CHECK(same(conversion_jvp<double>(std::optional(wide)).value(), {{2}, {1, 2}}));
  CHECK(same(conversion_vjp<double, df64>(std::optional(narrow_values)).value(), {{2}, {3, 4}}));
  // widening widens its tangent and narrows its cotangent
  CHECK(same(conversion_jvp<df64>(std::optional(narrow_values)).value(), {{2}, {3, 4}}));
  CHECK(same(conversion_vjp<df64, double>(std::optional(wide)).value(), {{2}, {1, 2}}));
  CHECK_FALSE(conversion_jvp<double>(std::optional<array>()).has_value());
  CHECK_FALSE(conversion_vjp<double, df64>(std::optional<tensor<double>>()).has_value());
}

TEST_CASE("a program across a conversion") {
  // x narrowed to double, then the sum of squares: the gradient 2 x comes back without the low
  // part.
  const array x({2}, {df64(1.0, low), 2.0});
  const auto narrowed = converted<double>(x);
  tensor<double> cotangent({2});
  for (std::size_t i = 0; i < 2; ++i) cotangent.values[i] = 2 * narrowed.values[i];
  const auto back = conversion_vjp<double, df64>(std::optional(cotangent));
  CHECK(same(*back, {{2}, {2.0, 4.0}}));
  // [3,4] widened, narrowed again, squared and summed: [6,8]
  const tensor<double> y({2}, {3, 4});
  const auto returned = converted<double>(converted<df64>(y));
  tensor<double> w({2}, {2 * returned.values[0], 2 * returned.values[1]});
  const auto through = conversion_vjp<df64, double>(conversion_vjp<double, df64>(std::optional(w)));
  CHECK(same(*through, {{2}, {6, 8}}));
}

TEST_CASE("the total and its derivatives") {
  CHECK(same(total(array({2}, {1, low})), {{}, {df64(1.0, low)}}));
  CHECK(same(total_jvp(std::optional(array({2}, {1, low}))).value(), {{}, {df64(1.0, low)}}));
  CHECK(same(total_vjp({2}, std::optional(array({}, {3}))).value().value(), {{2}, {3, 3}}));
  CHECK(same(total_vjp({2}, std::optional(array({}, {df64(1.0, low)}))).value().value(),
             {{2}, {df64(1.0, low), df64(1.0, low)}}));
  CHECK_FALSE(total_jvp(std::optional<array>()).has_value());
  CHECK_FALSE(total_vjp({2}, std::optional<array>()).value().has_value());
  CHECK_FALSE(total_vjp({2}, std::optional(array({1}, {3}))).has_value());
}

TEST_CASE("what has no derivative is refused by name") {
  using enum numeric_error_kind;
  const auto refused = [](differentiable op, int order, scalar_domain domain,
                          numeric_error_kind kind, const std::string& text) {
    const auto r = admit_derivative(op, order, domain);
    CAPTURE(text);
    REQUIRE_FALSE(r.has_value());
    CHECK(r.error().kind == kind);
    CHECK_THAT(r.error().text, Catch::Contains(text));
  };
  for (const differentiable op :
       {differentiable::total, differentiable::narrow, differentiable::widen, differentiable::qr,
        differentiable::einsum}) {
    CHECK(admit_derivative(op, 1, scalar_domain::field).has_value());
    refused(op, 2, scalar_domain::field, unsupported_order, "order 2");
    refused(op, 0, scalar_domain::field, unsupported_order, "order 0");
    refused(op, 1, scalar_domain::truth_value, non_field_scalar, "field");
  }
  for (const differentiable op :
       {differentiable::expand, differentiable::qr_jvp, differentiable::qr_vjp,
        differentiable::einsum_jvp, differentiable::einsum_vjp}) {
    refused(op, 1, scalar_domain::field, rule_unavailable, std::string(to_string(op)));
    refused(op, 1, scalar_domain::field, rule_unavailable, "helper");
  }
  refused(differentiable::bf16_einsum, 1, scalar_domain::field, rule_unavailable, "bf16_einsum");
  refused(differentiable::qr_jvp, 2, scalar_domain::field, unsupported_order, "order 2");
}
