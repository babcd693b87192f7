// df64 against its contract, as far as plain IEEE arithmetic can tell; the error bounds are judged
// by MPFR in conformance/oracle/.
#include "reference/scalar/df64.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "reference/scalar/test_operands.h"
#include "reference/scalar/traits.h"

using plumbline::abs;
using plumbline::df64;
using plumbline::rounded;
using plumbline::same_bits;
using plumbline::test::operand_stream;
using plumbline::test::special_values;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double low = 0x1p-80;
constexpr double u2 = 0x1p-106;

// The IEEE result of the doubles alone: exact operands without an error term.
void check_special(df64 z, double expected) {
  CAPTURE(z.hi, z.lo, expected);
  CHECK(z.is_canonical());
  if (expected == 0 || !std::isfinite(expected)) CHECK(same_bits(z, df64(expected)));
}

}  // namespace

TEST_CASE("a pair of doubles is normalised when it becomes a df64") {
  CHECK(same_bits(df64(1.0, 0x1p-52), df64::raw(1.0 + 0x1p-52, 0.0)));
  CHECK(same_bits(df64(1.0, 0x1p-53), df64::raw(1.0, 0x1p-53)));  // a tie, and 1 is even
  CHECK(same_bits(df64(1.0 + 0x1p-52, 0x1p-53), df64::raw(1.0 + 0x1p-51, -0x1p-53)));
  CHECK(same_bits(df64(-2.0, 1.0), df64::raw(-1.0, 0.0)));
  CHECK(same_bits(df64(0x1p-80, 1.0), df64::raw(1.0, 0x1p-80)));
  CHECK(same_bits(df64(1.0, -1.0), df64::raw(0.0, 0.0)));
  CHECK(same_bits(df64(-0.0, 0.0), df64::raw(-0.0, 0.0)));
  CHECK(same_bits(df64(-0.0, -0.0), df64::raw(-0.0, 0.0)));
  CHECK(same_bits(df64(5.0, -0.0), df64::raw(5.0, 0.0)));
  CHECK(same_bits(df64(largest, 0x1p970), df64::raw(inf, 0.0)));
  CHECK(same_bits(df64(inf, -inf), df64::raw(not_a_number, 0.0)));
  CHECK(same_bits(df64(-inf, 3.0), df64::raw(-inf, 0.0)));
  CHECK(same_bits(df64(1.0, not_a_number), df64::raw(not_a_number, 0.0)));
  CHECK(same_bits(df64(), df64::raw(0.0, 0.0)));

  CHECK(df64::raw(1.0, 0x1p-53).is_canonical());
  CHECK_FALSE(df64::raw(1.0 + 0x1p-52, 0x1p-53).is_canonical());
  CHECK_FALSE(df64::raw(1.0, -0.0).is_canonical());
  CHECK_FALSE(df64::raw(inf, 1.0).is_canonical());
  CHECK_FALSE(df64::raw(1.0, not_a_number).is_canonical());
}

TEST_CASE("every result is canonical") {
  operand_stream operands(1);
  for (int i = 0; i < 200000; ++i) {
    const df64 x = i % 2 ? operands.anywhere() : operands.near_one();
    df64 y = i % 2 ? operands.anywhere() : operands.near_one();
    if (i % 3 == 0 && x.hi != 0) y = df64(-x.hi, operands.number(std::ilogb(x.hi) - 54));
    for (const df64 z : {x, y, x + y, x - y, x * y, x / y, sqrt(abs(x)), -x, abs(x), x + y.hi,
                         x - y.hi, x.hi - y, x * y.hi, x.hi * y, x / y.hi, x.hi / y}) {
      if (!z.is_canonical()) {
        CAPTURE(x.hi, x.lo, y.hi, y.lo, z.hi, z.lo);
        REQUIRE(z.is_canonical());
      }
    }
  }
}

TEST_CASE("specials and signed zeros are those of IEEE arithmetic") {
  for (const df64 x : special_values()) {
    for (const df64 y : special_values()) {
      CAPTURE(x.hi, x.lo, y.hi, y.lo);
      const bool plain = x.lo == 0 && y.lo == 0;
      for (const df64 z : {x + y, x - y, x * y, x / y, x + y.hi, x - y.hi, x * y.hi, x / y.hi,
                           x.hi + y, x.hi - y, x.hi * y, x.hi / y}) {
        CHECK(z.is_canonical());
      }
      if (!plain) continue;
      check_special(x + y, x.hi + y.hi);
      check_special(x - y, x.hi - y.hi);
      check_special(x * y, x.hi * y.hi);
      check_special(x / y, x.hi / y.hi);
      check_special(x + y.hi, x.hi + y.hi);
      check_special(x.hi - y, x.hi - y.hi);
      check_special(x * y.hi, x.hi * y.hi);
      check_special(x / y.hi, x.hi / y.hi);
      check_special(x.hi / y, x.hi / y.hi);
      // The sum and the product of two doubles are exact but for the range, so hi is rounded once.
      if (std::isfinite(x.hi + y.hi)) CHECK((x + y).hi == x.hi + y.hi);
      if (std::isfinite(x.hi * y.hi)) CHECK((x * y).hi == x.hi * y.hi);
    }
    check_special(sqrt(x), std::sqrt(x.hi));
  }
}

