#include "exact_sizes.h"

namespace plumbline::fuzz {

namespace {

struct Width {
  std::uint8_t first, last;
  unsigned bits;
};
// element-types.md, Type Properties Summary.
constexpr Width widths[] = {
    {0x01, 0x02, 16}, {0x03, 0x03, 32}, {0x04, 0x04, 64},  {0x10, 0x11, 8},  {0x12, 0x13, 16},
    {0x14, 0x15, 32}, {0x16, 0x17, 64}, {0x20, 0x20, 1},   {0x40, 0x42, 8},  {0x43, 0x43, 4},
    {0x44, 0x45, 6},  {0x46, 0x46, 128}, {0x48, 0x49, 4},  {0x4A, 0x4B, 2},  {0x50, 0x50, 64},
    {0x51, 0x51, 128},
};

Integer up(const Integer& a, const Integer& b) { return (a + b - 1) / b; }

Integer power(const Integer& exponent) { return Integer(1) << static_cast<unsigned>(exponent); }

// The order of a box: 01 the last index fastest, 02 the first, 03 by strides.
Integer ordered(std::uint8_t order, const std::vector<Integer>& sizes,
                const std::vector<Integer>& at, const std::vector<std::int64_t>& strides) {
  Integer offset = 0;
  std::size_t rank = sizes.size();
  if (order == 3) {
    for (std::size_t k = 0; k < rank; ++k) offset += at[k] * strides[k];
  } else if (order == 1) {
    for (std::size_t k = 0; k < rank; ++k) offset = offset * sizes[k] + at[k];
  } else {
    for (std::size_t k = rank; k-- > 0;) offset = offset * sizes[k] + at[k];
  }
  return offset;
}

Integer product(const std::vector<Integer>& sizes) {
  Integer all = 1;
  for (const Integer& size : sizes) all *= size;
  return all;
}

std::vector<Integer> wide(const std::vector<std::uint64_t>& values) {
  return {values.begin(), values.end()};
}

// tiled.md: tile coordinates pick the tile, the rest of the index the place in it; a nested tile is
// ordered by the next level.
Integer tiled_offset(const Tiled& tiled, std::size_t level, std::vector<Integer> sizes,
                     std::vector<Integer> at) {
  const TileLevel& l = tiled.levels[level];
  std::vector<Integer> tile = wide(l.tile_shape), grid(sizes.size()), which(sizes.size()), in(sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    grid[k] = up(sizes[k], tile[k]);
    which[k] = at[k] / tile[k];
    in[k] = at[k] % tile[k];
  }
  Integer inside = l.inner_layout == 4 ? tiled_offset(tiled, level + 1, tile, in)
                                       : ordered(l.inner_layout, tile, in, l.inner_strides);
  return ordered(l.outer_layout, grid, which, l.outer_strides) * product(tile) + inside;
}

// morton.md, Morton Index Computation, as printed: bit b of dimension k goes to bit b * rank + k.
Integer morton_code(const Morton& morton, const std::vector<std::uint64_t>& index) {
  Integer code = 0;
  std::size_t rank = index.size();
  for (unsigned b = 0; b < 64; ++b)
    for (std::size_t k = 0; k < rank; ++k)
      if (b < morton.morton_bits[k] && (index[k] >> b & 1) != 0)
        boost::multiprecision::bit_set(code, static_cast<unsigned>(b * rank + k));
  return code;
}

// The lowest and highest offset of a box with an order.
struct Span {
  Integer low = 0, high = 0;
};
Span ordered_span(std::uint8_t order, const std::vector<Integer>& sizes,
                  const std::vector<std::int64_t>& strides) {
  Span span;
  if (order != 3) {
    span.high = product(sizes) - 1;
    return span;
  }
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    Integer reach = (sizes[k] - 1) * strides[k];
    (reach < 0 ? span.low : span.high) += reach;
  }
  return span;
}
Span tiled_span(const Tiled& tiled, std::size_t level, const std::vector<Integer>& sizes) {
  const TileLevel& l = tiled.levels[level];
  std::vector<Integer> tile = wide(l.tile_shape), grid(sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) grid[k] = up(sizes[k], tile[k]);
  Span outer = ordered_span(l.outer_layout, grid, l.outer_strides);
  Span inner = l.inner_layout == 4 ? tiled_span(tiled, level + 1, tile)
                                   : ordered_span(l.inner_layout, tile, l.inner_strides);
  return {outer.low * product(tile) + inner.low, outer.high * product(tile) + inner.high};
}

}  // namespace

std::optional<unsigned> exact_bits(const Descriptor& d) {
  std::uint8_t tag = d.header.type_tag;
  if (tag >= 0xF0 && tag <= 0xFE) {
    if (!d.extension_type) return std::nullopt;
    return d.extension_type->bit_width;
  }
  for (const Width& w : widths)
    if (tag >= w.first && tag <= w.last) return w.bits;
  return std::nullopt;
}

Integer exact_bytes(unsigned bits, const Integer& count) {
  if (bits == 6) return up(count, 4) * 3;
  return up(count * bits, 8);
}

