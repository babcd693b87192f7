// How many elements a buffer stores one after the other (open point D-088): memory-layout.md and
// the Buffer Size parts of the layout pages.
#include <algorithm>

#include "pages.h"

namespace plumbline {

namespace {

Exact whole_tiles(const Tiled& layout, const std::vector<std::uint64_t>& shape) {
  Exact count(1);
  for (std::size_t k = 0; k < shape.size(); ++k) {
    Exact size(layout.levels[0].tile_shape[k]);  // inner tiles divide it (clause TIL-10)
    count = count * ceil_divide(Exact(shape[k]), layout.levels[0].tile_shape[k]) * size;
  }
  return count;
}

bool has_strided_order(const Tiled& layout) {
  return std::ranges::any_of(layout.levels, [](const TileLevel& t) {
    return t.outer_layout == layout::strided || t.inner_layout == layout::strided;
  });
}

// Room for 2^sum(bits) elements and for the highest code in use (open point D-120).
Exact morton_storage(const Morton& layout, const std::vector<std::uint64_t>& shape) {
  std::uint64_t sum = 0;
  Index last;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    std::uint64_t bits = layout.morton_bits[k];
    sum += bits;
    last.push_back(bits < 64 ? std::min(shape[k] - 1, (std::uint64_t{1} << bits) - 1)
                             : shape[k] - 1);
  }
  return larger(power_of_two(sum), morton_offset(layout.morton_bits, last).forward + Exact(1));
}

}  // namespace

std::optional<Exact> storage_elements(const Descriptor& d) {
  if (auto* l = std::get_if<Coo>(&d.layout)) return Exact(l->nnz);
  if (auto* l = std::get_if<CompressedMatrix>(&d.layout)) return Exact(l->nnz);
  if (auto* l = std::get_if<Csf>(&d.layout)) return Exact(l->nnz);
  if (auto* l = std::get_if<BlockPaged>(&d.layout)) {
    if (d.shape.size() != 3 || d.shape[1] == dynamic_dimension || d.shape[2] == dynamic_dimension)
      return std::nullopt;
    return Exact(l->num_pages) * Exact(l->page_size) * Exact(d.shape[1]) * Exact(d.shape[2]);
  }
  if (d.has_dynamic_dimension()) return std::nullopt;
  if (d.is_empty()) return Exact(0);
  // The first index has an offset just where the layout's fields are sound.
  if (!element_offset(d, Index(d.shape.size(), 0))) return std::nullopt;
  if (std::holds_alternative<Contiguous>(d.layout)) return d.element_count();
  if (auto* l = std::get_if<Tiled>(&d.layout); l && !has_strided_order(*l))
    return whole_tiles(*l, d.shape);
  if (auto* l = std::get_if<Morton>(&d.layout)) return morton_storage(*l, d.shape);
  if (auto* l = std::get_if<Hilbert>(&d.layout))
    return power_of_two(std::uint64_t{l->hilbert_rank} * l->hilbert_order);
  return std::nullopt;
}

}  // namespace plumbline
