#include "hurray.h"

#include "../types/element_type.h"

namespace plumbline {
namespace {

// The place of an element of `width` bytes that lies inside the buffer.
std::expected<std::size_t, Refusal> element_place(const Descriptor& d, bool has_the_type,
                                                  std::size_t buffer_size, const Index& index,
                                                  std::size_t width) {
  if (!has_the_type) return std::unexpected(Refusal{"opaque", "elements of another type"});
  const auto place = address(d, index);
  if (!place) return std::unexpected(place.error());
  if (place->byte > buffer_size || buffer_size - place->byte < width)
    return std::unexpected(Refusal{"buffers", "the buffer ends before the element does"});
  return static_cast<std::size_t>(place->byte);
}

bool has_bf16_elements(const Descriptor& d) { return d.header.type_tag == bf16_type_tag; }

}  // namespace

ExtensionType df64_extension_type() {
  const NumberFormat format{.bit_width = 128,
                            .is_float = true,
                            .sign_bits = 1,
                            .exponent_bits = 11,
                            .mantissa_bits = 105,
                            .exponent_bias = 1023,
                            .has_nan = true,
                            .has_inf = true};
  return author_extension_type(format).value();
}

Descriptor with_df64_elements(Descriptor draft, std::uint8_t tag) {
  draft.header.type_tag = tag;
  draft.extension_type = df64_extension_type();
  return draft;
}

Descriptor with_bf16_elements(Descriptor draft) {
  draft.header.type_tag = bf16_type_tag;
  draft.extension_type.reset();
  return draft;
}

bool has_df64_elements(const Descriptor& d) {
  if (!is_private_tag(d.header.type_tag) || !d.extension_type) return false;
  const ExtensionType &said = *d.extension_type, meant = df64_extension_type();
  return said.bit_width == meant.bit_width && said.packing_factor == meant.packing_factor &&
         said.is_float == meant.is_float && said.is_signed == meant.is_signed &&
         said.sign_bits == meant.sign_bits && said.exponent_bits == meant.exponent_bits &&
         said.mantissa_bits == meant.mantissa_bits && said.exponent_bias == meant.exponent_bias &&
         said.has_nan == meant.has_nan && said.has_inf == meant.has_inf;
}

std::expected<df64, Refusal> load_df64(const Descriptor& d, ByteView buffer, const Index& index) {
  const auto at = element_place(d, has_df64_elements(d), buffer.size(), index, df64_bytes);
  if (!at) return std::unexpected(at.error());
  return load_df64(buffer.subspan(*at).first<df64_bytes>());
}

std::expected<void, Refusal> store_df64(const Descriptor& d, std::span<std::uint8_t> buffer,
                                        const Index& index, df64 value) {
  const auto at = element_place(d, has_df64_elements(d), buffer.size(), index, df64_bytes);
  if (!at) return std::unexpected(at.error());
  store_df64(buffer.subspan(*at).first<df64_bytes>(), value);
  return {};
}

std::expected<bf16, Refusal> load_bf16(const Descriptor& d, ByteView buffer, const Index& index) {
  const auto at = element_place(d, has_bf16_elements(d), buffer.size(), index, bf16_bytes);
  if (!at) return std::unexpected(at.error());
  return load_bf16(buffer.subspan(*at).first<bf16_bytes>());
}

std::expected<void, Refusal> store_bf16(const Descriptor& d, std::span<std::uint8_t> buffer,
                                        const Index& index, bf16 value) {
  const auto at = element_place(d, has_bf16_elements(d), buffer.size(), index, bf16_bytes);
  if (!at) return std::unexpected(at.error());
  store_bf16(buffer.subspan(*at).first<bf16_bytes>(), value);
  return {};
}

}  // namespace plumbline
