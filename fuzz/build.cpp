#include "build.h"

#include "exact_sizes.h"
#include "vary.h"

namespace plumbline::fuzz {

namespace {

constexpr std::uint8_t public_types[] = {1,    2,    3,    4,    0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17,
                                         0x20, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x48, 0x49, 0x4A, 0x4B,
                                         0x50, 0x51};
constexpr std::uint8_t integer_types[] = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4A, 0x4B};
constexpr std::uint8_t block_types[] = {0x10, 0x11, 0x48, 0x49};

template <class T, std::size_t n>
T pick(Choices& choices, const T (&from)[n]) {
  return from[choices.below(n)];
}

// As many bytes as the integer says; more than a buffer may have counts as the most.
std::uint64_t as_size(const Integer& size) {
  constexpr std::uint64_t most = ~std::uint64_t{0};
  return size < 0 ? 0 : size > most ? most : static_cast<std::uint64_t>(size);
}

ExtensionType extension(Choices& choices) {
  ExtensionType e;
  static constexpr std::uint32_t widths[] = {1, 2, 4, 8, 16, 24, 64, 256};
  e.bit_width = pick(choices, widths);
  e.packing_factor = static_cast<std::uint8_t>(e.bit_width < 8 ? 8 / e.bit_width : 1);
  if (e.bit_width >= 8 && choices.one_in(2)) {
    e.is_float = 1;
    e.sign_bits = 1;
    e.exponent_bits = static_cast<std::uint8_t>(2 + choices.below(3));
    e.mantissa_bits = static_cast<std::uint8_t>(choices.below(4));
    e.exponent_bias = choices.byte();
    e.has_nan = choices.one_in(2);
    e.has_inf = choices.one_in(2);
  } else {
    e.is_signed = choices.one_in(2);
  }
  return e;
}

void dense_layout(Descriptor& d, Choices& choices) {
  std::size_t rank = d.shape.size();
  if (auto* l = std::get_if<Strided>(&d.layout)) {
    for (std::size_t k = 0; k < rank; ++k)
      l->strides.push_back(static_cast<std::int64_t>(choices.below(9)) - 2);
    std::int64_t below = 0;  // what negative strides reach
    for (std::size_t k = 0; k < rank; ++k)
      if (l->strides[k] < 0 && d.shape[k] > 0)
        below -= l->strides[k] * static_cast<std::int64_t>(d.shape[k] - 1);
    if (below > 0 && !d.is_empty())
      d.byte_offset = 64 * ((static_cast<std::uint64_t>(below) * 32 + 63) / 64);  // 32: the widest element
  }
  if (auto* l = std::get_if<Tiled>(&d.layout)) {
    std::size_t levels = 1 + choices.below(3);
    std::vector<std::uint64_t> tile(rank);
    for (std::size_t k = 0; k < rank; ++k) tile[k] = std::uint64_t{1} << choices.below(4);
    for (std::size_t n = 0; n < levels; ++n) {
      TileLevel level;
      level.tile_shape = tile;
      level.outer_layout = static_cast<std::uint8_t>(1 + choices.below(2));
      level.inner_layout = static_cast<std::uint8_t>(n + 1 < levels ? 4 : 1 + choices.below(2));
      l->levels.push_back(level);
      for (std::uint64_t& size : tile)
        if (size > 1 && choices.one_in(2)) size /= 2;
    }
  }
  if (auto* l = std::get_if<Morton>(&d.layout))
    for (std::uint64_t size : d.shape) {
      std::uint32_t bits = 1;
      while (std::uint64_t{1} << bits < size) ++bits;
      l->morton_bits.push_back(bits + static_cast<std::uint32_t>(choices.below(2)));
    }
  if (auto* l = std::get_if<Hilbert>(&d.layout)) {
    l->hilbert_order = static_cast<std::uint32_t>(1 + choices.below(3));
    l->hilbert_rank = static_cast<std::uint32_t>(rank);
    d.shape.assign(rank, std::uint64_t{1} << l->hilbert_order);
  }
}

void sparse_layout(Descriptor& d, Choices& choices) {
  Integer cells = 1;
  for (std::uint64_t size : d.shape) cells *= size;
  std::uint64_t nnz = std::min<std::uint64_t>(as_size(cells), choices.below(6));
  if (auto* l = std::get_if<Coo>(&d.layout)) l->nnz = nnz, l->is_sorted = choices.one_in(2);
  if (auto* l = std::get_if<CompressedMatrix>(&d.layout)) l->nnz = nnz;
  if (auto* l = std::get_if<Csf>(&d.layout)) {
    l->nnz = nnz;
    for (std::uint32_t k = 0; k < d.shape.size(); ++k) l->mode_order.push_back(k);
    if (!l->mode_order.empty())
      std::swap(l->mode_order[0], l->mode_order[choices.below(l->mode_order.size())]);
  }
  if (auto* l = std::get_if<BlockPaged>(&d.layout)) {
    l->page_size = static_cast<std::uint32_t>(1 + choices.below(8));
    l->num_seqs = static_cast<std::uint32_t>(1 + choices.below(3));
    l->num_pages = 1 + choices.below(4);
    l->kv_role = static_cast<std::uint8_t>(choices.below(3));
    l->block_table_index_type = choices.one_in(2);
    d.shape[0] = std::min<std::uint64_t>(d.shape[0], l->num_pages * l->page_size);
  }
}

// A scheme for the integer types; only dense layouts take the buffers.
void quantize(Descriptor& d, Choices& choices) {
  bool dense = layout::is_dense(d.header.layout_tag);
  if (d.header.layout_tag == layout::composite || d.header.layout_tag >= 0xF0) return;
  if (d.header.layout_tag == layout::block_paged || d.is_empty()) return;
  d.header.type_tag = pick(choices, integer_types);
  Quantization q;
  std::uint64_t kind = dense && !d.shape.empty() ? choices.below(3) : 0;
  std::uint32_t axis = static_cast<std::uint32_t>(choices.below(d.shape.size()));
  bool symmetric = choices.one_in(2);
  std::uint32_t zero_points = symmetric ? no_buffer : 2;
  if (kind == 0) {
    q.scheme_tag = scheme::per_tensor;
    PerTensorAffine s;
    s.zero_point = static_cast<std::int32_t>(choices.below(2));
    q.scheme = s;
  } else if (kind == 1) {
    q.scheme_tag = scheme::per_channel;
    q.scheme = PerChannelAffine{.axis = axis, .scale_buffer_index = 1, .zero_point_buffer_index = zero_points};
    q.flags = symmetric ? scheme::symmetric : 0;
  } else {
    std::uint32_t block = 2;
    while (block * 2 <= d.shape[axis] && choices.one_in(2)) block *= 2;
    if (d.shape[axis] % block != 0) return;  // a started last block has rules of its own
    q.scheme_tag = scheme::per_block;
    d.header.type_tag = pick(choices, block_types);
    q.scheme = PerBlockAffine{.axis = axis, .block_size = block, .scale_buffer_index = 1,
                              .zero_point_buffer_index = zero_points};
    q.flags = symmetric ? scheme::symmetric : 0;
  }
  d.quantization = q;
}

// Scales, and zero points behind them in the same buffer or in one of their own.
void parameter_sizes(const Quantization& q, const Integer& count, std::vector<Integer>& sizes) {
  unsigned scale = 4;
  bool has_zero_points = false, shares = false;
  if (auto* s = std::get_if<PerChannelAffine>(&q.scheme)) {
    has_zero_points = !q.is_symmetric();
    shares = s->zero_point_buffer_index == s->scale_buffer_index;
  }
  if (auto* s = std::get_if<PerBlockAffine>(&q.scheme)) {
    has_zero_points = !q.is_symmetric();
    shares = s->zero_point_buffer_index == s->scale_buffer_index;
    scale = s->scale_type_tag == 3 ? 4 : 2;
  }
  if (std::holds_alternative<Mxfp>(q.scheme)) scale = 1;
  sizes.push_back(count * (has_zero_points && shares ? scale + 4 : scale));
  if (has_zero_points && !shares) sizes.push_back(count * 4);
}

void fill_table(Descriptor& d) {
  d.buffers.handles.clear();
  if (d.is_composite_head()) return;
  std::vector<Integer> sizes = exact_layout_sizes(d);
  if (sizes.empty()) sizes = {Integer(1) << 16};  // private layouts: no formula
  if (d.header.layout_tag == layout::csf)
    for (std::size_t k = 2; k + 1 < sizes.size(); ++k)
      sizes[k] = (k % 2 == 0 ? sizes.back() : sizes.back() + 8);
  if (d.header.layout_tag == layout::block_paged) sizes[1] = 256;
  if (std::optional<Integer> count = exact_parameter_count(d)) parameter_sizes(*d.quantization, *count, sizes);
  for (const Integer& size : sizes) d.buffers.handles.push_back({.byte_size = as_size(size)});
}

}  // namespace

