// The worked examples of element-types.md, and every width against a bit string built the slow way.
#include "reference/types/packing.h"

#include <catch2/catch.hpp>
#include <memory>
#include <random>

#include "reference/types/element_type.h"

using namespace plumbline;

namespace {

constexpr std::uint32_t sub_byte[] = {1, 2, 4, 6};

// Exactly n bytes on the heap, so that a sanitizer sees a read one past them.
struct Exactly {
  std::unique_ptr<std::uint8_t[]> data;
  std::size_t size;
  explicit Exactly(const Bytes& bytes) : data(new std::uint8_t[bytes.size()]), size(bytes.size()) {
    std::copy(bytes.begin(), bytes.end(), data.get());
  }
  ByteView view() const { return {data.get(), size}; }
};

Bytes packed(std::initializer_list<std::uint8_t> codes, std::uint32_t width) {
  return pack(std::vector<std::uint8_t>(codes), width).value();
}

// The value of bits [first, first + width) of the bytes as one string of bits, low bits first.
std::uint32_t from_bit_string(const Bytes& bytes, std::size_t first, std::uint32_t width) {
  std::uint32_t value = 0;
  for (std::uint32_t i = 0; i < width; ++i)
    value |= (std::uint32_t{bytes[(first + i) / 8]} >> (first + i) % 8 & 1u) << i;
  return value;
}

}  // namespace

TEST_CASE("the examples of element-types.md pack to the printed bytes") {
  CHECK(packed({1, 0, 1, 1, 0}, 1) == Bytes{0x0D});
  CHECK(packed({5, 12, 3}, 4) == Bytes{0xC5, 0x03});
  CHECK(packed({3, 1, 2}, 2) == Bytes{0x27});
  CHECK(packed({0b000001, 0b000010, 0b000100, 0b001000}, 6) == Bytes{0x81, 0x40, 0x20});
}

TEST_CASE("a started 6-bit group takes three bytes (D-080), padding zero") {
  CHECK(packed({0x3F}, 6) == Bytes{0x3F, 0, 0});
  CHECK(packed({0x3F, 0x3F, 0x3F, 0x3F, 0x3F}, 6) == Bytes{0xFF, 0xFF, 0xFF, 0x3F, 0, 0});
  CHECK(packed({}, 6).empty());
}

TEST_CASE("every sub-byte width is one string of bits, low bits first") {
  std::mt19937 random(1);
  for (std::uint32_t width : sub_byte) {
    for (std::size_t count = 0; count < 40; ++count) {
      std::vector<std::uint8_t> codes(count);
      for (std::uint8_t& c : codes) c = static_cast<std::uint8_t>(random() & ((1u << width) - 1));
      Bytes run = pack(codes, width).value();
      CHECK(Exact(run.size()) == bytes_for_elements(width, Exact(count)));
      Exactly exact(run);
      CHECK(unpack(exact.view(), width, count) == codes);
      for (std::size_t slot = 0; slot < count; ++slot) {
        // Groups of 24 bits have no gap between them, so 6-bit slots are every sixth bit too.
        CHECK(from_bit_string(run, slot * width, width) == codes[slot]);
        CHECK(load_bits(exact.view(), width, slot) == u128{codes[slot]});
        CHECK(load_bytes(exact.view(), width, slot) == Bytes{codes[slot]});
      }
      CHECK(from_bit_string(run, count * width,
                            static_cast<std::uint32_t>(run.size() * 8 - count * width)) == 0);
    }
  }
}

TEST_CASE("storing an element leaves its neighbours alone") {
  for (std::uint32_t width : sub_byte)
    for (std::uint8_t fill : std::initializer_list<std::uint8_t>{0x00, 0xFF})
      for (std::uint64_t slot = 0; slot < 8; ++slot) {
        Bytes run(6, fill), before = run;
        std::uint32_t code = fill == 0 ? (1u << width) - 1 : 0;
        REQUIRE(store_bits(run, width, slot, code));
        std::size_t first = static_cast<std::size_t>(slot) * width;
        for (std::size_t i = 0; i < 48; ++i) {
          bool inside = i >= first && i < first + width;
          CHECK((from_bit_string(run, i, 1) != from_bit_string(before, i, 1)) == inside);
        }
      }
}