std::vector<Integer> exact_layout_sizes(const Descriptor& d) {
  std::optional<unsigned> bits = exact_bits(d);
  if (!bits || d.has_dynamic_dimension()) return {};
  std::vector<Integer> shape = wide(d.shape);
  Integer cells = product(shape);
  std::size_t rank = shape.size();
  auto dense = [&](Span span) -> std::vector<Integer> {
    if (cells == 0) return {0};
    return {d.byte_offset + exact_bytes(*bits, span.high + 1)};
  };
  if (std::holds_alternative<Contiguous>(d.layout)) return dense({0, cells - 1});
  if (auto* l = std::get_if<Strided>(&d.layout)) {
    if (cells == 0) return {0};
    return dense(ordered_span(3, shape, l->strides));
  }
  if (auto* l = std::get_if<Tiled>(&d.layout)) {
    if (cells == 0) return {0};
    return dense(tiled_span(*l, 0, shape));
  }
  if (auto* l = std::get_if<Morton>(&d.layout)) {
    Integer sum = 0;
    for (std::uint32_t n : l->morton_bits) sum += n;
    if (sum > 4096) return {};
    if (cells == 0) return {0};
    // 2^sum elements, or as many as the printed codes reach where that is more (D-120).
    std::vector<std::uint64_t> last;
    for (std::size_t k = 0; k < rank; ++k) {
      std::uint64_t ones = l->morton_bits[k] < 64 ? (std::uint64_t{1} << l->morton_bits[k]) - 1 : ~std::uint64_t{0};
      last.push_back(std::min(d.shape[k] - 1, ones));
    }
    Integer reached = morton_code(*l, last), most = power(sum) - 1;
    return dense({0, reached > most ? reached : most});
  }
  if (auto* l = std::get_if<Hilbert>(&d.layout)) {
    Integer exponent = Integer(l->hilbert_order) * l->hilbert_rank;
    if (exponent > 4096) return {};
    return dense({0, power(exponent) - 1});
  }
  if (auto* l = std::get_if<Coo>(&d.layout))
    return {exact_bytes(*bits, l->nnz), Integer(l->nnz) * rank * 8};
  if (auto* l = std::get_if<CompressedMatrix>(&d.layout)) {
    if (rank != 2) return {};
    Integer lines = d.header.layout_tag == layout::csr ? shape[0] : shape[1];
    return {exact_bytes(*bits, l->nnz), Integer(l->nnz) * 8, (lines + 1) * 8};
  }
  if (auto* l = std::get_if<Csf>(&d.layout)) {
    // pos_L has one entry more than there are nodes above, which stand in the buffers.
    std::vector<Integer> sizes(2 * rank + 1, 0);
    for (std::size_t level = 0; level < rank; ++level) sizes[2 * level + 1] = 8;
    sizes[0] = exact_bytes(*bits, l->nnz);
    if (rank > 0) sizes[1] = 16, sizes[2 * rank] = Integer(l->nnz) * 8;
    return sizes;
  }
  if (auto* l = std::get_if<BlockPaged>(&d.layout)) {
    if (rank != 3) return {};
    Integer slots = Integer(l->num_pages) * l->page_size;
    Integer width = l->block_table_index_type == 0 ? 4 : 8;
    return {exact_bytes(*bits, slots * shape[1] * shape[2]), 0, (Integer(l->num_seqs) + 1) * width};
  }
  return {};
}

std::optional<Integer> exact_offset(const Descriptor& d, const std::vector<std::uint64_t>& index) {
  std::vector<Integer> shape = wide(d.shape), at = wide(index);
  if (d.header.layout_tag == layout::row_major) return ordered(1, shape, at, {});
  if (d.header.layout_tag == layout::column_major) return ordered(2, shape, at, {});
  if (auto* l = std::get_if<Strided>(&d.layout)) return ordered(3, shape, at, l->strides);
  if (auto* l = std::get_if<Tiled>(&d.layout)) return tiled_offset(*l, 0, shape, at);
  if (auto* l = std::get_if<Morton>(&d.layout)) return morton_code(*l, index);
  return std::nullopt;
}

std::optional<Integer> exact_parameter_count(const Descriptor& d) {
  if (!d.quantization || d.has_dynamic_dimension()) return std::nullopt;
  auto blocks = [&](std::uint32_t axis, std::uint32_t block) -> std::optional<Integer> {
    if (axis >= d.shape.size() || block == 0) return std::nullopt;
    Integer count = up(d.shape[axis], block);
    for (std::size_t k = 0; k < d.shape.size(); ++k)
      if (k != axis) count *= d.shape[k];
    return count;
  };
  if (auto* s = std::get_if<PerChannelAffine>(&d.quantization->scheme))
    return s->axis < d.shape.size() ? std::optional<Integer>(d.shape[s->axis]) : std::nullopt;
  if (auto* l = std::get_if<BlockPaged>(&d.layout)) {
    if (!std::holds_alternative<PerBlockAffine>(d.quantization->scheme) || d.shape.size() != 3)
      return std::nullopt;
    return Integer(l->num_pages) * l->page_size;
  }
  if (auto* s = std::get_if<PerBlockAffine>(&d.quantization->scheme)) return blocks(s->axis, s->block_size);
  if (auto* s = std::get_if<Nf4>(&d.quantization->scheme)) return blocks(s->axis, s->block_size);
  if (auto* s = std::get_if<Mxfp>(&d.quantization->scheme)) return blocks(s->axis, s->block_size);
  return std::nullopt;
}

}  // namespace plumbline::fuzz
