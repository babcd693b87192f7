// Padding bits: element-types.md's examples and the ruling's (D-088).
#include "reference/contents/test_contents.h"

using namespace plumbline;
using namespace plumbline::test;

namespace {

std::string row(std::uint8_t type, std::uint64_t count, Bytes bytes, Mode mode = Mode::strict) {
  Held held = {std::move(bytes)};
  return verdict(over(held, type, layout::row_major, {count}), held, mode);
}

}  // namespace

TEST_CASE("the unused bits of the last byte are zero, a clause a type") {
  CHECK(row(tag::boolean, 5, {0x0D}) == "fine");
  CHECK(row(tag::boolean, 5, {0x2D}) == "CON-05 b0+0");
  CHECK(row(tag::boolean, 7, {0x7F}) == "fine");
  CHECK(row(tag::boolean, 7, {0x80}) == "CON-05 b0+0");
  CHECK(row(tag::boolean, 8, {0xFF}) == "fine");
  CHECK(row(tag::u4, 3, {0xC5, 0x03}) == "fine");
  CHECK(row(tag::u4, 3, {0xC5, 0x13}) == "CON-15 b0+1");
  CHECK(row(tag::i4, 3, {0xC5, 0x83}) == "CON-15 b0+1");
  CHECK(row(tag::e2m1, 1, {0x0F}) == "fine");
  CHECK(row(tag::e2m1, 1, {0x1F}) == "CON-09 b0+0");
  CHECK(row(tag::u2, 3, {0x27}) == "fine");
  CHECK(row(tag::u2, 3, {0x67}) == "CON-16 b0+0");
  CHECK(row(tag::i2, 5, {0xFF, 0x04}) == "CON-16 b0+1");
  CHECK(row(tag::u8, 1, {0xFF}) == "fine");
}

TEST_CASE("6-bit types: the rest of the group of three bytes") {
  CHECK(row(tag::e2m3, 4, {0xFF, 0xFF, 0xFF}) == "fine");
  CHECK(row(tag::e2m3, 1, {0x3F, 0, 0}) == "fine");
  CHECK(row(tag::e2m3, 1, {0x7F, 0, 0}) == "CON-12 b0+0");
  CHECK(row(tag::e2m3, 1, {0x3F, 0x01, 0}) == "CON-12 b0+1");
  CHECK(row(tag::e2m3, 1, {0x3F, 0, 0x80}) == "CON-12 b0+2");
  CHECK(row(tag::e3m2, 2, {0xFF, 0x0F, 0}) == "fine");
  CHECK(row(tag::e3m2, 2, {0xFF, 0x1F, 0}) == "CON-12 b0+1");
  CHECK(row(tag::e3m2, 3, {0xFF, 0xFF, 0x03}) == "fine");
  CHECK(row(tag::e3m2, 3, {0xFF, 0xFF, 0x04}) == "CON-12 b0+2");
  CHECK(row(tag::e3m2, 5, {0, 0, 0, 0x3F, 0, 0x01}) == "CON-12 b0+5");
}

TEST_CASE("only the byte that holds the last element: later bytes are free (D-088)") {
  CHECK(row(tag::boolean, 10, {0xFF, 0x03, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}) == "fine");
  CHECK(row(tag::boolean, 10, {0xFF, 0x07, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}) == "CON-05 b0+1");
  Held held = {Bytes{0xFF, 0x0F}};
  Descriptor d = tensor(tag::boolean, layout::row_major, {3}, {2});
  d.byte_offset = 1;
  CHECK(verdict(accepted(d), held) == "CON-05 b0+1");
  held[0] = {0xFF, 0x07};
  CHECK(verdict(d, held) == "fine");
}

TEST_CASE("padding is the writer's business: a lenient reader passes over it") {
  CHECK(row(tag::boolean, 5, {0x2D}, Mode::lenient) == "fine");
  CHECK(row(tag::boolean, 5, {0x2D}, Mode::permissive) == "CON-05 b0+0");
}

TEST_CASE("an empty tensor and a scalar") {
  CHECK(row(tag::boolean, 0, {}) == "fine");
  Held held = {Bytes{0x02}};
  CHECK(verdict(over(held, tag::boolean, layout::row_major, {}), held) == "CON-05 b0+0");
}

