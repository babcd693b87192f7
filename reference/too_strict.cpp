#include "too_strict.h"

#include <algorithm>

#include "contents/pages.h"
#include "descriptor/composite_set.h"
#include "mutation.h"
#include "types/element_type.h"

namespace plumbline {

namespace {

bool has(const Descriptor& d, std::uint32_t bit) { return (d.header.flags & bit) != 0; }

template <class Scheme>
const Scheme* scheme_of(const Descriptor& d) {
  return d.quantization ? std::get_if<Scheme>(&d.quantization->scheme) : nullptr;
}

template <class Scheme>
bool spans_axis(const Descriptor& d) {
  auto* s = scheme_of<Scheme>(d);
  return s && s->axis < d.shape.size() && d.shape[s->axis] == s->block_size;
}

template <class Scheme>
bool has_short_block(const Descriptor& d) {
  auto* s = scheme_of<Scheme>(d);
  return s && s->axis < d.shape.size() && s->block_size != 0 &&
         d.shape[s->axis] % s->block_size != 0;
}

template <class Scheme>
bool shares_entry(const Descriptor& d) {
  auto* s = scheme_of<Scheme>(d);
  return s && s->scale_buffer_index == s->zero_point_buffer_index;
}

bool any_stride(const Descriptor& d, bool (*wanted)(std::int64_t)) {
  auto* l = std::get_if<Strided>(&d.layout);
  return l && std::ranges::any_of(l->strides, wanted);
}

bool any_buffer(const Descriptor& d, bool (*wanted)(const BufferHandle&)) {
  return std::ranges::any_of(d.buffers.handles, wanted);
}

bool is_out_of_order(const Descriptor& d) {
  auto* l = std::get_if<Csf>(&d.layout);
  return l && !std::ranges::is_sorted(l->mode_order);
}

bool has_spare_bytes(const Descriptor& d) {
  if (!layout::is_dense(d.header.layout_tag) || d.buffers.handles.empty()) return false;
  return std::ranges::any_of(all_needs(d), [&](const Need& need) {
    return need.buffer == 0 && need.bytes.value() > 0 &&
           d.buffers.handles[0].byte_size > need.bytes.value();
  });
}

std::optional<std::uint64_t> stored_count(const Descriptor& d) {
  if (auto* l = std::get_if<Coo>(&d.layout)) return l->nnz;
  if (auto* l = std::get_if<CompressedMatrix>(&d.layout)) return l->nnz;
  if (auto* l = std::get_if<Csf>(&d.layout)) return l->nnz;
  return std::nullopt;
}

bool is_full(const Descriptor& d) {
  std::optional<std::uint64_t> nnz = stored_count(d);
  return nnz && *nnz > 0 && !d.has_dynamic_dimension() && d.element_count() == Exact(*nnz);
}

bool touches_parent_end(const Descriptor& d) {
  for (std::size_t k = 0; d.shard && k < d.shard->shard_offset.size(); ++k)
    if (d.shard->shard_offset[k] > 0 &&
        d.shard->shard_offset[k] + d.shape[k] == d.shard->parent_shape[k])
      return true;
  return false;
}

bool is_off_alignment(const Descriptor& d) {
  const ElementType* type = find_element_type(d.header.type_tag);
  return type && type->bit_width >= 16 && d.byte_offset % (type->bit_width / 8) != 0;
}

bool has_value_under_clear_bit(const Descriptor& d) {
  if (!d.statistics) return false;
  const Statistics& s = *d.statistics;
  auto clear = [&](std::uint32_t bit) { return (s.computed_mask & bit) == 0; };
  return (clear(statistic::nnz) && s.nnz != 0) ||
         (clear(statistic::sparsity) && s.sparsity_ratio != 0) ||
         (clear(statistic::value_range) && (s.value_min | s.value_max | s.value_abs_max) != 0) ||
         (clear(statistic::value_stats) && (s.value_mean | s.value_stddev) != 0) ||
         (clear(statistic::nm_sparsity) && (s.nm_n | s.nm_m) != 0) ||
         (clear(statistic::nan_inf) && (s.has_nan | s.has_inf) != 0);
}

bool is_below_bits(const Descriptor& d) {
  auto* l = std::get_if<Morton>(&d.layout);
  for (std::size_t k = 0; l && k < l->morton_bits.size(); ++k)
    if (Exact(d.shape[k] + 1).at_most(power_of_two(std::min(l->morton_bits[k], 63u)).value()))
      return true;
  return false;
}

// Every mutant of the descriptor: its name, and what it refuses.
struct Strictness {
  std::string_view name;
  bool refuses;
};

}  // namespace

void judge_too_strictly(const Descriptor& d, const Options& options, Faults& faults) {
  const Header& h = d.header;
  bool is_private = is_private_tag(h.type_tag);
  auto* tiled = std::get_if<Tiled>(&d.layout);
  auto* head = std::get_if<CompositeHead>(&d.layout);
  const bool is_agreed = options.agreement.covers(Agreed::type, h.type_tag);
  const Strictness all[] = {
      {"negative strides", any_stride(d, [](std::int64_t s) { return s < 0; })},
      {"zero strides", any_stride(d, [](std::int64_t s) { return s == 0; })},
      {"rank 64", h.rank == 64},
      {"rank 0", h.rank == 0},
      {"empty dimensions", std::ranges::find(d.shape, 0u) != d.shape.end()},
      {"no elements at all", d.shape.size() == 1 && d.shape[0] == 0},
      {"dynamic dimensions", d.has_dynamic_dimension()},
      {"alignment 1 at size 0",
       any_buffer(d, [](const BufferHandle& b) { return b.byte_size == 0 && b.alignment == 1; })},
      {"alignment above 4096",
       any_buffer(d, [](const BufferHandle& b) { return b.alignment > 4096; })},
      {"mode_order out of order", is_out_of_order(d)},
      {"over-allocated buffers", has_spare_bytes(d)},
      {"minor 1", h.version_minor == 1},
      {"minor 1 with a tail", h.version_minor == 1 && !d.tail.empty()},
      {"block size equal to the axis, per-block", spans_axis<PerBlockAffine>(d)},
      {"block size equal to the axis, NF4", spans_axis<Nf4>(d)},
      {"block size equal to the axis, MXFP", spans_axis<Mxfp>(d)},
      {"a short last block", has_short_block<PerBlockAffine>(d) || has_short_block<Nf4>(d)},
      {"scales and zero points in one entry",
       shares_entry<PerChannelAffine>(d) || shares_entry<PerBlockAffine>(d)},
      {"a private type in permissive",
       is_private && !is_agreed && options.mode == Mode::permissive},
      {"a private type under agreement", is_private && is_agreed},
      {"a value under a clear mask bit", has_value_under_clear_bit(d)},
      {"nested tiles", tiled && tiled->levels.size() > 1},
      {"padding in quantization_length", d.quantization && !d.quantization->padding.empty()},
      {"a shard at the end of its parent", touches_parent_end(d)},
      {"data off its natural alignment", is_off_alignment(d)},
      {"a byte_offset", d.byte_offset > 0 && layout::is_dense(h.layout_tag)},
      {"a byte_offset at the end", !d.buffers.handles.empty() && d.byte_offset > 0 &&
                                       d.byte_offset == d.buffers.handles[0].byte_size},
      {"no stored entries", stored_count(d) == std::optional<std::uint64_t>(0)},
      {"every cell stored", is_full(d)},
      {"dimensions below their Morton bits", is_below_bits(d)},
      {"widths that are no power of two",
       is_private && d.extension_type && !is_power_of_two(d.extension_type->bit_width)},
      {"a head with statistics", head && has(d, flag::statistics)},
      {"a head with a shard section", head && has(d, flag::shard)},
      {"a member section on a lone tensor", !head && has(d, flag::composite_member)},
      {"a group without members",
       head && head->composition_rule == rule::group && head->member_count == 0},
      {"a partition without members",
       head && head->composition_rule == rule::partition && head->member_count == 0},
      {"Hilbert", h.layout_tag == layout::hilbert},
      {"memory class UNIFIED",
       any_buffer(d, [](const BufferHandle& b) { return b.memory_class == 2; })},
      {"sync mode 2", any_buffer(d, [](const BufferHandle& b) { return b.sync_mode == 2; })},
      {"a float with a sign of its own", is_private && d.extension_type &&
                                             d.extension_type->is_float == 1 &&
                                             d.extension_type->sign_bits == 1},
  };
  for (const Strictness& s : all)
    if (s.refuses && mutant("strict:", s.name))
      faults.add("HDR-05", 10, std::string(s.name), "something else", Class::R);
}

void judge_too_strictly(Contents& c) {
  const Descriptor& d = c.d;
  auto refuse = [&](std::string_view name, bool refuses) {
    if (refuses && mutant("strict:", name))
      c.fault("HDR-05", 0, 0, std::string(name), "something else");
  };
  if (auto* s = scheme_of<Nf4>(d); s && s->scale_buffer_index < c.buffers.size()) {
    Array scales = c.array(s->scale_buffer_index, 4);
    bool has_zero = false;
    for (std::uint64_t k = 0; k < scales.size(); ++k) has_zero |= is_zero(*scales.entry(k), 3);
    refuse("an NF4 scale of zero", has_zero);
  }
  bool has_data = !c.buffers.empty();
  std::optional<std::uint32_t> bits = d.element_bits();
  if (!has_data || !bits || *bits < 8) return;
  std::size_t width = *bits / 8;
  std::uint64_t entries = stored_count(d).value_or(0);
  bool stores_zero = false;
  for (std::uint64_t i = 0; i < entries && (i + 1) * width <= c.buffers[0].size(); ++i) {
    ByteView element = c.buffers[0].subspan(static_cast<std::size_t>(i) * width, width);
    if (std::ranges::all_of(element, [](std::uint8_t byte) { return byte == 0; }))
      stores_zero = true;
  }
  refuse("stored zeros", stores_zero);
  if (auto* l = std::get_if<BlockPaged>(&d.layout); l && c.buffers.size() > 1) {
    Array table = c.array(1, l->index_width());
    std::set<std::uint64_t> pages;
    bool shares = false;
    for (std::uint64_t k = 0; k < table.size(); ++k)
      shares |= !pages.insert(*table.entry(k)).second;
    refuse("a page listed twice", shares);
    refuse("no sequences", l->num_seqs == 0);
  }
  if (auto* l = std::get_if<Coo>(&d.layout)) refuse("coordinates out of order", l->is_sorted == 0);
  bool has_nan = false;
  if (d.header.type_tag == 0x03)
    for (std::size_t i = 0; i + 4 <= c.buffers[0].size(); i += 4)
      has_nan |= (little_endian(c.buffers[0].subspan(i, 4)) & 0x7FFFFFFF) > 0x7F800000;
  refuse("NaN in the data", has_nan);
  bool all_ones = false;
  for (std::uint8_t byte : c.buffers[0]) all_ones |= byte == 0xFF;
  refuse("integers of all ones",
         all_ones && find_element_type(d.header.type_tag) &&
             find_element_type(d.header.type_tag)->kind == NumberKind::signed_integer);
  if (auto* s = std::get_if<Tiled>(&d.layout)) {
    bool has_edge = false;
    for (std::size_t k = 0; k < d.shape.size(); ++k)
      has_edge |= d.shape[k] % s->levels[0].tile_shape[k] != 0;
    refuse(
        "bytes in an edge tile beyond the shape",
        has_edge && std::ranges::any_of(c.buffers[0], [](std::uint8_t byte) { return byte != 0; }));
  }
}

void judge_too_strictly(const SetJudgement& set, std::vector<Faults>& across) {
  const Descriptor& first = set.members.front().descriptor;
  auto* head = std::get_if<CompositeHead>(&first.layout);
  if (!head) return;
  auto refuse = [&](std::string_view name, std::size_t m, bool refuses) {
    if (refuses && mutant("strict:", name))
      across[m].add("HDR-05", 10, std::string(name), "something else", Class::R);
  };
  for (std::size_t m = 1; m < set.members.size(); ++m) {
    const Descriptor& d = set.members[m].descriptor;
    bool in_group = head->composition_rule == rule::group;
    refuse("a group member without a shard section", m, in_group && !d.shard);
    refuse("a group member of another type", m,
           in_group && d.header.type_tag != first.header.type_tag);
    refuse("a group member of another rank", m, in_group && d.header.rank != first.header.rank);
    refuse("a head as a member", m, d.is_composite_head());
    refuse("a quantized member", m, !in_group && d.quantization.has_value());
    bool is_correction = head->composition_rule == rule::overlay && m > 1 && d.shard;
    for (std::size_t other = 2; is_correction && other < m; ++other) {
      const Descriptor& o = set.members[other].descriptor;
      // A section that was cut off has fewer entries than the shape.
      auto is_whole = [&](const Descriptor& x) {
        return x.shard && x.shard->shard_offset.size() == d.shape.size() && x.shape.size() == d.shape.size();
      };
      bool overlaps = is_whole(d) && is_whole(o);
      for (std::size_t k = 0; overlaps && k < d.shape.size(); ++k)
        overlaps = d.shard->shard_offset[k] < o.shard->shard_offset[k] + o.shape[k] &&
                   o.shard->shard_offset[k] < d.shard->shard_offset[k] + d.shape[k];
      refuse("corrections that overlap", m, overlaps);
    }
  }
}

void spoil_sizes(const Descriptor& d, std::vector<Need>& needs) {
  for (Need& need : needs) {
    if (need.bytes.is_beyond()) continue;
    if (mutant("wrong:", "sizes padded to 64"))
      need.bytes = ceil_divide(need.bytes, 64) * Exact(64);
    if (need.buffer == 0 && mutant("wrong:", "sizes without byte_offset"))
      need.bytes = Exact(need.bytes.value() - std::min<u128>(need.bytes.value(), d.byte_offset));
  }
}

}  // namespace plumbline
