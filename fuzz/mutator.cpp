#include "mutator.h"

#include <algorithm>
#include <cstring>

#include "pieces.h"
#include "random.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::fuzz {

namespace {

Descriptor parsed(ByteView bytes) { return judge(bytes, {.mode = Mode::lenient}).descriptor; }

void put(Bytes& bytes, const Field& field, std::uint64_t value) {
  for (std::size_t i = 0; i < field.size && field.offset + i < bytes.size(); ++i)
    bytes[field.offset + i] = static_cast<std::uint8_t>(i < 8 ? value >> (8 * i) : 0);
}

std::uint64_t get(const Bytes& bytes, const Field& field) {
  std::size_t size = std::min<std::size_t>(field.size, 8);
  if (field.offset + size > bytes.size()) return 0;
  return little_endian(ByteView(bytes).subspan(field.offset, size));
}

// Values at which rules change: ends of ranges, powers of two and their neighbours, private and
// reserved tags, small steps from what is there, another field's value.
std::uint64_t boundary(Random& random, std::uint64_t old, const Bytes& bytes,
                       const std::vector<Field>& fields) {
  static constexpr std::uint64_t marks[] = {0,    1,    2,    3,    4,    5,    7,    8,    9,
                                            10,   11,   12,   15,   16,   0x20, 0x30, 0x3f, 0x40,
                                            0x46, 0x49, 64,   65,   0x7f, 0x80, 0xef, 0xf0, 0xf2,
                                            0xfe, 0xff, 256,  4096, 0xffff};
  switch (random.below(8)) {
    case 0: case 1: return marks[random.below(std::size(marks))];
    case 2: return old + 1;
    case 3: return old - 1;
    case 4: return (std::uint64_t{1} << random.below(64)) + random.below(3) - 1;
    case 5: return ~std::uint64_t{0} >> random.below(3);
    case 6: return old ^ std::uint64_t{1} << random.below(16);
    default: return get(bytes, fields[random.below(fields.size())]) + random.below(3) - 1;
  }
}

void edit_field(Random& random, Bytes& bytes) {
  std::vector<Field> fields = list_fields(parsed(bytes));
  std::erase_if(fields, [](const Field& f) { return f.size == 0 || f.key == "magic"; });
  if (fields.empty()) return;
  const Field& field = fields[random.below(fields.size())];
  put(bytes, field, boundary(random, get(bytes, field), bytes, fields));
}

// Two numbers whose product or sum lies at the end of a width or just beyond it, so that what is
// computed from both wraps where it is not exact.
void edit_to_wrap(Random& random, Bytes& bytes) {
  std::vector<Field> fields = list_fields(parsed(bytes));
  bool anywhere = random.one_in(4);  // mostly what an element count or a place is computed from
  std::erase_if(fields, [&](const Field& f) {
    return f.size < 4 || f.size > 8 ||
           !(anywhere || f.key.starts_with("shape") || f.key.starts_with("layout."));
  });
  if (fields.size() < 2) return;
  // Those that are multiplied stand close together.
  std::size_t first = random.below(fields.size()), second = first + 1 + random.below(4);
  if (second >= fields.size()) return;
  if (random.one_in(3)) {
    std::uint64_t width = std::uint64_t{8} << random.below(3), part = random.below(width);
    std::uint64_t sum = std::uint64_t{1} << width, half = random.one_in(2) ? sum / 2 : part;
    put(bytes, fields[first], half);
    put(bytes, fields[second], sum - half);
    return;
  }
  std::uint64_t exponent = 1 + random.below(std::min<std::uint64_t>(63, 8 * fields[first].size - 1));
  // One more leaves a small product when it wraps, and not zero.
  put(bytes, fields[first], (std::uint64_t{1} << exponent) + random.below(2));
  put(bytes, fields[second], (std::uint64_t{1} << (64 - exponent)) + random.below(2));
}

template <class T>
void toggle(Descriptor& d, std::optional<T>& section, std::uint32_t bit) {
  if (section)
    section.reset();
  else
    section.emplace();
  d.header.flags ^= bit;
}

// Gives the section the lists that the rank asks for, so that it can be written.
void fit(Descriptor& d) {
  d.header.rank = static_cast<std::uint32_t>(std::min<std::size_t>(d.shape.size(), 64));
  d.shape.resize(d.header.rank);
  if (d.shard) {
    d.shard->parent_shape.resize(d.header.rank, 1);
    d.shard->shard_offset.resize(d.header.rank, 0);
  }
  if (auto* l = std::get_if<Strided>(&d.layout)) l->strides.resize(d.header.rank, 1);
  if (auto* l = std::get_if<Morton>(&d.layout)) l->morton_bits.resize(d.header.rank, 1);
  if (auto* l = std::get_if<Csf>(&d.layout))
    for (std::size_t k = l->mode_order.size(); l->mode_order.resize(d.header.rank, 0), k < d.header.rank; ++k)
      l->mode_order[k] = static_cast<std::uint32_t>(k);
  if (auto* l = std::get_if<Tiled>(&d.layout)) {
    if (l->levels.empty()) l->levels.emplace_back();
    for (TileLevel& level : l->levels) level.tile_shape.resize(d.header.rank, 1);
  }
}

Quantization scheme_of(std::uint64_t tag) {
  Quantization q;
  q.scheme_tag = static_cast<std::uint8_t>(tag);
  switch (tag) {
    case 1: q.scheme = PerTensorAffine{}; break;
    case 2: q.scheme = PerChannelAffine{}; break;
    case 3: q.scheme = PerBlockAffine{}; break;
    case 4: q.scheme = Nf4{}; break;
    case 5: q.scheme = Mxfp{}; break;
    default: q.scheme = UnknownScheme{};
  }
  return q;
}

void edit_structure(Random& random, Bytes& bytes) {
  Descriptor d = parsed(bytes);
  switch (random.below(9)) {
    case 0: toggle(d, d.shard, flag::shard); break;
    case 1: toggle(d, d.statistics, flag::statistics); break;
    case 2:
      toggle(d, d.extension_type, flag::extension_type);
      if (d.extension_type && random.below(4) > 0) d.header.type_tag = 0xF2;
      break;
    case 3: toggle(d, d.composite_member, flag::composite_member); break;
    case 4:
      d.quantization = scheme_of(random.below(7));
      d.header.flags |= flag::quantization;
      break;
    case 5:
      d.quantization.reset();
      d.header.flags &= ~flag::quantization;
      break;
    case 6: {
      static constexpr std::uint8_t tags[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0x40, 0xF1};
      d.header.layout_tag = tags[random.below(std::size(tags))];
      d.layout = layout_for(d.header.layout_tag);
      break;
    }
    case 7:
      if (random.one_in(2) && !d.shape.empty())
        d.shape.erase(d.shape.begin() + static_cast<std::ptrdiff_t>(random.below(d.shape.size())));
      else
        d.shape.insert(d.shape.begin(), 1 + random.below(4));
      break;
    default:
      if (random.one_in(3) && !d.buffers.handles.empty())
        d.buffers.handles.pop_back();
      else if (d.buffers.handles.size() < 255)
        d.buffers.handles.push_back({.byte_size = random.below(65)});
      d.buffers.buffer_count = static_cast<std::uint8_t>(d.buffers.handles.size());
  }
  if (auto* l = std::get_if<Tiled>(&d.layout); l && random.one_in(2) && l->levels.size() < 12) {
    fit(d);
    l->levels.back().inner_layout = layout::tiled;
    l->levels.push_back(l->levels.back());
    l->levels.back().inner_layout = layout::row_major;
  }
  fit(d);
  bytes = serialize(d);
}

// The sizes that the fields ask for, so that a change elsewhere is not hidden behind a small buffer.
void repair_sizes(Bytes& bytes) {
  Descriptor d = parsed(bytes);
  if (d.shape.size() != d.header.rank || d.has_dynamic_dimension()) return;
  std::optional<std::uint32_t> bits = d.element_bits();
  Exact count = d.element_count();
  if (!bits || d.buffers.handles.empty() || !count.at_most(1u << 20)) return;
  d.buffers.handles[0].byte_size =
      (static_cast<std::uint64_t>(count.value()) * *bits + 7) / 8 + (d.byte_offset & 0xffff);
  bytes = serialize(d);
}

// descriptor_length as it stands, whatever the bytes' own is.
std::uint64_t stated_length(ByteView bytes) { return bytes.size() < 10 ? 0 : little_endian(bytes.subspan(6, 4)); }
void state_length(Bytes& bytes, std::uint64_t length) {
  if (bytes.size() < 10) return;
  for (std::size_t i = 0; i < 4; ++i) bytes[6 + i] = static_cast<std::uint8_t>(length >> (8 * i));
}

// The piece that is changed: in a set any member, mostly the front otherwise.
std::pair<std::size_t, std::size_t> piece(Random& random, ByteView input) {
  std::vector<ByteView> set = split_set(input, 64);
  if (set.empty()) return {0, input.size()};
  ByteView chosen = set[random.one_in(2) ? 0 : random.below(set.size())];
  return {static_cast<std::size_t>(chosen.data() - input.data()), chosen.size()};
}

std::size_t write(const Bytes& bytes, std::uint8_t* out, std::size_t most) {
  std::size_t size = std::min(bytes.size(), most);
  if (size > 0) std::memcpy(out, bytes.data(), size);
  return size;
}

}  // namespace

