#include "test_runtime.h"

namespace plumbline::test {

namespace {

// An operation that nobody provides unless asked.
class unbound : public operation {
 public:
  std::string_view name() const override { return "unbound"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override {
    return std::vector<value_type>(inputs.begin(), inputs.end());
  }
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution&) const override {
    return std::vector<erased_tensor>(inputs.begin(), inputs.end());
  }
};

// One that states a shape and gives another.
class liar : public operation {
 public:
  std::string_view name() const override { return "liar"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override {
    return std::vector<value_type>{{inputs[0].element, {7}}};
  }
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                              execution&) const override {
    return std::vector<erased_tensor>{inputs[0]};
  }
};

class thrower : public operation {
 public:
  std::string_view name() const override { return "thrower"; }
  outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const override {
    return std::vector<value_type>(inputs.begin(), inputs.end());
  }
  outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor>,
                                              execution&) const override {
    throw std::bad_alloc();
  }
};

}  // namespace

TEST_CASE("an external scalar without a declared identity is refused by name") {
  workshop w;
  support s;
  provide_standard_operations(s);
  s.provide<total_operation<df64>>();
  const session undeclared(*w.here, s);
  const auto total = std::make_shared<const total_operation<df64>>();
  CHECK(refused(undeclared.apply(total, {extended({2}, {1, 2})}), undeclared_scalar, "df64"));
  REQUIRE(s.declare(type_of<df64>(), "plumbline.df64.v1"));
  const auto done = undeclared.apply(total, {extended({2}, {1, 2})});
  REQUIRE(done);
  CHECK(*done->front().at<df64>({}) == df64(3));
  CHECK(s.identity(type_of<df64>()) == "plumbline.df64.v1");
  CHECK(s.identity(type_of<bf16>()).empty());
}

TEST_CASE("a scalar and an identity are declared once") {
  support s;
  REQUIRE(contribute_df64(s));
  CHECK(refused(contribute_df64(s), duplicate_scalar, "df64"));
  CHECK(refused(s.declare(type_of<bf16>(), "plumbline.df64.v1"), duplicate_scalar,
                "plumbline.df64.v1"));
  CHECK(refused(s.declare(type_of<double>(), "mine"), duplicate_scalar, "f64"));
  CHECK(refused(s.declare(type_of<bf16>(), ""), invalid_argument));
}

TEST_CASE("an operation that nobody provides is refused by name") {
  workshop w;
  const auto op = std::make_shared<const unbound>();
  CHECK(refused(w.open().apply(op, {extended({1}, {1})}), operation_unavailable, "unbound(df64"));
  w.bound.provide<unbound>();
  CHECK(w.open().apply(op, {extended({1}, {1})}));
}

TEST_CASE("forward-only use needs no derivative rule") {
  workshop w;
  support s;  // the operation alone
  REQUIRE(s.declare(type_of<df64>(), "plumbline.df64.v1"));
  s.provide<qr_operation<df64>>();
  const session bare(*w.here, s);
  const auto factors =
      bare.apply(std::make_shared<const qr_operation<df64>>(), {extended({2, 1}, {3, 4})});
  REQUIRE(factors);
  CHECK(*(*factors)[1].at<df64>({0, 0}) == df64(5));
  program p;
  const value a = p.input(type_of<df64>(), {2, 1});
  const auto qr = p.apply(std::make_shared<const qr_operation<df64>>(), {a});
  CHECK(refused(bare.reverse(p, (*qr)[1], {a}), rule_unavailable, "qr"));
  CHECK(refused(bare.forward_mode(p, (*qr)[1], {a}), rule_unavailable, "qr"));
}

