// memory-layout.md, Element Address Computation: from element offsets to bytes and bits.
#include "address.h"

#include "element.h"
#include "element_offset.h"
#include "refuse.h"

namespace plumbline {

namespace {

bool is_sound(const Tiled& layout, std::size_t rank) {
  if (!layout.located || layout.levels.empty()) return false;
  if (layout.levels.back().inner_layout == layout::tiled) return false;
  for (const TileLevel& t : layout.levels) {
    if (t.outer_layout < layout::row_major || t.outer_layout > layout::strided) return false;
    if (t.inner_layout < layout::row_major || t.inner_layout > layout::tiled) return false;
    if (t.tile_shape.size() != rank) return false;
    if (t.outer_layout == layout::strided && t.outer_strides.size() != rank) return false;
    if (t.inner_layout == layout::strided && t.inner_strides.size() != rank) return false;
    for (std::uint64_t size : t.tile_shape)
      if (size == 0) return false;
  }
  return true;
}

bool is_sound(const Hilbert& layout, const Descriptor& d) {
  if (layout.hilbert_rank != d.shape.size() || layout.hilbert_rank < 2) return false;
  if (layout.hilbert_order < 1 || layout.hilbert_order > 63) return false;
  for (std::uint64_t size : d.shape)
    if (size != std::uint64_t{1} << layout.hilbert_order) return false;
  return true;
}

}  // namespace

std::optional<ElementOffset> element_offset(const Descriptor& d, const Index& index) {
  std::size_t rank = d.shape.size();
  if (std::holds_alternative<Contiguous>(d.layout))
    return d.header.layout_tag == layout::row_major ? row_major_offset(d.shape, index)
                                                    : column_major_offset(d.shape, index);
  if (auto* l = std::get_if<Strided>(&d.layout); l && l->strides.size() == rank)
    return strided_offset(l->strides, index);
  if (auto* l = std::get_if<Tiled>(&d.layout); l && is_sound(*l, rank))
    return tiled_offset(*l, d.shape, index);
  if (auto* l = std::get_if<Morton>(&d.layout); l && l->morton_bits.size() == rank)
    return morton_offset(l->morton_bits, index);
  if (auto* l = std::get_if<Hilbert>(&d.layout); l && is_sound(*l, d))
    return ElementOffset{coords_to_hilbert(index, l->hilbert_order), Exact(0)};
  return std::nullopt;
}

std::optional<Refusal> refuse_index(const std::vector<std::uint64_t>& shape, const Index& index) {
  if (index.size() != shape.size())
    return Refusal{
        "range", std::to_string(index.size()) + " indices at rank " + std::to_string(shape.size())};
  for (std::uint64_t size : shape)
    if (size == dynamic_dimension)
      return Refusal{"dynamic", "the size of a dimension is not known yet"};
  for (std::size_t k = 0; k < shape.size(); ++k)
    if (index[k] >= shape[k])
      return Refusal{"range", "index " + std::to_string(index[k]) + " in dimension " +
                                  std::to_string(k) + " of size " + std::to_string(shape[k])};
  return std::nullopt;
}

std::expected<Address, Refusal> place_element(std::uint32_t bits, std::uint64_t byte_offset,
                                              ElementOffset offset, std::uint64_t size) {
  // No product below wraps: offsets this far out are beyond 64 bits in every type.
  constexpr i128 far = i128{1} << 80;
  std::optional<i128> elements = offset.value();
  if (!elements || *elements > far || *elements < -far)
    return refuse("overflow", "the element lies beyond 64-bit addresses");

  i128 first, end;  // of the bytes that must be there to read the element
  Address a;
  i128 byte;
  if (bits >= 8) {
    byte = first = byte_offset + *elements * (bits / 8);
    end = first + bits / 8;
  } else if (bits == 6) {  // by groups of four in three bytes (clause LAY-10, open point D-044)
    std::uint32_t bit = static_cast<std::uint32_t>(floor_modulus(*elements, 4)) * 6;
    first = byte_offset + floor_divide(*elements, 4) * 3;
    end = first + 3;
    byte = first + bit / 8;
    a.bit = bit % 8;
  } else {  // floor and modulus also below byte_offset (clause LAY-09, open point D-043)
    i128 packing = 8 / bits;
    byte = first = byte_offset + floor_divide(*elements, packing);
    end = first + 1;
    a.bit = static_cast<std::uint32_t>(floor_modulus(*elements, packing)) * bits;
  }
  if (bits < 8 && bits != 6 && mutant("wrong:", "high bits first")) a.bit = 8 - bits - a.bit;
  if (bits == 6 && mutant("wrong:", "6-bit elements at bits of their own"))
    byte = first + 2 - (byte - first), a.bit = 0;
  if (bits >= 8 && mutant("wrong:", "elements counted in bytes")) byte = byte_offset + *elements;
  if (mutant("wrong:", "byte_offset left out")) byte -= byte_offset;
  if (first < 0) return refuse("buffers", "the element lies before the start of its buffer");
  if (!Exact(static_cast<u128>(end)).fits_u64())
    return refuse("overflow", "the element lies beyond 64-bit addresses");
  if (end > size)
    return refuse("buffers", "the element ends at byte " +
                                 std::to_string(static_cast<std::uint64_t>(end)) +
                                 " of a buffer of " + std::to_string(size));
  a.byte = static_cast<std::uint64_t>(byte);
  return a;
}

Stored read_element(ByteView buffer, std::uint32_t bits, const Address& a) {
  ByteView from = buffer.subspan(static_cast<std::size_t>(a.byte));
  if (bits >= 8) {
    ByteView element = from.first(bits / 8);
    if (mutant("wrong:", "elements most significant byte first"))
      return Stored(element.rbegin(), element.rend());
    return Stored(element.begin(), element.end());
  }
  // A 6-bit element may end in the next byte.
  unsigned word = from[0];
  if (a.bit + bits > 8) word |= static_cast<unsigned>(from[1]) << 8;
  return {static_cast<std::uint8_t>(word >> a.bit & ((1u << bits) - 1))};
}

std::expected<Address, Refusal> address(const Descriptor& d, const Index& index) {
  std::uint8_t tag = d.header.layout_tag;
  if (d.is_composite_head()) return refuse("virtual", "a composite head owns no data");
  if (!layout::is_known(tag)) return refuse("opaque", "a layout whose addresses are not known");
  if (!layout::is_dense(tag))
    return refuse("sparse", "elements are found through the buffers; use lookup");
  std::optional<std::uint32_t> bits = d.element_bits();
  if (!bits) return refuse("opaque", "an element type of unknown width");
  if (std::optional<Refusal> refusal = refuse_index(d.shape, index))
    return std::unexpected(*refusal);
  std::optional<ElementOffset> offset = element_offset(d, index);
  if (!offset) return refuse("opaque", "layout fields that give no address");
  if (d.buffers.handles.empty()) return refuse("buffers", "no buffer 0");
  return place_element(*bits, d.byte_offset, *offset, d.buffers.handles[0].byte_size);
}

}  // namespace plumbline
