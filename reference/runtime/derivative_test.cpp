#include "test_runtime.h"

namespace plumbline::test {

namespace {

// The loss of the guide: A -> R -> f64 -> R * R -> its total.
struct qr_loss {
  program p;
  value a, q, r, loss;

  explicit qr_loss(shape_type shape) {
    a = p.input(type_of<df64>(), std::move(shape));
    const auto factors = p.apply(std::make_shared<const qr_operation<df64>>(), {a});
    REQUIRE(factors);
    q = (*factors)[0];
    r = (*factors)[1];
    const value narrow = *p.emit<conversion<df64, double>>({r});
    loss = *p.emit<standard_total>({*p.emit<standard_multiply>({narrow, narrow})});
  }
};

double magnitude(df64 x) { return std::abs(x.hi); }

// The sum of the products, for duality.
df64 paired(const erased_tensor& x, const erased_tensor& y) {
  const auto a = elements<df64>(x), b = elements<df64>(y);
  return dot(std::span<const df64>(a), std::span<const df64>(b));
}

}  // namespace

TEST_CASE("the connected QR program gives the gradient [6, 8]") {
  workshop w;
  const qr_loss l({2, 1});
  const auto reverse = w.open().reverse(l.p, l.loss, {l.a});
  REQUIRE(reverse);
  REQUIRE(reverse->gradients[0]);
  const auto out = w.open().run(reverse->steps, {extended({2, 1}, {3, 4}), of<double>({}, {1})},
                                {*reverse->gradients[0], l.loss});
  REQUIRE(out);
  CHECK((*out)[0].type() == type_of<df64>());
  const auto gradient = elements<df64>((*out)[0]);
  CHECK(magnitude(gradient[0] - 6.0) < 1e-30);
  CHECK(magnitude(gradient[1] - 8.0) < 1e-30);
  CHECK(*(*out)[1].at<double>({}) == 25);
}

TEST_CASE("the connected QR program has a forward tangent") {
  workshop w;
  const qr_loss l({2, 1});
  program p = l.p;
  const auto forward = w.open().forward_mode(p, l.loss, {l.a});
  REQUIRE(forward);
  REQUIRE(forward->tangent);
  const auto out = w.open().run(
      forward->steps, {extended({2, 1}, {3, 4}), extended({2, 1}, {1, 0})}, {*forward->tangent});
  REQUIRE(out);
  CHECK(std::abs(*out->front().at<double>({}) - 6) < 1e-14);

  // dR = q . dA = 3/5, narrowed.
  program n;
  const value a = n.input(type_of<df64>(), {2, 1});
  const auto factors = n.apply(std::make_shared<const qr_operation<df64>>(), {a});
  REQUIRE(factors);
  const value r = *n.emit<conversion<df64, double>>({(*factors)[1]});
  const auto tangent = w.open().forward_mode(n, r, {a});
  REQUIRE((tangent && tangent->tangent));
  const auto dr = w.open().run(tangent->steps, {extended({2, 1}, {3, 4}), extended({2, 1}, {1, 0})},
                               {*tangent->tangent});
  REQUIRE(dr);
  CHECK(std::abs(*dr->front().at<double>({0, 0}) - 0.6) < 1e-15);
}

TEST_CASE("a program that widens its input differentiates in the input's type") {
  workshop w;
  program p;
  const value x = p.input(type_of<double>(), {2, 1});
  const value wide = *p.emit<conversion<double, df64>>({x});
  const auto factors = p.apply(std::make_shared<const qr_operation<df64>>(), {wide});
  const value back = *p.emit<conversion<df64, double>>({(*factors)[1]});
  const value loss = *p.emit<standard_total>({*p.emit<standard_multiply>({back, back})});
  const auto reverse = w.open().reverse(p, loss, {x});
  REQUIRE(reverse);
  const auto out = w.open().run(reverse->steps, {of<double>({2, 1}, {3, 4}), of<double>({}, {1})},
                                {*reverse->gradients[0]});
  REQUIRE(out);
  const auto gradient = elements<double>(out->front());
  CHECK(std::abs(gradient[0] - 6) < 1e-12);
  CHECK(std::abs(gradient[1] - 8) < 1e-12);
  const auto forward = w.open().forward_mode(p, loss, {x});
  const auto tangent =
      w.open().run(forward->steps, {of<double>({2, 1}, {3, 4}), of<double>({2, 1}, {1, 0})},
                   {*forward->tangent});
  CHECK(std::abs(*tangent->front().at<double>({}) - 6) < 1e-12);
}

TEST_CASE("narrowing does not give back in the gradient what it discarded") {
  workshop w;
  program p;
  const value x = p.input(type_of<df64>(), {2});
  const value narrow = *p.emit<conversion<df64, double>>({x});
  const value loss = *p.emit<standard_total>({*p.emit<standard_multiply>({narrow, narrow})});
  const auto reverse = w.open().reverse(p, loss, {x});
  const auto out =
      w.open().run(reverse->steps, {extended({2}, {df64(1, low), 2}), of<double>({}, {1})},
                   {*reverse->gradients[0]});
  REQUIRE(out);
  CHECK(equal_bits(elements<df64>(out->front()), {2, 4}));
}

TEST_CASE("the cotangent of a standard total is a broadcast view, and widening gathers it") {
  workshop w;
  program p;
  const value x = p.input(type_of<df64>(), {3});
  const value loss = *p.emit<standard_total>({*p.emit<conversion<df64, double>>({x})});
  const auto reverse = w.open().reverse(p, loss, {x});
  const auto out = w.open().run(reverse->steps, {extended({3}, {1, 2, 3}), of<double>({}, {7})},
                                {*reverse->gradients[0]});
  REQUIRE(out);
  CHECK(equal_bits(elements<df64>(out->front()), {7, 7, 7}));
}

TEST_CASE("the total broadcasts its cotangent and keeps its low part") {
  workshop w;
  program p;
  const value x = p.input(type_of<df64>(), {2});
  const value total = *p.emit<total_operation<df64>>({x});
  const auto reverse = w.open().reverse(p, total, {x});
  const auto out =
      w.open().run(reverse->steps, {extended({2}, {1, 2}), extended({}, {df64(1, low)})},
                   {*reverse->gradients[0]});
  CHECK(equal_bits(elements<df64>(out->front()), {df64(1, low), df64(1, low)}));
  const auto forward = w.open().forward_mode(p, total, {x});
  const auto tangent = w.open().run(
      forward->steps, {extended({2}, {1, 2}), extended({2}, {1, low})}, {*forward->tangent});
  CHECK(equal_bits(elements<df64>(tangent->front()), {df64(1, low)}));
}

TEST_CASE("cotangents of a value that is used twice are added in its own scalar") {
  workshop w;
  program p;
  const value x = p.input(type_of<df64>(), {1});
  const value twice = *p.emit<addition<df64>>({x, x});
  const value total = *p.emit<total_operation<df64>>({*p.emit<addition<df64>>({twice, x})});
  const auto reverse = w.open().reverse(p, total, {x});
  REQUIRE(reverse);
  const auto out = w.open().run(reverse->steps, {extended({1}, {1}), extended({}, {df64(1, low)})},
                                {*reverse->gradients[0]});
  REQUIRE(out);
  CHECK(equal_bits(elements<df64>(out->front()), {df64(3, 3 * low)}));
  const auto forward = w.open().forward_mode(p, total, {x});
  const auto tangent =
      w.open().run(forward->steps, {extended({1}, {1}), extended({1}, {low})}, {*forward->tangent});
  CHECK(equal_bits(elements<df64>(tangent->front()), {df64(3 * low)}));

  support s;
  REQUIRE(s.declare(type_of<df64>(), "plumbline.df64.v1"));
  s.provide<addition<df64>, total_operation<df64>>();
  s.rules().bind<addition<df64>>();
  s.rules().bind<total_operation<df64>>();
  CHECK(refused(session(*w.here, s).reverse(p, total, {x}), rule_unavailable, "df64"));
}

TEST_CASE("what rules emit is a program, and outlives the runtime whose rules emitted it") {
  const qr_loss l({2, 1});
  std::optional<program> steps;
  std::optional<value> gradient;
  {
    workshop w;
    const auto reverse = w.open().reverse(l.p, l.loss, {l.a});
    REQUIRE(reverse);
    steps = reverse->steps;
    gradient = reverse->gradients[0];
    CHECK(w.owners.stats().entries == 0);  // nothing was computed, and no scratch was taken
    CHECK(w.owners.stats().misses == 0);
  }
  REQUIRE(gradient);
  workshop later;
  const auto out =
      later.open().run(*steps, {extended({2, 1}, {3, 4}), of<double>({}, {1})}, {*gradient});
  REQUIRE(out);
  const auto g = elements<df64>(out->front());
  CHECK(magnitude(g[0] - 6.0) < 1e-30);
  CHECK(magnitude(g[1] - 8.0) < 1e-30);
}

TEST_CASE("contractions of any number of operands differentiate in both modes and are dual") {
  workshop w;
  program p;
  const value a = p.input(type_of<df64>(), {2, 2}), b = p.input(type_of<df64>(), {2, 2}),
              c = p.input(type_of<df64>(), {2, 2});
  const value z = *p.emit<einsum_operation<df64>>({a, b, c}, pattern("ij,jk,kl->il"));
  const erased_tensor x = extended({2, 2}, {.5, -.25, .75, .125}),
                      y = extended({2, 2}, {2, .5, -1, 1.5}), t = extended({2, 2}, {1, .5, -.5, 2}),
                      u = extended({2, 2}, {.25, -1, .5, 1.5});
  for (const value varied : {a, b, c}) {
    const auto forward = w.open().forward_mode(p, z, {varied});
    const auto reverse = w.open().reverse(p, z, {varied});
    REQUIRE((forward && reverse));
    const auto tangent = w.open().run(forward->steps, {x, y, x, t}, {*forward->tangent});
    const auto gradient = w.open().run(reverse->steps, {x, y, x, u}, {*reverse->gradients[0]});
    REQUIRE((tangent && gradient));
    CHECK(magnitude(paired(tangent->front(), u.held_by("")) - paired(t, gradient->front())) <
          1e-30);
  }
}

TEST_CASE("QR derivatives through programs are dual, with two columns") {
  workshop w;
  program p;
  const value a = p.input(type_of<df64>(), {3, 2});
  const auto factors = p.apply(std::make_shared<const qr_operation<df64>>(), {a});
  const erased_tensor x = extended({3, 2}, {1, 2, 3, 5, 7, 11}),
                      t = extended({3, 2}, {1, -1, .5, 2, -.25, 3});
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    const value factor = (*factors)[k];
    const auto forward = w.open().forward_mode(p, factor, {a});
    const auto reverse = w.open().reverse(p, factor, {a});
    REQUIRE((forward && reverse));
    const erased_tensor u =
        k == 0 ? extended({3, 2}, {1, 2, -1, .5, .25, 3}) : extended({2, 2}, {1, 2, 0, -3});
    const auto tangent = w.open().run(forward->steps, {x, t}, {*forward->tangent});
    const auto gradient = w.open().run(reverse->steps, {x, u}, {*reverse->gradients[0]});
    REQUIRE((tangent && gradient));
    CHECK(magnitude(paired(tangent->front(), u) - paired(t, gradient->front())) < 1e-29);
  }
}