void settle(Descriptor& d) {
  d.header.rank = static_cast<std::uint32_t>(d.shape.size());
  d.header.flags = (d.quantization ? flag::quantization : 0) | (d.shard ? flag::shard : 0) |
                   (d.extension_type ? flag::extension_type : 0) | (d.statistics ? flag::statistics : 0) |
                   (d.composite_member ? flag::composite_member : 0);
  d.buffers.buffer_count = static_cast<std::uint8_t>(d.buffers.handles.size());
}

Descriptor sound(Choices& choices, std::optional<std::uint8_t> wanted) {
  Descriptor d;
  std::uint8_t tag = wanted ? *wanted : pick(choices, sound_layouts);
  d.header.layout_tag = tag;
  d.layout = layout_for(tag);
  std::size_t rank = tag == layout::row_major ? choices.below(5) : 1 + choices.below(4);
  if (tag == layout::csr || tag == layout::csc) rank = 2;
  if (tag == layout::csf) rank = 3 + choices.below(2);
  if (tag == layout::block_paged) rank = 3;
  if (tag == layout::hilbert) rank = 2 + choices.below(2);
  for (std::size_t k = 0; k < rank; ++k) d.shape.push_back(1 + choices.below(9));
  d.header.type_tag = pick(choices, public_types);
  if (layout::is_dense(tag) && choices.one_in(4)) d.byte_offset = 64;
  dense_layout(d, choices);
  sparse_layout(d, choices);
  if (auto* l = std::get_if<CompositeHead>(&d.layout)) {
    l->composition_rule = rule::group;
    l->member_count = static_cast<std::uint32_t>(1 + choices.below(4));
    d.header.type_tag = 3;
  }
  if (auto* l = std::get_if<PrivateLayout>(&d.layout)) {
    l->extension_layout_id = choices.wide();
    l->extension_data.assign(choices.below(9), choices.byte());
    l->extension_data_length = static_cast<std::uint32_t>(l->extension_data.size());
  }
  std::uint64_t extra = choices.below(4);
  if (extra == 1) {
    quantize(d, choices);
  } else if (extra == 2 && tag != layout::composite) {
    d.header.type_tag = static_cast<std::uint8_t>(0xF0 + choices.below(15));
    d.extension_type = extension(choices);
  }
  if (choices.one_in(3)) {
    d.statistics.emplace();
    d.statistics->nnz = choices.wide();
  }
  if (choices.one_in(4) && layout::is_dense(tag)) {
    d.shard.emplace();
    for (std::uint64_t size : d.shape) {
      d.shard->shard_offset.push_back(choices.below(5));
      d.shard->parent_shape.push_back(d.shard->shard_offset.back() + size + choices.below(3));
    }
  }
  if (choices.one_in(4) && tag != layout::composite)
    d.composite_member = CompositeMember{.member_role = static_cast<std::uint8_t>(choices.below(2))};
  // Last, so that inputs of the corpus keep what they build.
  vary_layout(d, choices);
  vary_quantization(d, choices);
  fill_table(d);
  vary_buffers(d, choices);
  vary_statistics(d, choices);
  settle(d);
  return d;
}

