// Every code of every narrow type against an independent computation; every tie between neighbours.
#include "reference/types/number.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "reference/types/element_type.h"

using namespace plumbline;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

struct Narrow {
  std::uint8_t tag;
  int exponent, mantissa, bias;
  char top;  // i: infinities and NaN, n: only all ones is NaN, -: numbers alone
};
// The field widths once more, from the page, not from the code under test.
constexpr Narrow narrow_types[] = {
    {0x01, 5, 10, 15, 'i'}, {0x02, 8, 7, 127, 'i'}, {0x40, 4, 3, 7, 'n'}, {0x41, 5, 2, 15, 'i'},
    {0x43, 2, 1, 1, '-'},   {0x44, 2, 3, 1, '-'},   {0x45, 3, 2, 3, '-'}};

std::uint64_t count_of(const Narrow& t) {
  return std::uint64_t{1} << (1 + t.exponent + t.mantissa);
}
std::uint64_t half_of(const Narrow& t) { return count_of(t) / 2; }

// The value by repeated halving and doubling, in long double; NaN where the page says so.
long double expected_value(const Narrow& t, std::uint64_t code) {
  std::uint64_t magnitude = code % half_of(t);
  std::uint64_t steps = std::uint64_t{1} << t.mantissa;
  std::uint64_t field = magnitude / steps, fraction = magnitude % steps;
  bool top = field + 1 == std::uint64_t{1} << t.exponent;
  long double value;
  if (t.top == 'i' && top)
    value = fraction == 0 ? std::numeric_limits<long double>::infinity()
                          : std::numeric_limits<long double>::quiet_NaN();
  else if (t.top == 'n' && top && fraction + 1 == steps)
    value = std::numeric_limits<long double>::quiet_NaN();
  else {
    value = static_cast<long double>(fraction) / static_cast<long double>(steps);
    if (field > 0) value += 1.0L;
    int exponent = (field > 0 ? static_cast<int>(field) : 1) - t.bias;
    for (; exponent > 0; --exponent) value *= 2;
    for (; exponent < 0; ++exponent) value /= 2;
  }
  return code >= half_of(t) ? -value : value;
}

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }
double value(std::uint8_t tag, std::uint64_t code) { return exact_float64(tag, code).value(); }
std::uint64_t code(std::uint8_t tag, double x) { return nearest_code(tag, x).value(); }

}  // namespace

TEST_CASE("every code widens to the number of its fields, and back") {
  for (const Narrow& t : narrow_types) {
    INFO(find_element_type(t.tag)->name);
    std::uint64_t wrong = 0, not_back = 0;
    for (std::uint64_t c = 0; c < count_of(t); ++c) {
      double x = value(t.tag, c);
      float y = exact_float32(t.tag, c).value();
      long double expected = expected_value(t, c);
      bool negative = c >= half_of(t);
      if (std::isnan(expected)) {
        wrong += !std::isnan(x) || !std::isnan(y) || std::signbit(x) != negative ||
                 std::signbit(y) != negative;
        continue;
      }
      wrong += static_cast<long double>(x) != expected || static_cast<double>(y) != x ||
               std::signbit(x) != negative || std::signbit(y) != negative;
      not_back += nearest_code(t.tag, x) != c;
    }
    CHECK(wrong == 0);
    CHECK(not_back == 0);
    CHECK(!exact_float64(t.tag, count_of(t)));  // no such code
  }
}

TEST_CASE("between neighbours: the nearer one, and the even one at the middle") {
  for (const Narrow& t : narrow_types) {
    INFO(find_element_type(t.tag)->name);
    std::uint64_t wrong = 0, ties = 0;
    for (std::uint64_t c = 0; c + 1 < half_of(t); ++c) {
      double low = value(t.tag, c), high = value(t.tag, c + 1);
      if (!std::isfinite(low) || !std::isfinite(high)) continue;
      double middle = low + (high - low) / 2;  // exact: one bit more than the type has
      ++ties;
      for (std::uint64_t sign : {std::uint64_t{0}, half_of(t)}) {
        double s = sign == 0 ? 1 : -1;
        wrong += code(t.tag, s * middle) != (sign | (c % 2 == 0 ? c : c + 1));
        wrong += code(t.tag, s * std::nextafter(middle, 0)) != (sign | c);
        wrong += code(t.tag, s * std::nextafter(middle, inf)) != (sign | (c + 1));
        wrong += code(t.tag, s * std::nextafter(high, 0)) != (sign | (c + 1));
      }
    }
    CHECK(wrong == 0);
    CHECK(ties > half_of(t) / 2);
  }
}

TEST_CASE("a float64 is rounded once") {
  // By way of float32 this would become a tie and then the even code below it.
  double x = 1.0 + 0x1p-11 + 0x1p-40;
  CHECK(code(0x01, x) == 0x3C01);
  CHECK(code(0x01, static_cast<double>(static_cast<float>(x))) == 0x3C00);
}

