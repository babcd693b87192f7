// layouts/tiled.md, Element Address (clause TIL-11); step 3 counts elements (open point D-110)
#include "element_offset.h"

namespace plumbline {

namespace {

// Level `level` divides `extent` into tiles; `index` is inside `extent`.
ElementOffset level_offset(const Tiled& layout, std::size_t level,
                           const std::vector<std::uint64_t>& extent, const Index& index) {
  const TileLevel& t = layout.levels[level];
  std::vector<std::uint64_t> num_tiles;
  Index tile_index, in_tile;  // t_k and e_k of the page
  Exact tile_elements(1);
  for (std::size_t k = 0; k < extent.size(); ++k) {
    std::uint64_t size = t.tile_shape[k];
    num_tiles.push_back(
        extent[k] / size +
        (extent[k] % size != 0 && !mutant("wrong:", "edge tiles not counted") ? 1 : 0));
    tile_index.push_back(index[k] / size);
    in_tile.push_back(index[k] % size);
    tile_elements = tile_elements * Exact(size);
  }

  ElementOffset tile_number =
      t.outer_layout == layout::row_major      ? row_major_offset(num_tiles, tile_index)
      : t.outer_layout == layout::column_major ? column_major_offset(num_tiles, tile_index)
                                               : strided_offset(t.outer_strides, tile_index);
  ElementOffset inside =
      t.inner_layout == layout::row_major      ? row_major_offset(t.tile_shape, in_tile)
      : t.inner_layout == layout::column_major ? column_major_offset(t.tile_shape, in_tile)
      : t.inner_layout == layout::strided      ? strided_offset(t.inner_strides, in_tile)
                                          : level_offset(layout, level + 1, t.tile_shape, in_tile);
  if (mutant("wrong:", "tiles in the other order of their elements"))
    return inside * tile_elements + tile_number;
  return tile_number * tile_elements + inside;
}

}  // namespace

ElementOffset tiled_offset(const Tiled& layout, const std::vector<std::uint64_t>& shape,
                           const Index& index) {
  return level_offset(layout, 0, shape, index);
}

}  // namespace plumbline
