// Tensors for the tests of this folder and of contents/: descriptors as structs, buffers that end
// exactly where their bytes end.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <initializer_list>
#include <random>
#include <string>

#include "../descriptor/descriptor.h"
#include "../question.h"

namespace plumbline::test {

using Sizes = std::vector<std::uint64_t>;

namespace tag {
inline constexpr std::uint8_t f16 = 0x01, f32 = 0x03, i8 = 0x10, u8 = 0x11, u32 = 0x15, f64 = 0x04,
                              boolean = 0x20, e8m0 = 0x42, e2m1 = 0x43, e2m3 = 0x44, e3m2 = 0x45,
                              i4 = 0x48, u4 = 0x49, i2 = 0x4A, u2 = 0x4B, c128 = 0x51;
}

inline Descriptor tensor(std::uint8_t type_tag, std::uint8_t layout_tag, Sizes shape,
                         Sizes buffer_sizes, Layout fields = Contiguous{}) {
  Descriptor d;
  d.header.type_tag = type_tag;
  d.header.layout_tag = layout_tag;
  d.header.rank = static_cast<std::uint32_t>(shape.size());
  d.shape = std::move(shape);
  d.layout = std::move(fields);
  for (std::uint64_t size : buffer_sizes) d.buffers.handles.push_back({.byte_size = size});
  d.buffers.buffer_count = static_cast<std::uint8_t>(buffer_sizes.size());
  return d;
}

// The fields of the layouts.
inline Strided strides(std::vector<std::int64_t> values) {
  Strided s;
  s.strides = std::move(values);
  return s;
}
inline TileLevel level(Sizes tile_shape, std::uint8_t outer = 1, std::uint8_t inner = 1,
                       std::vector<std::int64_t> outer_strides = {},
                       std::vector<std::int64_t> inner_strides = {}) {
  TileLevel t;
  t.tile_shape = std::move(tile_shape);
  t.outer_layout = outer;
  t.inner_layout = inner;
  t.outer_strides = std::move(outer_strides);
  t.inner_strides = std::move(inner_strides);
  return t;
}
inline Tiled tiles(std::vector<TileLevel> levels) {
  Tiled t;
  t.levels = std::move(levels);
  return t;
}
inline Morton morton(std::vector<std::uint32_t> bits) {
  Morton m;
  m.morton_bits = std::move(bits);
  return m;
}
inline Coo coo(std::uint64_t nnz, bool is_sorted = false) {
  Coo l;
  l.nnz = nnz;
  l.is_sorted = is_sorted ? 1 : 0;
  return l;
}
inline CompressedMatrix matrix(std::uint64_t nnz) {
  CompressedMatrix l;
  l.nnz = nnz;
  return l;
}
inline Csf csf(std::uint64_t nnz, std::vector<std::uint32_t> order = {0, 1, 2}) {
  Csf l;
  l.nnz = nnz;
  l.mode_order = std::move(order);
  return l;
}

inline void quantize(Descriptor& d, std::uint8_t tag, auto scheme, std::uint16_t flags = 0) {
  d.header.flags |= flag::quantization;
  Quantization& q = d.quantization.emplace();
  q.scheme_tag = tag;
  q.flags = flags;
  q.scheme = scheme;
}

inline void make_private(Descriptor& d, std::uint32_t bit_width) {
  d.header.type_tag = 0xF2;
  d.header.flags |= flag::extension_type;
  ExtensionType& e = d.extension_type.emplace();
  e.bit_width = bit_width;
  e.packing_factor = static_cast<std::uint8_t>(bit_width < 8 && bit_width > 0 ? 8 / bit_width : 1);
}

// The descriptor as a strict reader has it, with the offsets of its fields.
inline Descriptor accepted(const Descriptor& d, Mode mode = Mode::strict) {
  Bytes bytes = serialize(d);
  Judgement judged = judge(bytes, {.mode = mode, .agreement = Agreement::everything()});
  for (const Fault& fault : judged.faults) UNSCOPED_INFO(fault.clause << " " << fault.message());
  REQUIRE(judged.accepted());
  return judged.descriptor;
}

// Bytes on the heap, without room behind them, so that a sanitizer sees a read past the end.
class Held {
 public:
  Held() = default;
  Held(std::initializer_list<Bytes> list) {
    for (const Bytes& bytes : list) add(bytes);
  }
  void add(const Bytes& bytes) { bytes_.push_back(Bytes(bytes.begin(), bytes.end())); }
  Bytes& operator[](std::size_t k) { return bytes_[k]; }
  std::size_t size() const { return bytes_.size(); }
  Buffers views() const { return Buffers(bytes_.begin(), bytes_.end()); }
  Sizes sizes() const {
    Sizes sizes;
    for (const Bytes& bytes : bytes_) sizes.push_back(bytes.size());
    return sizes;
  }

 private:
  std::vector<Bytes> bytes_;
};

inline Bytes integers(std::size_t width, std::initializer_list<std::uint64_t> values) {
  Bytes bytes;
  for (std::uint64_t value : values) append_little_endian(bytes, value, width);
  return bytes;
}
inline Bytes u64s(std::initializer_list<std::uint64_t> values) { return integers(8, values); }
inline Bytes u64s(const Sizes& values) {
  Bytes bytes;
  for (std::uint64_t value : values) append_little_endian(bytes, value, 8);
  return bytes;
}
inline Bytes u32s(std::initializer_list<std::uint64_t> values) { return integers(4, values); }

// The float32 numbers that the pages' examples use.
inline Bytes f32s(std::initializer_list<float> values) {
  Bytes bytes;
  for (float value : values)
    append_little_endian(bytes, __builtin_bit_cast(std::uint32_t, value), 4);
  return bytes;
}

// Every index of a shape, the last dimension fastest.
template <class Visit>
void for_each_index(const Sizes& shape, Visit visit) {
  for (std::uint64_t size : shape)
    if (size == 0) return;
  Sizes index(shape.size(), 0);
  while (true) {
    visit(index);
    std::size_t k = shape.size();
    while (k > 0 && ++index[k - 1] == shape[k - 1]) index[--k] = 0;
    if (k == 0) return;
  }
}

}  // namespace plumbline::test