std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t most, std::uint64_t seed,
                   Plain plain) {
  Random random(seed);
  if (plain && (size < 20 || random.one_in(5))) return plain(data, size, most);
  if (size == 0) return 0;
  ByteView input(data, size);
  auto [from, length] = piece(random, input);
  Bytes part(input.begin() + static_cast<std::ptrdiff_t>(from),
             input.begin() + static_cast<std::ptrdiff_t>(from + length));
  // descriptor_length is repaired in half of what comes here. In the others it stays what it was, or what a
  // field's edit made of it, although a descriptor that is written anew has its own.
  bool repairs = random.one_in(2);
  for (std::uint64_t changes = 1 + random.below(3); changes > 0; --changes) {
    std::uint64_t stated = stated_length(part);
    if (random.one_in(8)) {
      edit_to_wrap(random, part);
    } else if (random.below(4) > 0) {
      edit_field(random, part);
    } else {
      edit_structure(random, part);
      state_length(part, stated);
    }
  }
  if (random.one_in(4)) {
    std::uint64_t stated = stated_length(part);
    repair_sizes(part);
    state_length(part, stated);
  }
  if (repairs)
    state_length(part, part.size());
  else if (random.one_in(8) && part.size() > 1)
    part.resize(random.below(part.size()));
  Bytes all(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(from));
  all.insert(all.end(), part.begin(), part.end());
  all.insert(all.end(), input.begin() + static_cast<std::ptrdiff_t>(from + length), input.end());
  return write(all, data, most);
}

