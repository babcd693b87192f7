// Plain decimals read as df64: hi and lo each the nearest double, against exact rationals in GMP
// rounded by MPFR; random literals, and exact midpoints with their closest neighbours.
#include "conformance/oracle/decimal_oracle.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "conformance/oracle/hard_cases.h"
#include "conformance/oracle/operands.h"
#include "reference/scalar/decimal.h"
#include "reference/scalar/df64_text.h"

using namespace plumbline::oracle;

namespace {

void check(const std::string& literal) {
  const pair truth = nearest_doubles(literal);
  const plumbline::rounded read = plumbline::read_decimal(literal);
  if (to_hex({read.result, read.error + 0.0}) != to_hex({truth.hi, truth.lo + 0.0})) {
    CAPTURE(literal, to_hex(truth), to_hex({read.result, read.error}));
    REQUIRE(false);
  }
  const auto parsed = plumbline::parse_df64(literal);
  REQUIRE(parsed.has_value());
  if (!parsed->is_canonical() || (std::isfinite(truth.hi) && std::isfinite(parsed->hi) &&
                                  value({parsed->hi, parsed->lo}) != value(truth))) {
    CAPTURE(literal);
    REQUIRE(false);
  }
}

std::string random_literal(operand_source& source) {
  std::string text = source.one_in(2) ? "-" : "";
  const std::uint64_t digits = source.one_in(10) ? source.below(400) + 1 : source.below(40) + 1;
  const std::uint64_t point = source.below(digits + 1);
  for (std::uint64_t i = 0; i < digits; ++i) {
    if (i == point) text.push_back('.');
    text.push_back(static_cast<char>('0' + source.below(10)));
  }
  const int range = source.one_in(2) ? 330 : 20;
  return text + "e" + std::to_string(source.between(-range, range));
}

// The literal itself and the same with its last digit one up or down, a million places further out.
void check_around(const std::string& literal) {
  const std::size_t e = literal.find('e');
  const std::string digits = literal.substr(0, e);
  const long exponent = e == std::string::npos ? 0 : std::stol(literal.substr(e + 1));
  const std::string longer = digits + std::string(2000, '0');
  check(literal);
  check("-" + literal);
  check(longer + "1e" + std::to_string(exponent - 2001));
  // digits - 10^-20: the last digit down by one and then nines
  std::string down = digits;
  std::size_t i = down.size() - 1;
  while (i > 0 && down[i] == '0') down[i--] = '9';
  if (down[i] != '0') --down[i];
  check(down + std::string(20, '9') + "e" + std::to_string(exponent - 20));
}

}  // namespace

TEST_CASE("the decimal oracle on values known") {
  CHECK(to_hex(nearest_doubles("0.1")) == to_hex({0.1, -5.551115123125783e-18}));
  CHECK(nearest_doubles("1e400").hi == INFINITY);
  CHECK(nearest_doubles("4.9e-324").hi == 0x1p-1074);
  CHECK(nearest_doubles("2.4e-324").hi == 0);
  CHECK(nearest_doubles("-9007199254740993").lo == -1);
  CHECK(exact_decimal("3", -1) == "15e-1");
  CHECK(exact_decimal("3", 4) == "48");
  CHECK_THROWS(nearest_doubles("x"));
  // Exponents whose power of ten would fill the memory
  CHECK(nearest_doubles("-0.1e99999999999999999999").hi == -INFINITY);
  CHECK(to_hex(nearest_doubles("-12e-999999999")) == to_hex({-0.0, 0}));
  CHECK(to_hex(nearest_doubles("0.00e999999999")) == to_hex({0, 0}));
}

TEST_CASE("random decimals are rounded correctly") {
  operand_source source(11);
  for (int i = 0; i < 4000; ++i) check(random_literal(source));
}

TEST_CASE("decimals beside halfway cases of hi and of lo are rounded correctly") {
  operand_source source(12);
  for (int i = 0; i < 60; ++i) {
    // (2m + 1) * 2^k: halfway between two doubles; the same 53 places down for lo.
    const auto odd =
        static_cast<std::uint64_t>(source.significand() | std::uint64_t{1} << 52) * 2 + 1;
    const int exponent = i % 3 == 0 ? -1075 : source.between(-1075, 960);
    check_around(exact_decimal(std::to_string(odd), exponent));
    check_around(exact_decimal(std::to_string(source.below(1000) * 2 + 1), -1075));
    // hi + lo with a midpoint in lo: an odd number of 107 bits
    const std::string wide = std::to_string(odd >> 1) + "0000000000000001";
    check_around(exact_decimal(wide, i % 2 ? -200 : source.between(-1070, 900)));
  }
}

TEST_CASE("the top of the range") {
  // The largest double, plus just under, exactly and just over half a unit: the last two are inf.
  const std::string half_above = exact_decimal(std::to_string((std::uint64_t{1} << 54) - 1), 970);
  check_around(half_above);
  CHECK(std::isinf(plumbline::parse_df64(half_above)->hi));
  check_around(exact_decimal(std::to_string((std::uint64_t{1} << 53) - 1), 971));
  check("1e308");
  check("1.7976931348623157e308");
  check("1e309");
}
