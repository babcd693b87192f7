// The text form of df64. That plain decimals are rounded correctly is judged by MPFR in
// conformance/oracle/.
#include <catch2/catch.hpp>
#include <limits>
#include <sstream>

#include "reference/scalar/decimal.h"
#include "reference/scalar/df64_text.h"
#include "reference/scalar/test_operands.h"
#include "reference/scalar/traits.h"

using plumbline::df64;
using plumbline::parse_df64;
using plumbline::same_bits;
using plumbline::to_text;

TEST_CASE("hi and lo, each in its shortest form") {
  CHECK(to_text(df64(0.1)) == "0.1+0");
  CHECK(to_text(df64(1.0) / df64(3.0)) == "0.3333333333333333+1.850371707708594e-17");
  CHECK(to_text(df64(1.0, 0x1p-80)) == "1+8.271806125530277e-25");
  CHECK(to_text(df64(1.0, -0x1p-80)) == "1-8.271806125530277e-25");
  CHECK(to_text(df64(-1e300)) == "-1e+300+0");
  CHECK(to_text(df64(-0.0)) == "-0+0");
  CHECK(to_text(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(to_text(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(to_text(-std::numeric_limits<double>::quiet_NaN()) == "nan");
  std::ostringstream out;
  out << df64(2.5);
  CHECK(out.str() == "2.5+0");
}

TEST_CASE("text reads back to the same bits") {
  plumbline::test::operand_stream operands(30);
  auto values = plumbline::test::special_values();
  for (int i = 0; i < 3000; ++i) values.push_back(operands.anywhere());
  for (const df64 x : values) {
    const auto back = parse_df64(to_text(x));
    CAPTURE(to_text(x));
    REQUIRE(back.has_value());
    REQUIRE(same_bits(*back, x));
  }
}

TEST_CASE("a plain decimal means itself") {
  const auto read = [](std::string_view text) { return parse_df64(text).value(); };
  // 0.1 = 0.1000000000000000055511151231257827... (the double) - 5.55...e-18
  CHECK(same_bits(read("0.1"), df64::raw(0.1, -5.551115123125783e-18)));
  CHECK(same_bits(read("0.1+0"), df64(0.1)));
  CHECK(same_bits(read("3"), df64(3.0)));
  CHECK(same_bits(read("+.5e1"), df64(5.0)));
  CHECK(same_bits(read("5.E0"), df64(5.0)));
  CHECK(same_bits(read("-0"), df64(-0.0)));
  CHECK(same_bits(read("-0.000e99999999999999999999"), df64(-0.0)));
  CHECK(same_bits(read("9007199254740993"), df64::raw(9007199254740992.0, 1.0)));  // 2^53 + 1
  CHECK(same_bits(read("1e400"), df64(std::numeric_limits<double>::infinity())));
  CHECK(same_bits(read("-1e99999999999999999999"), df64(-std::numeric_limits<double>::infinity())));
  CHECK(same_bits(read("1e-400"), df64(0.0)));
  CHECK(same_bits(read("-1e-99999999999999999999"), df64(-0.0)));
  CHECK(same_bits(read("0." + std::string(5000, '0') + "1e5001"), df64(1.0)));
  CHECK(same_bits(read("1" + std::string(5000, '0') + "e-5000"), df64(1.0)));
  // Half of eta is 5^1075 * 10^-1075, a tie that goes to zero; anything above it does not.
  const std::string half_eta =
      "247032822920623272088284396434110686182529901307162382212792841250337753635104375932"
      "649918180817996189898282347722858865463328355177969898199387398005390939063150356595"
      "155702263922908583924491051844359318028499365361525003193704576782492193656236698636"
      "584807570015857692699037063119282795585513329278343384093519780155312465972635795746"
      "227664652728272200563740064854999770965994704540208281662262378573934507363390079677"
      "619305775067401763246736009689513405355374585166611342237666786041621596804619144672"
      "918403005300575308490487653917113865916462395249126236538818796362393732804238910186"
      "723484976682350898633885879256283027559956575244555072551893136908362547791869486679"
      "94968324049705821028513185451396213837722826145437693412532098591327667236328125";
  CHECK(same_bits(read(half_eta + "e-1075"), df64(0.0)));
  CHECK(same_bits(read(half_eta + std::string(3000, '0') + "1e-4076"), df64(0x1p-1074)));
  CHECK(same_bits(read("-" + half_eta + ".0001e-1075"), df64(-0x1p-1074)));
}

TEST_CASE("two numbers are rounded one by one and normalised") {
  CHECK(same_bits(parse_df64("1+1").value(), df64(2.0)));
  CHECK(same_bits(parse_df64("1e0-1e-40").value(), df64::raw(1.0, -1e-40)));
  CHECK(same_bits(parse_df64("0.1-5e-324").value(), df64::raw(0.1, -0x1p-1074)));
}

TEST_CASE("what is no df64 is refused") {
  for (const char* text : {"",    " 1",  "1 ",   "+",     "-",     ".",    "e5",    "1e",
                           "1e+", "1+",  "1-",   "1+2+3", "--1",   "1+-2", "0x1p3", "infinity",
                           "NaN", "1,5", "1..2", "inf+0", "1+inf", "1_0"}) {
    CAPTURE(text);
    const auto result = parse_df64(text);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().kind == plumbline::numeric_error_kind::invalid_argument);
  }
}

TEST_CASE("the length of a decimal literal") {
  CHECK(plumbline::decimal_length("1.5e3x") == 5);
  CHECK(plumbline::decimal_length("1e") == 1);
  CHECK(plumbline::decimal_length("1e+") == 1);
  CHECK(plumbline::decimal_length("-.5-3") == 3);
  CHECK(plumbline::decimal_length("x") == 0);
}
