// quantization.md and quantization/*.md: from storage codes and parameters to real values, for each
// of the five schemes. Everything is float32, each formula with the roundings that its page states:
//   affine  scale * float32(q - zero_point): the difference is exact (open point D-158: it can take
//           33 bits), rounded once to float32, and the product once more
//   NF4     scale * level[q]
//   MXFP    2^(e - 127) * value of q: q is exact in float32, so the product is rounded once (in
//           effect only when it leaves the normal range)
// A product beyond float32 is an infinity; codes of float8 that are infinite or NaN stay so.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <vector>

#include "../descriptor/sections.h"
#include "../question.h"

namespace plumbline {

float affine_value(float scale, std::int64_t q, std::int64_t zero_point);

// nf4.md, Lookup Table (clause CON-59).
inline constexpr std::array<float, 16> nf4_levels = {
    -1.0f,
    -0.6961928009986877f,
    -0.5250730514526367f,
    -0.39491748809814453f,
    -0.28444138169288635f,
    -0.18477343022823334f,
    -0.09105003625154495f,
    0.0f,
    0.07958029955625534f,
    0.16093020141124725f,
    0.24611230194568634f,
    0.33791524171829224f,
    0.44070982933044434f,
    0.5626170039176941f,
    0.7229568362236023f,
    1.0f,
};
float nf4_value(float scale, std::uint8_t q);  // q below 16

// The scale code from 01 to FE.
float mxfp_value(std::uint8_t scale_code, float value);

// per-block-affine.md, Block Layout (clause QPB-20), also of NF4 and MXFP.
Exact block_index(const std::vector<std::uint64_t>& shape, std::uint32_t axis,
                  std::uint32_t block_size, const std::vector<std::uint64_t>& index);

// The scale and zero point of a group of elements.
struct Parameters {
  float scale = 1;
  std::int64_t zero_point = 0;
  std::uint8_t scale_code = 127;  // MXFP: the float8_e8m0 code of the scale
};

// A tensor's scheme, ready to be applied: its parameter arrays are found and wholly inside their
// buffers. Refers to the descriptor and the buffers, which must outlive it.
class Scheme {
 public:
  // The buffers are cut to the sizes of the table. Refusals: unquantized, opaque (a private or
  // unknown scheme; fields or a storage type for which the scheme has no formula), dynamic,
  // buffers.
  static std::expected<Scheme, Refusal> of(const Descriptor& d, const Buffers& buffers);

  // Number of entries of the parameter arrays; 1 for per-tensor.
  std::uint64_t entries() const { return entries_; }
  // The entry for the element at that index, which is inside the shape. Block-paged tensors with
  // parameters per slot have none (slot_entry).
  Exact entry_at(const std::vector<std::uint64_t>& index) const;
  // Whether the parameters stand per page slot: entry page * page_size + slot (open point D-142).
  bool is_per_slot() const;

  // The parameters of an entry. Refused (contents) when they break a clause: an affine scale that
  // is zero or not finite, an NF4 scale that is negative or not finite, an MXFP scale code 00 or
  // FF, a zero point of schemes 01 and 02 outside the storage type.
  std::expected<Parameters, Refusal> parameters(Exact entry) const;
  // The first entry that is refused, if any.
  std::optional<Refusal> refused_entry() const;

  // The real value of a storage code, which has no more bits than the type.
  float value(std::uint64_t code, const Parameters& p) const;

 private:
  explicit Scheme(const Descriptor& d) : d_(&d) {}
  std::optional<Refusal> find_fields();
  std::optional<Refusal> find_arrays(const Buffers& buffers);

  const Descriptor* d_;
  std::uint32_t axis_ = 0, block_size_ = 1;
  std::uint8_t scale_type_ = 0x03;
  std::uint32_t scale_index_ = no_buffer, zero_point_index_ = no_buffer;
  bool has_zero_points_ = false;
  Exact count_ = Exact(1);
  std::uint64_t entries_ = 1;
  ByteView scales_, zero_points_;
};

}  // namespace plumbline