TEST_CASE("a session refuses inputs that do not fit the program") {
  workshop w;
  program p;
  const value x = p.input(type_of<df64>(), {2});
  const auto sum = p.emit<total_operation<df64>>({x});
  REQUIRE(sum);
  const session s = w.open();
  CHECK(refused(s.run(p, {}, {*sum}), invalid_argument, "1 inputs, not 0"));
  CHECK(refused(s.run(p, {of<double>({2}, {1, 2})}, {*sum}), wrong_type, "f64, not df64"));
  CHECK(refused(s.run(p, {extended({3}, {1, 2, 3})}, {*sum}), shape_mismatch, "[3], not [2]"));
  CHECK(refused(s.run(p, {extended({2}, {1, 2})}, {value{9}}), invalid_argument));
  CHECK(s.run(p, {extended({2}, {1, 2})}, {*sum}));
  CHECK(refused(p.emit<total_operation<df64>>({value{17}}), invalid_argument, "17"));
  CHECK(refused(
      p.apply_one(std::make_shared<const qr_operation<df64>>(), {p.input(type_of<df64>(), {2, 1})}),
      invalid_argument, "2 outputs"));
}

TEST_CASE("an operation that does not keep what it states is refused by name") {
  workshop w;
  w.bound.provide<liar, thrower>();
  CHECK(refused(w.apply<liar>({extended({1}, {1})}), invalid_argument, "liar"));
  CHECK_THROWS_AS(w.apply<thrower>({extended({1}, {1})}), std::bad_alloc);
  CHECK(w.apply<total_operation<df64>>({extended({1}, {1})}));  // the owner goes on
}

TEST_CASE("standard and external arithmetic run in one session") {
  workshop w;
  program p;
  const value a = p.input(type_of<double>(), {2}), b = p.input(type_of<double>(), {2});
  const value x = p.input(type_of<df64>(), {2}), y = p.input(type_of<df64>(), {2});
  const value standard = *p.emit<standard_add>({a, b});
  const value external = *p.emit<addition<df64>>({x, y});
  const value rest = *p.emit<elementwise<df64, subtract_op>>({external, x});
  const value square = *p.emit<elementwise<df64, multiply_op>>({x, x});
  const auto out = w.open().run(p,
                                {of<double>({2}, {1, 2}), of<double>({2}, {3, 4}),
                                 extended({2}, {1, 0}), extended({2}, {low, 0})},
                                {standard, external, rest, square});
  REQUIRE(out);
  CHECK(elements<double>((*out)[0]) == std::vector<double>{4, 6});
  CHECK(equal_bits(elements<df64>((*out)[1]), {df64(1, low), 0}));
  CHECK(equal_bits(elements<df64>((*out)[2]), {low, 0}));
  CHECK(equal_bits(elements<df64>((*out)[3]), {1, 0}));
}

TEST_CASE("an external value comes back bit for bit, also after the runtime is gone") {
  std::vector<erased_tensor> kept;
  {
    workshop w;
    program p;
    const value x = p.input(type_of<df64>(), {2});
    const value total = *p.emit<total_operation<df64>>({x});
    kept = *w.open().run(p, {extended({2}, {df64(1, low), 3})}, {x, total});
  }
  CHECK(equal_bits(elements<df64>(kept[0]), {df64(1, low), 3}));
  CHECK(equal_bits(elements<df64>(kept[1]), {df64(4, low)}));
}

TEST_CASE("QR takes matrices with at least as many rows as columns and no zero column") {
  workshop w;
  CHECK(refused(w.apply<qr_operation<df64>>({extended({2}, {1, 2})}), rank_mismatch, "rank-2"));
  CHECK(refused(w.apply<qr_operation<df64>>({extended({2, 3}, {1, 0, 1, 0, 1, 1})}),
                invalid_argument, "rows as columns"));
  CHECK(refused(w.apply<qr_operation<df64>>({extended({2, 2}, {0, 1, 0, 1})}), invalid_argument,
                "zero column"));
  CHECK(refused(w.apply<qr_operation<df64>>({of<double>({2, 1}, {3, 4})}), unsupported_type,
                "df64, not f64"));
}