TEST_CASE("an order other than one is refused by number") {
  workshop w;
  const qr_loss l({2, 1});
  for (const int order : {0, 2, -1}) {
    CHECK(refused(w.open().reverse(l.p, l.loss, {l.a}, order), unsupported_order,
                  "order " + std::to_string(order)));
    CHECK(refused(w.open().forward_mode(l.p, l.loss, {l.a}, order), unsupported_order));
  }
}

TEST_CASE("a scalar that is no field has no derivative") {
  workshop w;
  program p;
  const value x = p.input(type_of<std::int32_t>(), {2});
  const value y = *p.emit<standard_multiply>({x, x});
  CHECK(refused(w.open().reverse(p, y, {x}), non_field_scalar, "multiply(i32[2], i32[2])"));
  CHECK(refused(w.open().forward_mode(p, y, {x}), non_field_scalar));
}

TEST_CASE("a missing rule is refused by the operation's name") {
  workshop w;
  program p;
  const value x = p.input(type_of<df64>(), {2});
  const value y = *p.emit<elementwise<df64, subtract_op>>({x, x});
  CHECK(refused(w.open().reverse(p, y, {x}), rule_unavailable, "subtract"));
  CHECK(refused(w.open().forward_mode(p, y, {x}), rule_unavailable, "subtract"));
  const value z = *p.emit<elementwise<df64, multiply_op>>({x, x});
  CHECK(refused(w.open().reverse(p, z, {x}), rule_unavailable, "multiply"));
  CHECK(refused(w.open().forward_mode(p, z, {x}), rule_unavailable, "multiply"));
  program q;
  const value a = q.input(type_of<double>(), {2});
  const value b = *q.emit<standard_negate>({a});
  CHECK(refused(w.open().reverse(q, b, {a}), rule_unavailable, "negate"));
}

