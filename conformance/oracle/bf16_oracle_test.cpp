// bf16 judged by distance in MPFR: every boundary between two neighbours with the floats around it,
// and the operations on all patterns against chosen ones and on random pairs.
#include "conformance/oracle/bf16_oracle.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "conformance/oracle/operands.h"
#include "reference/scalar/bf16.h"

using plumbline::bf16;
using namespace plumbline::oracle;

TEST_CASE("the oracle's rounding on cases worked out by hand") {
  CHECK(nearest_bf16(real(1)) == 0x3f80);
  CHECK(nearest_bf16(1 + 0x1p-8) == 0x3f80);
  CHECK(nearest_bf16(1 + 3 * 0x1p-8) == 0x3f82);
  CHECK(nearest_bf16(real(1) + real(0x1p-8) + real(0x1p-900)) == 0x3f81);
  CHECK(nearest_bf16(real(-0x1p-134)) == 0x8000);
  CHECK(nearest_bf16(-0x1.8p-134) == 0x8001);
  CHECK(nearest_bf16(0x1.fefffffp127) == 0x7f7f);
  CHECK(nearest_bf16(0x1.ffp127) == 0x7f80);
  CHECK(nearest_bf16(real(0x1p500)) == 0x7f80);
  CHECK(bf16_value(0xbfc0) == -1.5);
  CHECK(bf16_value(0x0001) == 0x1p-133);
}

TEST_CASE("narrowing at every boundary, with its neighbours") {
  int checked = 0;
  const auto check = [&](float x) {
    const std::uint16_t truth = nearest_bf16(real(double{x}));
    const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    if (bf16(x).bits != (truth | sign)) {
      CAPTURE(x, bf16(x).bits, truth);
      REQUIRE(bf16(x).bits == (truth | sign));
    }
    ++checked;
  };
  for (std::uint32_t pattern = 0; pattern < 0x7f80u; ++pattern) {
    const float below = std::bit_cast<float>(pattern << 16);
    const float midpoint = std::bit_cast<float>(pattern << 16 | 0x8000u);
    for (const float centre : {below, midpoint}) {
      for (const float x :
           {centre, std::nextafter(centre, INFINITY), std::nextafter(centre, -INFINITY)}) {
        check(x);
        check(-x);
      }
    }
  }
  check(std::bit_cast<float>(0x7f7fffffu));
  CHECK(checked == 0x7f80 * 12 + 1);
}

TEST_CASE("one operation is the correctly rounded result") {
  operand_source source(5);
  for (int i = 0; i < 40000; ++i) {
    const auto a = static_cast<std::uint16_t>(source.bits());
    auto b = static_cast<std::uint16_t>(source.bits());
    if (i % 2 == 0) {  // exponents near each other, where sums cancel and carry
      b = static_cast<std::uint16_t>((a & 0x7f80u) + (source.bits() & 0x80ffu) -
                                     (source.bits() & 0x0080u));
    }
    const bf16 x = bf16::from_bits(a), y = bf16::from_bits(b);
    CAPTURE(a, b);
    REQUIRE(judge_bf16(bf16_operation::add, a, b, (x + y).bits));
    REQUIRE(judge_bf16(bf16_operation::sub, a, b, (x - y).bits));
    REQUIRE(judge_bf16(bf16_operation::mul, a, b, (x * y).bits));
    REQUIRE(judge_bf16(bf16_operation::div, a, b, (x / y).bits));
  }
  for (std::uint32_t pattern = 0; pattern <= 0xffffu; ++pattern) {
    const auto a = static_cast<std::uint16_t>(pattern);
    CAPTURE(a);
    REQUIRE(judge_bf16(bf16_operation::sqrt, a, 0, sqrt(bf16::from_bits(a)).bits));
  }
}

TEST_CASE("the bf16 judge refuses a neighbour, a truncation and a lost NaN") {
  const auto one_plus = bf16(1.0f) + bf16::from_bits(0x3c00);
  CHECK(judge_bf16(bf16_operation::add, 0x3f80, 0x3c00, one_plus.bits));
  CHECK_FALSE(judge_bf16(bf16_operation::add, 0x3f80, 0x3c00, 0x3f82));
  CHECK_FALSE(judge_bf16(bf16_operation::div, 0x3f80, 0x4040, 0x3eaa));  // 1/3 truncated
  CHECK(judge_bf16(bf16_operation::div, 0x3f80, 0x4040, 0x3eab));
  CHECK_FALSE(judge_bf16(bf16_operation::add, 0x7f80, 0xff80, 0x7f80));
  CHECK_FALSE(judge_bf16(bf16_operation::add, 0x7f80, 0x3f80, 0x7fc0));
  CHECK_FALSE(judge_bf16(bf16_operation::mul, 0x8000, 0x3f80, 0x0000));
}
