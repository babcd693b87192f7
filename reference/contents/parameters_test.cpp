// What the parameter arrays of the schemes hold, and the fill of a short last block.
#include "reference/contents/test_contents.h"

using namespace plumbline;
using namespace plumbline::test;

namespace {

constexpr std::uint64_t one = 0x3F800000, minus_one = 0xBF800000, quiet_nan = 0x7FC00000,
                        inf = 0x7F800000, minus_zero = 0x80000000, tiny = 1;

std::string per_channel(std::uint8_t type, Bytes scales, Bytes zero_points,
                        Mode mode = Mode::strict) {
  Held held = {Bytes(16), std::move(scales), std::move(zero_points)};
  Descriptor d = tensor(type, layout::row_major, {2, 2}, held.sizes());
  quantize(d, scheme::per_channel, PerChannelAffine{.zero_point_buffer_index = 2});
  return verdict(accepted(d), held, mode);
}

std::string per_block(std::uint8_t scale_type, Bytes scales) {
  Held held = {Bytes(4), std::move(scales)};
  Descriptor d = tensor(tag::i8, layout::row_major, {4}, held.sizes());
  quantize(d, scheme::per_block, PerBlockAffine{.block_size = 2, .scale_type_tag = scale_type},
           scheme::symmetric);
  return verdict(accepted(d), held);
}

std::string nf4(Bytes scales) {
  Held held = {Bytes(8), std::move(scales)};
  Descriptor d = tensor(tag::u4, layout::row_major, {16}, held.sizes());
  quantize(d, scheme::nf4, Nf4{.block_size = 8});
  return verdict(accepted(d), held);
}

std::string mxfp(Bytes scales, Mode mode = Mode::strict) {
  Held held = {Bytes(32), std::move(scales)};
  Descriptor d = tensor(tag::i8, layout::row_major, {32}, held.sizes());
  quantize(d, scheme::mxfp, Mxfp{.block_size = 16});
  return verdict(accepted(d, mode), held, mode);
}

}  // namespace

TEST_CASE("per-channel scales are finite and not zero (D-157), and refused of writers alone") {
  Bytes zeros = u32s({0, 0});
  CHECK(per_channel(tag::i8, u32s({one, minus_one}), zeros) == "fine");
  CHECK(per_channel(tag::i8, u32s({tiny, one}), zeros) == "fine");
  for (std::uint64_t wrong :
       {quiet_nan, inf, std::uint64_t{0xFF800000}, std::uint64_t{0}, minus_zero})
    CHECK(per_channel(tag::i8, u32s({one, wrong}), zeros) == "CON-52 b1+4");
  CHECK(per_channel(tag::i8, u32s({one, quiet_nan}), zeros, Mode::lenient) == "fine");
}