TEST_CASE("the helpers of rules are terminal: differentiating through them is refused, not zero") {
  workshop w;
  const auto refuses = [&](const program& p, value out, value in, std::string_view name) {
    CHECK(refused(w.open().reverse(p, out, {in}), rule_unavailable, name));
    CHECK(refused(w.open().forward_mode(p, out, {in}), rule_unavailable, name));
  };
  const qr_loss l({2, 1});
  const auto reverse = w.open().reverse(l.p, l.loss, {l.a});
  refuses(reverse->steps, *reverse->gradients[0], l.a, "qr_vjp");
  const auto forward = w.open().forward_mode(l.p, l.r, {l.a});
  refuses(forward->steps, *forward->tangent, forward->seeds[0], "qr_jvp");

  program p;
  const value x = p.input(type_of<df64>(), {2});
  const value total = *p.emit<total_operation<df64>>({x});
  const auto expanded = w.open().reverse(p, total, {x});
  refuses(expanded->steps, *expanded->gradients[0], expanded->seed, "expand");
  program e;
  const value a = e.input(type_of<df64>(), {2}), b = e.input(type_of<df64>(), {2});
  const value z = *e.emit<einsum_operation<df64>>({a, b}, pattern("i,i->"));
  const auto contracted = w.open().reverse(e, z, {a});
  refuses(contracted->steps, *contracted->gradients[0], b, "einsum_vjp");
  const auto tangent = w.open().forward_mode(e, z, {a});
  refuses(tangent->steps, *tangent->tangent, b, "einsum_jvp");
}

