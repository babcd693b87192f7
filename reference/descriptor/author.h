// Authoring: building a descriptor from what its writer knows. Tags, flags, counts and lengths follow
// from the parts, and what a writer must not emit is refused with the clause it would break.
#pragma once

#include <expected>

#include "../question.h"
#include "descriptor.h"

namespace plumbline {

// metadata.md, Extension Type Section, without what follows from the width: packing_factor has one
// legal value per width (8 / bit_width below 8, else 1), so it is derived, never asked for.
struct NumberFormat {
  std::uint32_t bit_width = 8;
  bool is_float = false;
  bool is_signed = false;  // integers only: a float's sign is stated by sign_bits
  std::uint8_t sign_bits = 0, exponent_bits = 0, mantissa_bits = 0;  // floats only
  std::uint32_t exponent_bias = 0;
  bool has_nan = false, has_inf = false;
};
std::expected<ExtensionType, Fault> author_extension_type(const NumberFormat& format);

// The descriptor of `draft` with rank, flags, buffer_count and descriptor_length set from its parts, and
// the byte_size of each handle set to the length of the real buffer. Handles that the draft lacks are
// added with their default values. Refuses what strict judging refuses of a writer.
std::expected<Descriptor, Fault> author(Descriptor draft, const std::vector<std::uint64_t>& buffer_lengths);

}  // namespace plumbline
