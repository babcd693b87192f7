// Whole tensors through every scheme and kind of layout.
#include "reference/types/dequantise.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "reference/types/number.h"
#include "reference/types/packing.h"
#include "reference/types/schemes.h"
#include "reference/types/test_tensor.h"

using namespace plumbline;

namespace {

using Values = std::vector<float>;

Bytes packed(std::initializer_list<std::uint8_t> codes, std::uint32_t width) {
  return pack(std::vector<std::uint8_t>(codes), width).value();
}

Values values(const std::string& fields, const std::vector<Bytes>& buffers) {
  Tensor t(fields, buffers);
  std::expected<Values, Refusal> result = dequantise(t.d, t.views);
  if (!result) throw std::runtime_error(result.error().kind + ": " + result.error().text);
  return *result;
}
std::string refused(const std::string& fields, const std::vector<Bytes>& buffers,
                    bool sound = true) {
  Tensor t(fields, buffers, sound);
  std::expected<Values, Refusal> result = dequantise(t.d, t.views);
  return result ? "none" : result.error().kind;
}

const std::string half = "q.scheme_tag=1 q.scale=0x3f000000 ";

}  // namespace

TEST_CASE("per-tensor affine, every integer type") {
  CHECK(values("type_tag=0x11 shape=2,2 q.zero_point=3 " + half, {{3, 5, 0, 255}}) ==
        Values{0, 1, -1.5f, 126});
  CHECK(values("type_tag=0x10 shape=3 q.zero_point=-128 " + half, {{0x80, 0x7F, 0}}) ==
        Values{0, 127.5f, 64});
  CHECK(values("type_tag=0x12 shape=2 " + half, {entries<std::int16_t>({-32768, 2})}) ==
        Values{-16384, 1});
  CHECK(values("type_tag=0x13 shape=1 " + half, {entries<std::uint16_t>({65535})}) ==
        Values{32767.5f});
  // D-158: the difference does not fit 32 bits.
  CHECK(values("type_tag=0x14 shape=1 q.zero_point=-1 " + half,
               {entries<std::int32_t>({2147483647})}) == Values{0x1p30f});
  CHECK(values("type_tag=0x15 shape=1 " + half, {entries<std::uint32_t>({4000000000u})}) ==
        Values{2e9f});
  CHECK(values("type_tag=0x48 shape=3 q.zero_point=-8 " + half, {packed({0x8, 0x7, 0x0}, 4)}) ==
        Values{0, 7.5f, 4});
  CHECK(values("type_tag=0x49 shape=3 q.zero_point=15 " + half, {packed({0, 15, 8}, 4)}) ==
        Values{-7.5f, 0, -3.5f});
  CHECK(values("type_tag=0x4a shape=5 " + half, {packed({0, 1, 2, 3, 1}, 2)}) ==
        Values{0, .5f, -1, -.5f, .5f});
  CHECK(values("type_tag=0x4b shape=5 " + half, {packed({0, 1, 2, 3, 2}, 2)}) ==
        Values{0, .5f, 1, 1.5f, 1});
  CHECK(values("type_tag=0x10 shape=- " + half, {{7}}) == Values{3.5f});
  CHECK(values("type_tag=0x10 shape=3,0 " + half, {{}}).empty());
}