TEST_CASE("a value that the output does not depend on has no gradient, not a zero one") {
  workshop w;
  program p;
  const value x = p.input(type_of<df64>(), {2}), y = p.input(type_of<df64>(), {2});
  const value total = *p.emit<total_operation<df64>>({x});
  const auto reverse = w.open().reverse(p, total, {x, y});
  REQUIRE(reverse);
  CHECK(reverse->gradients[0]);
  CHECK_FALSE(reverse->gradients[1]);
  const auto forward = w.open().forward_mode(p, total, {y});
  REQUIRE(forward);
  CHECK_FALSE(forward->tangent);
  CHECK(refused(w.open().reverse(p, value{99}, {x}), invalid_argument));
  CHECK(refused(w.open().reverse(p, total, {value{99}}), invalid_argument));
}

TEST_CASE("a rule that is not on the way from input to output is not asked for") {
  workshop w;
  program p;
  const value x = p.input(type_of<df64>(), {2}), y = p.input(type_of<df64>(), {2});
  const value prepared = *p.emit<elementwise<df64, subtract_op>>({y, y});  // has no rule
  const value total = *p.emit<total_operation<df64>>({*p.emit<addition<df64>>({x, prepared})});
  CHECK(w.open().reverse(p, total, {x}));
  CHECK(refused(w.open().reverse(p, total, {y}), rule_unavailable, "subtract"));
}

TEST_CASE("QR derivatives refuse a singular R") {
  workshop w;
  const erased_tensor one = extended({1, 1}, {1}), zero = extended({1, 1}, {0});
  CHECK(refused(w.apply<qr_vjp_operation<df64>>({one, zero, one}, false, true), invalid_argument,
                "invertible"));
  CHECK(refused(w.apply<qr_jvp_operation<df64>>({one, zero, one}), invalid_argument, "invertible"));
  CHECK(refused(w.apply<qr_vjp_operation<df64>>({one, one}, false, false), invalid_argument));
  CHECK(refused(w.apply<qr_vjp_operation<df64>>({one, one}, true, false), invalid_argument));
  CHECK(refused(w.apply<qr_vjp_operation<df64>>({one, one, extended({2, 1}, {1, 1})}, true, false),
                shape_mismatch));
}

}  // namespace plumbline::test
