// 00 and FF in e8m0 data: every element that an index reaches, and no other byte (D-084).
#include "reference/addressing/address.h"
#include "reference/contents/test_contents.h"

using namespace plumbline;
using namespace plumbline::test;

namespace {

// Which bytes count, asked of the judge byte by byte: 'x' where a reserved code is a fault.
std::string counted(const Descriptor& d) {
  std::string map;
  std::size_t size = d.buffers.handles[0].byte_size;
  for (std::size_t i = 0; i < size; ++i) {
    Bytes bytes(size, 0x7F);
    bytes[i] = i % 2 == 0 ? 0x00 : 0xFF;
    std::string found = verdict(d, {bytes});
    REQUIRE((found == "fine" || found == "CON-07 b0+" + std::to_string(i)));
    map += found == "fine" ? '.' : 'x';
  }
  return map;
}

// The same, from the address of every index.
std::string addressed(const Descriptor& d) {
  std::string map(d.buffers.handles[0].byte_size, '.');
  for_each_index(d.shape, [&](const Sizes& index) {
    auto place = address(d, index);
    REQUIRE(place);
    map[place->byte] = 'x';
  });
  return map;
}

}  // namespace

TEST_CASE("e8m0 in row-major order") {
  Held held = {Bytes{0x01, 0x7F, 0xFE}};
  Descriptor d = over(held, tag::e8m0, layout::row_major, {3});
  CHECK(verdict(d, held) == "fine");
  held[0] = {0x01, 0xFF, 0x00};
  CHECK(verdict(d, held) == "CON-07 b0+1");
  CHECK(verdict(d, held, Mode::lenient) == "CON-07 b0+1");
  CHECK(verdict(d, held, Mode::permissive) == "CON-07 b0+1");
  Descriptor later = tensor(tag::e8m0, layout::row_major, {2}, {5});
  later.byte_offset = 1;
  CHECK(counted(accepted(later)) == ".xx..");
  CHECK(verdict(over(held, tag::u8, layout::row_major, {3}), held) ==
        "fine");  // other types hold anything
}

TEST_CASE("strided holes and the padding of tiles and curves are free") {
  CHECK(counted(accepted(tensor(tag::e8m0, layout::strided, {3}, {8}, strides({3})))) ==
        "x..x..x.");
  Descriptor back = tensor(tag::e8m0, layout::strided, {2, 2}, {8}, strides({-4, 1}));
  back.byte_offset = 5;
  CHECK(counted(accepted(back)) == ".xx..xx.");
  Tiled tiles;
  tiles.levels.emplace_back();
  tiles.levels[0].tile_shape = {2, 2};
  CHECK(counted(accepted(tensor(tag::e8m0, layout::tiled, {1, 3}, {8}, tiles))) == "xx..x...");
  Morton morton;
  morton.morton_bits = {2, 2};
  CHECK(counted(accepted(tensor(tag::e8m0, layout::morton, {3, 1}, {16}, morton))) ==
        "xx..x...........");
  Hilbert hilbert;
  CHECK(counted(accepted(tensor(tag::e8m0, layout::hilbert, {2, 2}, {6}, hilbert))) == "xxxx..");
  CHECK(counted(accepted(tensor(tag::e8m0, layout::row_major, {0, 3}, {0}))).empty());
}

