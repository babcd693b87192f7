// Where an element lies: memory-layout.md, Byte Address of an Element, over the element offsets of
// layouts/*.md (one file a layout in this folder).
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <vector>

#include "../descriptor/sections.h"
#include "../question.h"

namespace plumbline {

struct Address {
  std::size_t buffer = 0;
  std::uint64_t byte =
      0;                  // in the buffer; for sub-byte types, the byte of the element's lowest bit
  std::uint32_t bit = 0;  // place of the element's lowest bit in that byte; 0 for whole-byte types

  friend bool operator==(const Address&, const Address&) = default;
};

// The address of one element of a dense tensor. A Refusal (see question.h) where there is none:
// range, dynamic, opaque, sparse, virtual, overflow, buffers (outside buffer 0).
std::expected<Address, Refusal> address(const Descriptor& d,
                                        const std::vector<std::uint64_t>& index);

}  // namespace plumbline
