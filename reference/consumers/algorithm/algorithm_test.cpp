#include "reference/consumers/algorithm/qr_loss.h"
#include "reference/runtime/test_runtime.h"

namespace plumbline::test {

namespace {

// A stand-in with the two capabilities and nothing else, which notes what it is asked for.
struct recording_binding {
  std::vector<std::string> calls = {};
  outcome<factor_values> qr(program& p, value v) {
    calls.push_back("qr");
    const auto factors = p.apply(std::make_shared<const qr_operation<df64>>(), {v});
    if (!factors) return std::unexpected(factors.error());
    return factor_values{(*factors)[0], (*factors)[1]};
  }
  outcome<value> to_f64(program& p, value v) {
    calls.push_back("to_f64");
    return p.emit<conversion<df64, double>>({v});
  }
};

// One whose loss has nothing to do with the input.
struct constant_binding {
  outcome<factor_values> qr(program&, value v) { return factor_values{v, v}; }
  outcome<value> to_f64(program& p, value) { return p.input(type_of<double>(), {1, 1}); }
};

// One that keeps the factor in its own scalar.
struct unconverted_binding : recording_binding {
  outcome<value> to_f64(program&, value v) { return v; }
};

struct refusing_binding : recording_binding {
  outcome<factor_values> qr(program&, value) {
    return fail(operation_unavailable, "no factorisation here");
  }
};

}  // namespace

TEST_CASE("the algorithm asks for the declared capabilities alone") {
  static_assert(qr_loss_capabilities<recording_binding>);
  struct without_qr {
    outcome<value> to_f64(program&, value v);
  };
  struct without_conversion {
    outcome<factor_values> qr(program&, value v);
  };
  static_assert(!qr_loss_capabilities<without_qr>);
  static_assert(!qr_loss_capabilities<without_conversion>);
  workshop w;
  recording_binding bound;
  const auto done = qr_loss(bound, w.open(), extended({2, 1}, {3, 4}));
  REQUIRE(done);
  CHECK(bound.calls == std::vector<std::string>{"qr", "to_f64"});
  CHECK(*done->loss.at<double>({}) == 25);
  const auto gradient = elements<df64>(done->gradient);
  CHECK(std::abs((gradient[0] - 6.0).hi) < 1e-30);
  CHECK(std::abs((gradient[1] - 8.0).hi) < 1e-30);
}

TEST_CASE("a loss that does not depend on its input is an error, not zero") {
  workshop w;
  constant_binding bound;
  CHECK(refused(qr_loss(bound, w.open(), extended({2, 1}, {3, 4})), inactive_input));
}

TEST_CASE("what the bound capabilities refuse, the algorithm passes on") {
  workshop w;
  refusing_binding bound;
  CHECK(refused(qr_loss(bound, w.open(), extended({2, 1}, {3, 4})), operation_unavailable,
                "no factorisation"));
  unconverted_binding unconverted;
  CHECK(refused(qr_loss(unconverted, w.open(), extended({2, 1}, {3, 4})), external_scalar, "df64"));
  recording_binding recording;
  CHECK(refused(qr_loss(recording, w.open(), extended({2, 2}, {1, 1, 1, 1})), invalid_argument,
                "qr(df64[2,2])"));
}

TEST_CASE("the diagonal of R is positive, whatever the signs of the columns") {
  workshop w;
  for (const double sign : {1.0, -1.0}) {
    const auto f = w.open().apply(std::make_shared<const qr_operation<df64>>(),
                                  {extended({2, 2}, {sign * 3, 1, sign * 4, -sign})});
    REQUIRE(f);
    CHECK(*(*f)[1].at<df64>({0, 0}) > df64(0));
    CHECK(*(*f)[1].at<df64>({1, 1}) > df64(0));
  }
}

}  // namespace plumbline::test
