// layouts/tiled.md; metadata.md, Tiled / Blocked
#include "../judge.h"

namespace plumbline {

namespace {

bool has_known_orders(const TileLevel& t) {
  return t.outer_layout >= limit("TIL-02.low", 1) && t.outer_layout <= limit("TIL-02.high", 3) &&
         t.inner_layout >= limit("TIL-03.low", 1) && t.inner_layout <= limit("TIL-03.high", 4);
}

Exact product(const std::vector<std::uint64_t>& sizes) {
  Exact p(1);
  for (std::uint64_t size : sizes) p = p * Exact(size);
  return p;
}

// Offsets reached by strides over `sizes` places a dimension, all sizes at least 1.
Reach strided_reach(const std::vector<std::int64_t>& strides,
                    const std::vector<std::uint64_t>& sizes) {
  Reach reach;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    bool negative = strides[k] < 0;
    std::uint64_t bits = static_cast<std::uint64_t>(strides[k]);
    Exact distance = Exact(negative ? 0 - bits : bits) * Exact(sizes[k] - 1);
    (negative ? reach.low : reach.high) = (negative ? reach.low : reach.high) + distance;
  }
  return reach;
}

Reach contiguous_reach(Exact count) {
  return {Exact(0), count.is_beyond() ? Exact::beyond() : Exact(count.value() - 1)};
}

// The element offsets of level `i` and all below it, over whole tiles (open point D-111), where
// `extent` is the shape that this level divides.
Reach tile_reach(const Tiled& layout, std::size_t i, const std::vector<std::uint64_t>& extent) {
  const TileLevel& t = layout.levels[i];
  std::vector<std::uint64_t> tiles;
  for (std::size_t k = 0; k < extent.size(); ++k)
    tiles.push_back(extent[k] / t.tile_shape[k] + (extent[k] % t.tile_shape[k] != 0));
  Exact tile_elements = product(t.tile_shape);
  Reach outer = t.outer_layout == layout::strided ? strided_reach(t.outer_strides, tiles)
                                                  : contiguous_reach(product(tiles));
  Reach inner = t.inner_layout == layout::tiled     ? tile_reach(layout, i + 1, t.tile_shape)
                : t.inner_layout == layout::strided ? strided_reach(t.inner_strides, t.tile_shape)
                                                    : contiguous_reach(tile_elements);
  return {outer.low * tile_elements + inner.low, outer.high * tile_elements + inner.high};
}

}  // namespace

void Tiled::visit(Fields& f, std::uint32_t rank) {
  std::string outer_prefix = "layout.";
  for (std::size_t i = 0;; ++i) {
    if (i == levels.size()) levels.emplace_back();
    TileLevel& t = levels[i];
    f.prefix(outer_prefix + "tile." + std::to_string(i) + ".");
    t.at = f.offset();
    f.u64s("tile_shape", t.tile_shape, rank);
    f.u8("outer_layout", t.outer_layout);
    f.u8("inner_layout", t.inner_layout);
    f.bytes("reserved", t.reserved, 2);
    located = f.ok() && has_known_orders(t);
    if (!located) return;
    if (t.inner_layout == layout::strided && mutant("wrong:", "inner strides first"))
      f.i64s("inner_strides", t.inner_strides, rank);
    if (t.outer_layout == layout::strided) f.i64s("outer_strides", t.outer_strides, rank);
    if (t.inner_layout == layout::strided && !mutant("wrong:", "inner strides first"))
      f.i64s("inner_strides", t.inner_strides, rank);
    bool ends = t.inner_layout != layout::tiled;
    located = f.ok() && (ends || i + 1 != limit("TIL-06", deepest_tiling));
    if (ends || !located) return;
  }
}

void judge_tiled(const Descriptor&, const Tiled& layout, Faults& faults) {
  for (std::size_t i = 0; i < layout.levels.size(); ++i) {
    const TileLevel& t = layout.levels[i];
    const TileLevel* around = i > 0 ? &layout.levels[i - 1] : nullptr;
    for (std::size_t k = 0; k < t.tile_shape.size(); ++k) {
      std::size_t at = t.at + 8 * k;
      if (t.tile_shape[k] < limit("TIL-01", std::uint64_t{1}))
        faults.add("TIL-01", at, "tile size 0", "a tile size above 0");
      else if (around && around->tile_shape[k] % t.tile_shape[k] != 0)
        faults.add("TIL-10", at,
                   "nested tile size " + std::to_string(t.tile_shape[k]) + " in a tile of " +
                       std::to_string(around->tile_shape[k]),
                   "a divisor of the size of the tile around it");
    }
    std::size_t at = t.outer_layout_at();
    if (t.outer_layout < limit("TIL-02.low", 1) || t.outer_layout > limit("TIL-02.high", 3))
      faults.add("TIL-02", at, "outer layout " + hex_tag(t.outer_layout), "0x01, 0x02 or 0x03");
    if (t.inner_layout < limit("TIL-03.low", 1) || t.inner_layout > limit("TIL-03.high", 4))
      faults.add("TIL-03", at + 1, "inner layout " + hex_tag(t.inner_layout),
                 "0x01, 0x02, 0x03 or 0x04");
    judge_zero(t.reserved, "TIL-04", at + 2, faults);
    if (i + 1 == limit("TIL-06", deepest_tiling) && t.inner_layout == layout::tiled)
      faults.add("TIL-06", at + 1, "a ninth level of tiles", "at most 8 levels");
  }
}

void need_tiled(const Descriptor& d, const Tiled& layout, std::vector<Need>& needs) {
  if (!layout.located) return;
  for (std::size_t i = 0; i < layout.levels.size(); ++i)
    for (std::size_t k = 0; k < d.shape.size(); ++k) {
      const std::vector<std::uint64_t>& sizes = layout.levels[i].tile_shape;
      if (k >= sizes.size() || sizes[k] == 0) return;
      if (i > 0 && layout.levels[i - 1].tile_shape[k] % sizes[k] != 0) return;
    }
  for (const TileLevel& t : layout.levels) {  // strides that were cut off
    if (t.outer_layout == layout::strided && t.outer_strides.size() != d.shape.size()) return;
    if (t.inner_layout == layout::strided && t.inner_strides.size() != d.shape.size()) return;
  }
  if (layout.levels.empty() || layout.levels.back().inner_layout == layout::tiled) return;
  need_reach(d, tile_reach(layout, 0, d.shape), "TIL-07", needs);
}

}  // namespace plumbline