TEST_CASE("storage elements count, not logical ones: tiles and curves (D-088)") {
  // 9 bits a tile: tile 1 starts at bit 9, and nothing lies between.
  Tiled tiles;
  tiles.levels.emplace_back();
  tiles.levels[0].tile_shape = {3, 3};
  Held two = {Bytes{0xFF, 0xFF, 0x03}};
  Descriptor d = over(two, tag::boolean, layout::tiled, {3, 6}, tiles);
  CHECK(verdict(d, two) == "fine");
  two[0][2] = 0x07;
  CHECK(verdict(d, two) == "CON-05 b0+2");
  Held edge = {Bytes{0xFF, 0xFF, 0x03}};  // an edge tile is stored whole
  CHECK(verdict(over(edge, tag::boolean, layout::tiled, {3, 4}, tiles), edge) == "fine");

  Morton morton;
  morton.morton_bits = {1, 1};
  Held four = {Bytes{0x0F}};
  CHECK(verdict(over(four, tag::boolean, layout::morton, {2, 1}, morton), four) == "fine");
  four[0][0] = 0x1F;
  CHECK(verdict(over(four, tag::boolean, layout::morton, {2, 1}, morton), four) == "CON-05 b0+0");
  morton.morton_bits = {1, 2};  // D-120: up to code 11
  Held twelve = {Bytes{0xFF, 0x0F}};
  Descriptor m = over(twelve, tag::boolean, layout::morton, {2, 4}, morton);
  CHECK(verdict(m, twelve) == "fine");
  twelve[0][1] = 0x1F;
  CHECK(verdict(m, twelve) == "CON-05 b0+1");

  Hilbert hilbert;
  Held curve = {Bytes{0x1F}};
  CHECK(verdict(over(curve, tag::boolean, layout::hilbert, {2, 2}, hilbert), curve) ==
        "CON-05 b0+0");
}

TEST_CASE("strided holes are free, in tensors and in tiles") {
  Strided strides;
  strides.strides = {2};
  Held held = {Bytes{0xFF}};
  CHECK(verdict(over(held, tag::boolean, layout::strided, {2}, strides), held) == "fine");
  Tiled tiles;
  tiles.levels.emplace_back();
  tiles.levels[0].tile_shape = {3};
  tiles.levels[0].inner_layout = layout::strided;
  tiles.levels[0].inner_strides = {1};
  CHECK(verdict(over(held, tag::boolean, layout::tiled, {3}, tiles), held) == "fine");
}

TEST_CASE("values of sparse tensors and page pools") {
  Coo coo;
  coo.nnz = 3;
  Held sparse = {Bytes{0x07}, u64s({0, 5, 9})};
  Descriptor d = over(sparse, tag::boolean, layout::coo, {10}, coo);
  CHECK(verdict(d, sparse) == "fine");
  sparse[0] = {0x0F};
  CHECK(verdict(d, sparse) == "CON-05 b0+0");
  BlockPaged paged;
  paged.page_size = 1;
  paged.num_pages = 3;
  paged.num_seqs = 1;
  Held pool = {Bytes{0xFF, 0xFF}, u32s({0}), u32s({0, 1})};
  CHECK(verdict(over(pool, tag::u4, layout::block_paged, {1, 1, 1}, paged), pool) == "CON-15 b0+1");
}

TEST_CASE("private types are nobody's to judge (D-176)") {
  Held held = {Bytes{0xFF}};
  Descriptor d = tensor(0xF2, layout::row_major, {1}, {1});
  make_private(d, 4);
  CHECK(verdict(accepted(d), held) == "fine");
}

TEST_CASE("buffers that do not fit the table are refused, and private layouts say nothing") {
  Held held = {Bytes{0x0D}};
  Descriptor d = over(held, tag::boolean, layout::row_major, {5});
  CHECK(verdict(d, Held{}) == "refused buffers");
  CHECK(verdict(d, {Bytes{0x0D}, Bytes{}}) == "refused buffers");
  CHECK(verdict(d, {Bytes{}}) == "refused buffers");
  d.buffers.handles[0].byte_size = 0;  // the table itself is too short for the layout
  CHECK(verdict(d, {Bytes{}}) == "refused buffers");
  Held wide = {Bytes{0xFF}};
  CHECK(verdict(tensor(tag::boolean, 0xF0, {5}, {1}, PrivateLayout{}), wide) == "fine");
  CHECK(verdict(tensor(tag::f32, layout::composite, {5}, {}, CompositeHead{}), Held{}) == "fine");
  CHECK(verdict(tensor(tag::f32, layout::csr, {2, 2}, {0}, CompressedMatrix{}), {Bytes{}}) ==
        "refused buffers");
  Descriptor cut = over(held, tag::boolean, layout::row_major, {5});
  cut.shape.clear();
  CHECK(verdict(cut, held) == "refused opaque");
}
