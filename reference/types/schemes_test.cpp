// The formulas of quantization/*.md, number by number.
#include "reference/types/schemes.h"

#include <bit>
#include <catch2/catch.hpp>
#include <limits>

#include "reference/types/number.h"
#include "reference/types/test_tensor.h"

using namespace plumbline;

namespace {

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

Buffers views(const std::vector<Bytes>& buffers) { return {buffers.begin(), buffers.end()}; }

std::string refused(const std::string& fields, const std::vector<Bytes>& buffers) {
  Descriptor d = tensor(fields);
  Buffers b = views(buffers);
  std::expected<Scheme, Refusal> scheme = Scheme::of(d, b);
  if (!scheme) return scheme.error().kind;
  std::optional<Refusal> refusal = scheme->refused_entry();
  return refusal ? refusal->kind : "none";
}

}  // namespace

TEST_CASE("affine: exact difference, one rounding to float32, one product") {
  CHECK(affine_value(0.5f, 3, 1) == 1.0f);
  CHECK(affine_value(0.1f, 0, 128) == -12.8f);
  CHECK(bits(affine_value(-2.0f, 7, 7)) == 0x80000000);
  // D-158: these differences need 33 bits; in 32-bit arithmetic they would wrap.
  CHECK(affine_value(1.0f, 2147483647, -2147483648LL) == 0x1p32f);
  CHECK(affine_value(1.0f, 4000000000LL, 0) == 4e9f);
  CHECK(affine_value(1.0f, -2147483648LL, 2147483647) == -0x1p32f);
  // 2^24 + 1 is rounded before the product: 3 * (2^24 + 1) would round to 50331652.
  CHECK(affine_value(3.0f, 16777217, 0) == 50331648.0f);
  // The difference is taken before it is rounded.
  CHECK(affine_value(1.0f, 16777217, 16777216) == 1.0f);
  CHECK(affine_value(1e30f, 2147483647, 0) == std::numeric_limits<float>::infinity());
}

TEST_CASE("NF4: the printed levels, bit for bit (CON-59)") {
  const std::uint32_t printed[] = {0xBF800000, 0xBF3239B1, 0xBF066B30, 0xBECA32A0,
                                   0xBE91A24D, 0xBE3D353F, 0xBDBA7871, 0x00000000,
                                   0x3DA2FAFF, 0x3E24CAE3, 0x3E7C04DD, 0x3EAD033A,
                                   0x3EE1A4B8, 0x3F1007AB, 0x3F3913B3, 0x3F800000};
  for (std::uint8_t q = 0; q < 16; ++q) {
    CHECK(bits(nf4_levels[q]) == printed[q]);
    CHECK(bits(nf4_value(1.0f, q)) == printed[q]);
    CHECK(nf4_value(0.25f, q) == nf4_levels[q] / 4);
  }
}

TEST_CASE("MXFP: a power of two times the exact value") {
  CHECK(mxfp_value(127, 6.0f) == 6.0f);
  CHECK(mxfp_value(128, -1.5f) == -3.0f);
  CHECK(mxfp_value(1, 1.0f) == 0x1p-126f);
  CHECK(mxfp_value(254, 1.0f) == 0x1p127f);
  CHECK(mxfp_value(1, 0x1p-16f) == 0x1p-142f);  // subnormal, kept
  CHECK(mxfp_value(254, 2.0f) == std::numeric_limits<float>::infinity());
  CHECK(mxfp_value(120, -128.0f) == -1.0f);  // MXINT8: the plain integer (D-162)
}

TEST_CASE("the block of an element (QPB-20)") {
  // Shape [2, 5, 3], axis 1, blocks of 2: three blocks on the axis, the last of one element.
  std::vector<std::uint64_t> shape{2, 5, 3};
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < 2; ++i)
    for (std::uint64_t j = 0; j < 5; ++j)
      for (std::uint64_t k = 0; k < 3; ++k)
        wrong += !(block_index(shape, 1, 2, {i, j, k}) == Exact((i * 3 + k) * 3 + j / 2));
  CHECK(wrong == 0);
  CHECK(block_index(shape, 1, 2, {1, 4, 2}) == Exact(17));
  CHECK(block_index(shape, 0, 2, {1, 4, 2}) == Exact(14));  // one block on the axis
  CHECK(block_index({8}, 0, 4, {7}) == Exact(1));
}