std::size_t cross(ByteView a, ByteView b, std::uint8_t* out, std::size_t most, std::uint64_t seed,
                  bool structured) {
  Random random(seed);
  Bytes child;
  if (!structured || a.size() < 20 || b.size() < 20 || random.one_in(4)) {
    ByteView front = a.first(random.below(a.size() + 1)), back = b.last(random.below(b.size() + 1));
    child.assign(front.begin(), front.end());
    child.insert(child.end(), back.begin(), back.end());
    return write(child, out, most);
  }
  if (random.one_in(3)) {  // a set of both
    child.assign(a.begin(), a.end());
    child.insert(child.end(), b.begin(), b.end());
    return write(child, out, most);
  }
  Descriptor x = parsed(a.first(front_length(a))), y = parsed(b.first(front_length(b)));
  auto take = [&](auto& mine, auto& theirs, std::uint32_t bit) {
    if (random.one_in(2)) return;
    mine = theirs;
    x.header.flags = (x.header.flags & ~bit) | (mine ? bit : 0);
  };
  take(x.quantization, y.quantization, flag::quantization);
  take(x.shard, y.shard, flag::shard);
  take(x.statistics, y.statistics, flag::statistics);
  take(x.extension_type, y.extension_type, flag::extension_type);
  take(x.composite_member, y.composite_member, flag::composite_member);
  if (random.one_in(2)) x.buffers = y.buffers;
  if (random.one_in(3)) {
    x.layout = y.layout;
    x.header.layout_tag = y.header.layout_tag;
    x.shape = y.shape;
  }
  if (random.one_in(3)) x.header.type_tag = y.header.type_tag;
  fit(x);
  child = serialize(x);
  if (random.one_in(2)) state_length(child, stated_length(a));
  return write(child, out, most);
}

}  // namespace plumbline::fuzz
