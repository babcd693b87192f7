#include "reference/consumers/application/application.h"

#include "reference/consumers/application/test_gradients.h"

namespace plumbline::test {

namespace {

struct one_owner {
  support bound;
  runtime owners;
  owner* here = *owners.add_owner({.identity = "application.cpu.v1", .device = "cpu:0"});
  session open() { return session(*here, bound); }
};

}  // namespace

TEST_CASE("configuration: standard support alone") {
  one_owner o;
  REQUIRE(bind_standard(o.bound));
  standard_binding standard;
  check_standard_gradient(qr_loss(standard, o.open(), standard_input()));
  contribution_binding contribution;
  CHECK(refused(qr_loss(contribution, o.open(), extended_input()), undeclared_scalar, "df64"));
}

TEST_CASE("configuration: the contribution alone") {
  one_owner o;
  REQUIRE(bind_contribution(o.bound));
  contribution_binding contribution;
  check_extended_gradient(qr_loss(contribution, o.open(), extended_input()));
  standard_binding standard;  // its factorisation is absent
  CHECK(refused(qr_loss(standard, o.open(), standard_input()), operation_unavailable,
                "qr(f64[2,1])"));
}

TEST_CASE("configuration: both in one runtime") {
  one_owner o;
  REQUIRE(bind_standard(o.bound));
  REQUIRE(bind_contribution(o.bound));
  standard_binding standard;
  contribution_binding contribution;
  check_standard_gradient(qr_loss(standard, o.open(), standard_input()));
  check_extended_gradient(qr_loss(contribution, o.open(), extended_input()));
  CHECK(refused(qr_loss(contribution, o.open(), standard_input()), unsupported_type));
}

TEST_CASE("the capabilities may be chosen at run time") {
  class chosen : public any_qr_loss_capabilities {
   public:
    explicit chosen(bool wide) : wide_(wide) {}
    outcome<factor_values> qr(program& p, value v) override {
      return wide_ ? contribution_.qr(p, v) : standard_.qr(p, v);
    }
    outcome<value> to_f64(program& p, value v) override {
      return wide_ ? contribution_.to_f64(p, v) : standard_.to_f64(p, v);
    }

   private:
    bool wide_;
    standard_binding standard_;
    contribution_binding contribution_;
  };
  one_owner o;
  REQUIRE(bind_standard(o.bound));
  REQUIRE(bind_contribution(o.bound));
  chosen standard(false), contribution(true);
  check_standard_gradient(qr_loss<any_qr_loss_capabilities>(standard, o.open(), standard_input()));
  check_extended_gradient(
      qr_loss<any_qr_loss_capabilities>(contribution, o.open(), extended_input()));
}

TEST_CASE("two sets that contain the contribution give the same values by the same kernels") {
  const erased_tensor one = extended({1}, {1}), tiny = extended({1}, {low});
  const auto first = add_in_application_set(one, tiny), second = add_in_extended_set(one, tiny);
  REQUIRE((first && second));
  CHECK(equal_bits(elements<df64>(*first), {df64(1, low)}));
  CHECK(equal_bits(elements<df64>(*first), elements<df64>(*second)));
  const erased_tensor many = extended({3}, {1, low, -1.0}), zero = extended({}, {0});
  CHECK(equal_bits(elements<df64>(*fold_in_application_set(zero, many)), {df64(low)}));
  CHECK(equal_bits(elements<df64>(*fold_in_extended_set(zero, many)), {df64(low)}));
  const erased_tensor f = of<float>({1}, {1});
  CHECK(elements<float>(*add_in_application_set(f, f)) == std::vector<float>{2});
  CHECK(refused(add_in_extended_set(f, f), undeclared_scalar, "f32"));
  CHECK(refused(add_in_application_set(one, of<bf16>({1}, {bf16(1.f)})), wrong_type));
  CHECK(*promote<application_set>(type_of<float>(), type_of<double>()) == &type_of<double>());
  CHECK(refused(promote<application_set>(type_of<df64>(), type_of<double>()), no_promotion));
}

}  // namespace plumbline::test