TEST_CASE("whole-byte elements are little-endian") {
  Bytes bytes(33);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i + 1);
  Exactly exact(bytes);
  CHECK(load_bits(exact.view(), 8, 32) == u128{33});
  CHECK(load_bits(exact.view(), 16, 1) == u128{0x0403});
  CHECK(load_bits(exact.view(), 24, 1) == u128{0x060504});
  CHECK(load_bits(exact.view(), 32, 7) == u128{0x201F1E1D});
  CHECK(load_bits(exact.view(), 64, 0) == u128{0x0807060504030201});
  CHECK(load_bits(exact.view(), 128, 0) ==
        (u128{0x100F0E0D0C0B0A09} << 64 | u128{0x0807060504030201}));
  CHECK(load_bytes(exact.view(), 24, 1) == Bytes{4, 5, 6});
  CHECK(load_bytes(exact.view(), 264, 0) == bytes);  // a private type of 33 bytes
  Bytes out(4);
  REQUIRE(store_bits(out, 16, 1, 0xABCD));
  CHECK(out == Bytes{0, 0, 0xCD, 0xAB});
}

TEST_CASE("what is not inside the bytes is refused") {
  Bytes two(2), three(3);
  CHECK(load_bits(two, 16, 1).error().kind == "buffers");
  CHECK(load_bits(two, 1, 16).error().kind == "buffers");
  CHECK(load_bits(two, 1, 15));
  CHECK(load_bits(two, 2, 8).error().kind == "buffers");
  CHECK(load_bits(two, 4, 4).error().kind == "buffers");
  CHECK(load_bits(two, 6, 0).error().kind == "buffers");  // no whole group
  CHECK(load_bits(three, 6, 3));
  CHECK(load_bits(three, 6, 4).error().kind == "buffers");
  CHECK(load_bytes(three, 32, 0).error().kind == "buffers");
  std::uint64_t far = ~std::uint64_t{0};
  for (std::uint32_t width : {1u, 2u, 4u, 6u, 8u, 64u, 128u, 0xFFFFFFF8u}) {
    CHECK(load_bytes(three, width, far).error().kind == "buffers");
    if (width > 128) continue;
    CHECK(load_bits(three, width, far).error().kind == "buffers");
    CHECK(store_bits(three, width, far, 0).error().kind == "buffers");
    CHECK(load_bits_at(three, width, far, 0).error().kind == "buffers");
  }
  CHECK(unpack(three, 6, 5).error().kind == "buffers");
  CHECK(unpack(three, 1, far).error().kind == "buffers");
  // An element that continues behind the last byte; a bit that no byte has.
  CHECK(load_bits_at(three, 6, 2, 2));
  CHECK(load_bits_at(three, 6, 2, 4).error().kind == "buffers");
  CHECK(load_bits_at(three, 1, 0, 8).error().kind == "buffers");
  CHECK(load_bits_at(three, 8, 0, 1).error().kind == "buffers");
}

TEST_CASE("a width without packing and a code that is too wide are refused") {
  Bytes run(16);
  for (std::uint32_t width : {0u, 3u, 5u, 7u, 9u, 12u, 65u}) {
    CHECK(load_bits(run, width, 0).error().kind == "opaque");
    CHECK(load_bytes(run, width, 0).error().kind == "opaque");
    CHECK(store_bits(run, width, 0, 0).error().kind == "opaque");
    CHECK(unpack(run, width, 1).error().kind == "opaque");
  }
  CHECK(load_bits(run, 136, 0).error().kind == "opaque");  // more than a u128 holds
  CHECK(store_bits(run, 4, 0, 16).error().kind == "contents");
  CHECK(store_bits(run, 8, 0, 256).error().kind == "contents");
  CHECK(pack(std::vector<std::uint8_t>{0x40}, 6).error().kind == "contents");
  CHECK(run == Bytes(16));
}