TEST_CASE("float32 narrows as the processor does") {
  std::mt19937_64 random(7);
  std::uint64_t wrong = 0;
  for (int i = 0; i < 300000; ++i) {
    double x = std::bit_cast<double>(random());
    // Mostly around the range of float32, subnormals and overflow included.
    if (i % 8 != 0)
      x = std::ldexp(1 + std::ldexp(static_cast<double>(random() >> 12), -52),
                     static_cast<int>(random() % 310) - 160);
    if (std::isnan(x)) continue;
    wrong += nearest_code(0x03, x) != bits(static_cast<float>(x));
    wrong += nearest_code(0x04, x) != bits(x);
  }
  CHECK(wrong == 0);
  CHECK(code(0x03, 0x1.ffffffp127) == 0x7F800000);  // the tie at the end of the range
  CHECK(code(0x03, std::nextafter(0x1.ffffffp127, 0)) == 0x7F7FFFFF);
}

TEST_CASE("the value maps as printed") {
  const double e2m1[] = {0, .5, 1, 1.5, 2, 3, 4, 6};  // D-082
  for (std::uint64_t c = 0; c < 8; ++c) {
    CHECK(value(0x43, c) == e2m1[c]);
    CHECK(bits(value(0x43, c + 8)) == bits(-e2m1[c]));
  }
  CHECK(value(0x44, 0x1F) == 7.5);  // D-081
  CHECK(value(0x44, 0x01) == 0.125);
  CHECK(value(0x45, 0x1F) == 28.0);
  CHECK(value(0x45, 0x01) == 0.0625);
  CHECK(value(0x40, 0x7E) == 448.0);
  CHECK(value(0x40, 0x01) == 0x1p-9);
  CHECK(value(0x41, 0x7B) == 57344.0);
  CHECK(value(0x41, 0x7C) == inf);
  CHECK(value(0x41, 0xFC) == -inf);
  CHECK(value(0x01, 0x7BFF) == 65504.0);
  CHECK(value(0x01, 0x0001) == 0x1p-24);
  CHECK(value(0x02, 0x0001) == 0x1p-133);
}

TEST_CASE("overflow and what is not finite") {
  CHECK(code(0x01, 65520) == 0x7C00);
  CHECK(code(0x01, std::nextafter(65520.0, 0)) == 0x7BFF);
  CHECK(code(0x02, -inf) == 0xFF80);
  CHECK(code(0x41, 61440) == 0x7C);  // tie between 57344 and 65536
  CHECK(code(0x41, std::nextafter(61440.0, 0)) == 0x7B);
  CHECK(code(0x41, -1e300) == 0xFC);
  CHECK(code(0x40, 464) == 0x7E);  // tie between 448 and 480, of which 448 is the even code
  CHECK(code(0x40, std::nextafter(464.0, inf)) == 0x7F);
  CHECK(code(0x40, -500) == 0xFF);
  CHECK(code(0x40, -inf) == 0xFF);
  CHECK(code(0x40, 1e300) == 0x7F);
  const struct {
    std::uint8_t tag;
    std::uint64_t most;
    double largest;
  } clamped[] = {{0x43, 0x7, 6}, {0x44, 0x1F, 7.5}, {0x45, 0x1F, 28}};
  for (auto [tag, most, largest] : clamped) {
    for (double x : {largest, largest * 1.01, largest * 2, 1e300, inf}) {
      CHECK(code(tag, x) == most);
      CHECK(code(tag, -x) == 2 * most + 1);
    }
    CHECK(!nearest_code(tag, std::numeric_limits<double>::quiet_NaN()));
  }
  for (std::uint8_t tag :
       std::initializer_list<std::uint8_t>{0x01, 0x02, 0x03, 0x04, 0x40, 0x41, 0x43, 0x44, 0x45}) {
    std::uint64_t sign = std::uint64_t{1} << (find_element_type(tag)->bit_width - 1);
    CHECK(code(tag, 0.0) == 0);
    CHECK(code(tag, -0.0) == sign);
    if (tag == 0x04) continue;
    CHECK(code(tag, 5e-324) == 0);  // underflow keeps the sign
    CHECK(code(tag, -5e-324) == sign);
  }
}