TEST_CASE("every dense layout against the addresses of all indices") {
  std::mt19937 random(31);
  auto pick = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  auto size = [&](std::int64_t high) { return static_cast<std::uint64_t>(pick(1, high)); };
  for (int round = 0; round < 400; ++round) {
    std::size_t rank = size(3);
    Sizes shape(rank);
    Descriptor d;
    switch (round % 4) {
      case 0: {
        Strided s;
        for (std::uint64_t& n : shape) n = size(4), s.strides.push_back(pick(-6, 6));
        d = tensor(tag::e8m0, layout::strided, shape, {150}, s);
        break;
      }
      case 1: {
        Morton m;
        for (std::uint64_t& n : shape) {
          m.morton_bits.push_back(static_cast<std::uint32_t>(pick(1, 2)));
          n = size(std::int64_t{1} << m.morton_bits.back());
        }
        d = tensor(tag::e8m0, layout::morton, shape, {150}, m);
        break;
      }
      default: {
        std::size_t depth = size(2);
        Tiled t;
        Sizes tile(rank);
        for (std::uint64_t& n : tile) n = size(2);
        for (std::size_t i = 0; i < depth; ++i) {
          TileLevel level;
          level.tile_shape = tile;
          level.outer_layout = static_cast<std::uint8_t>(pick(1, 3));
          level.inner_layout = static_cast<std::uint8_t>(i == 0 ? pick(1, 3) : 4);
          for (std::size_t k = 0; k < rank; ++k) {
            if (level.outer_layout == layout::strided) level.outer_strides.push_back(pick(-3, 3));
            if (level.inner_layout == layout::strided) level.inner_strides.push_back(pick(-3, 3));
          }
          t.levels.insert(t.levels.begin(), level);
          for (std::uint64_t& n : tile) n *= size(2);
        }
        for (std::size_t k = 0; k < rank; ++k) shape[k] = size(5);
        d = tensor(tag::e8m0, layout::tiled, shape, {1200}, t);
      }
    }
    d.byte_offset = d.header.layout_tag == layout::morton ? 3 : d.buffers.handles[0].byte_size / 2;
    if (!judge(serialize(d)).accepted()) continue;  // some strides reach further
    CAPTURE(round, shape);
    std::string expected = addressed(d);
    // Every byte that counts is found when it alone is wrong, and no other ever is.
    Bytes bytes(d.buffers.handles[0].byte_size);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = expected[i] == 'x' ? 0x7F : 0x00;
    CHECK(verdict(d, {bytes}) == "fine");
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (expected[i] != 'x') continue;
      bytes[i] = 0xFF;
      REQUIRE(verdict(d, {bytes}) == "CON-07 b0+" + std::to_string(i));
      bytes[i] = 0x7F;
    }
  }
}

TEST_CASE("elements repeated without end take no time") {
  constexpr std::uint64_t many = std::uint64_t{1} << 60;
  Held one = {Bytes{0x00}};
  CHECK(verdict(over(one, tag::e8m0, layout::strided, {many, many}, strides({0, 0})), one) ==
        "CON-07 b0+0");
  // Sixty dimensions of two over the same 61 bytes: 2^60 indices.
  Bytes row(61, 0x7F);
  row[60] = 0;
  Held held = {row};
  CHECK(verdict(over(held, tag::e8m0, layout::strided, Sizes(60, 2),
                     strides(std::vector<std::int64_t>(60, 1))),
                held) == "CON-07 b0+60");
  Tiled tiles;
  tiles.levels.emplace_back();
  tiles.levels[0].tile_shape = {1};
  tiles.levels[0].outer_layout = layout::strided;
  tiles.levels[0].outer_strides = {0};
  CHECK(verdict(over(one, tag::e8m0, layout::tiled, {many}, tiles), one) == "CON-07 b0+0");
}

TEST_CASE("stored values of sparse tensors count, whatever lies behind them does not") {
  Coo coo;
  coo.nnz = 2;
  Held held = {Bytes{0x7F, 0x00, 0x00}, u64s({1, 3})};
  CHECK(verdict(over(held, tag::e8m0, layout::coo, {4}, coo), held) == "CON-07 b0+1");
  held[0] = {0x7F, 0x7F, 0x00};
  CHECK(verdict(over(held, tag::e8m0, layout::coo, {4}, coo), held) == "fine");
}

TEST_CASE("pages: the tokens that a sequence surely has (D-140)") {
  BlockPaged paged;
  paged.page_size = 4;
  paged.num_pages = 3;
  paged.num_seqs = 2;
  auto counts = [&](std::uint64_t total, Bytes table, Bytes pointers) {
    Bytes pool(12, 0x7F);
    std::string map;
    for (std::size_t i = 0; i < 12; ++i) {
      pool[i] = 0;
      Held held = {pool, table, pointers};
      map += verdict(over(held, tag::e8m0, layout::block_paged, {total, 1, 1}, paged), held) ==
                     "CON-07 b0+" + std::to_string(i)
                 ? 'x'
                 : '.';
      pool[i] = 0x7F;
    }
    return map;
  };
  // 9 tokens in pages 0, 1 | 2: at least 5 in the first sequence, at least 1 in the second.
  CHECK(counts(9, u32s({0, 1, 2}), u32s({0, 2, 3})) == "xxxxx...x...");
  CHECK(counts(12, u32s({0, 1, 2}), u32s({0, 2, 3})) == "xxxxxxxxxxxx");
  CHECK(counts(4, u32s({0, 1, 2}), u32s({0, 2, 3})) == "............");
  // One sequence has all tokens; the other pages are free.
  paged.num_seqs = 1;
  CHECK(counts(6, u32s({2, 0}), u32s({0, 2})) == "xx......xxxx");
  // A page listed twice counts once (BPG-24).
  CHECK(counts(7, u32s({1, 1}), u32s({0, 2})) == "....xxxx....");
}
