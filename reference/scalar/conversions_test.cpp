// The four directed conversions, the refusal of every other pair, and the byte form.
#include "reference/scalar/conversions.h"

#include <catch2/catch.hpp>
#include <limits>

#include "reference/scalar/storage.h"
#include "reference/scalar/test_operands.h"
#include "reference/scalar/traits.h"

using namespace plumbline;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class T, class Store>
std::vector<std::uint8_t> bytes(std::size_t width, const std::vector<T>& values, Store store) {
  std::vector<std::uint8_t> out(width * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) store(&out[i * width], values[i]);
  return out;
}
std::vector<std::uint8_t> bytes_of(const std::vector<df64>& v) {
  return bytes(16, v,
               [](std::uint8_t* p, df64 x) { store_df64(std::span<std::uint8_t, 16>(p, 16), x); });
}
std::vector<std::uint8_t> bytes_of(const std::vector<double>& v) {
  return bytes(
      8, v, [](std::uint8_t* p, double x) { store_double(std::span<std::uint8_t, 8>(p, 8), x); });
}
std::vector<std::uint8_t> bytes_of(const std::vector<float>& v) {
  return bytes(4, v,
               [](std::uint8_t* p, float x) { store_float(std::span<std::uint8_t, 4>(p, 4), x); });
}
std::vector<std::uint8_t> bytes_of(const std::vector<bf16>& v) {
  return bytes(2, v,
               [](std::uint8_t* p, bf16 x) { store_bf16(std::span<std::uint8_t, 2>(p, 2), x); });
}

}  // namespace

TEST_CASE("narrowing to double is RN(hi + lo)") {
  CHECK(narrow(df64(1.0, 0x1p-52)) == 1.0 + 0x1p-52);
  CHECK(narrow(df64(1.0, 0x1p-80)) == 1.0);
  CHECK(narrow(df64(1.0, 0x1p-53)) == 1.0);                 // a tie to even
  CHECK(narrow(df64::raw(1.0, 0x1p-52)) == 1.0 + 0x1p-52);  // hi alone would lose it
  CHECK(narrow(df64::raw(-2.0, 1.0)) == -1.0);
  CHECK(same_bits(narrow(df64(-0.0)), -0.0));
  CHECK(same_bits(narrow(df64(inf)), inf));
  CHECK(same_bits(narrow(df64(not_a_number)), not_a_number));
  test::operand_stream operands(20);
  for (int i = 0; i < 10000; ++i) {
    const df64 x = operands.anywhere();
    REQUIRE(narrow(x) == x.hi);
  }
}

TEST_CASE("widening is exact, and the way back gives the value that fits") {
  CHECK(same_bits(widen(0x1p-80), df64::raw(0x1p-80, 0.0)));
  CHECK(same_bits(widen(-0.0), df64::raw(-0.0, 0.0)));
  CHECK(same_bits(widen(inf), df64::raw(inf, 0.0)));
  CHECK(narrow(widen(0x1p-80)) == 0x1p-80);
  CHECK(same_bits(widen(narrow(df64(1.0, 0x1p-80))), df64(1.0)));  // narrowing does not come back
  CHECK(widen(bf16(1.5f)) == 1.5f);
  CHECK(narrow(1.002f).bits == 0x3f80);
}

TEST_CASE("the required example runs from end to end") {
  const double low = 0x1p-80;
  const df64 sum = widen(1.0) + widen(low);
  CHECK(same_bits(sum, df64::raw(1.0, low)));
  const df64 rest = sum - widen(1.0);
  CHECK(same_bits(rest, df64(low)));
  CHECK(narrow(rest) == low);
  CHECK((1.0 + low) - 1.0 == 0.0);  // the control
}

TEST_CASE("the erased conversions of whole buffers") {
  using type = scalar_type;
  const std::vector<df64> pairs = {df64(1.0, 0x1p-80), df64::raw(1.0, 0x1p-52), -inf, -0.0};
  CHECK(convert(type::df64, type::f64, bytes_of(pairs)) ==
        bytes_of(std::vector<double>{1.0, 1.0 + 0x1p-52, -inf, -0.0}));
  const std::vector<double> doubles = {0x1p-1074, -0.0, inf};
  CHECK(convert(type::f64, type::df64, bytes_of(doubles)) ==
        bytes_of(std::vector<df64>{0x1p-1074, -0.0, inf}));
  const std::vector<float> floats = {1.0f + 0x1p-8f, 1.0f + 3 * 0x1p-8f, 0x1p-133f};
  CHECK(convert(type::f32, type::bf16, bytes_of(floats)) ==
        std::vector<std::uint8_t>{0x80, 0x3f, 0x82, 0x3f, 0x01, 0x00});
  CHECK(convert(type::bf16, type::f32, std::vector<std::uint8_t>{0x82, 0x3f}) ==
        bytes_of(std::vector<float>{1.0f + 0x1p-6f}));
  CHECK(convert(type::f64, type::df64, {}) == std::vector<std::uint8_t>{});
}

TEST_CASE("every other pair is refused by name") {
  const std::vector<std::uint8_t> sixteen(16);
  int refused = 0;
  using enum scalar_type;
  for (const scalar_type source : {f32, f64, bf16, df64}) {
    for (const scalar_type target : {f32, f64, bf16, df64}) {
      const bool declared = (source == f64 && target == df64) ||
                            (source == df64 && target == f64) ||
                            (source == f32 && target == bf16) || (source == bf16 && target == f32);
      const auto result = convert(source, target, sixteen);
      CHECK(result.has_value() == declared);
      if (result) continue;
      ++refused;
      CHECK(result.error().kind == numeric_error_kind::unsupported_type);
      const std::string names =
          "from " + std::string(to_string(source)) + " to " + std::string(to_string(target));
      CHECK(result.error().text.find(names) != std::string::npos);
    }
  }
  CHECK(refused == 12);
}

TEST_CASE("a buffer that is no whole number of elements is refused") {
  const auto result = convert(scalar_type::df64, scalar_type::f64, std::vector<std::uint8_t>(24));
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().kind == numeric_error_kind::shape_mismatch);
  CHECK(to_string(result.error().kind) == "shape_mismatch");
}

TEST_CASE("the byte form: hi at the lower address, little-endian, every pattern kept") {
  CHECK(bytes_of(std::vector<df64>{df64(1.0, -0x1p-80)}) ==
        std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0xf0, 0xba});
  CHECK(bytes_of(std::vector<bf16>{bf16(-2.5f)}) == std::vector<std::uint8_t>{0x20, 0xc0});

  test::operand_stream operands(21);
  for (int i = 0; i < 10000; ++i) {
    std::vector<std::uint8_t> pattern(16), back(16);
    for (std::uint8_t& b : pattern) b = static_cast<std::uint8_t>(operands.bits());
    if (i % 4 == 0) {  // NaNs, signalling ones too, with any payload
      pattern[7] |= 0x7f;
      pattern[6] |= 0xf0;
    }
    if (i % 8 == 0) pattern[6] = 0xf1;
    store_df64(std::span<std::uint8_t, 16>(back),
               load_df64(std::span<const std::uint8_t, 16>(pattern)));
    REQUIRE(back == pattern);
  }
  for (std::uint32_t b = 0; b <= 0xffff; ++b) {
    std::array<std::uint8_t, 2> pattern = {static_cast<std::uint8_t>(b),
                                           static_cast<std::uint8_t>(b >> 8)};
    std::array<std::uint8_t, 2> back{};
    store_bf16(back, load_bf16(pattern));
    REQUIRE(back == pattern);
  }
}