TEST_CASE("a NaN keeps its sign and its payload") {
  CHECK(bits(value(0x01, 0x7E01)) == 0x7FF8040000000000);
  CHECK(bits(value(0x01, 0xFC01)) == 0xFFF0040000000000);  // signalling, and still so
  CHECK(bits(exact_float32(0x01, 0xFC01).value()) == 0xFF802000);
  CHECK(bits(exact_float32(0x02, 0x7FA5).value()) == 0x7FA50000);
  CHECK(bits(exact_float32(0x40, 0xFF).value()) == 0xFFF00000);
  CHECK(bits(value(0x40, 0x7F)) == 0x7FFE000000000000);
  CHECK(bits(exact_float32(0x03, 0x7F800001).value()) == 0x7F800001);
  CHECK(!exact_float32(0x04, 0x7FF8000000000001));
  CHECK(bits(exact_float32(0x04, 0xFFF8000020000000).value()) == 0xFFC00001);

  double nan = std::bit_cast<double>(0xFFF4000000000001);
  CHECK(code(0x01, nan) == 0xFF00);
  CHECK(code(0x02, nan) == 0xFFE0);
  CHECK(code(0x03, nan) == 0xFFE00000);
  CHECK(code(0x41, nan) == 0xFF);
  CHECK(code(0x40, nan) == 0xFF);
  CHECK(code(0x40, std::bit_cast<double>(0x7FF0000000000001)) == 0x7F);
  CHECK(code(0x41, std::bit_cast<double>(0x7FF0000000000001)) == 0x7E);
  for (std::uint64_t c : {0x7E01u, 0xFE80u, 0x7FFFu}) CHECK(code(0x01, value(0x01, c)) == c);
}

TEST_CASE("float8_e8m0") {
  double x = 0x1p-126;
  for (std::uint64_t c = 0x01; c <= 0xFE; ++c, x *= 2) {
    CHECK(value(0x42, c) == x);
    CHECK(exact_float32(0x42, c) == static_cast<float>(x));
    CHECK(code(0x42, x) == c);
    std::optional<std::uint64_t> tie = c % 2 == 0 ? c : c + 1;
    CHECK(nearest_code(0x42, 1.5 * x) == tie);
    CHECK(code(0x42, std::nextafter(1.5 * x, 0)) == c);
    if (c < 0xFE) CHECK(code(0x42, std::nextafter(1.5 * x, inf)) == c + 1);
  }
  CHECK(!exact_float64(0x42, 0x00));
  CHECK(!exact_float64(0x42, 0xFF));
  CHECK(!nearest_code(0x42, std::nextafter(1.5 * 0x1p127, inf)));
  CHECK(!nearest_code(0x42, 0x1p-127));
  CHECK(!nearest_code(0x42, 1.5 * 0x1p-127));  // the even code is 00
  CHECK(code(0x42, std::nextafter(1.5 * 0x1p-127, 1)) == 0x01);
  for (double bad : {0.0, -0.0, -1.0, inf, std::numeric_limits<double>::quiet_NaN()})
    CHECK(!nearest_code(0x42, bad));
}

TEST_CASE("integers widen exactly or not at all") {
  CHECK(value(0x10, 0x80) == -128);
  CHECK(value(0x11, 0x80) == 128);
  CHECK(value(0x48, 0x8) == -8);
  CHECK(value(0x48, 0x7) == 7);
  CHECK(value(0x49, 0xF) == 15);
  const double int2[] = {0, 1, -2, -1};
  for (std::uint64_t c = 0; c < 4; ++c) {
    CHECK(value(0x4A, c) == int2[c]);
    CHECK(value(0x4B, c) == static_cast<double>(c));
  }
  CHECK(value(0x20, 1) == 1);
  CHECK(!exact_float64(0x20, 2));
  CHECK(value(0x14, 0x80000000) == -0x1p31);
  CHECK(value(0x15, 0xFFFFFFFF) == 4294967295.0);
  CHECK(value(0x16, 0x8000000000000000) == -0x1p63);
  CHECK(value(0x17, 0x8000000000000000) == 0x1p63);
  CHECK(value(0x16, std::uint64_t{1} << 53) == 0x1p53);
  CHECK(!exact_float64(0x16, (std::uint64_t{1} << 53) + 1));
  CHECK(!exact_float64(0x17, ~std::uint64_t{0}));
  CHECK(exact_float64(0x16, ~std::uint64_t{0}) == -1.0);
  CHECK(exact_float32(0x14, 1u << 24) == 0x1p24f);
  CHECK(!exact_float32(0x14, (1u << 24) + 1));
  CHECK(integer_value(0x17, ~std::uint64_t{0}) == (i128{1} << 64) - 1);
  CHECK(integer_value(0x16, ~std::uint64_t{0}) == -1);
}

TEST_CASE("types without a real value here give nothing") {
  for (std::uint8_t tag :
       std::initializer_list<std::uint8_t>{0x00, 0x47, 0x46, 0x50, 0x51, 0xF0, 0xFF}) {
    CHECK(!exact_float64(tag, 0));
    CHECK(!exact_float32(tag, 0));
    CHECK(!nearest_code(tag, 1.0));
    CHECK(!integer_value(tag, 0));
  }
  CHECK(!integer_value(0x03, 0));
  CHECK(!nearest_code(0x10, 1.0));
  CHECK(!exact_float32(0x04, bits(0.1)));
  CHECK(!exact_float32(0x04, bits(1e300)));
  CHECK(exact_float32(0x04, bits(0.5)) == 0.5f);
  CHECK(exact_float32(0x04, bits(-inf)) == -std::numeric_limits<float>::infinity());
}
