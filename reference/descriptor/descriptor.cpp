// metadata.md, Overall Descriptor Structure: the parts in their order, read, judged and written.
#include "descriptor.h"

#include <algorithm>

#include "../too_strict.h"
#include "../types/element_type.h"
#include "judge.h"

namespace plumbline {

namespace {

constexpr std::uint8_t magic[] = {0x48, 0x52, 0x52, 0x59};

// How far the bytes could be followed.
struct Walk {
  Descriptor d;
  Faults faults;
  std::size_t read_end = 0;  // first offset that was not read as a field
  std::size_t rest = 0;
  bool stop = false;  // nothing more may be judged
};

// Bytes 0 to 9: magic, version, length. Nothing behind another major version is judged.
void read_start(ByteView input, Walk& walk, ReadFields& in) {
  Bytes found;
  in.bytes("magic", found, 4);
  if (in.ok() && !std::ranges::equal(found, magic)) {
    walk.faults.cut("HDR-04", 0, to_hex(found), "the magic 48525259");
    walk.stop = true;
    return;
  }
  Header& h = walk.d.header;
  in.u8("version_major", h.version_major);
  if (in.ok() && (h.version_major > limit("HDR-08", 1) || h.version_major < limit("VER-02", 1))) {
    walk.read_end = in.offset();
    walk.faults.add(h.version_major > 1 ? "HDR-08" : "VER-02", 4,
                    "major version " + std::to_string(h.version_major), "1");
    walk.stop = true;
    return;
  }
  in.u8("version_minor", h.version_minor);
  in.u32("descriptor_length", h.descriptor_length);
  walk.read_end = in.offset();
  if (!in.ok()) {
    walk.faults.cut("HDR-09", in.offset(), "an input of " + counted(input.size(), "byte"),
                    counted(in.cut_width(), "byte") + " from here for " + in.cut_name());
    walk.stop = true;
  } else if (h.descriptor_length < limit("HDR-06", 20u)) {
    walk.faults.add("HDR-06", 6, "descriptor_length " + std::to_string(h.descriptor_length),
                    "20 or more");
    walk.stop = true;
  } else if (limit("HDR-09", input.size()) < h.descriptor_length) {
    walk.faults.add("HDR-09", 6, "an input of " + counted(input.size(), "byte"),
                    "descriptor_length, " + std::to_string(h.descriptor_length) + ", or more");
  }
}

// The quantization section: a window of quantization_length bytes of its own.
void read_quantization(ReadFields& in, Quantization& q, Faults& faults) {
  q.at = in.offset();
  in.prefix("quantization.");
  q.complete = false;
  q.scheme = UnknownScheme{};
  q.cut_at = in.offset();
  in.u32("quantization_length", q.declared_length);
  std::size_t payload_at = in.offset();
  std::optional<ByteView> payload =
      in.take("quantization_descriptor", limit("QNT-10", q.declared_length));
  if (!payload) return;

  ReadFields f{Reader(*payload, payload_at)};
  f.prefix("quantization.");
  f.u8("scheme_tag", q.scheme_tag);
  f.u8("scheme_version", q.scheme_version);
  f.u16("flags", q.flags);
  std::uint8_t tag = q.scheme_version > 1 ? 0 : q.scheme_tag;
  if (tag == scheme::per_tensor) q.scheme = PerTensorAffine{};
  else if (tag == scheme::per_channel) q.scheme = PerChannelAffine{};
  else if (tag == scheme::per_block) q.scheme = PerBlockAffine{};
  else if (tag == scheme::nf4) q.scheme = Nf4{};
  else if (tag == scheme::mxfp) q.scheme = Mxfp{};
  else q.scheme = UnknownScheme{};
  std::visit([&](auto& s) { s.visit(f); }, q.scheme);
  f.rest("padding", q.padding);
  q.complete = f.ok();
  q.cut_at = f.ok() ? not_read : f.offset();
  if (f.ok()) return;
  q.raw.assign(payload->begin(), payload->end());
  faults.cut("QNT-10", f.offset(), counted(f.left(), "byte") + " left of quantization_length",
             std::to_string(f.cut_width()) + " for " + f.cut_name());
}

// The fields from byte 10 on, inside the window of descriptor_length bytes. False where the next
// field can't be located.
bool read_fields(ReadFields& in, Walk& walk) {
  Descriptor& d = walk.d;
  Header& h = d.header;
  in.u32("flags", h.flags);
  in.u8("type_tag", h.type_tag);
  in.u8("layout_tag", h.layout_tag);
  in.u32("rank", h.rank);
  d.layout = layout_for(h.layout_tag);
  if (!in.ok() || h.rank > limit("SHP-02", 64u)) return false;
  in.u64s("shape", d.shape, h.rank);
  in.u64("byte_offset", d.byte_offset);
  if (!in.ok()) return false;
  in.prefix("layout.");
  std::visit([&](auto& layout) { layout.visit(in, h.rank); }, d.layout);
  if (!in.ok() || std::holds_alternative<UnknownLayout>(d.layout)) return in.ok();
  if (auto* tiled = std::get_if<Tiled>(&d.layout); tiled && !tiled->located) return false;
  d.buffers.visit(in);
  auto present = [&](std::uint32_t bit) { return in.ok() && (h.flags & bit) != 0; };
  if (present(flag::quantization)) read_quantization(in, d.quantization.emplace(), walk.faults);
  if (present(flag::shard)) d.shard.emplace().visit(in, h.rank);
  if (present(flag::statistics)) d.statistics.emplace().visit(in);
  if (present(flag::extension_type)) {
    d.extension_type.emplace().packing_factor = 0;  // not sizeable until it has been read
    d.extension_type->visit(in);
  }
  if (present(flag::composite_member)) d.composite_member.emplace().visit(in);
  in.prefix("");
  return in.ok();
}

Walk read(ByteView input) {
  Walk walk;
  ReadFields start{Reader(input)};
  read_start(input, walk, start);
  if (walk.stop) return walk;
  std::size_t length = walk.d.header.descriptor_length;
  std::size_t window = std::min(limit("HDR-07", length), input.size());
  walk.rest = input.size() - window;
  ReadFields in{Reader(input.subspan(10, window - 10), 10)};
  bool complete = read_fields(in, walk);
  walk.read_end = in.offset();
  if (!in.ok() && input.size() >= length)
    walk.faults.cut("HDR-07", in.offset(),
                    counted(in.left(), "byte") + " left of descriptor_length",
                    std::to_string(in.cut_width()) + " for " + in.cut_name());
  if (!complete || in.left() <= limit("HDR-05", std::size_t{0})) return walk;
  // Left over: a newer minor version, or a flag of one, may have appended what is not known here.
  in.rest("tail", walk.d.tail);
  walk.read_end = in.offset();
  const Header& h = walk.d.header;
  if (h.version_minor == 0 && (h.flags & ~flag::defined) == 0)
    walk.faults.add("HDR-05", walk.read_end - walk.d.tail.size(),
                    counted(walk.d.tail.size(), "byte") + " behind the last section",
                    "none: descriptor_length counts the descriptor's fields");
  return walk;
}

void judge_layout(const Descriptor& d, const Options& options, Faults& faults) {
  if (auto* l = std::get_if<Strided>(&d.layout)) judge_strided(d, *l, faults);
  if (auto* l = std::get_if<Tiled>(&d.layout)) judge_tiled(d, *l, faults);
  if (auto* l = std::get_if<Morton>(&d.layout)) judge_morton(d, *l, faults);
  if (auto* l = std::get_if<Hilbert>(&d.layout)) judge_hilbert(d, *l, faults);
  if (auto* l = std::get_if<Coo>(&d.layout)) judge_coo(d, *l, faults);
  if (auto* l = std::get_if<CompressedMatrix>(&d.layout))
    d.header.layout_tag == layout::csr ? judge_csr(d, *l, faults) : judge_csc(d, *l, faults);
  if (auto* l = std::get_if<Csf>(&d.layout)) judge_csf(d, *l, faults);
  if (auto* l = std::get_if<BlockPaged>(&d.layout)) judge_block_paged(d, *l, faults);
  if (auto* l = std::get_if<CompositeHead>(&d.layout)) judge_composite_head(d, *l, options, faults);
  if (auto* l = std::get_if<PrivateLayout>(&d.layout)) judge_private_layout(d, *l, options, faults);
}

}  // namespace

void Descriptor::visit(Fields& f) {
  Bytes magic_bytes(std::begin(magic), std::end(magic));
  f.bytes("magic", magic_bytes, 4);
  header.visit(f);
  if (header.rank > 64 && shape.size() < header.rank && !f.reading()) return;  // was not read
  f.u64s("shape", shape, header.rank);
  f.u64("byte_offset", byte_offset);
  f.prefix("layout.");
  std::visit([&](auto& fields) { fields.visit(f, header.rank); }, layout);
  f.prefix("");
  if (std::holds_alternative<UnknownLayout>(layout)) return;
  buffers.visit(f);
  if (quantization) quantization->visit(f);
  if (shard) shard->visit(f, header.rank);
  if (statistics) statistics->visit(f);
  if (extension_type) extension_type->visit(f);
  if (composite_member) composite_member->visit(f);
  f.prefix("");
  f.rest("tail", tail);
}

Judgement judge(ByteView input, const Options& options) {
  Walk walk = read(input);
  Descriptor& d = walk.d;
  if (!walk.stop) {
    judge_header(d, options, walk.faults);
    judge_shape(d, walk.faults);
    judge_layout(d, options, walk.faults);
    judge_buffer_table(d, options, walk.faults);
    judge_buffer_count(d, walk.faults);
    if (d.quantization) judge_quantization(d, options, walk.faults);
    if (d.shard) judge_shard(d, walk.faults);
    if (d.statistics) judge_statistics(d, walk.faults);
    if (d.extension_type) judge_extension_type(d, walk.faults);
    if (d.composite_member) judge_composite_member(d, walk.faults);
    judge_sizes(d, walk.faults);
    judge_too_strictly(d, options, walk.faults);
  }
  Judgement result;
  bool waived = false;
  result.faults = walk.faults.judged(options, walk.read_end, waived);
  result.interpreted = !waived;
  result.read_end = walk.read_end;
  result.rest = walk.rest;
  result.descriptor = std::move(d);
  return result;
}

std::expected<Descriptor, Fault> decode(ByteView input, const Options& options) {
  Judgement judged = judge(input, options);
  if (!judged.accepted()) return std::unexpected(judged.faults.front());
  return std::move(judged.descriptor);
}

namespace {

Bytes written(const Descriptor& d, WriteFields& out) {
  Descriptor copy = d;
  copy.visit(out);
  Bytes length;
  append_little_endian(length, out.out.size(), 4);
  std::ranges::copy(length, out.out.begin() + 6);
  if (mutant("wrong:", "type and layout tag swapped")) std::swap(out.out[14], out.out[15]);
  return std::move(out.out);
}

}  // namespace

Bytes serialize(const Descriptor& d) {
  WriteFields out;
  return written(d, out);
}

std::expected<Bytes, Fault> encode(const Descriptor& d) {
  WriteFields out;
  Bytes bytes = written(d, out);
  Judgement judged = judge(bytes, {.mode = Mode::strict, .agreement = Agreement::everything()});
  if (!judged.accepted()) return std::unexpected(judged.faults.front());
  // Bytes that are sound, but say less than the struct or more.
  if (const auto& wrong = out.miscounted)
    return std::unexpected(Fault{.clause = "HDR-05", .offset = wrong->offset,
                                 .found = wrong->name + " of " + std::to_string(wrong->held),
                                 .expected = std::to_string(wrong->count) +
                                             ": descriptor_length counts what the tables of fields count"});
  return bytes;
}

std::vector<Field> list_fields(const Descriptor& d) {
  Descriptor copy = d;
  ListFields list;
  copy.visit(list);
  return std::move(list.fields);
}

}  // namespace plumbline