TEST_CASE("faults reported of other double-double code do not happen") {
  // inf * 1 and inf + 1 through an error term inf - inf
  CHECK(same_bits(df64(inf) * df64(1.0), df64(inf)));
  CHECK(same_bits(df64(-inf) * 2.0, df64(-inf)));
  CHECK(same_bits(df64(inf) + df64(1.0), df64(inf)));
  CHECK(same_bits(sqrt(df64(inf)), df64(inf)));
  // 1 / subnormal by way of a reciprocal that overflows, and a quotient where it would underflow
  CHECK(same_bits(df64(1.0) / df64(0x1p-1074), df64(inf)));
  CHECK(same_bits(df64(0x1p-1074) / df64(0x1p-1074), df64(1.0)));
  CHECK(same_bits(df64(0x1p-1060) / df64(0x1p-1074), df64(16384.0)));
  CHECK(same_bits(df64(0x1p1023) / df64(0x1p1023), df64(1.0)));
  CHECK(abs(df64(largest) / df64(largest) - 1.0) <= 9.8 * u2);
  CHECK(same_bits(df64(1.0) / df64(0x1p1023), df64(0x1p-1023)));
  CHECK(same_bits(df64(1.0) / df64(inf), df64(0.0)));
  CHECK(same_bits(df64(-1.0) / df64(0.0), df64(-inf)));
  CHECK(same_bits(df64(0.0) / df64(0.0), df64(not_a_number)));
  // overflow in an intermediate: Veltkamp's splitting, the square of a root, a sum beyond the top
  CHECK(same_bits(df64(0x1p1000) * df64(0x1p-1000), df64(1.0)));
  CHECK(same_bits(df64(0x1.8p1023) * df64(1.0), df64(0x1.8p1023)));
  CHECK(abs(sqrt(df64(largest)) - std::sqrt(largest)) <= 0x1p512 * plumbline::unit_roundoff);
  CHECK(same_bits(df64(0x1p1023) * df64(2.0), df64(inf)));
  CHECK(same_bits(df64(largest) + df64(0x1p970), df64(inf)));
  const df64 top = std::numeric_limits<df64>::max();
  CHECK(same_bits(top + df64(0x1p917), df64(inf)));  // hi + hi is finite, the value rounds beyond
  CHECK(same_bits(top + top, df64(inf)));
  CHECK(same_bits(top - top, df64(0.0)));
  CHECK(same_bits(top * df64(1.0), top));
  CHECK(same_bits(top / df64(1.0), top));
  // sqrt(-0) and sqrt of a tiny number, whose remainder underflows
  CHECK(same_bits(sqrt(df64(-0.0)), df64(-0.0)));
  CHECK(same_bits(sqrt(df64(0x1p-1074)), df64(0x1p-537)));
  CHECK(same_bits(sqrt(df64(0x1p-999)), sqrt(df64(2.0)) * 0x1p-500));
  CHECK(same_bits(sqrt(df64(-1.0)), df64(not_a_number)));
}

TEST_CASE("the fused and Dekker's product give the same bits in the stated domain") {
  operand_stream operands(2);
  int compared = 0;
  for (int i = 0; i < 400000; ++i) {
    const double a =
        operands.number(i % 2 ? operands.between(-1074, 994) : operands.between(-4, 4));
    const double b =
        operands.number(i % 2 ? operands.between(-1074, 994) : operands.between(-4, 4));
    if (!(std::fabs(a * b) >= 0x1p-968 && std::fabs(a * b) <= 0x1p1023)) continue;
    const rounded fused = plumbline::two_product(a, b),
                  dekker = plumbline::two_product_dekker(a, b);
    if (!same_bits(fused.result, dekker.result) || !same_bits(fused.error, dekker.error)) {
      CAPTURE(a, b, fused.error, dekker.error);
      REQUIRE(false);
    }
    ++compared;
  }
  CHECK(compared > 250000);
  // Beyond the domain they part: the splitting overflows.
  CHECK(plumbline::two_product(0x1p1020, 0x1p-1020).error == 0);
  CHECK(std::isnan(plumbline::two_product_dekker(0x1p1020, 0x1p-1020).error));
}

