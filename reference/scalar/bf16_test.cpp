// bf16 against its contract. Rounding is judged here on chosen values and on all patterns; by MPFR
// and on all 2^32 floats in conformance/oracle/.
#include "reference/scalar/bf16.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <type_traits>

#include "reference/scalar/traits.h"

using plumbline::bf16;
using plumbline::same_bits;

namespace {

std::uint16_t stored(float x) { return bf16(x).bits; }
float value(std::uint16_t bits) { return float(bf16::from_bits(bits)); }

constexpr float inf = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("a stored value is the nearest bfloat16, ties to even") {
  CHECK(stored(1.0f) == 0x3f80);
  CHECK(stored(1.0f + 0x1p-7f) == 0x3f81);             // exact
  CHECK(stored(1.0f + 0x1p-8f) == 0x3f80);             // the midpoint goes to the even 1
  CHECK(stored(1.0f + 0x1p-8f + 0x1p-23f) == 0x3f81);  // just above it
  CHECK(stored(1.0f + 0x1p-8f - 0x1p-23f) == 0x3f80);  // just below
  CHECK(stored(1.0f + 3 * 0x1p-8f) == 0x3f82);         // the next midpoint goes up to 1 + 2^-6
  CHECK(stored(1.0f + 0x1p-6f) == 0x3f82);
  CHECK(stored(1.002f) == 0x3f80);
  CHECK(stored(-1.0f - 3 * 0x1p-8f) == 0xbf82);
  CHECK(stored(-2.5f) == 0xc020);
  CHECK(stored(0.0f) == 0x0000);
  CHECK(stored(-0.0f) == 0x8000);
}

TEST_CASE("the ends of the range") {
  CHECK(stored(std::numeric_limits<float>::max()) == 0x7f80);  // rounds beyond the largest bfloat16
  CHECK(stored(-std::numeric_limits<float>::max()) == 0xff80);
  CHECK(stored(0x1.fep127f) == 0x7f7f);      // the largest itself
  CHECK(stored(0x1.fefffep127f) == 0x7f7f);  // below the midpoint
  CHECK(stored(0x1.ffp127f) == 0x7f80);      // the midpoint: 2^128 is the even one
  CHECK(stored(inf) == 0x7f80);
  CHECK(stored(-inf) == 0xff80);
  CHECK(stored(0x1p-126f) == 0x0080);
  CHECK(stored(0x1p-133f) == 0x0001);  // the least subnormal, kept
  CHECK(stored(0x1p-134f) == 0x0000);  // half of it: to even
  CHECK(stored(0x1.0002p-134f) == 0x0001);
  CHECK(stored(0x1.8p-133f) == 0x0002);
  CHECK(stored(-0x1p-149f) == 0x8000);
  CHECK(stored(0x1.fffffep-127f) == 0x0080);  // a subnormal float that rounds up to a normal
}

TEST_CASE("a NaN stays a NaN, wherever its payload is") {
  const auto from_bits = [](std::uint32_t b) { return std::bit_cast<float>(b); };
  for (const std::uint32_t sign : {0u, 0x80000000u}) {
    for (int bit = 0; bit < 23; ++bit) {
      const bf16 x(from_bits(sign | 0x7f800000u | 1u << bit));
      CHECK(isnan(x));
      CHECK(signbit(x) == (sign != 0));
      CHECK((x.bits & 0x0040u) != 0);  // quiet
    }
    CHECK(isnan(bf16(from_bits(sign | 0x7fffffffu))));  // a carry would make it -0
  }
  CHECK(stored(from_bits(0x7fd50000u)) == 0x7fd5);  // the payload of the upper half stays
}

TEST_CASE("every pattern widens exactly and comes back") {
  for (std::uint32_t b = 0; b <= 0xffffu; ++b) {
    const auto bits = static_cast<std::uint16_t>(b);
    const bf16 x = bf16::from_bits(bits);
    REQUIRE(x.bits == bits);
    const std::uint16_t back = bf16(float(x)).bits;
    REQUIRE(back == (isnan(x) ? (bits | 0x0040u) : bits));
    REQUIRE(isnan(x) == std::isnan(float(x)));
    REQUIRE(isinf(x) == std::isinf(float(x)));
    REQUIRE(isfinite(x) == std::isfinite(float(x)));
    // The value from sign, exponent and significand.
    const int exponent = (bits >> 7) & 0xff, significand = bits & 0x7f;
    if (exponent != 0xff) {
      const float v = exponent == 0
                          ? std::ldexp(static_cast<float>(significand), -133)
                          : std::ldexp(static_cast<float>(significand + 128), exponent - 134);
      REQUIRE(float(x) == ((bits & 0x8000u) != 0 ? -v : v));
    }
  }
}

TEST_CASE("one operation is computed in float and rounded once") {
  const bf16 one(1.0f), eps = bf16::from_bits(0x3c00);  // 2^-7
  CHECK(float(bf16(2.0f) + bf16(3.0f)) == 5.0f);
  CHECK(float(bf16(3.0f) - bf16(2.0f)) == 1.0f);
  CHECK(float(bf16(2.0f) * bf16(3.0f)) == 6.0f);
  CHECK(float(bf16(1.0f) / bf16(2.0f)) == 0.5f);
  CHECK(float(sqrt(bf16(9.0f))) == 3.0f);
  CHECK((one + eps).bits == 0x3f81);
  CHECK((one + bf16(0x1p-8f)).bits == 0x3f80);
  CHECK((one + eps + bf16(0x1p-8f)).bits == 0x3f82);
  CHECK(float(bf16(256.0f) + one) == 256.0f);  // spacing 2: a sum of ones stalls here
  // (1 + 2^-7)^2 = 1 + 2^-6 + 2^-14
  CHECK(((one + eps) * (one + eps)).bits == 0x3f82);
  CHECK(isinf(bf16(0x1p127f) * bf16(2.0f)));
  CHECK(isnan(bf16(inf) - bf16(inf)));
  CHECK(isnan(bf16(0.0f) * bf16(inf)));
  CHECK(same_bits(bf16(inf) * one, bf16(inf)));
  CHECK(same_bits(one / bf16(-0.0f), bf16(-inf)));
  CHECK(same_bits(one / bf16(0x1p-133f), bf16(inf)));
  CHECK(same_bits(-bf16(0.0f) + -bf16(0.0f), bf16(-0.0f)));
  CHECK(same_bits(bf16(0x1p-100f) * bf16(-0x1p-100f), bf16(-0.0f)));
  CHECK(isnan(sqrt(bf16(-1.0f))));
  CHECK(same_bits(sqrt(bf16(-0.0f)), bf16(-0.0f)));
  CHECK((-bf16::from_bits(0x7fc1)).bits == 0xffc1);
  CHECK(abs(bf16(-2.0f)) == bf16(2.0f));
}

TEST_CASE("comparison and hash of bf16") {
  CHECK(bf16(0.0f) == bf16(-0.0f));
  CHECK(bf16(1.0f) < bf16(2.0f));
  CHECK(bf16(-2.0f) < bf16(-1.0f));
  const bf16 nan = std::numeric_limits<bf16>::quiet_NaN();
  CHECK_FALSE(nan == nan);
  CHECK((nan <=> bf16(1.0f)) == std::partial_ordering::unordered);
  const std::hash<bf16> hash;
  CHECK(hash(bf16(0.0f)) == hash(bf16(-0.0f)));
  CHECK(hash(nan) == hash(bf16::from_bits(0xffff)));
  CHECK(hash(bf16(1.0f)) != hash(bf16(2.0f)));
  CHECK(same_bits(nan, bf16::from_bits(0xff81)));
  CHECK_FALSE(same_bits(bf16(0.0f), bf16(-0.0f)));
}

TEST_CASE("numeric_limits describe bf16") {
  using limits = std::numeric_limits<bf16>;
  CHECK(float(limits::max()) == 0x1.fep127f);
  CHECK(float(limits::lowest()) == -0x1.fep127f);
  CHECK(float(limits::min()) == 0x1p-126f);
  CHECK(float(limits::denorm_min()) == 0x1p-133f);
  CHECK(float(limits::epsilon()) == 0x1p-7f);
  CHECK(float(limits::round_error()) == 0.5f);
  CHECK(isinf(limits::infinity()));
  CHECK(isnan(limits::quiet_NaN()));
  CHECK(isnan(limits::signaling_NaN()));
  CHECK(limits::digits10 == static_cast<int>(std::floor((limits::digits - 1) * std::log10(2.0))));
  CHECK(limits::max_digits10 == static_cast<int>(std::ceil(1 + limits::digits * std::log10(2.0))));
}

TEST_CASE("no double becomes a bf16 by two roundings") {
  STATIC_REQUIRE_FALSE(std::is_constructible_v<bf16, double>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<float, bf16>);
  CHECK(value(0x3f80) == 1.0f);
}
