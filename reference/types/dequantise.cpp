// quantization.md: which elements there are, and where the values go.
#include "dequantise.h"

#include <algorithm>
#include <string>

#include "../addressing/element.h"
#include "../addressing/find.h"
#include "../addressing/refuse.h"
#include "../descriptor/judge.h"
#include "element_type.h"
#include "packing.h"
#include "schemes.h"
#include "stored_entries.h"

namespace plumbline {

namespace {

// What can be said without the buffers.
std::optional<Refusal> refuse_descriptor(const Descriptor& d) {
  if (d.is_composite_head()) return Refusal{"virtual", "a composite head owns no data"};
  if (!d.quantization && (d.header.flags & flag::quantization) == 0)
    return Refusal{"unquantized", "the tensor has no quantization section"};
  if (!find_element_type(d.header.type_tag))
    return Refusal{"opaque", "type " + hex_tag(d.header.type_tag) + " is private or unknown"};
  if (!layout::is_known(d.header.layout_tag))
    return Refusal{"opaque", "layout " + hex_tag(d.header.layout_tag) + " is private or unknown"};
  if (!d.quantization) return Refusal{"opaque", "the quantization section was not read"};
  if (d.quantization->scheme_tag == 0 || d.quantization->scheme_tag > scheme::mxfp)
    return Refusal{"opaque",
                   "scheme " + hex_tag(d.quantization->scheme_tag) + " is private or unknown"};
  return std::nullopt;
}

// Every size that the descriptor asks for is there, so whatever is made from it is backed by bytes.
std::optional<Refusal> refuse_sizes(const Descriptor& d, const Buffers& buffers) {
  for (const Need& need : all_needs(d))
    if (need.buffer >= buffers.size() || !need.bytes.at_most(buffers[need.buffer].size()))
      return Refusal{"buffers", "buffer " + std::to_string(need.buffer) + " is too short"};
  return std::nullopt;
}

// The next index in row-major order; false behind the last one.
bool advance(std::vector<std::uint64_t>& index, const std::vector<std::uint64_t>& shape) {
  for (std::size_t k = shape.size(); k-- > 0;) {
    if (++index[k] < shape[k]) return true;
    index[k] = 0;
  }
  return false;
}

std::size_t row_major_position(const std::vector<std::uint64_t>& index,
                               const std::vector<std::uint64_t>& shape) {
  std::uint64_t position = 0;
  for (std::size_t k = 0; k < shape.size(); ++k) position = position * shape[k] + index[k];
  return static_cast<std::size_t>(position);
}

std::expected<float, Refusal> value_at(const Scheme& scheme, Exact entry, u128 code) {
  std::expected<Parameters, Refusal> p = scheme.parameters(entry);
  if (!p) return std::unexpected(p.error());
  return scheme.value(static_cast<std::uint64_t>(code), *p);
}

std::optional<Refusal> fill_dense(const Descriptor& d, const Buffers& buffers, const Scheme& scheme,
                                  std::vector<float>& values) {
  if (values.empty()) return std::nullopt;
  std::vector<std::uint64_t> index(d.shape.size());
  std::size_t position = 0;
  do {
    std::expected<Address, Refusal> a = address(d, index);
    if (!a) return a.error();
    std::expected<u128, Refusal> code =
        load_bits_at(buffers[a->buffer], *d.element_bits(), a->byte, a->bit);
    if (!code) return code.error();
    std::expected<float, Refusal> value = value_at(scheme, scheme.entry_at(index), *code);
    if (!value) return value.error();
    values[position++] = *value;
  } while (advance(index, d.shape));
  return std::nullopt;
}

std::optional<Refusal> fill_sparse(const Descriptor& d, const Buffers& buffers,
                                   const Scheme& scheme, std::vector<float>& values) {
  std::vector<bool> is_stored(values.size());
  return visit_stored(
      d, buffers,
      [&](const std::vector<std::uint64_t>& index, std::uint64_t i) -> std::optional<Refusal> {
        std::size_t position = row_major_position(index, d.shape);
        if (is_stored[position])
          return Refusal{"contents", "entry " + std::to_string(i) + " is stored twice"};
        is_stored[position] = true;
        std::expected<u128, Refusal> code = load_bits(buffers[0], *d.element_bits(), i);
        if (!code) return code.error();
        std::expected<float, Refusal> value = value_at(scheme, scheme.entry_at(index), *code);
        if (!value) return value.error();
        values[position] = *value;
        return std::nullopt;
      });
}

// block-paged.md, Element Lookup: the value at a position in the page pool. Parameters per slot go
// by that position, those per channel by head or dimension; the token plays no part.
std::expected<float, Refusal> paged_value(const Descriptor& d, const Buffers& buffers,
                                          const Scheme& scheme, std::uint64_t position) {
  std::expected<u128, Refusal> code = load_bits(buffers[0], *d.element_bits(), position);
  if (!code) return std::unexpected(code.error());
  std::uint64_t heads = d.shape[1], width = d.shape[2];  // above 0: an element lies inside
  Exact entry = scheme.is_per_slot()
                    ? Exact(position / (heads * width))
                    : scheme.entry_at({0, position / width % heads, position % width});
  return value_at(scheme, entry, *code);
}

// How many tokens each sequence has. seq_ptr counts pages, so that is in the bytes only where pages
// and tokens leave one answer (open point D-140): every slot is used, or one sequence has all
// pages.
std::expected<std::vector<std::uint64_t>, Refusal> token_counts(const Descriptor& d,
                                                                const BlockPaged& paged,
                                                                const Buffers& buffers) {
  Array pointers(buffers[2], paged.index_width());
  if (pointers.size() <= paged.num_seqs) return refuse("buffers", "seq_ptr is too short");
  Exact tokens(d.shape[0]), slots(0);
  std::uint64_t sequences_with_pages = 0;
  std::vector<std::uint64_t> counts;
  for (std::uint64_t s = 0; s < paged.num_seqs; ++s) {
    std::uint64_t begin = *pointers.entry(s), end = *pointers.entry(s + 1);
    if (begin > end) return refuse("contents", "seq_ptr decreases");
    Exact room = Exact(end - begin) * Exact(paged.page_size);
    slots = slots + room;
    if (!room.is_zero()) ++sequences_with_pages;
    // Its slots, or all tokens where it alone has pages and they are not full.
    counts.push_back(
        static_cast<std::uint64_t>(room.at_most(d.shape[0]) ? room.value() : d.shape[0]));
  }
  if (slots.at_most(d.shape[0]) && !(slots == tokens))
    return refuse("contents", "more tokens than the pages of all sequences hold");
  if (!(slots == tokens) && sequences_with_pages > 1)
    return refuse("sparse", "how many tokens each sequence has is not in the bytes");
  return counts;
}

// The tokens of the sequences follow one another along axis 0.
std::optional<Refusal> fill_paged(const Descriptor& d, const BlockPaged& paged,
                                  const Buffers& buffers, const Scheme& scheme,
                                  std::vector<float>& values) {
  if (values.empty()) return std::nullopt;
  if (d.shape.size() != 3 || buffers.size() < 3)
    return Refusal{"opaque", "a block-paged tensor has rank 3 and three buffers"};
  std::expected<std::vector<std::uint64_t>, Refusal> counts = token_counts(d, paged, buffers);
  if (!counts) return counts.error();
  std::size_t position = 0;
  for (std::uint64_t s = 0; s < counts->size(); ++s)
    for (std::uint64_t t = 0; t < (*counts)[s]; ++t)
      for (std::uint64_t h = 0; h < d.shape[1]; ++h)
        for (std::uint64_t k = 0; k < d.shape[2]; ++k) {
          Position at = find_paged(d, paged, buffers, {s, t, h, k});
          if (!at) return at.error();
          std::expected<float, Refusal> value = paged_value(d, buffers, scheme, **at);
          if (!value) return value.error();
          values[position++] = *value;
        }
  return std::nullopt;
}

}  // namespace

std::expected<std::vector<float>, Refusal> dequantise(const Descriptor& d, const Buffers& all,
                                                      std::uint64_t most_unbacked) {
  if (std::optional<Refusal> refusal = refuse_descriptor(d)) return std::unexpected(*refusal);
  if (d.has_dynamic_dimension()) return refuse("dynamic", "a dimension is not known yet");
  std::expected<Buffers, Refusal> buffers = fit_buffers(d, all);
  if (!buffers) return std::unexpected(buffers.error());
  if (buffers->empty()) return refuse("buffers", "no buffer holds the tensor's data");
  if (std::optional<Refusal> refusal = refuse_sizes(d, *buffers)) return std::unexpected(*refusal);

  Exact count = d.element_count();
  bool is_backed = bytes_for_elements(*d.element_bits(), count).at_most((*buffers)[0].size());
  if (!is_backed && !count.at_most(most_unbacked))
    return refuse("large", "more than " + std::to_string(most_unbacked) +
                               " values, and buffer 0 has bytes for fewer");
  std::expected<Scheme, Refusal> scheme = Scheme::of(d, *buffers);
  if (!scheme) return std::unexpected(scheme.error());
  if (std::optional<Refusal> refusal = scheme->refused_entry()) return std::unexpected(*refusal);

  std::vector<float> values(static_cast<std::size_t>(count.value()), 0.0f);
  auto* paged = std::get_if<BlockPaged>(&d.layout);
  std::optional<Refusal> refusal = paged ? fill_paged(d, *paged, *buffers, *scheme, values)
                                   : layout::is_sparse(d.header.layout_tag)
                                       ? fill_sparse(d, *buffers, *scheme, values)
                                       : fill_dense(d, *buffers, *scheme, values);
  if (refusal) return std::unexpected(*refusal);
  return values;
}

std::expected<float, Refusal> dequantise_code(const Descriptor& d, const Buffers& all,
                                              const std::vector<std::uint64_t>& index, u128 code) {
  if (std::optional<Refusal> refusal = refuse_descriptor(d)) return std::unexpected(*refusal);
  if (std::optional<Refusal> refusal = refuse_index(d.shape, index))
    return std::unexpected(*refusal);
  std::expected<Buffers, Refusal> buffers = fit_buffers(d, all);
  if (!buffers) return std::unexpected(buffers.error());
  std::expected<Scheme, Refusal> scheme = Scheme::of(d, *buffers);
  if (!scheme) return std::unexpected(scheme.error());
  if (scheme->is_per_slot()) return refuse("sparse", "the parameters stand by page and slot");
  if (*d.element_bits() > 64 || code >> *d.element_bits() != 0)
    return refuse("contents", "a code of more bits than the type");
  return value_at(*scheme, scheme->entry_at(index), code);
}

std::expected<float, Refusal> dequantise_paged(const Descriptor& d, const Buffers& all,
                                               const PageSlot& at) {
  if (std::optional<Refusal> refusal = refuse_descriptor(d)) return std::unexpected(*refusal);
  auto* paged = std::get_if<BlockPaged>(&d.layout);
  if (!paged || d.shape.size() != 3) return refuse("opaque", "not a block-paged tensor of rank 3");
  std::uint64_t heads = d.shape[1], width = d.shape[2];
  if (heads == dynamic_dimension || width == dynamic_dimension)
    return refuse("dynamic", "the number of heads or their width is not known yet");
  if (at.page >= paged->num_pages || at.slot >= paged->page_size || at.head >= heads ||
      at.dimension >= width)
    return refuse("range", "no such page, slot, head or dimension");
  std::expected<Buffers, Refusal> buffers = fit_buffers(d, all);
  if (!buffers) return std::unexpected(buffers.error());
  if (buffers->empty()) return refuse("buffers", "no buffer holds the pages");
  std::expected<Scheme, Refusal> scheme = Scheme::of(d, *buffers);
  if (!scheme) return std::unexpected(scheme.error());

  Exact slot = Exact(at.page) * Exact(paged->page_size) + Exact(at.slot);
  Exact flat = (slot * Exact(heads) + Exact(at.head)) * Exact(width) + Exact(at.dimension);
  if (!flat.fits_u64()) return refuse("buffers", "the page lies beyond the page pool");
  return paged_value(d, *buffers, *scheme, static_cast<std::uint64_t>(flat.value()));
}

}  // namespace plumbline
