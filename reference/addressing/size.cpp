#include "size.h"

#include <algorithm>

#include "../descriptor/judge.h"
#include "../too_strict.h"
#include "../types/element_type.h"
#include "refuse.h"

namespace plumbline {

namespace {

// Whether a size of the layout's own buffers or of the scheme's depends on a dynamic dimension
// (open point D-035). COO and CSF arrays follow from nnz and rank alone.
bool waits_for_dimension(const Descriptor& d) {
  auto is_dynamic = [&](std::size_t k) {
    return k < d.shape.size() && d.shape[k] == dynamic_dimension;
  };
  std::uint8_t tag = d.header.layout_tag;
  if (layout::is_dense(tag) && d.has_dynamic_dimension()) return true;
  if (tag == layout::csr && is_dynamic(0)) return true;
  if (tag == layout::csc && is_dynamic(1)) return true;
  if (tag == layout::block_paged && (is_dynamic(1) || is_dynamic(2))) return true;
  if (!d.quantization) return false;
  if (auto* s = std::get_if<PerChannelAffine>(&d.quantization->scheme)) return is_dynamic(s->axis);
  if (std::holds_alternative<PerBlockAffine>(d.quantization->scheme))
    return tag != layout::block_paged && d.has_dynamic_dimension();  // there by pages
  return (std::holds_alternative<Nf4>(d.quantization->scheme) ||
          std::holds_alternative<Mxfp>(d.quantization->scheme)) &&
         d.has_dynamic_dimension();
}

}  // namespace

std::expected<std::vector<std::uint64_t>, Refusal> least_sizes(const Descriptor& d) {
  if (d.is_composite_head()) return std::vector<std::uint64_t>{};  // owns no data
  if (!layout::is_known(d.header.layout_tag))
    return refuse("opaque", "a layout whose buffers have no known size");
  if (!d.element_bits()) return refuse("opaque", "an element type of unknown width");
  if (waits_for_dimension(d))
    return refuse("dynamic", "a size waits for a dimension not known yet");

  std::vector<Need> needs = all_needs(d);
  spoil_sizes(d, needs);
  bool has_data = std::ranges::any_of(needs, [](const Need& need) { return need.buffer == 0; });
  if (!has_data) return refuse("opaque", "layout fields that give no size of buffer 0");

  std::size_t count = d.buffers.handles.size();
  for (const Need& need : needs) count = std::max(count, need.buffer + 1);
  std::vector<std::uint64_t> sizes(count, 0);
  for (const Need& need : needs) {
    if (need.below_start)
      return refuse("overflow", "no size of buffer 0 holds an element that lies before its start");
    if (!need.bytes.fits_u64())
      return refuse("overflow",
                    "buffer " + std::to_string(need.buffer) + " needs more than 2^64 - 1 bytes");
    sizes[need.buffer] =
        std::max(sizes[need.buffer], static_cast<std::uint64_t>(need.bytes.value()));
  }
  return sizes;
}

std::expected<std::uint64_t, Refusal> buffer_size_bytes(std::uint8_t type_tag,
                                                        std::uint64_t count) {
  if (is_private_tag(type_tag))
    return refuse("opaque",
                  "the type tag says nothing of the width of a private type: ask the "
                  "descriptor's extension type section (ExtensionType)");
  const ElementType* type = find_element_type(type_tag);
  if (!type) return refuse("opaque", "no type has this tag");
  Exact bytes = bytes_for_elements(type->bit_width, Exact(count));
  if (!bytes.fits_u64()) return refuse("overflow", "more than 2^64 - 1 bytes");
  return static_cast<std::uint64_t>(bytes.value());
}

std::uint32_t bit_width_sentinel(std::uint8_t type_tag) {
  const ElementType* type = find_element_type(type_tag);
  return type ? type->bit_width : 0;
}

}  // namespace plumbline
