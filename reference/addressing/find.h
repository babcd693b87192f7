// Where the sparse and paged layouts keep an element: its position in buffer 0. One function a
// layout page. The index is inside the shape; `buffers` are those that fit_buffers gave.
#pragma once

#include <expected>
#include <optional>

#include "element_offset.h"
#include "refuse.h"

namespace plumbline {

using Position = std::expected<std::optional<std::uint64_t>, Refusal>;  // nothing: not stored

Position find_coo(const Descriptor& d, const Coo& layout, const Buffers& buffers,
                  const Index& index);
Position find_csr(const Descriptor& d, const CompressedMatrix& layout, const Buffers& buffers,
                  const Index& index);
Position find_csc(const Descriptor& d, const CompressedMatrix& layout, const Buffers& buffers,
                  const Index& index);
Position find_csf(const Descriptor& d, const Csf& layout, const Buffers& buffers,
                  const Index& index);
// index is s, t, h, d
Position find_paged(const Descriptor& d, const BlockPaged& layout, const Buffers& buffers,
                    const Index& index);

// CSR row `line`, or CSC column `line`: the slice of `indices` that `pointers` delimit, searched
// for `value`.
Position find_in_slice(const Array& pointers, const Array& indices, std::uint64_t line,
                       std::uint64_t value);

}  // namespace plumbline