TEST_CASE("per-channel zero points are values of the storage type") {
  Bytes scales = u32s({one, one});
  struct Case {
    std::uint8_t tag;
    std::int64_t low, high;
  };
  for (Case c : {Case{tag::i8, -128, 127}, Case{tag::u8, 0, 255}, Case{0x12, -32768, 32767},
                 Case{0x13, 0, 65535}, Case{tag::i4, -8, 7}, Case{tag::u4, 0, 15},
                 Case{tag::i2, -2, 1}, Case{tag::u2, 0, 3}}) {
    auto zero_points = [](std::int64_t a, std::int64_t b) {
      return u32s({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
    };
    CHECK(per_channel(c.tag, scales, zero_points(c.low, c.high)) == "fine");
    CHECK(per_channel(c.tag, scales, zero_points(c.low - 1, 0)) == "CON-53 b2+0");
    CHECK(per_channel(c.tag, scales, zero_points(0, c.high + 1)) == "CON-53 b2+4");
  }
  CHECK(per_channel(0x14, scales, u32s({0x80000000, 0x7FFFFFFF})) == "fine");
  CHECK(per_channel(0x15, scales, u32s({0, 0x7FFFFFFF})) == "fine");
  CHECK(per_channel(0x15, scales, u32s({0, 0x80000000})) == "CON-53 b2+4");
}

TEST_CASE("scales and zero points in one entry: the scales first (D-151)") {
  Held held = {Bytes(4), u32s({one, one, 5, 200})};
  Descriptor d = tensor(tag::i8, layout::row_major, {2, 2}, held.sizes());
  quantize(d, scheme::per_channel, PerChannelAffine{.zero_point_buffer_index = 1});
  d = accepted(d);
  CHECK(verdict(d, held) == "CON-53 b1+12");
  held[1] = u32s({one, 0, 5, 6});
  CHECK(verdict(d, held) == "CON-52 b1+4");
  held[1] = u32s({one, one, 5, 6});
  CHECK(verdict(d, held) == "fine");
}

TEST_CASE("per-block scales in each of the three types") {
  CHECK(per_block(3, u32s({one, minus_one})) == "fine");
  CHECK(per_block(3, u32s({one, inf})) == "CON-54 b1+4");
  CHECK(per_block(1, integers(2, {0x3C00, 0x0001})) == "fine");
  for (std::uint64_t wrong : {0x7C00u, 0xFC00u, 0x7E00u, 0x0000u, 0x8000u})
    CHECK(per_block(1, integers(2, {0x3C00, wrong})) == "CON-54 b1+2");
  CHECK(per_block(2, integers(2, {0x3F80, 0x7F7F})) == "fine");
  for (std::uint64_t wrong : {0x7F80u, 0xFF80u, 0x7FC0u, 0x0000u, 0x8000u})
    CHECK(per_block(2, integers(2, {wrong, 0x3F80})) == "CON-54 b1+0");
  CHECK(per_block(2, integers(2, {0x7C00, 0x3F80})) ==
        "fine");  // a float16 infinity is a bfloat16 number
}

TEST_CASE("NF4 scales are finite and not negative; -0.0 is fine (D-157)") {
  CHECK(nf4(u32s({one, 0})) == "fine");
  CHECK(nf4(u32s({minus_zero, tiny})) == "fine");
  for (std::uint64_t wrong :
       {minus_one, quiet_nan, inf, std::uint64_t{0x80000001}, std::uint64_t{0xFFC00000}})
    CHECK(nf4(u32s({one, wrong})) == "CON-60 b1+4");
}

TEST_CASE("MXFP scales: 00 and FF stand nowhere in the buffer (D-083)") {
  CHECK(mxfp({0x01, 0xFE}) == "fine");
  CHECK(mxfp({0x7F, 0x00}) == "CON-62 b1+1");
  CHECK(mxfp({0xFF, 0x7F}) == "CON-62 b1+0");
  CHECK(mxfp({0xFF, 0x7F}, Mode::lenient) == "CON-62 b1+0");
  // A buffer longer than its blocks is a writer's fault; what a lenient reader then takes is still
  // whole.
  CHECK(mxfp({0x7F, 0x7F, 0x00}, Mode::lenient) == "CON-62 b1+2");
}

TEST_CASE("scales of pages, one a slot (D-142)") {
  Held held = {Bytes(12), u32s({0}), u32s({0, 1}), u32s({one, one, one, one, one, 0})};
  BlockPaged l;
  l.page_size = 2;
  l.num_pages = 3;
  l.num_seqs = 1;
  Descriptor d = tensor(tag::i8, layout::block_paged, {2, 1, 2}, held.sizes(), l);
  quantize(d, scheme::per_block, PerBlockAffine{.block_size = 2, .scale_buffer_index = 3},
           scheme::symmetric);
  CHECK(verdict(accepted(d), held) == "CON-54 b3+20");
}

TEST_CASE("the fill of a short last block is zero elements (CON-57, D-153, D-154)") {
  auto filled = [](std::uint8_t type, Sizes shape, std::uint32_t axis, std::uint8_t layout_tag,
                   Bytes bytes, std::uint32_t block_size, std::uint64_t blocks,
                   std::uint64_t byte_offset = 0) {
    Held held = {std::move(bytes)};
    Bytes scales;
    for (std::uint64_t b = 0; b < blocks; ++b) append_little_endian(scales, one, 4);
    held.add(scales);
    Descriptor d = tensor(type, layout_tag, shape, held.sizes());
    d.byte_offset = byte_offset;
    quantize(d, scheme::per_block, PerBlockAffine{.axis = axis, .block_size = block_size},
             scheme::symmetric);
    return verdict(accepted(d), held);
  };
  // int8 [5], K = 4: eight bytes, the last three zero.
  CHECK(filled(tag::i8, {5}, 0, layout::row_major, {1, 2, 3, 4, 5, 0, 0, 0}, 4, 2) == "fine");
  CHECK(filled(tag::i8, {5}, 0, layout::row_major, {1, 2, 3, 4, 5, 0, 7, 0}, 4, 2) ==
        "CON-57 b0+6");
  CHECK(filled(tag::i8, {5}, 0, layout::row_major, {1, 2, 3, 4, 5, 0, 0, 0, 9}, 4, 2) == "fine");
  // int4 [5], K = 4: a nibble and a byte. The nibble is an element of the block, not padding.
  CHECK(filled(tag::i4, {5}, 0, layout::row_major, {0x21, 0x43, 0x05, 0x00}, 4, 2) == "fine");
  CHECK(filled(tag::i4, {5}, 0, layout::row_major, {0x21, 0x43, 0x15, 0x00}, 4, 2) ==
        "CON-57 b0+2");
  CHECK(filled(tag::i4, {5}, 0, layout::row_major, {0x21, 0x43, 0x05, 0x01}, 4, 2) ==
        "CON-57 b0+3");
  CHECK(filled(tag::i4, {5}, 0, layout::row_major, {0xFF, 0x21, 0x43, 0x05, 0x10}, 4, 2, 1) ==
        "CON-57 b0+4");
  // int2 [5], K = 2: six elements, then padding bits.
  CHECK(filled(tag::u2, {5}, 0, layout::row_major, {0xFF, 0x03}, 2, 3) == "fine");
  CHECK(filled(tag::u2, {5}, 0, layout::row_major, {0xFF, 0x07}, 2, 3) == "CON-57 b0+1");
  CHECK(filled(tag::u2, {5}, 0, layout::row_major, {0xFF, 0x13}, 2, 3) == "CON-16 b0+1");
  // Along the slowest axis the fill lies behind all elements, along others there is none.
  CHECK(filled(tag::i8, {3, 2}, 0, layout::row_major, {1, 2, 3, 4, 5, 6, 0, 9}, 2, 4) ==
        "CON-57 b0+7");
  CHECK(filled(tag::i8, {2, 3}, 1, layout::column_major, {1, 2, 3, 4, 5, 6, 8, 0}, 2, 4) ==
        "CON-57 b0+6");
  CHECK(filled(tag::i8, {2, 3}, 1, layout::row_major, {1, 2, 3, 4, 5, 6, 8, 9}, 2, 4) == "fine");
  CHECK(filled(tag::i8, {4}, 0, layout::row_major, {1, 2, 3, 4, 5, 6}, 2, 2) ==
        "fine");  // no short block
}

TEST_CASE("NF4 has the same fill") {
  Held held = {Bytes{0x21, 0x43, 0x65, 0x87, 0x09, 0, 0x10, 0}, u32s({one, one})};
  Descriptor d = tensor(tag::u4, layout::row_major, {9}, held.sizes());
  quantize(d, scheme::nf4, Nf4{.block_size = 8});
  CHECK(verdict(accepted(d), held) == "CON-57 b0+6");
}

TEST_CASE("a lenient reader may have a buffer without the room, and looks no further") {
  Held held = {Bytes{0x21, 0x43, 0xF5}, u32s({one, one})};
  Descriptor d = tensor(tag::i4, layout::row_major, {5}, held.sizes());
  quantize(d, scheme::per_block, PerBlockAffine{.block_size = 4}, scheme::symmetric);
  d = accepted(d, Mode::lenient);
  CHECK(verdict(d, held, Mode::lenient) == "fine");
  CHECK(verdict(d, held) == "CON-15 b0+2");
}

TEST_CASE("parameters of a private scheme are not judged") {
  Held held = {Bytes(4), Bytes(4)};
  Descriptor d = tensor(tag::i8, layout::row_major, {4}, held.sizes());
  quantize(d, 0xF3, UnknownScheme{});
  CHECK(verdict(accepted(d), held) == "fine");
}
