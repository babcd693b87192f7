// The scalars as element types of a Hurray tensor. bf16 is the built-in type 0x02. df64 is no
// built-in type: it takes a private tag with the extension type section below. Width and packing
// are all that a stranger needs to size and move the buffer (EXT-17); what the 128 bits mean is
// settled by agreement: two binary64 numbers, each little-endian, hi at the lower address
// (storage.h).
//
// The section describes one number with a sign, an exponent and a significand; a df64 is a sum of
// two, and this is the nearest that can be said of it: the sign, exponent and bias of hi, and a
// significand of 106 bits, one of them implicit. The remaining 11 bits of the width go unnamed.
#pragma once

#include <expected>
#include <vector>

#include "../addressing/address.h"
#include "../addressing/element_offset.h"
#include "../descriptor/author.h"
#include "storage.h"

namespace plumbline {

inline constexpr std::uint8_t bf16_type_tag = 0x02;
inline constexpr std::uint8_t default_df64_type_tag = 0xf0;  // which private tag is agreed on

ExtensionType df64_extension_type();

// The draft with the element type of df64, under this private tag, or of bf16; the rest of it is
// the caller's (author() completes it).
Descriptor with_df64_elements(Descriptor draft, std::uint8_t tag = default_df64_type_tag);
Descriptor with_bf16_elements(Descriptor draft);

// Whether d says what df64_extension_type() says, under any private tag. A stranger may use the
// same description for a type of its own: the agreement decides, not this.
bool has_df64_elements(const Descriptor& d);

// One element, where a dense layout puts it in buffer 0; every pattern survives. Refused as
// address() refuses, and with kind "buffers" where the buffer ends before the element does;
// "opaque" where the descriptor has other elements.
std::expected<df64, Refusal> load_df64(const Descriptor& d, ByteView buffer, const Index& index);
std::expected<void, Refusal> store_df64(const Descriptor& d, std::span<std::uint8_t> buffer,
                                        const Index& index, df64 value);
std::expected<bf16, Refusal> load_bf16(const Descriptor& d, ByteView buffer, const Index& index);
std::expected<void, Refusal> store_bf16(const Descriptor& d, std::span<std::uint8_t> buffer,
                                        const Index& index, bf16 value);

}  // namespace plumbline
