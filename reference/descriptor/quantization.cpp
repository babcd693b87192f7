// quantization.md: Descriptor Header, Scheme Tag Space, Buffer Table Placement Rules, Partial Block
// Policy; metadata.md, Quantization Section. The schemes' own rules are in quantization/.
#include "judge.h"

#include <algorithm>

#include "../types/element_type.h"

namespace plumbline {

void UnknownScheme::visit(Fields& f) {
  f.reading() ? f.rest("payload", payload) : f.bytes("payload", payload, payload.size());
}

// The struct -> bytes, struct -> list and text -> struct walk; the length is that of what follows.
void Quantization::visit(Fields& f) {
  at = f.offset();
  f.prefix("quantization.");
  WriteFields payload;
  if (!f.reading()) {
    Quantization copy = *this;
    std::visit([&](auto& s) { s.visit(payload); }, copy.scheme);
  }
  std::uint32_t length = static_cast<std::uint32_t>(4 + payload.out.size() + padding.size());
  if (!complete) length = declared_length;
  f.u32("quantization_length", length);
  if (!complete) {  // only listed, never written
    f.bytes("payload", raw, raw.size());
    return;
  }
  f.u8("scheme_tag", scheme_tag);
  f.u8("scheme_version", scheme_version);
  f.u16("flags", flags);
  std::visit([&](auto& s) { s.visit(f); }, scheme);
  f.rest("padding", padding);
}

namespace {

void judge_scheme(const Descriptor& d, const Options& options, Faults& faults);
void parameter_needs(const Descriptor& d, std::vector<Need>& needs);

// The lowest reserved bit of the scheme's flags.
int first_reserved_flag(std::uint8_t tag) {
  bool has_symmetric = tag == scheme::per_channel || tag == scheme::per_block;
  return limit("QNT-09", tag, has_symmetric ? 1 : 0);
}

std::string_view version_clause(std::uint8_t tag) {
  switch (tag) {
    case scheme::per_tensor: return "QPT-02";
    case scheme::per_channel: return "QPC-02";
    case scheme::per_block: return "QPB-02";
    case scheme::nf4: return "QNF-02";
  }
  return "QMX-02";
}

}  // namespace

// The section as far as it was read: faults at fields behind cut_at are dropped.
void judge_quantization(const Descriptor& d, const Options& options, Faults& faults) {
  Faults read;
  judge_scheme(d, options, read);
  faults.add_before(read, d.quantization->cut_at);
}

namespace {

void judge_scheme(const Descriptor& d, const Options& options, Faults& faults) {
  const Quantization& q = *d.quantization;
  std::uint8_t tag = q.scheme_tag;
  if (is_invalid_tag(tag)) {
    faults.add("QNT-13", q.byte_at(0), "scheme tag " + hex_tag(tag), "a tag other than 0x00, 0xff");
    return;
  }
  if (tag > limit("QNT-06", scheme::mxfp)) {
    if (!is_private_tag(tag) || !options.agreement.covers(Agreed::scheme, tag))
      faults.add("QNT-06", q.byte_at(0), "scheme tag " + hex_tag(tag),
                 is_private_tag(tag) ? "an agreement on this scheme" : "a scheme of quantization.md");
    return;
  }
  if (q.cut_at <= q.byte_at(1)) return;  // the version decides which rules there are
  if (q.scheme_version > limit("QNT-08", 1)) {
    faults.add("QNT-08", q.byte_at(1), "scheme version " + std::to_string(q.scheme_version), "1");
    return;
  }
  if (q.scheme_version < limit(version_clause(tag), 1))
    faults.add(version_clause(tag), q.byte_at(1), "scheme version 0", "1");
  if (q.flags >> first_reserved_flag(tag) != 0)
    faults.add("QNT-09", q.byte_at(2), "scheme flags " + hex_tag(q.flags), "reserved bits zero");
  if (d.is_composite_head()) return;  // CMP-04 names the section on a head
  if (auto* s = std::get_if<PerTensorAffine>(&q.scheme)) judge_per_tensor(d, *s, faults);
  if (auto* s = std::get_if<PerChannelAffine>(&q.scheme)) judge_per_channel(d, *s, faults);
  if (auto* s = std::get_if<PerBlockAffine>(&q.scheme)) judge_per_block(d, *s, faults);
  if (auto* s = std::get_if<Nf4>(&q.scheme)) judge_nf4(d, *s, faults);
  if (auto* s = std::get_if<Mxfp>(&q.scheme)) judge_mxfp(d, *s, faults);
  // How NF4 and MXFP share their scales with pages is not said (open point D-144).
  if (d.header.layout_tag == layout::block_paged && (tag == scheme::nf4 || tag == scheme::mxfp))
    faults.add("D-144", q.byte_at(0), "scheme " + hex_tag(tag) + " on a block-paged tensor",
               "per-tensor, per-channel or per-block affine");
}

}  // namespace

std::vector<ParameterIndex> parameter_indices(const Quantization& q) {
  std::vector<ParameterIndex> indices;
  if (auto* s = std::get_if<PerChannelAffine>(&q.scheme)) {
    indices.push_back({s->scale_buffer_index, q.byte_at(8)});
    if (!q.is_symmetric()) indices.push_back({s->zero_point_buffer_index, q.byte_at(12)});
  }
  if (auto* s = std::get_if<PerBlockAffine>(&q.scheme)) {
    indices.push_back({s->scale_buffer_index, q.byte_at(12)});
    if (!q.is_symmetric()) indices.push_back({s->zero_point_buffer_index, q.byte_at(16)});
  }
  if (auto* s = std::get_if<Nf4>(&q.scheme))
    indices.push_back({s->scale_buffer_index, q.byte_at(12)});
  if (auto* s = std::get_if<Mxfp>(&q.scheme))
    indices.push_back({s->scale_buffer_index, q.byte_at(12)});
  return indices;
}

bool parameter_indices_sound(const Descriptor& d) {
  return std::ranges::all_of(parameter_indices(*d.quantization), [&](const ParameterIndex& p) {
    return p.index < d.buffers.buffer_count && p.index >= layout_buffer_count(d);
  });
}

void judge_parameter_indices(const Descriptor& d, std::string_view past_clause, Faults& faults) {
  std::size_t count = d.buffers.buffer_count;
  for (const ParameterIndex& p : parameter_indices(*d.quantization)) {
    std::string found = "buffer index " + std::to_string(p.index);
    if (p.index >= limit(past_clause, count))
      faults.add(past_clause, p.offset, found, "an index below buffer_count, " + std::to_string(count));
    else if (p.index == 0)
      faults.add("QNT-18", p.offset, found, "a buffer other than the tensor's data");
    else if (p.index < limit("QNT-17", layout_buffer_count(d)))
      faults.add("QNT-17", p.offset, found, "a buffer behind the layout's own");
  }
}

void judge_storage_type(const Descriptor& d, std::string_view clause,
                        std::initializer_list<std::uint8_t> tags, Faults& faults) {
  if (std::ranges::find(tags, d.header.type_tag) == tags.end())
    faults.add(clause, d.quantization->byte_at(0), "storage type " + hex_tag(d.header.type_tag),
               "a storage type of the scheme's list");
}

Exact block_count(const Descriptor& d, std::uint32_t axis, std::uint32_t block_size) {
  Exact count = ceil_divide(Exact(d.shape[axis]), block_size);
  for (std::size_t k = 0; k < d.shape.size(); ++k)
    if (k != axis) count = count * Exact(d.shape[k]);
  return count;
}

// The page (open point D-153): element addresses are the layout's own, so a whole last block asks
// for more room only where its padding lies behind all elements.
void judge_last_block(const Descriptor& d, std::uint32_t axis, std::uint32_t block_size,
                      std::string_view clause, std::size_t offset, Faults& faults) {
  std::uint8_t tag = d.header.layout_tag;
  std::size_t rank = d.shape.size();
  bool at_end = (tag == layout::row_major && axis == 0) ||
                (tag == layout::column_major && axis + 1 == rank) ||
                (tag == layout::row_major && rank == 1);
  std::optional<std::uint32_t> bits = d.element_bits();
  if (!at_end || !bits || d.has_dynamic_dimension() || d.buffers.handles.empty()) return;
  if (d.shape[axis] % block_size == 0) return;
  Exact stored = block_count(d, axis, block_size) * Exact(block_size);
  Exact needed = Exact(d.byte_offset) + bytes_for_elements(*bits, stored);
  // A buffer that lacks even its elements is the size clause's business.
  Exact least = Exact(d.byte_offset) + bytes_for_elements(*bits, d.element_count());
  std::uint64_t size = d.buffers.handles[0].byte_size;
  if (least.at_most(size) && !needed.at_most(limit(clause, size)))
    faults.add(clause, offset, "buffer 0 of " + counted(size, "byte"),
               "room for a whole last block");
}

void need_parameters(const Descriptor& d, std::vector<Need>& needs) {
  if (!d.quantization || !d.quantization->complete || d.is_composite_head()) return;
  if (d.header.layout_tag == layout::block_paged &&
      (d.quantization->scheme_tag == scheme::nf4 || d.quantization->scheme_tag == scheme::mxfp))
    return;  // open point D-144
  // An index past the table leaves no size to ask for (QPC-11, QPB-16, QNF-11, QMX-10), nor does the
  // data buffer (QNT-18). Where another buffer of the layout (QNT-17) is let pass, it is big enough.
  for (const ParameterIndex& p : parameter_indices(*d.quantization))
    if (p.index >= d.buffers.buffer_count) return;
  std::vector<Need> own;
  parameter_needs(d, own);
  for (Need& need : own) {
    if (need.buffer == 0) continue;
    if (need.buffer < layout_buffer_count(d)) need.unless = "QNT-17";
    needs.push_back(std::move(need));
  }
}

namespace {

void parameter_needs(const Descriptor& d, std::vector<Need>& needs) {
  if (auto* s = std::get_if<PerChannelAffine>(&d.quantization->scheme)) need_per_channel(d, *s, needs);
  if (auto* s = std::get_if<PerBlockAffine>(&d.quantization->scheme)) need_per_block(d, *s, needs);
  if (auto* s = std::get_if<Nf4>(&d.quantization->scheme)) need_nf4(d, *s, needs);
  if (auto* s = std::get_if<Mxfp>(&d.quantization->scheme)) need_mxfp(d, *s, needs);
}

}  // namespace

}  // namespace plumbline
