// Tiles: the page's example, strided orders, and nested tiles by walking the storage.
#include "reference/addressing/address.h"
#include "reference/addressing/test_tensors.h"

using namespace plumbline;
using namespace plumbline::test;

namespace {

std::string kind(const std::expected<Address, Refusal>& result) {
  return result ? "none" : result.error().kind;
}

Address at(std::uint64_t byte) { return {0, byte, 0}; }

// Appends the cells of a level of tiles in storage order.
struct Walk {
  const Tiled& layout;
  std::vector<Sizes> cells;  // the index stored at each place
  void walk(std::size_t i, const Sizes& origin, const Sizes& extent) {
    const TileLevel& t = layout.levels[i];
    Sizes grid;
    for (std::size_t k = 0; k < extent.size(); ++k)
      grid.push_back((extent[k] + t.tile_shape[k] - 1) / t.tile_shape[k]);
    ordered(grid, t.outer_layout, [&](const Sizes& tile) {
      Sizes corner = origin;
      for (std::size_t k = 0; k < tile.size(); ++k) corner[k] += tile[k] * t.tile_shape[k];
      if (t.inner_layout == layout::tiled) {
        walk(i + 1, corner, t.tile_shape);
        return;
      }
      ordered(t.tile_shape, t.inner_layout, [&](const Sizes& inside) {
        Sizes cell = corner;
        for (std::size_t k = 0; k < inside.size(); ++k) cell[k] += inside[k];
        cells.push_back(cell);
      });
    });
  }
  template <class Visit>
  static void ordered(const Sizes& sizes, std::uint8_t order, Visit visit) {
    if (order == layout::row_major) return for_each_index(sizes, visit);
    Sizes reversed(sizes.rbegin(), sizes.rend());
    for_each_index(reversed,
                   [&](const Sizes& index) { visit(Sizes(index.rbegin(), index.rend())); });
  }
};

}  // namespace

TEST_CASE("tiled: the page's example") {
  Descriptor d = accepted(tensor(tag::f32, layout::tiled, {6, 8}, {192}, tiles({level({2, 4})})));
  CHECK(address(d, {3, 5}) == at(4 * 29));
  CHECK(address(d, {5, 7}) == at(4 * 47));
}

TEST_CASE("tiled by strides (D-111)") {
  Tiled outer = tiles({level({2, 4}, 3, 1, {4, 1})});
  Descriptor d = accepted(tensor(tag::f32, layout::tiled, {6, 8}, {320}, outer));
  CHECK(address(d, {5, 7}) == at(4 * 79));
  Tiled back = tiles({level({2, 4}, 3, 1, {-2, 1})});
  Descriptor b = tensor(tag::f32, layout::tiled, {6, 8}, {192}, back);
  b.byte_offset = 4 * 32;
  b = accepted(b);
  CHECK(address(b, {4, 0}) == at(0));
  CHECK(address(b, {1, 7}) == at(4 * 47));
}

TEST_CASE("nested tiles: every cell by walking the storage") {
  std::mt19937 random(20260);
  auto pick = [&](std::uint64_t low, std::uint64_t high) {
    return std::uniform_int_distribution<std::uint64_t>(low, high)(random);
  };
  for (int round = 0; round < 300; ++round) {
    std::size_t rank = pick(1, 3), depth = pick(1, 3);
    Tiled layout;
    Sizes tile(rank);
    for (std::uint64_t& size : tile) size = pick(1, 2);
    for (std::size_t i = 0; i < depth; ++i) {  // from the innermost tile out, each a multiple
      layout.levels.insert(layout.levels.begin(),
                           level(tile, static_cast<std::uint8_t>(pick(1, 2)),
                                 static_cast<std::uint8_t>(i == 0 ? pick(1, 2) : 4)));
      for (std::uint64_t& size : tile) size *= pick(1, 2);
    }
    Sizes shape(rank);
    for (std::size_t k = 0; k < rank; ++k)
      shape[k] = pick(1, 2 * layout.levels[0].tile_shape[k] + 1);
    Walk walk{layout, {}};
    walk.walk(0, Sizes(rank, 0), shape);
    Descriptor d =
        accepted(tensor(tag::f16, layout::tiled, shape, {2 * walk.cells.size()}, layout));
    std::size_t seen = 0;
    for (std::size_t place = 0; place < walk.cells.size(); ++place) {
      const Sizes& cell = walk.cells[place];
      bool inside = true;
      for (std::size_t k = 0; k < rank; ++k) inside = inside && cell[k] < shape[k];
      if (!inside) {
        CHECK(kind(address(d, cell)) == "range");  // D-115
        continue;
      }
      ++seen;
      REQUIRE(address(d, cell) == at(2 * place));
    }
    std::uint64_t elements = 1;
    for (std::uint64_t size : shape) elements *= size;
    CHECK(seen == elements);
  }
}