TEST_CASE("commutativity is as stated") {
  operand_stream operands(3);
  bool products_differ = false;
  for (int i = 0; i < 100000; ++i) {
    const df64 x = i % 2 ? operands.anywhere() : operands.near_one();
    const df64 y = i % 2 ? operands.anywhere() : operands.near_one();
    if (!same_bits(x + y, y + x) || !same_bits(x + y.hi, y.hi + x) ||
        !same_bits(x * y.hi, y.hi * x) || !same_bits(x - y, x + -y)) {
      CAPTURE(x.hi, x.lo, y.hi, y.lo);
      REQUIRE(false);
    }
    products_differ = products_differ || !same_bits(x * y, y * x);
  }
  CHECK(products_differ);  // Alg. 12 is no symmetric formula
}

TEST_CASE(
    "without their corrections + and * are poisoned by what is not finite and differ in no more "
    "than signs of zeros elsewhere") {
  const auto bare_sum = [](df64 x, df64 y) {
    const rounded s = plumbline::two_sum(x.hi, y.hi), t = plumbline::two_sum(x.lo, y.lo);
    const rounded v = plumbline::fast_two_sum(s.result, t.result);
    const rounded z = plumbline::fast_two_sum(v.result, (s.error + t.error) + v.error);
    return df64::raw(z.result, z.error);
  };
  const auto bare_product = [](df64 x, df64 y) {
    const rounded p = plumbline::two_product(x.hi, y.hi);
    const double cross = std::fma(x.lo, y.hi, std::fma(x.hi, y.lo, x.lo * y.lo));
    const rounded z = plumbline::fast_two_sum(p.result, p.error + cross);
    return df64::raw(z.result, z.error);
  };
  const auto check = [](df64 bare, df64 full) {
    if (isfinite(full)) {
      CHECK(bare == full);  // == does not see the sign of a zero
    } else {
      CHECK((std::isnan(bare.hi) || (std::isinf(bare.hi) && !std::isfinite(bare.lo))));
    }
  };
  auto values = special_values();
  operand_stream operands(4);
  for (int i = 0; i < 60; ++i) values.push_back(i % 2 ? operands.anywhere() : operands.near_one());
  for (const df64 x : values) {
    for (const df64 y : values) {
      CAPTURE(x.hi, x.lo, y.hi, y.lo);
      check(bare_sum(x, y), x + y);
      check(bare_product(x, y), x * y);
      // A sum of products from +0: the corrections change no bit.
      const df64 full = (df64() + x * y) + y * x;
      const df64 bare = bare_sum(bare_sum(df64(), bare_product(x, y)), bare_product(y, x));
      if (isfinite(full)) CHECK(same_bits(bare, full));
    }
  }
}

TEST_CASE("an intermediate that overflows is no overflow of the result") {
  const double top = std::numeric_limits<double>::max();
  const df64 x = top, y = -0x1.8p971, sum = df64::raw(0x1.ffffffffffffep1023, -0x1p970);
  CHECK(same_bits(x + y, sum));
  CHECK(same_bits(y + x, sum));
  CHECK(same_bits(x + y.hi, sum));
  CHECK(same_bits(x - -y, sum));
  CHECK(same_bits(df64(top, y.hi), sum));
  CHECK(same_bits(df64(y.hi, top), sum));
  const df64 below = df64::raw(top, -0x1p969), above = df64::raw(top, 0x1p969);
  CHECK(same_bits(below + df64(0x1p970), above));
  CHECK(same_bits(below + 0x1p970, above));
  const df64 root = df64::raw(0x1p512, -0x1p458);  // its square is 2^1024 - 2^971 + 2^916
  CHECK((root * root).hi == top);
  CHECK(same_bits(x + x, df64(HUGE_VAL)));
  CHECK(same_bits(x * -x, df64(-HUGE_VAL)));
  CHECK(same_bits(above + above, df64(HUGE_VAL)));
}

TEST_CASE("negation, absolute value, comparison") {
  CHECK(same_bits(-df64(1.0, low), df64::raw(-1.0, -low)));
  CHECK(same_bits(-df64(0.0), df64(-0.0)));
  CHECK(same_bits(abs(df64(-0.0)), df64(0.0)));
  CHECK(same_bits(abs(df64(-1.0, low)), df64::raw(1.0, -low)));
  CHECK(same_bits(abs(df64(-inf)), df64(inf)));

  const df64 one = 1.0, above = df64(1.0, low), below = df64(1.0, -low);
  CHECK(below < one);
  CHECK(one < above);
  CHECK(above > below);
  CHECK(above == df64(1.0, low));
  CHECK(above != one);
  CHECK(df64(0.0) == df64(-0.0));
  CHECK_FALSE(df64(0.0) < df64(-0.0));
  CHECK_FALSE(df64(not_a_number) == df64(not_a_number));
  CHECK((df64(not_a_number) <=> one) == std::partial_ordering::unordered);
  CHECK_FALSE(df64(not_a_number) < one);
  CHECK(df64(-inf) < -std::numeric_limits<df64>::max());
  CHECK(one == 1.0);
  CHECK(above > 1.0);
}

