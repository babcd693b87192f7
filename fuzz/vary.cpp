#include "vary.h"

#include "exact_sizes.h"

namespace plumbline::fuzz {

namespace {

template <class T, std::size_t n>
T pick(Choices& choices, const T (&from)[n]) {
  return from[choices.below(n)];
}

void vary_tiles(Tiled& tiled, std::size_t rank, Choices& choices) {
  auto strides = [&] {
    std::vector<std::int64_t> some;
    for (std::size_t k = 0; k < rank; ++k) some.push_back(static_cast<std::int64_t>(choices.below(9)));
    return some;
  };
  for (TileLevel& level : tiled.levels) {
    if (choices.one_in(4)) level.outer_layout = layout::strided, level.outer_strides = strides();
    if (level.inner_layout != layout::tiled && choices.one_in(4))
      level.inner_layout = layout::strided, level.inner_strides = strides();
  }
}

// layouts/composite.md: which combine_op and which member_count a rule takes.
void vary_head(Descriptor& d, CompositeHead& head, Choices& choices) {
  switch (choices.below(4)) {
    case 1: head.composition_rule = rule::partition; break;
    case 2:
      head.composition_rule = rule::overlay;
      head.combine_op = static_cast<std::uint8_t>(1 + choices.below(2));
      break;
    case 3:
      head.composition_rule = static_cast<std::uint8_t>(0xF0 + choices.below(15));
      head.combine_op = choices.byte();
      break;
    default: return;
  }
  static constexpr std::uint8_t types[] = {1, 2, 4, 0x10, 0x43, 0x51};
  d.header.type_tag = pick(choices, types);
}

// NF4 or MXFP instead. Their blocks are longer than the shapes here: where an axis is free to grow, it does.
void change_to_blocks(Descriptor& d, bool is_nf4, Choices& choices) {
  std::uint32_t axis = static_cast<std::uint32_t>(choices.below(d.shape.size()));
  std::uint32_t block = (is_nf4 ? 8u : 16u) << choices.below(3);
  if (std::holds_alternative<Contiguous>(d.layout)) {
    std::uint64_t before = d.shape[axis];
    d.shape[axis] = block * (1 + choices.below(3));
    if (d.shard) d.shard->parent_shape[axis] += d.shape[axis] - before;
  } else if (d.shape[axis] % block != 0) {
    return;
  }
  static constexpr std::uint8_t mxfp_types[] = {0x40, 0x41, 0x43, 0x44, 0x45, 0x10, 0x48};
  Quantization q;
  if (is_nf4) {
    q.scheme_tag = scheme::nf4;
    q.scheme = Nf4{.axis = axis, .block_size = block};
    d.header.type_tag = 0x49;
  } else {
    q.scheme_tag = scheme::mxfp;
    q.scheme = Mxfp{.axis = axis, .block_size = block};
    d.header.type_tag = pick(choices, mxfp_types);
  }
  d.quantization = q;
}

// Any finite scale but zero, and a zero point of the type.
void vary_per_tensor(const Descriptor& d, PerTensorAffine& s, Choices& choices) {
  std::uint32_t bits = static_cast<std::uint32_t>(choices.wide());
  if ((bits & 0x7F800000) != 0x7F800000 && (bits & 0x7FFFFFFF) != 0) s.scale = bits;
  unsigned width = std::min(8u, exact_bits(d).value_or(8));
  bool is_signed = d.header.type_tag % 2 == 0;  // element-types.md: intN, then uintN
  s.zero_point = static_cast<std::int32_t>(choices.below(std::uint64_t{1} << width)) -
                 (is_signed ? 1 << (width - 1) : 0);
}

// Any float64 bits, mostly those at which rules change.
std::uint64_t float_bits(Choices& choices) {
  static constexpr std::uint64_t marks[] = {0,
                                            0x3FF0000000000000,  // 1
                                            0xBFF0000000000000,  // -1
                                            0x8000000000000000,  // -0
                                            0x7FF0000000000000,  // infinity
                                            0x7FF8000000000000,  // not a number
                                            0x0000000000000001};
  return choices.one_in(4) ? choices.wide() : pick(choices, marks);
}

std::optional<std::uint64_t> layout_nnz(const Descriptor& d) {
  if (auto* l = std::get_if<Coo>(&d.layout)) return l->nnz;
  if (auto* l = std::get_if<CompressedMatrix>(&d.layout)) return l->nnz;
  if (auto* l = std::get_if<Csf>(&d.layout)) return l->nnz;
  return std::nullopt;
}

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63, float_infinity = 0x7FF0000000000000,
                        float_one = 0x3FF0000000000000;

}  // namespace

void vary_layout(Descriptor& d, Choices& choices) {
  if (auto* l = std::get_if<Tiled>(&d.layout)) vary_tiles(*l, d.shape.size(), choices);
  if (auto* l = std::get_if<CompositeHead>(&d.layout)) vary_head(d, *l, choices);
  if (auto* l = std::get_if<BlockPaged>(&d.layout); l && choices.one_in(2))
    l->layer_index = static_cast<std::uint32_t>(choices.wide());
}

void vary_quantization(Descriptor& d, Choices& choices) {
  if (!d.quantization) return;
  std::uint64_t kind = choices.below(4);
  if ((kind == 1 || kind == 2) && layout::is_dense(d.header.layout_tag) && !d.shape.empty())
    change_to_blocks(d, kind == 1, choices);
  Quantization& q = *d.quantization;
  bool shares = choices.one_in(2);  // one buffer of scales, then zero points
  if (auto* s = std::get_if<PerTensorAffine>(&q.scheme); s && choices.one_in(2)) vary_per_tensor(d, *s, choices);
  if (auto* s = std::get_if<PerChannelAffine>(&q.scheme); s && shares && !q.is_symmetric())
    s->zero_point_buffer_index = s->scale_buffer_index;
  if (auto* s = std::get_if<PerBlockAffine>(&q.scheme)) {
    if (shares && !q.is_symmetric()) s->zero_point_buffer_index = s->scale_buffer_index;
    s->scale_type_tag = static_cast<std::uint8_t>(3 - choices.below(3));
  }
  if (choices.one_in(4)) q.padding.assign(choices.below(6), choices.byte());
}

// buffer-protocol.md: one device and class for all, and which go together.
void vary_buffers(Descriptor& d, Choices& choices) {
  std::uint8_t device = static_cast<std::uint8_t>(choices.below(10)), memory_class = 0;
  static constexpr std::uint64_t classes[] = {3, 4, 4, 3, 4, 1, 3, 4, 3};
  if (device < 9) {
    memory_class = static_cast<std::uint8_t>(choices.below(classes[device]));
  } else {
    device = static_cast<std::uint8_t>(0xF0 + choices.below(15));
    if (choices.one_in(2)) memory_class = static_cast<std::uint8_t>(0xF0 + choices.below(15));
  }
  for (BufferHandle& h : d.buffers.handles) {
    h.device_tag = device;
    h.memory_class = memory_class;
    h.sync_mode = device == 0 ? 0 : static_cast<std::uint8_t>(choices.below(3));
    if (choices.one_in(2))
      h.alignment = std::uint32_t{h.byte_size > 0 ? 64u : 1u} << choices.below(h.byte_size > 0 ? 26 : 32);
  }
}

// Within the bounds where computed_mask says that the figure counts, anything elsewhere.
void vary_statistics(Descriptor& d, Choices& choices) {
  if (!d.statistics) return;
  Statistics& s = *d.statistics;
  s.computed_mask = static_cast<std::uint32_t>(choices.below(statistic::defined + 1));
  auto counts = [&](std::uint32_t bit) { return (s.computed_mask & bit) != 0; };
  for (std::uint64_t* value : {&s.sparsity_ratio, &s.value_min, &s.value_max, &s.value_abs_max, &s.value_mean,
                               &s.value_stddev})
    *value = float_bits(choices);
  for (std::uint8_t* value : {&s.nm_n, &s.nm_m, &s.has_nan, &s.has_inf}) *value = choices.byte();
  if (std::optional<std::uint64_t> stored = layout_nnz(d); stored && counts(statistic::nnz)) s.nnz = *stored;
  // Bits of floats that are not negative are in the order of their values.
  if (counts(statistic::sparsity)) s.sparsity_ratio = std::min(s.sparsity_ratio & ~sign_bit, float_one);
  if (counts(statistic::value_stats)) s.value_stddev = std::min(s.value_stddev & ~sign_bit, float_infinity);
  if (counts(statistic::nm_sparsity) && s.nm_n > s.nm_m) std::swap(s.nm_n, s.nm_m);
  if (counts(statistic::nan_inf)) s.has_nan &= 1, s.has_inf &= 1;
}

}  // namespace plumbline::fuzz