TEST_CASE("scales and zero points are found, in one entry too (D-151)") {
  std::string two =
      "type_tag=0x10 shape=2 buffer0=2 q.scheme_tag=2 q.axis=0 q.scale_buffer_index=1 ";
  Descriptor apart = sound_tensor(two + "buffer1=8 buffer2=8 q.zero_point_buffer_index=2");
  std::vector<Bytes> data{Bytes(2), floats({0.5f, -2.0f}), entries<std::int32_t>({3, -128})};
  Buffers b = views(data);
  Scheme scheme = Scheme::of(apart, b).value();
  CHECK(scheme.entries() == 2);
  CHECK(scheme.parameters(Exact(1)).value().scale == -2.0f);
  CHECK(scheme.parameters(Exact(1)).value().zero_point == -128);
  CHECK(scheme.parameters(Exact(2)).error().kind == "buffers");

  Descriptor together = sound_tensor(two + "buffer1=16 q.zero_point_buffer_index=1");
  std::vector<Bytes> joined{data[0], data[1] + data[2]};
  b = views(joined);
  Scheme shared = Scheme::of(together, b).value();
  CHECK(shared.parameters(Exact(0)).value().scale == 0.5f);
  CHECK(shared.parameters(Exact(0)).value().zero_point == 3);
  CHECK(shared.parameters(Exact(1)).value().zero_point == -128);

  // After three half-width scales the zero points begin at byte 6.
  Descriptor half = sound_tensor(
      "type_tag=0x10 shape=6 buffer0=6 buffer1=18 q.scheme_tag=3 q.axis=0 q.block_size=2 "
      "q.scale_buffer_index=1 q.zero_point_buffer_index=1 q.scale_type_tag=1");
  std::vector<Bytes> odd{Bytes(6), entries<std::uint16_t>({0x3C00, 0x0001, 0xC000}) +
                                       entries<std::int32_t>({1, 2, -70000})};
  b = views(odd);
  Scheme unaligned = Scheme::of(half, b).value();
  CHECK(unaligned.parameters(Exact(1)).value().scale == 0x1p-24f);  // a subnormal float16 (CON-56)
  CHECK(unaligned.parameters(Exact(2)).value().scale == -2.0f);
  CHECK(unaligned.parameters(Exact(2)).value().zero_point == -70000);  // any int32 (D-156)
}