TEST_CASE("contractions in a contributed scalar run as operations") {
  workshop w;
  const erased_tensor a = extended({2, 2}, {1, 2, 3, 4}), b = extended({2, 2}, {5, 6, 7, 8});
  const auto product = w.apply<einsum_operation<df64>>({a, b}, pattern("ik,kj->ij"));
  CHECK(equal_bits(elements<df64>(*product), {19, 22, 43, 50}));
  const auto kept = w.apply<einsum_operation<df64>>(
      {extended({1, 2}, {1, 1}), extended({2, 1}, {1, low})}, pattern("ik,kj->ij"));
  CHECK(equal_bits(elements<df64>(*kept), {df64(1, low)}));
  // Strided operands are gathered.
  const auto transposed =
      w.apply<einsum_operation<df64>>({*a.permuted({1, 0}), b}, pattern("ki,kj->ij"));
  CHECK(equal_bits(elements<df64>(*transposed), {19, 22, 43, 50}));
  CHECK(refused(w.apply<einsum_operation<df64>>({of<double>({1, 1}, {1}), b}, pattern("ik,kj->ij")),
                unsupported_type, "df64, not f64"));
  CHECK(refused(w.apply<einsum_operation<df64>>(
                    {extended({1, 2}, {1, 1}), extended({3, 1}, {1, 1, 1})}, pattern("ik,kj->ij")),
                invalid_argument, "shared label"));
  CHECK(refused(w.apply<einsum_operation<df64>>({a}, pattern("ik,kj->ij")), invalid_argument));
}

TEST_CASE("a bf16 contraction accumulates in f32, as an operation too") {
  workshop w;
  const erased_tensor ones = of<bf16>({300}, std::vector<bf16>(300, bf16(1.f)));
  const auto sum = w.apply<einsum_forward<bf16>>({ones, ones}, pattern("i,i->"));
  REQUIRE(sum);
  CHECK(*sum->at<bf16>({}) == bf16(300.f));
  const auto matrix = of<bf16>({1, 1}, {bf16(1.f)});
  CHECK(refused(w.apply<einsum_forward<bf16>>({matrix, matrix}, pattern("ii,ij->j")),
                invalid_argument));
  CHECK(refused(w.apply<einsum_forward<bf16>>({matrix, matrix, matrix}, pattern("ij,jk,kl->il")),
                invalid_argument));
  program p;
  const value x = p.input(type_of<bf16>(), {2}), y = p.input(type_of<bf16>(), {2});
  const value z = *p.emit<einsum_forward<bf16>>({x, y}, pattern("i,i->"));
  CHECK(refused(w.open().reverse(p, z, {x}), rule_unavailable, "einsum"));
}

TEST_CASE("conversions take the pair that they name, and there is no path of several") {
  workshop w;
  const auto wide = w.apply<conversion<double, df64>>({of<double>({1}, {3})});
  CHECK(equal_bits(elements<df64>(*wide), {3}));
  const auto narrowed = w.apply<conversion<df64, double>>({extended({2}, {df64(1, 0x1p-53), low})});
  CHECK(elements<double>(*narrowed) == std::vector<double>{1, low});
  CHECK(refused(w.apply<conversion<df64, double>>({of<double>({1}, {3})}), unsupported_type));
  CHECK(refused(w.apply<conversion<double, df64>>({extended({1}, {3})}), unsupported_type));
  CHECK(refused(w.apply<conversion<df64, double>>({of<bf16>({1}, {bf16(1.f)})}), unsupported_type));
  CHECK(elements<float>(*w.apply<conversion<bf16, float>>({of<bf16>({1}, {bf16(2.f)})})) ==
        std::vector<float>{2});
  const auto stored =
      w.apply<conversion<float, bf16>>({of<float>({2}, {1 + 0x1p-8f, 1 + 3 * 0x1p-8f})});
  CHECK(equal_bits(elements<bf16>(*stored), {bf16(1.f), bf16(1 + 0x1p-6f)}));
}

}  // namespace plumbline::test
