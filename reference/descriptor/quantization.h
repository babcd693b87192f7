// quantization.md: the quantization descriptor and the fields of its five schemes.
#pragma once

#include <cstdint>
#include <limits>
#include <variant>

#include "fields.h"

namespace plumbline {

// So far behind every input that an offset counted from it is still behind the end of what was read.
inline constexpr std::size_t not_read = std::numeric_limits<std::size_t>::max() / 2;
inline constexpr std::uint32_t no_buffer = 0xFFFFFFFF;

// quantization/*.md: the fields behind the four-byte header.
struct PerTensorAffine {
  std::uint32_t scale = 0x3F800000;  // float32 bits
  std::int32_t zero_point = 0;
  Bytes reserved = Bytes(4);
  void visit(Fields& f);
};
struct PerChannelAffine {
  std::uint32_t axis = 0, scale_buffer_index = 1, zero_point_buffer_index = no_buffer;
  std::uint8_t scale_type_tag = 3;
  Bytes reserved = Bytes(3);
  void visit(Fields& f);
};
struct PerBlockAffine {
  std::uint32_t axis = 0, block_size = 32, scale_buffer_index = 1,
                zero_point_buffer_index = no_buffer;
  std::uint8_t scale_type_tag = 3;
  Bytes reserved = Bytes(3);
  void visit(Fields& f);
};
struct Nf4 {
  std::uint32_t axis = 0, block_size = 64, scale_buffer_index = 1;
  void visit(Fields& f);
};
struct Mxfp {
  std::uint32_t axis = 0, block_size = 32, scale_buffer_index = 1;
  void visit(Fields& f);
};
// A scheme or scheme version that is not known here: the payload as it stands.
struct UnknownScheme {
  Bytes payload;
  void visit(Fields& f);
};

namespace scheme {
inline constexpr std::uint8_t per_tensor = 1, per_channel = 2, per_block = 3, nf4 = 4, mxfp = 5;
inline constexpr std::uint16_t symmetric = 1;  // flag bit 0 of schemes 02 and 03
}

// quantization.md, Descriptor Header; metadata.md, Quantization Section
struct Quantization {
  std::size_t at = not_read;  // of quantization_length
  std::uint32_t declared_length = 0;  // as read; when writing it follows from the fields
  std::uint8_t scheme_tag = 0, scheme_version = 1;
  std::uint16_t flags = 0;
  std::variant<PerTensorAffine, PerChannelAffine, PerBlockAffine, Nf4, Mxfp, UnknownScheme> scheme;
  Bytes padding;            // behind the scheme's fields, inside quantization_length
  // False where quantization_length is too short for the scheme's fields: they were read up to cut_at,
  // and `raw` keeps all bytes of the window.
  bool complete = true;
  std::size_t cut_at = not_read;
  Bytes raw;

  bool is_symmetric() const { return (flags & scheme::symmetric) != 0; }
  // Offset of byte `n` of the quantization descriptor (behind the length).
  std::size_t byte_at(std::size_t n) const { return at + 4 + n; }
  // The fields in wire order; bytes -> struct goes through read_quantization.
  void visit(Fields& f);
};

}  // namespace plumbline