TEST_CASE("hash agrees with ==") {
  const std::hash<df64> hash;
  CHECK(hash(0.0) == hash(-0.0));
  CHECK(hash(not_a_number) == hash(-not_a_number));
  CHECK(hash(df64::raw(1.0, -0.0)) == hash(1.0));
  operand_stream operands(5);
  std::unordered_set<std::size_t> seen;
  for (int i = 0; i < 10000; ++i) seen.insert(hash(df64(1.0, operands.number(-60))));
  CHECK(seen.size() > 4000);  // it looks at lo
}

TEST_CASE("numeric_limits describe the type") {
  using limits = std::numeric_limits<df64>;
  STATIC_REQUIRE(limits::is_specialized);
  STATIC_REQUIRE(limits::digits == 106);
  const df64 top = limits::max();
  CHECK(top.is_canonical());
  CHECK_FALSE(df64::raw(top.hi, std::nextafter(top.lo, inf)).is_canonical());
  CHECK(limits::lowest() == -top);
  CHECK(df64(1.0) + limits::epsilon() == df64::raw(1.0, 0x1p-105));
  CHECK(limits::min() == 0x1p-969);
  // 106 bits fit from min() on: the last place of min() is eta / 2 below none.
  CHECK((limits::min() * df64(1.0, 0x1p-105)).lo == 0x1p-1074);
  CHECK((df64(limits::min()) * 0.5 * df64(1.0, 0x1p-105)).lo == 0);
  CHECK(limits::infinity().hi == inf);
  CHECK(std::isnan(limits::quiet_NaN().hi));
  CHECK(limits::denorm_min().hi == 0x1p-1074);
  // digits10: every 31-digit decimal survives; max_digits10 as the standard defines it.
  CHECK(limits::digits10 == static_cast<int>(std::floor((limits::digits - 1) * std::log10(2.0))));
  CHECK(limits::max_digits10 == static_cast<int>(std::ceil(1 + limits::digits * std::log10(2.0))));
}

TEST_CASE("the extended precision that a double loses") {
  // 1 + 2^-80 through a subtraction
  CHECK((df64(1.0) + df64(low)) - df64(1.0) == low);
  CHECK((1.0 + low) - 1.0 == 0);
  // 1/3 and the square root of 2
  const df64 third = df64(1.0) / df64(3.0), root = sqrt(df64(2.0));
  CHECK(third.hi == 0.3333333333333333);
  CHECK(third.lo == 1.850371707708594e-17);
  CHECK(root.hi == 1.4142135623730951);
  CHECK(std::fabs(root.lo - -9.667293313452913e-17) <= 3.125 * u2 * root.hi);
  CHECK(abs(third * 3.0 - 1.0) < 1e-31);
  CHECK(abs(root * root - 2.0) < 1e-31);
  CHECK(std::sqrt(2.0) * std::sqrt(2.0) - 2.0 > 1e-16);
  const df64 three_fifths = df64(3.0) / df64(5.0);
  CHECK(three_fifths.hi == 0.6);
  CHECK(std::fabs(three_fifths.lo - 2.220446049250313e-17) <= 9.8 * u2 * 0.6);
}

TEST_CASE("mixed operations take the double as it is") {
  operand_stream operands(6);
  for (int i = 0; i < 20000; ++i) {
    const df64 x = operands.near_one();
    const double y = operands.number(operands.between(-3, 3));
    CAPTURE(x.hi, x.lo, y);
    // Within both bounds (2 and 2, 1.5 and 4, 3 and 9.8 u^2) of each other, and of the same sign.
    REQUIRE(abs((x * y) - (x * df64(y))) <= abs(x * y) * (5.5 * u2));
    REQUIRE(abs((x / y) - (x / df64(y))) <= abs(x / y) * (12.8 * u2));
    REQUIRE(abs((x + y) - (x + df64(y))) <= abs(x + y) * (4 * u2));
    REQUIRE(same_bits(y / x, df64(y) / x));
    REQUIRE(same_bits(y - x, -x + y));
  }
  CHECK(same_bits(df64(1.0, low) + 1, df64::raw(2.0, low)));
  df64 x = 1.0;
  x += low;
  x -= 1.0;
  x *= 2.0;
  x /= 4.0;
  CHECK(x == 0x1p-81);
}