namespace {

template <class T>
T* layout_of(Descriptor& d) {
  return std::get_if<T>(&d.layout);
}
template <class T>
T* scheme_of(Descriptor& d) {
  return d.quantization ? std::get_if<T>(&d.quantization->scheme) : nullptr;
}
std::uint8_t not_zero(Choices& choices) { return static_cast<std::uint8_t>(1 + choices.below(255)); }

BufferHandle* handle(Descriptor& d, Choices& choices) {
  if (d.buffers.handles.empty()) return nullptr;
  return &d.buffers.handles[choices.below(d.buffers.handles.size())];
}
bool too_small(Descriptor& d, std::size_t k) {
  if (k >= d.buffers.handles.size() || d.buffers.handles[k].byte_size == 0) return false;
  --d.buffers.handles[k].byte_size;
  return true;
}
bool plain_dense(const Descriptor& d, unsigned narrowest, unsigned widest) {
  std::optional<unsigned> bits = exact_bits(d);
  return std::holds_alternative<Contiguous>(d.layout) && d.byte_offset == 0 && !d.extension_type && bits &&
         *bits >= narrowest && *bits <= widest;
}

}  // namespace

const std::vector<Violation> violations = {
    {"HDR-05", [](Descriptor& d, Choices& c) { return d.tail.assign(1 + c.below(8), c.byte()), true; }},
    {"ELT-01", [](Descriptor& d, Choices& c) {
       if (d.extension_type || d.quantization) return false;
       return d.header.type_tag = c.one_in(2) ? 0xFF : 0, true;
     }},
    {"FLG-02", [](Descriptor& d, Choices& c) { return d.header.flags |= 1u << (5 + c.below(27)), true; }},
    {"OFF-03", [](Descriptor& d, Choices&) {
       if (layout::is_dense(d.header.layout_tag) || d.is_composite_head() || d.header.layout_tag > 0x40) return false;
       if (d.buffers.handles[0].byte_size < 64) return false;
       return d.byte_offset = 64, true;
     }},
    {"OFF-01", [](Descriptor& d, Choices&) {
       if (!layout::is_dense(d.header.layout_tag)) return false;
       return d.byte_offset = d.buffers.handles[0].byte_size + 64 - d.buffers.handles[0].byte_size % 64, true;
     }},
    {"OFF-05", [](Descriptor& d, Choices&) {
       return layout::is_dense(d.header.layout_tag) && d.header.layout_tag != layout::strided &&
              d.byte_offset > 0 && !d.extension_type && too_small(d, 0);
     }},
    {"ELT-08", [](Descriptor& d, Choices&) { return plain_dense(d, 8, 128) && too_small(d, 0); }},
    {"ELT-09", [](Descriptor& d, Choices&) { return plain_dense(d, 1, 4) && too_small(d, 0); }},
    {"ELT-10", [](Descriptor& d, Choices&) { return plain_dense(d, 6, 6) && too_small(d, 0); }},
    {"STR-04", [](Descriptor& d, Choices&) {
       return d.header.layout_tag == layout::strided && !d.extension_type && too_small(d, 0) &&
              d.byte_offset <= d.buffers.handles[0].byte_size;
     }},
    {"TIL-01", [](Descriptor& d, Choices& c) {
       auto* l = layout_of<Tiled>(d);
       if (!l || d.shape.empty()) return false;
       return l->levels.back().tile_shape[c.below(d.shape.size())] = 0, true;
     }},
    {"TIL-02", [](Descriptor& d, Choices& c) {
       auto* l = layout_of<Tiled>(d);
       if (!l || d.extension_type) return false;
       return l->levels[0].outer_layout = static_cast<std::uint8_t>(4 + c.below(252)), true;
     }},
    {"TIL-03", [](Descriptor& d, Choices& c) {
       auto* l = layout_of<Tiled>(d);
       if (!l || d.extension_type) return false;
       return l->levels.back().inner_layout = static_cast<std::uint8_t>(5 + c.below(251)), true;
     }},
    {"TIL-04", [](Descriptor& d, Choices& c) {
       auto* l = layout_of<Tiled>(d);
       if (!l) return false;
       return l->levels[c.below(l->levels.size())].reserved[c.below(2)] = not_zero(c), true;
     }},
    {"TIL-07", [](Descriptor& d, Choices&) {
       return layout_of<Tiled>(d) && d.byte_offset == 0 && !d.extension_type && too_small(d, 0);
     }},
    {"MOR-01", [](Descriptor& d, Choices& c) {
       auto* l = layout_of<Morton>(d);
       if (!l) return false;
       std::size_t k = c.below(l->morton_bits.size());
       if (d.shape[k] != 1) return false;
       return l->morton_bits[k] = 0, true;
     }},
    {"MOR-02", [](Descriptor& d, Choices& c) {
       auto* l = layout_of<Morton>(d);
       if (!l || d.shard || d.quantization) return false;
       std::size_t k = c.below(l->morton_bits.size());
       d.buffers.handles[0].byte_size = 1 << 24;
       return d.shape[k] = (std::uint64_t{1} << l->morton_bits[k]) + 1, true;
     }},
    {"MOR-03", [](Descriptor& d, Choices&) {
       return layout_of<Morton>(d) && d.byte_offset == 0 && !d.extension_type && too_small(d, 0);
     }},
    {"HIL-06", [](Descriptor& d, Choices&) {
       return layout_of<Hilbert>(d) && d.byte_offset == 0 && !d.extension_type && too_small(d, 0);
     }},
    {"HIL-02", [](Descriptor& d, Choices&) {
       auto* l = layout_of<Hilbert>(d);
       if (!l) return false;
       return ++l->hilbert_rank, true;
     }},
    {"COO-02", [](Descriptor& d, Choices& c) {
       auto* l = layout_of<Coo>(d);
       if (!l) return false;
       return l->reserved[c.below(7)] = not_zero(c), true;
     }},
    {"COO-04", [](Descriptor& d, Choices&) { return layout_of<Coo>(d) && too_small(d, 1); }},
    {"CSF-03", [](Descriptor& d, Choices& c) {
       auto* l = layout_of<Csf>(d);
       if (!l) return false;
       std::size_t again = 1 + c.below(l->mode_order.size() - 1);
       return l->mode_order[again] = l->mode_order[c.below(again)], true;
     }},
    {"CSF-07", [](Descriptor& d, Choices&) { return layout_of<Csf>(d) && too_small(d, 1); }},
    {"BPG-04", [](Descriptor& d, Choices&) {
       auto* l = layout_of<BlockPaged>(d);
       if (!l) return false;
       return l->page_size = 0, true;
     }},
    {"BPG-05", [](Descriptor& d, Choices& c) {
       auto* l = layout_of<BlockPaged>(d);
       if (!l) return false;
       return l->kv_role = static_cast<std::uint8_t>(3 + c.below(253)), true;
     }},
    {"BPG-07", [](Descriptor& d, Choices& c) {
       auto* l = layout_of<BlockPaged>(d);
       if (!l) return false;
       return l->reserved[c.below(6)] = not_zero(c), true;
     }},
    {"BPG-11", [](Descriptor& d, Choices&) { return layout_of<BlockPaged>(d) && too_small(d, 2); }},
    {"BUF-06", [](Descriptor& d, Choices& c) {
       BufferHandle* h = handle(d, c);
       if (!h) return false;
       return h->alignment = static_cast<std::uint32_t>(65 + c.below(62)), true;
     }},
    {"BUF-14", [](Descriptor& d, Choices& c) {
       BufferHandle* h = handle(d, c);
       if (!h) return false;
       return h->reserved = not_zero(c), true;
     }},
    {"BUF-31", [](Descriptor& d, Choices& c) {
       BufferHandle* h = handle(d, c);
       if (!h) return false;
       return h->sync_mode = 0xFF, true;
     }},
    {"BUF-23", [](Descriptor& d, Choices&) {
       if (d.buffers.handles.empty()) return false;
       for (BufferHandle& h : d.buffers.handles) h.memory_class = 0xFF;
       return true;
     }},
    {"BUF-16", [](Descriptor& d, Choices&) {
       if (d.buffers.handles.empty()) return false;
       for (BufferHandle& h : d.buffers.handles) h.device_tag = 0xFF;
       return true;
     }},
    {"SHD-02", [](Descriptor& d, Choices& c) {
       if (!d.shard || d.shape.empty()) return false;
       std::size_t k = c.below(d.shape.size());
       return d.shard->shard_offset[k] = ~std::uint64_t{1} - c.below(9), true;
     }},
    {"STA-04", [](Descriptor& d, Choices& c) {
       if (!d.statistics) return false;
       return d.statistics->computed_mask |= 1u << (6 + c.below(26)), true;
     }},
    {"STA-05", [](Descriptor& d, Choices& c) {
       if (!d.statistics) return false;
       return d.statistics->reserved[c.below(4)] = not_zero(c), true;
     }},
    {"STA-06", [](Descriptor& d, Choices& c) {
       if (!d.statistics) return false;
       return d.statistics->reserved2[c.below(4)] = not_zero(c), true;
     }},
    {"MEM-01", [](Descriptor& d, Choices& c) {
       if (!d.composite_member) return false;
       return d.composite_member->member_role = static_cast<std::uint8_t>(2 + c.below(254)), true;
     }},
    {"MEM-02", [](Descriptor& d, Choices& c) {
       if (!d.composite_member) return false;
       return d.composite_member->reserved[c.below(15)] = not_zero(c), true;
     }},
    {"EXT-02", [](Descriptor& d, Choices&) {
       if (!d.extension_type) return false;
       return d.extension_type->bit_width = 0, true;
     }},
    {"EXT-03", [](Descriptor& d, Choices& c) {
       if (!d.extension_type || d.extension_type->bit_width < 8) return false;
       return d.extension_type->packing_factor = static_cast<std::uint8_t>(2 + c.below(254)), true;
     }},
    {"EXT-04", [](Descriptor& d, Choices& c) {
       if (!d.extension_type || d.extension_type->is_float) return false;
       static constexpr std::uint32_t odd[] = {3, 5, 6, 7};
       return d.extension_type->bit_width = pick(c, odd), true;
     }},
    {"EXT-05", [](Descriptor& d, Choices& c) {
       if (!d.extension_type || d.extension_type->bit_width >= 8) return false;
       auto factor = static_cast<std::uint8_t>(c.below(255));
       if (factor == d.extension_type->packing_factor) factor = 255;
       return d.extension_type->packing_factor = factor, true;
     }},
    {"EXT-06", [](Descriptor& d, Choices& c) {
       if (!d.extension_type) return false;
       return d.extension_type->is_float = static_cast<std::uint8_t>(2 + c.below(254)), true;
     }},
    {"EXT-08", [](Descriptor& d, Choices&) {
       if (!d.extension_type || d.extension_type->is_float) return false;
       return d.extension_type->sign_bits = 1, true;
     }},
    {"EXT-11", [](Descriptor& d, Choices& c) {
       if (!d.extension_type || d.extension_type->is_float) return false;
       return d.extension_type->exponent_bias = not_zero(c), true;
     }},
    {"EXT-12", [](Descriptor& d, Choices& c) {
       if (!d.extension_type) return false;
       return d.extension_type->has_nan = static_cast<std::uint8_t>(2 + c.below(254)), true;
     }},
    {"EXT-14", [](Descriptor& d, Choices& c) {
       if (!d.extension_type) return false;
       return d.extension_type->reserved[c.below(2)] = not_zero(c), true;
     }},
    {"EXT-15", [](Descriptor& d, Choices& c) {
       if (!d.extension_type) return false;
       return d.extension_type->reserved2[c.below(2)] = not_zero(c), true;
     }},
    {"QPT-04", [](Descriptor& d, Choices& c) {
       auto* s = scheme_of<PerTensorAffine>(d);
       static constexpr std::uint32_t bad[] = {0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000};
       if (!s) return false;
       return s->scale = pick(c, bad), true;
     }},
    {"QPT-07", [](Descriptor& d, Choices& c) {
       auto* s = scheme_of<PerTensorAffine>(d);
       if (!s) return false;
       return s->reserved[c.below(4)] = not_zero(c), true;
     }},
    {"QPC-04", [](Descriptor& d, Choices& c) {
       auto* s = scheme_of<PerChannelAffine>(d);
       if (!s) return false;
       return s->axis = d.header.rank + static_cast<std::uint32_t>(c.below(200)), true;
     }},
    {"QPC-09", [](Descriptor& d, Choices&) { return scheme_of<PerChannelAffine>(d) && too_small(d, 1); }},
    {"QPC-10", [](Descriptor& d, Choices&) { return scheme_of<PerChannelAffine>(d) && too_small(d, 2); }},
    {"QPC-11", [](Descriptor& d, Choices& c) {
       auto* s = scheme_of<PerChannelAffine>(d);
       if (!s) return false;
       return s->scale_buffer_index = d.buffers.buffer_count + static_cast<std::uint32_t>(c.below(9)), true;
     }},
    {"QPB-05", [](Descriptor& d, Choices&) {
       auto* s = scheme_of<PerBlockAffine>(d);
       if (!s) return false;
       return s->block_size = 0, true;
     }},
    {"QPB-13", [](Descriptor& d, Choices&) { return scheme_of<PerBlockAffine>(d) && too_small(d, 1); }},
    {"QNT-13", [](Descriptor& d, Choices& c) {
       if (!d.quantization || d.buffers.handles.size() != 1) return false;
       return d.quantization->scheme_tag = c.one_in(2) ? 0xFF : 0, true;
     }},
    {"QNT-18", [](Descriptor& d, Choices&) {
       auto* s = scheme_of<PerChannelAffine>(d);
       if (!s || s->zero_point_buffer_index == s->scale_buffer_index) return false;  // zero points would be left
       return s->scale_buffer_index = 0, true;
     }},
};

}  // namespace plumbline::fuzz
