// element-types.md, float8_e8m0: a reader that meets 00 or FF treats the descriptor as invalid
// (clause CON-07). Only elements count that an index reaches: padding may hold anything (open point
// D-084).
//
// Strides may repeat elements without end, so the elements are not visited index by index: the
// bytes that they reach are marked, one dimension after the other, in time linear in the buffer for
// each.
#include <algorithm>

#include "pages.h"

namespace plumbline {

namespace {

constexpr std::uint8_t e8m0 = 0x42;
using Marks = std::vector<bool>;  // of the bytes of buffer 0, one e8m0 each

Marks merged(Marks a, const Marks& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (b[i]) a[i] = true;
  return a;
}

// The bytes at m + j * stride, for each byte m that is marked and j from 0 to count - 1.
Marks repeated(Marks marks, bool backward, Exact stride, std::uint64_t count) {
  std::size_t size = marks.size();
  if (count == 0) return Marks(size, false);
  if (count == 1 || stride.is_zero() || !stride.at_most(size)) return marks;
  std::size_t step = static_cast<std::size_t>(stride.value());
  // Along each chain of bytes one stride apart: how many steps since the last marked one.
  for (std::size_t start = 0; start < std::min(step, size); ++start) {
    std::size_t links = (size - start + step - 1) / step;
    std::uint64_t since = count;
    for (std::size_t n = 0; n < links; ++n) {
      std::size_t i = start + (backward ? links - 1 - n : n) * step;
      if (marks[i])
        since = 0;
      else if (since < count)
        ++since;
      if (since < count) marks[i] = true;
    }
  }
  return marks;
}

Marks repeated(Marks marks, std::int64_t stride, std::uint64_t count) {
  std::uint64_t bits = static_cast<std::uint64_t>(stride);
  return repeated(std::move(marks), stride < 0, Exact(stride < 0 ? 0 - bits : bits), count);
}

// The step between neighbours of dimension k, in tiles (outer) or elements (inner).
struct Step {
  bool backward = false;
  Exact distance;
};
Step step_of(std::uint8_t order, const std::vector<std::uint64_t>& sizes,
             const std::vector<std::int64_t>& strides, std::size_t k) {
  if (order == layout::strided) {
    std::uint64_t bits = static_cast<std::uint64_t>(strides[k]);
    return {strides[k] < 0, Exact(strides[k] < 0 ? 0 - bits : bits)};
  }
  Exact distance(1);
  for (std::size_t j = 0; j < sizes.size(); ++j)
    if (order == layout::row_major ? j > k : j < k) distance = distance * Exact(sizes[j]);
  return {false, distance};
}

// Dimension k of `level` and below: the first `size` places, where the level divides `extent`.
Marks reach_tiles(const Tiled& layout, std::size_t level, const std::vector<std::uint64_t>& extent,
                  std::size_t k, std::uint64_t size, const Marks& from) {
  const TileLevel& t = layout.levels[level];
  std::vector<std::uint64_t> num_tiles;
  Exact tile_elements(1);
  for (std::size_t j = 0; j < extent.size(); ++j) {
    num_tiles.push_back(extent[j] / t.tile_shape[j] + (extent[j] % t.tile_shape[j] != 0 ? 1 : 0));
    tile_elements = tile_elements * Exact(t.tile_shape[j]);
  }
  Step outer = step_of(t.outer_layout, num_tiles, t.outer_strides, k);
  Step inner = step_of(t.inner_layout, t.tile_shape, t.inner_strides, k);
  outer.distance = outer.distance * tile_elements;
  auto inside = [&](const Marks& marks, std::uint64_t places) {
    return t.inner_layout == layout::tiled
               ? reach_tiles(layout, level + 1, t.tile_shape, k, places, marks)
               : repeated(marks, inner.backward, inner.distance, places);
  };
  // Whole tiles, then the part of the last one that lies inside the shape.
  std::uint64_t whole = size / t.tile_shape[k], rest = size % t.tile_shape[k];
  Marks reached(from.size(), false);
  if (whole > 0)
    reached = repeated(inside(from, t.tile_shape[k]), outer.backward, outer.distance, whole);
  if (rest > 0) {
    // Every byte so far, moved to tile number `whole`.
    Marks at_tile(from.size(), false);
    Exact distance = outer.distance * Exact(whole);
    for (std::size_t i = 0; i < from.size() && distance.at_most(from.size()); ++i) {
      std::size_t far = static_cast<std::size_t>(distance.value());
      bool fits = outer.backward ? i >= far : i + far < from.size();
      if (from[i] && fits) at_tile[outer.backward ? i - far : i + far] = true;
    }
    reached = merged(std::move(reached), inside(at_tile, rest));
  }
  return reached;
}

// Morton codes do not repeat, so the indices are no more than the storage: one by one.
void reach_morton(const Morton& layout, const std::vector<std::uint64_t>& shape,
                  std::uint64_t start, Marks& marks) {
  std::vector<std::uint64_t> sizes = shape;  // index bits beyond morton_bits are dropped
  for (std::size_t k = 0; k < sizes.size(); ++k)
    if (layout.morton_bits[k] < 64)
      sizes[k] = std::min(sizes[k], std::uint64_t{1} << layout.morton_bits[k]);
  Index index(sizes.size(), 0);
  for (std::size_t k = 0; k < index.size();) {
    Exact at = Exact(start) + morton_offset(layout.morton_bits, index).forward;
    if (!at.at_most(marks.size() - 1)) return;
    marks[static_cast<std::size_t>(at.value())] = true;
    for (k = 0; k < index.size() && ++index[k] == sizes[k]; ++k) index[k] = 0;
  }
}

// The bytes of elements in a dense layout.
std::optional<Marks> reach_dense(const Descriptor& d, std::size_t size) {
  if (d.has_dynamic_dimension() || d.is_empty() || d.byte_offset >= size) return std::nullopt;
  if (!element_offset(d, Index(d.shape.size(), 0))) return std::nullopt;  // no sound fields
  Marks marks(size, false);
  marks[static_cast<std::size_t>(d.byte_offset)] = true;
  if (auto* l = std::get_if<Strided>(&d.layout)) {
    for (std::size_t k = 0; k < d.shape.size(); ++k)
      marks = repeated(std::move(marks), l->strides[k], d.shape[k]);
  } else if (auto* t = std::get_if<Tiled>(&d.layout)) {
    for (std::size_t k = 0; k < d.shape.size(); ++k)
      marks = reach_tiles(*t, 0, d.shape, k, d.shape[k], marks);
  } else if (auto* m = std::get_if<Morton>(&d.layout)) {
    reach_morton(*m, d.shape, d.byte_offset, marks);
  } else if (std::optional<Exact> stored = storage_elements(d); stored && stored->fits_u64()) {
    // Row-major, column-major and Hilbert fill their storage.
    marks =
        repeated(std::move(marks), std::int64_t{1}, static_cast<std::uint64_t>(stored->value()));
  }
  return marks;
}

// The bytes of tokens that a sequence surely has. Token counts are out of band (open point D-140);
// the fewest tokens of a sequence are the total less all that the others have room for.
std::optional<Marks> reach_pages(const Contents& c, const BlockPaged& layout) {
  const Descriptor& d = c.d;
  if (d.has_dynamic_dimension() || d.shape.size() != 3 || layout.paged_axis != 0)
    return std::nullopt;
  Exact slot_bytes = Exact(d.shape[1]) * Exact(d.shape[2]);
  if (slot_bytes.is_zero() || layout.page_size == 0 || layout.block_table_index_type > 1)
    return std::nullopt;
  Array block_table = c.array(1, layout.index_width()), seq_ptr = c.array(2, layout.index_width());
  std::uint64_t pages = *seq_ptr.entry(layout.num_seqs);
  // Without sound pointers and page IDs there are no tokens to speak of (CON-45 to 47, BPG-21,
  // BPG-22).
  if (*seq_ptr.entry(0) != 0 ||
      first_falling("CON-46", seq_ptr, std::uint64_t{layout.num_seqs} + 1) ||
      pages > block_table.size() || first_not_below(block_table, pages, layout.num_pages))
    return std::nullopt;
  u128 room = u128{pages} * layout.page_size, total = d.shape[0];
  if (total > room) return std::nullopt;

  std::vector<std::uint64_t> slots(static_cast<std::size_t>(layout.num_pages), 0);  // surely in use
  for (std::uint64_t s = 0; s < layout.num_seqs; ++s) {
    std::uint64_t begin = *seq_ptr.entry(s), end = *seq_ptr.entry(s + 1);
    u128 others = room - u128{end - begin} * layout.page_size;
    u128 tokens = total > others ? total - others : 0;
    for (std::uint64_t k = begin; k < end && tokens > 0; ++k) {
      std::uint64_t in_page = static_cast<std::uint64_t>(std::min<u128>(tokens, layout.page_size));
      std::uint64_t& used = slots[static_cast<std::size_t>(*block_table.entry(k))];
      used = std::max(used, in_page);
      tokens -= in_page;
    }
  }
  Marks marks(c.buffers[0].size(), false);
  for (std::size_t page = 0; page < slots.size(); ++page) {
    std::uint64_t width = static_cast<std::uint64_t>(slot_bytes.value());
    auto first = marks.begin() + static_cast<std::ptrdiff_t>(page * layout.page_size * width);
    std::fill_n(first, slots[page] * width, true);
  }
  return marks;
}

}  // namespace

void judge_reserved_patterns(Contents& c) {
  if (c.d.header.type_tag != e8m0 || c.buffers.empty()) return;
  ByteView data = c.buffers[0];
  std::optional<Marks> marks;
  if (auto* l = std::get_if<BlockPaged>(&c.d.layout)) {
    marks = reach_pages(c, *l);
  } else if (layout::is_dense(c.d.header.layout_tag)) {
    marks = reach_dense(c.d, data.size());
  } else if (std::optional<Exact> stored = storage_elements(c.d);
             stored && stored->at_most(data.size())) {
    marks = Marks(data.size(), false);  // every stored entry of a sparse layout has its index
    std::fill_n(marks->begin(), static_cast<std::ptrdiff_t>(stored->value()), true);
  }
  if (!marks) return;
  for (std::size_t i = 0; i < data.size(); ++i)
    if ((*marks)[i] &&
        (data[i] < limit("CON-07.low", 0x01) || data[i] > limit("CON-07.high", 0xFE))) {
      c.fault("CON-07", 0, i, "e8m0 code " + hex_tag(data[i]), "0x01 to 0xfe");
      return;
    }
}

}  // namespace plumbline
