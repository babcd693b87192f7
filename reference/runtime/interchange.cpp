#include "interchange.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "../scalar/storage.h"
#include "../types/element_type.h"
#include "external_scalars.h"

namespace plumbline {

using enum runtime_error_kind;

namespace {

struct tagged {
  std::uint8_t tag;
  const element_type* element;
};
const std::array<tagged, 5>& built_in() {
  static const std::array<tagged, 5> tags{{{0x02, &type_of<bf16>()},
                                           {0x03, &type_of<float>()},
                                           {0x04, &type_of<double>()},
                                           {0x14, &type_of<std::int32_t>()},
                                           {0x16, &type_of<std::int64_t>()}}};
  return tags;
}

// The bytes of a section, without the place it was read from.
Bytes section_bytes(ExtensionType e) {
  Descriptor d;
  d.header.flags = flag::extension_type;
  d.header.layout_tag = layout::row_major;
  d.extension_type = std::move(e);
  return serialize(d);
}

std::string said(const Fault& fault) { return fault.clause + ": " + fault.message(); }

outcome<void> check_byte_order() {
  if constexpr (std::endian::native != std::endian::little) {
    return fail(unsupported_byte_order,
                "the descriptor's buffers are little-endian, this host is not: copy the elements");
  }
  return {};
}

}  // namespace

outcome<void> type_agreement::add(std::uint8_t tag, const element_type& element,
                                  const NumberFormat& format) {
  if (!is_private_tag(tag)) {
    return fail(invalid_argument, hex_tag(tag) + " is no private tag: those are 0xf0 to 0xfe");
  }
  const std::string name(element.name);
  for (const tagged& t : built_in()) {
    if (*t.element == element) return fail(invalid_argument, name + " has a tag of its own");
  }
  if (!element.is_external()) return fail(invalid_argument, name + " is a standard type");
  if (find(tag) || find(element)) {
    return fail(invalid_argument, name + " or " + hex_tag(tag) + " is agreed already");
  }
  const auto section = author_extension_type(format);
  if (!section) return fail(invalid_argument, said(section.error()));
  if (section->bit_width != 8 * element.size) {
    return fail(invalid_argument, name + " has " + std::to_string(8 * element.size) +
                                      " bits, not " + std::to_string(section->bit_width));
  }
  entries_.push_back({tag, &element, *section});
  return {};
}

const type_agreement::entry* type_agreement::find(const element_type& element) const {
  const auto found =
      std::ranges::find_if(entries_, [&](const entry& e) { return *e.element == element; });
  return found == entries_.end() ? nullptr : &*found;
}

const type_agreement::entry* type_agreement::find(std::uint8_t tag) const {
  const auto found = std::ranges::find(entries_, tag, &entry::tag);
  return found == entries_.end() ? nullptr : &*found;
}

outcome<type_agreement> agree_on_df64(std::uint8_t tag) {
  static_assert(sizeof(df64) == df64_bytes && offsetof(df64, lo) == 8);
  type_agreement agreed;
  const auto added = agreed.add(tag, type_of<df64>(),
                                {.bit_width = 8 * df64_bytes,
                                 .is_float = true,
                                 .sign_bits = 1,
                                 .exponent_bits = 11,
                                 .mantissa_bits = 105,
                                 .exponent_bias = 1023,
                                 .has_nan = true,
                                 .has_inf = true});
  if (!added) return std::unexpected(added.error());
  return agreed;
}

outcome<described_tensor> describe(const erased_tensor& x, const type_agreement& agreed) {
  if (const auto fine = check_byte_order(); !fine) return std::unexpected(fine.error());
  const std::string name(x.type().name);
  Descriptor draft;
  const auto known =
      std::ranges::find_if(built_in(), [&](const tagged& t) { return *t.element == x.type(); });
  if (known != built_in().end()) {
    draft.header.type_tag = known->tag;
  } else if (const type_agreement::entry* e = agreed.find(x.type())) {
    draft.header.type_tag = e->tag;
    draft.extension_type = e->section;
  } else if (!x.type().is_external()) {
    return fail(unsupported_type, name + " is packed by the specification and cannot be lent");
  } else {
    return fail(no_agreement, name + " needs an agreement on a private tag");
  }
  draft.shape.assign(x.shape().begin(), x.shape().end());
  draft.byte_offset = static_cast<std::uint64_t>(x.offset()) * x.type().size;
  if (x.is_dense()) {
    draft.header.layout_tag = layout::row_major;
  } else {
    draft.header.layout_tag = layout::strided;
    Strided view;
    view.strides.assign(x.strides().begin(), x.strides().end());
    draft.layout = view;
  }
  if (reinterpret_cast<std::uintptr_t>(x.payload().get()) % payload_alignment != 0) {
    return fail(misaligned_buffer, "the payload is not aligned as every buffer is: duplicate it");
  }
  const shared_buffer buffer{x.payload(), x.payload_count() * x.type().size};
  auto descriptor = author(std::move(draft), {buffer.size});
  if (!descriptor) return fail(invalid_descriptor, said(descriptor.error()));
  return described_tensor{std::move(*descriptor), {buffer}};
}

outcome<erased_tensor> tensor_over(ByteView descriptor, const std::vector<shared_buffer>& buffers,
                                   const type_agreement& agreed, bool writable) {
  if (const auto fine = check_byte_order(); !fine) return std::unexpected(fine.error());
  // Judged as one who knows every private type would; which of them is known is asked below.
  Options options;
  for (unsigned tag = 0xF0; tag <= 0xFE; ++tag) {
    options.agreement.add(Agreed::type, static_cast<std::uint8_t>(tag));
  }
  const auto d = decode(descriptor, options);
  if (!d) return fail(invalid_descriptor, said(d.error()));
  // Asked first: what most quantized elements are stored as, a view could not lend either.
  if (d->quantization) return fail(unsupported_layout, "the elements are quantized: dequantise");

  const std::uint8_t tag = d->header.type_tag;
  const element_type* element = nullptr;
  if (is_private_tag(tag)) {
    const type_agreement::entry* e = agreed.find(tag);
    if (!e)
      return fail(no_agreement, "no agreement says what the private tag " + hex_tag(tag) + " is");
    if (section_bytes(*d->extension_type) != section_bytes(e->section)) {
      return fail(no_agreement, "the extension type section of " + hex_tag(tag) +
                                    " is not the one agreed for " + std::string(e->element->name));
    }
    element = e->element;
  } else {
    const auto known = std::ranges::find(built_in(), tag, &tagged::tag);
    if (known == built_in().end()) {
      return fail(unsupported_type, "no tensor holds the type " + hex_tag(tag));
    }
    element = known->element;
  }

  if (d->has_dynamic_dimension()) return fail(unsupported_layout, "a size that is not known yet");
  shape_type shape;
  for (const std::uint64_t extent : d->shape) {
    if (extent > SIZE_MAX) return fail(unsupported_layout, "a size beyond this machine's");
    shape.push_back(static_cast<std::size_t>(extent));
  }
  stride_type strides = dense_strides(shape);
  if (d->header.layout_tag == layout::column_major) {
    const shape_type reversed(shape.rbegin(), shape.rend());
    strides = dense_strides(reversed);
    std::ranges::reverse(strides);
  } else if (const auto* view = std::get_if<Strided>(&d->layout)) {
    strides.assign(view->strides.begin(), view->strides.end());
  } else if (d->header.layout_tag != layout::row_major) {
    return fail(unsupported_layout,
                "no view has the layout " + std::string(layout::name(d->header.layout_tag)));
  }

  if (buffers.size() != 1 || d->buffers.handles.size() != 1) {
    return fail(invalid_descriptor, "a dense tensor has one buffer");
  }
  if (d->buffers.handles[0].device_tag != 0) {
    return fail(unsupported_layout, "the buffer is not in this machine's memory");
  }
  const shared_buffer& buffer = buffers[0];
  if (buffer.size < d->buffers.handles[0].byte_size) {
    return fail(invalid_descriptor, "the buffer has " + std::to_string(buffer.size) +
                                        " bytes, fewer than the descriptor says");
  }
  const std::size_t width = element->size;
  const auto place = reinterpret_cast<std::uintptr_t>(buffer.bytes.get());
  if (place % element->alignment != 0 || d->byte_offset % width != 0) {
    return fail(misaligned_buffer,
                "the elements of " + std::string(element->name) + " are not aligned: copy them");
  }
  const std::size_t count = buffer.size / width;
  const auto all = erased_tensor::over(*element, buffer.bytes, count, {count}, writable);
  if (!all) return all;
  return all->viewed(std::move(shape), std::move(strides),
                     static_cast<std::ptrdiff_t>(d->byte_offset / width));
}

}  // namespace plumbline