TEST_CASE("parameters that break a clause are refused") {
  std::string channel = "type_tag=0x48 shape=2 buffer0=1 buffer1=8 q.scheme_tag=2 q.axis=0 ";
  std::string symmetric = channel + "q.flags=1";
  float infinity = std::numeric_limits<float>::infinity(),
        nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(refused(symmetric, {Bytes(1), floats({1, -1})}) == "none");
  CHECK(refused(symmetric, {Bytes(1), floats({1, 0x1p-149f})}) == "none");
  for (float bad : {0.0f, -0.0f, infinity, -infinity, nan})
    CHECK(refused(symmetric, {Bytes(1), floats({1, bad})}) == "contents");
  std::string with_zero_points = channel + "buffer2=8 q.zero_point_buffer_index=2";
  for (std::int32_t z : {-8, 7})
    CHECK(refused(with_zero_points, {Bytes(1), floats({1, 1}), entries<std::int32_t>({0, z})}) ==
          "none");
  for (std::int32_t z : {-9, 8})
    CHECK(refused(with_zero_points, {Bytes(1), floats({1, 1}), entries<std::int32_t>({0, z})}) ==
          "contents");

  std::string nf4 =
      "type_tag=0x49 shape=16 buffer0=8 buffer1=8 q.scheme_tag=4 q.axis=0 q.block_size=8";
  for (float good : {0.0f, -0.0f, 3.0f})
    CHECK(refused(nf4, {Bytes(8), floats({1, good})}) == "none");
  for (float bad : {-1.0f, infinity, nan})
    CHECK(refused(nf4, {Bytes(8), floats({1, bad})}) == "contents");

  std::string mxfp =
      "type_tag=0x43 shape=32 buffer0=16 buffer1=2 q.scheme_tag=5 q.axis=0 q.block_size=16";
  for (std::uint8_t e : std::initializer_list<std::uint8_t>{0x01, 0x7F, 0xFE})
    CHECK(refused(mxfp, {Bytes(16), Bytes{0x7F, e}}) == "none");
  for (std::uint8_t e : std::initializer_list<std::uint8_t>{0x00, 0xFF})
    CHECK(refused(mxfp, {Bytes(16), Bytes{0x7F, e}}) == "contents");

  std::string block =
      "type_tag=0x10 shape=2 buffer0=2 buffer1=2 q.scheme_tag=3 q.flags=1 q.block_size=2 ";
  CHECK(refused(block + "q.scale_type_tag=1", {Bytes(2), entries<std::uint16_t>({0x7BFF})}) ==
        "none");
  CHECK(refused(block + "q.scale_type_tag=1", {Bytes(2), entries<std::uint16_t>({0x7C00})}) ==
        "contents");
  CHECK(refused(block + "q.scale_type_tag=2", {Bytes(2), entries<std::uint16_t>({0x7C00})}) ==
        "none");
  CHECK(refused(block + "q.scale_type_tag=2", {Bytes(2), entries<std::uint16_t>({0x7FC0})}) ==
        "contents");

  std::string whole = "type_tag=0x11 shape=1 buffer0=1 q.scheme_tag=1 ";
  CHECK(refused(whole + "q.scale=0x3f000000 q.zero_point=255", {Bytes(1)}) == "none");
  CHECK(refused(whole + "q.scale=0x80000000", {Bytes(1)}) == "contents");
  CHECK(refused(whole + "q.scale=0x7f800000", {Bytes(1)}) == "contents");
  CHECK(refused(whole + "q.zero_point=256", {Bytes(1)}) == "contents");
  CHECK(refused(whole + "q.zero_point=-1", {Bytes(1)}) == "contents");
}

TEST_CASE("fields without a formula, sizes and buffers that do not fit") {
  std::vector<Bytes> data{Bytes(4), floats({1, 1})};
  CHECK(refused("type_tag=0x10 shape=2 buffer0=2", data) == "unquantized");
  std::string channel = "shape=2 buffer0=2 buffer1=8 q.scheme_tag=2 q.flags=1 ";
  CHECK(refused(channel + "type_tag=0x10", data) == "none");
  for (const char* tag : {"0x03", "0x20", "0x16", "0x40"})
    CHECK(refused(channel + "type_tag=" + tag, data) == "opaque");
  CHECK(refused(channel + "type_tag=0x10 q.scale_type_tag=1", data) == "opaque");
  CHECK(refused(channel + "type_tag=0x10 q.axis=1", data) == "opaque");
  CHECK(refused(channel + "type_tag=0x10 q.scale_buffer_index=2", data) == "buffers");
  CHECK(refused(channel + "type_tag=0x10 q.scheme_version=2", data) == "opaque");
  CHECK(refused("type_tag=0x10 shape=3 buffer0=3 buffer1=8 q.scheme_tag=2 q.flags=1", data) ==
        "buffers");
  CHECK(
      refused("type_tag=0x10 shape=0xffffffffffffffff buffer0=3 buffer1=8 q.scheme_tag=2 q.flags=1",
              data) == "dynamic");
  CHECK(refused(
            "type_tag=0x10 shape=0x4000000000000000,2 buffer0=3 buffer1=8 q.scheme_tag=2 q.flags=1",
            data) == "buffers");  // the size of the scales is beyond 64 bits
  std::string block = "type_tag=0x10 shape=2 buffer0=2 buffer1=8 q.scheme_tag=3 q.flags=1 ";
  CHECK(refused(block + "q.block_size=0", data) == "opaque");
  CHECK(refused(block + "q.block_size=2 q.scale_type_tag=4", data) == "opaque");
  CHECK(refused("type_tag=0x10 shape=2 buffer0=2 q.scheme_tag=0xf0", data) == "opaque");
  CHECK(refused("type_tag=0x10 shape=2 buffer0=2 q.scheme_tag=6", data) == "opaque");
}
