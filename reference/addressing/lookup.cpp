#include "lookup.h"

#include "../types/element_type.h"
#include "find.h"
#include "refuse.h"

namespace plumbline {

std::expected<Buffers, Refusal> fit_buffers(const Descriptor& d, const Buffers& buffers) {
  const std::vector<BufferHandle>& handles = d.buffers.handles;
  if (buffers.size() != handles.size())
    return refuse("buffers", std::to_string(buffers.size()) + " buffers for a table of " +
                                 std::to_string(handles.size()));
  Buffers fitted;
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    std::uint64_t size = handles[k].byte_size;
    if (buffers[k].size() < size)
      return refuse("buffers", "buffer " + std::to_string(k) + " has " +
                                   std::to_string(buffers[k].size()) + " bytes, its entry says " +
                                   std::to_string(size));
    fitted.push_back(buffers[k].first(static_cast<std::size_t>(size)));
  }
  return fitted;
}

namespace {

// The position in buffer 0, for the layouts that keep it in the buffers.
Position find(const Descriptor& d, const Buffers& buffers, const Index& index) {
  if (auto* l = std::get_if<Coo>(&d.layout)) return find_coo(d, *l, buffers, index);
  if (auto* l = std::get_if<CompressedMatrix>(&d.layout))
    return d.header.layout_tag == layout::csr ? find_csr(d, *l, buffers, index)
                                              : find_csc(d, *l, buffers, index);
  if (auto* l = std::get_if<Csf>(&d.layout)) return find_csf(d, *l, buffers, index);
  if (auto* l = std::get_if<BlockPaged>(&d.layout)) return find_paged(d, *l, buffers, index);
  return refuse("opaque", "layout fields of another layout");
}

// Stored entries of a sparse layout: a position from here on is no entry.
std::optional<std::uint64_t> stored_entries(const Descriptor& d) {
  if (auto* l = std::get_if<Coo>(&d.layout)) return l->nnz;
  if (auto* l = std::get_if<CompressedMatrix>(&d.layout)) return l->nnz;
  if (auto* l = std::get_if<Csf>(&d.layout)) return l->nnz;
  return std::nullopt;
}

}  // namespace

std::expected<std::optional<Stored>, Refusal> lookup(const Descriptor& d, const Buffers& buffers,
                                                     const Index& index) {
  std::uint8_t tag = d.header.layout_tag;
  if (d.is_composite_head()) return refuse("virtual", "a composite head owns no data");
  if (!layout::is_known(tag))
    return refuse("opaque", "a layout whose elements have no known place");
  const ElementType* type = find_element_type(d.header.type_tag);
  if (!type) return refuse("opaque", "an element type of unknown meaning");
  // Behind an unknown scheme the data must not be read (quantization.md, Descriptor Header).
  if (d.quantization && std::holds_alternative<UnknownScheme>(d.quantization->scheme))
    return refuse("opaque", "a quantization scheme of unknown meaning");

  if (tag == layout::block_paged) {
    if (index.size() != 4) return refuse("range", "block-paged elements are found by s, t, h, d");
    if (d.has_dynamic_dimension())
      return refuse("dynamic", "the size of a dimension is not known yet");
  } else if (std::optional<Refusal> refusal = refuse_index(d.shape, index)) {
    return std::unexpected(*refusal);
  }
  std::expected<Buffers, Refusal> fitted = fit_buffers(d, buffers);
  if (!fitted) return std::unexpected(fitted.error());

  std::expected<Address, Refusal> place;
  if (layout::is_dense(tag)) {
    place = address(d, index);
  } else {
    Position position = find(d, *fitted, index);
    if (!position) return std::unexpected(position.error());
    if (!*position) return std::nullopt;
    if (std::optional<std::uint64_t> nnz = stored_entries(d); nnz && **position >= *nnz)
      return refuse("contents",
                    "entry " + std::to_string(**position) + " of " + std::to_string(*nnz));
    if (fitted->empty()) return refuse("buffers", "no buffer 0");
    place = place_element(type->bit_width, 0, {Exact(**position), Exact(0)}, (*fitted)[0].size());
  }
  if (!place) return std::unexpected(place.error());
  return read_element((*fitted)[0], type->bit_width, *place);
}

}  // namespace plumbline
