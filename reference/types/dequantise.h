// quantization.md: the real values of a quantized tensor, by the formulas of quantization/*.md
// (schemes.h). Buffers are those of the table, in its order.
//
// Refusals (kinds of question.h): virtual, a composite head; unquantized; opaque, a private or
// unknown type, layout or scheme, before any buffer is looked at; dynamic; sparse, a block-paged
// tensor whose sequences have no known lengths; buffers; large, more values than may be made;
// contents, indices or parameters that break their clauses.
#pragma once

#include <cstdint>
#include <expected>
#include <vector>

#include "../descriptor/sections.h"
#include "../exact.h"
#include "../question.h"

namespace plumbline {

// Zero strides and sparse layouts give many values for few bytes. As many as the storage elements
// that buffer 0 could hold are always made; beyond, no more than this (64 MiB of float32), or
// `large`.
inline constexpr std::uint64_t most_unbacked_values = std::uint64_t{1} << 24;

// All values, row-major over the logical shape. A cell that a sparse layout does not store is 0
// (open point D-135). All parameters are checked first, also those that no element uses (D-084);
// element addresses are the layout's own, whatever padding blocks have (D-153).
//
// Of a block-paged tensor the tokens follow sequence by sequence. seq_ptr counts pages, so how many
// tokens each sequence has is in the bytes only where every slot is used or one sequence has all
// pages (D-140); otherwise it is refused (sparse), and dequantise_paged is left.
std::expected<std::vector<float>, Refusal> dequantise(
    const Descriptor& d, const Buffers& buffers,
    std::uint64_t most_unbacked = most_unbacked_values);

// The value of one storage code at a logical index, in any layout but block-paged with parameters
// per slot. Checks the parameters that it uses; buffer 0 is not read. A code with more bits than
// the type is refused (contents).
std::expected<float, Refusal> dequantise_code(const Descriptor& d, const Buffers& buffers,
                                              const std::vector<std::uint64_t>& index, u128 code);

// block-paged.md, Element Lookup, from the physical page on: the value in one slot of a page.
struct PageSlot {
  std::uint64_t page = 0, slot = 0, head = 0, dimension = 0;
};
std::expected<float, Refusal> dequantise_paged(const Descriptor& d, const Buffers& buffers,
                                               const PageSlot& at);

}  // namespace plumbline