TEST_CASE("the result is row-major, whatever the layout") {
  Bytes ten{0, 1, 2, 3, 4, 5};
  CHECK(values("type_tag=0x10 shape=2,3 " + half, {ten}) == Values{0, .5f, 1, 1.5f, 2, 2.5f});
  CHECK(values("type_tag=0x10 layout_tag=0x02 shape=2,3 " + half, {ten}) ==
        Values{0, 1, 2, .5f, 1.5f, 2.5f});
  CHECK(values("type_tag=0x10 layout_tag=0x03 shape=2,3 layout.strides=-3,1 byte_offset=3 " + half,
               {ten}) == Values{1.5f, 2, 2.5f, 0, .5f, 1});
  CHECK(values("type_tag=0x10 layout_tag=0x03 shape=2,3 layout.strides=0,2 " + half, {ten}) ==
        Values{0, 1, 2, 0, 1, 2});
  CHECK(values("type_tag=0x10 layout_tag=0x05 shape=2,2 layout.morton_bits=1,1 " + half,
               {{0, 1, 2, 3}}) == Values{0, 1, .5f, 1.5f});
  CHECK(values("type_tag=0x10 layout_tag=0x04 shape=2,4 layout.tile.0.tile_shape=2,2 " + half,
               {{0, 1, 2, 3, 4, 5, 6, 7}}) == Values{0, .5f, 2, 2.5f, 1, 1.5f, 3, 3.5f});
  // D-043: 4-bit elements before byte_offset.
  CHECK(values("type_tag=0x48 layout_tag=0x03 shape=3 layout.strides=-1 byte_offset=1 " + half,
               {packed({1, 2, 3, 0}, 4)}) == Values{1.5f, 1, .5f});
}

TEST_CASE("per-channel affine: the example of the page") {
  std::mt19937 random(3);
  Bytes data(768 * 1024), scales, zero_points;
  for (std::uint8_t& b : data) b = static_cast<std::uint8_t>(random());
  std::vector<float> scale;
  std::vector<int> zero;
  for (int c = 0; c < 768; ++c) {
    scale.push_back(static_cast<float>(c + 1) * (c % 2 != 0 ? -0.03f : 0.07f));
    zero.push_back(c % 256 - 128);
    append_little_endian(scales, std::bit_cast<std::uint32_t>(scale.back()), 4);
    append_little_endian(zero_points, static_cast<std::uint64_t>(zero.back()), 4);
  }
  Values result = values(
      "type_tag=0x10 shape=768,1024 q.scheme_tag=2 q.axis=0 q.scale_buffer_index=1 "
      "q.zero_point_buffer_index=2",
      {data, scales, zero_points});
  REQUIRE(result.size() == data.size());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    int q = static_cast<std::int8_t>(data[i]);
    wrong += result[i] != scale[i / 1024] * static_cast<float>(q - zero[i / 1024]);
  }
  CHECK(wrong == 0);
}

TEST_CASE("per-channel along the other axis, symmetric, column-major") {
  CHECK(values("type_tag=0x10 layout_tag=0x02 shape=2,3 q.scheme_tag=2 q.flags=1 q.axis=1",
               {{1, 2, 3, 4, 5, 6}, floats({1, 10, 100})}) == Values{1, 30, 500, 2, 40, 600});
}

TEST_CASE("per-block affine with a short last block") {
  // Axis 1 of [2, 3] in blocks of 2: two blocks a row; addresses are the layout's own (D-153).
  std::string fields =
      "type_tag=0x10 shape=2,3 q.scheme_tag=3 q.axis=1 q.block_size=2 q.scale_buffer_index=1 ";
  CHECK(values(fields + "q.flags=1", {{1, 2, 3, 4, 5, 6}, floats({1, 10, 100, 1000})}) ==
        Values{1, 2, 30, 400, 500, 6000});
  CHECK(values(fields + "q.zero_point_buffer_index=2",
               {{1, 2, 3, 4, 5, 6}, floats({1, 1, 1, 1}), entries<std::int32_t>({1, 2, 3, 4})}) ==
        Values{0, 1, 1, 1, 2, 2});
  // One entry for both: [scales | zero_points].
  CHECK(values(fields + "q.zero_point_buffer_index=1 q.scale_type_tag=2",
               {{1, 2, 3, 4, 5, 6},
                entries<std::uint16_t>({0x3F80, 0x4000, 0x4080, 0x4100}) +
                    entries<std::int32_t>({1, 2, 3, 4})}) == Values{0, 1, 2, 4, 8, 16});
  // 1-D [5] in blocks of 4 stores eight elements; the last three are no elements of the tensor.
  CHECK(values("type_tag=0x10 shape=5 q.scheme_tag=3 q.axis=0 q.block_size=4 q.flags=1 "
               "q.scale_type_tag=1",
               {{1, 2, 3, 4, 5, 0, 0, 0}, entries<std::uint16_t>({0x3C00, 0x4000})}) ==
        Values{1, 2, 3, 4, 10});
}

TEST_CASE("NF4") {
  Bytes codes = packed({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, 4);
  Values result = values("type_tag=0x49 shape=16 q.scheme_tag=4 q.axis=0 q.block_size=8",
                         {codes, floats({1.0f, 3.0f})});
  for (std::size_t q = 0; q < 16; ++q) CHECK(result[q] == (q < 8 ? 1.0f : 3.0f) * nf4_levels[q]);
}

TEST_CASE("MXFP, every storage type") {
  for (const char* tag : {"0x40", "0x41", "0x43", "0x44", "0x45", "0x10", "0x48"}) {
    Descriptor probe = tensor("type_tag=" + std::string(tag) + " shape=1");
    std::uint32_t width = *probe.element_bits();
    std::vector<std::uint8_t> codes(std::size_t{1} << width);
    for (std::size_t c = 0; c < codes.size(); ++c) codes[c] = static_cast<std::uint8_t>(c);
    Bytes scales;
    for (std::size_t b = 0; b < codes.size() / 16; ++b)
      scales.push_back(static_cast<std::uint8_t>(b % 2 == 0 ? 130 : 1));
    Values result =
        values("type_tag=" + std::string(tag) + " shape=" + std::to_string(codes.size()) +
                   " q.scheme_tag=5 q.axis=0 q.block_size=16",
               {pack(codes, width).value(), scales});
    std::size_t wrong = 0;
    for (std::size_t c = 0; c < codes.size(); ++c) {
      double expected =
          exact_float64(probe.header.type_tag, c).value() * (c / 16 % 2 == 0 ? 8 : 0x1p-126);
      bool same =
          std::isnan(expected) ? std::isnan(result[c]) : static_cast<double>(result[c]) == expected;
      wrong += !same;
    }
    INFO(tag);
    CHECK(wrong == 0);
  }
}

TEST_CASE("sparse layouts: stored values by the scheme, real 0 elsewhere (D-135)") {
  // zero_point 128: a stored 0 is -64, an unstored cell 0.
  std::string coo = "type_tag=0x11 layout_tag=0x06 shape=2,3 layout.nnz=2 q.zero_point=128 " + half;
  CHECK(values(coo, {{0, 130}, entries<std::uint64_t>({1, 2, 0, 1})}) ==
        Values{0, 1, 0, 0, 0, -64});
  CHECK(refused(coo, {{0, 130}, entries<std::uint64_t>({1, 2, 1, 2})}) == "contents");
  CHECK(refused(coo, {{0, 130}, entries<std::uint64_t>({1, 2, 2, 1})}) == "contents");
  // Per-channel and per-block parameters go by the logical index (D-136).
  CHECK(
      values(
          "type_tag=0x48 layout_tag=0x07 shape=2,4 layout.nnz=3 q.scheme_tag=2 q.flags=1 q.axis=1 "
          "q.scale_buffer_index=3",
          {packed({1, 2, 3}, 4), entries<std::uint64_t>({1, 3, 0}),
           entries<std::uint64_t>({0, 2, 3}), floats({1, 10, 100, 1000})}) ==
      Values{0, 10, 0, 2000, 3, 0, 0, 0});
  CHECK(
      values(
          "type_tag=0x10 layout_tag=0x08 shape=4,2 layout.nnz=3 q.scheme_tag=3 q.flags=1 q.axis=0 "
          "q.block_size=2 q.scale_buffer_index=3",
          {{1, 2, 3},
           entries<std::uint64_t>({1, 3, 0}),
           entries<std::uint64_t>({0, 2, 3}),
           floats({1, 10, 100, 1000})}) == Values{0, 300, 1, 0, 0, 0, 20, 0});
}

TEST_CASE("one code at a logical index") {
  Tensor t("type_tag=0x48 shape=2,2 q.scheme_tag=2 q.flags=1 q.axis=0",
           {packed({1, 2, 3, 4}, 4), floats({2, -3})});
  CHECK(dequantise_code(t.d, t.views, {1, 0}, 0x8) == 24.0f);
  CHECK(dequantise_code(t.d, t.views, {1, 0}, 0x10).error().kind == "contents");
  CHECK(dequantise_code(t.d, t.views, {2, 0}, 1).error().kind == "range");
  CHECK(dequantise_code(t.d, t.views, {1}, 1).error().kind == "range");
}

TEST_CASE("refusals, before anything is read") {
  CHECK(refused("type_tag=0x10 shape=2", {{0, 0}}) == "unquantized");
  Descriptor unread = tensor("type_tag=0x10 shape=2");
  unread.header.flags |= flag::quantization;
  CHECK(dequantise(unread, {}).error().kind == "opaque");
  std::string section = " extension.bit_width=8 extension.packing_factor=1 ";
  Tensor private_type("type_tag=0xf0 shape=2 " + half + section, {{0, 0}}, false);
  CHECK(dequantise(private_type.d, {}).error().kind == "opaque");  // buffers are not looked at
  CHECK(dequantise_code(private_type.d, {}, {0}, 0).error().kind == "opaque");
  Tensor private_layout("type_tag=0x10 layout_tag=0xf0 shape=2 " + half, {{0, 0}}, false);
  CHECK(dequantise(private_layout.d, {}).error().kind == "opaque");
  CHECK(refused("type_tag=0x10 shape=2 q.scheme_tag=0xf1", {{0, 0}}, false) == "opaque");
  CHECK(refused("type_tag=0x10 layout_tag=0x0b shape=2 " + half, {}, false) == "virtual");
  CHECK(refused("type_tag=0x10 shape=0xffffffffffffffff " + half, {{0, 0}}) == "dynamic");
  CHECK(refused("type_tag=0x10 shape=3 " + half, {{0, 0}}, false) == "buffers");
  // Before so many values are made room for.
  CHECK(refused("type_tag=0x10 shape=0x10000000000 " + half, {{0, 0}}, false) == "buffers");
  Tensor t("type_tag=0x10 shape=2 " + half, {{0, 0}});
  CHECK(dequantise(t.d, {}).error().kind == "buffers");
  CHECK(dequantise(t.d, {t.views[0].first(1)}).error().kind == "buffers");
  CHECK(dequantise(t.d, {t.views[0], t.views[0]}).error().kind == "buffers");
  // Parameters that no element uses count too (D-084).
  CHECK(refused("type_tag=0x10 shape=2,0 q.scheme_tag=2 q.flags=1 q.axis=0",
                {{}, floats({1, 0})}) == "contents");
}

TEST_CASE("many values for few bytes stop at the limit") {
  std::string broadcast = "type_tag=0x10 layout_tag=0x03 layout.strides=0,0 " + half + "shape=";
  CHECK(values(broadcast + "1000,1000", {{2}}) == Values(1000000, 1));
  CHECK(refused(broadcast + "0x100000,0x100000", {{2}}) == "large");
  CHECK(refused("type_tag=0x10 layout_tag=0x03 layout.strides=0,0,0,0,0 shape=0x7fffffffffffffff,"
                "0x7fffffffffffffff,0x7fffffffffffffff,0x7fffffffffffffff,2 " +
                    half,
                {{2}}) == "large");
  CHECK(refused("type_tag=0x10 layout_tag=0x06 shape=0x1000001 layout.nnz=0 " + half, {{}, {}}) ==
        "large");
  Tensor t(broadcast + "3,3", {{2}});
  CHECK(dequantise(t.d, t.views, 9).value().size() == 9);
  CHECK(dequantise(t.d, t.views, 8).error().kind == "large");
  // What the bytes back is made without a limit.
  Tensor backed("type_tag=0x4b shape=12 " + half, {{1, 2, 3}});
  CHECK(dequantise(backed.d, backed.views, 0).value().size() == 12);
}
