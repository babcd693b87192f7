// A tensor and a Hurray descriptor with its buffers, into each other, without copying the payload:
// both stand for one block of memory, kept alive by whoever holds either.
//
// Standard types and bf16 go under the specification's own tags. Any other external scalar goes
// under a private tag, which needs an agreement on both sides: which tag, which scalar, and the
// extension type section that it carries. A dense tensor is described as row-major, every other
// view as strided. Truth values are packed by the specification and cannot be lent.
#pragma once

#include <vector>

#include "../descriptor/author.h"
#include "erased_tensor.h"

namespace plumbline {

// What two parties settled about private element types.
class type_agreement {
 public:
  struct entry {
    std::uint8_t tag = 0;
    const element_type* element = nullptr;
    ExtensionType section;
  };

  // invalid_argument: no private tag, a format that is no sound section or of another width, a tag
  // or a scalar that is agreed already, a type that has a tag of its own.
  outcome<void> add(std::uint8_t tag, const element_type& element, const NumberFormat& format);

  const entry* find(const element_type& element) const;
  const entry* find(std::uint8_t tag) const;

 private:
  std::vector<entry> entries_;
};

// df64 under a private tag: 128 bits, two binary64 numbers, hi at the lower address; the section
// says sign, exponent and bias of hi and the 106 bits of the significand, one of them implicit.
outcome<type_agreement> agree_on_df64(std::uint8_t tag);

// Memory that may be shared. `size` in bytes.
struct shared_buffer {
  std::shared_ptr<void> bytes;
  std::size_t size = 0;
};

struct described_tensor {
  Descriptor descriptor;
  std::vector<shared_buffer> buffers;  // as many as the descriptor lists
};

// The descriptor of a view, and the payload as its buffer. no_agreement; unsupported_type (truth
// values); unsupported_byte_order; misaligned_buffer (memory that was lent with a weaker alignment
// than descriptors promise: 64 bytes, clause BUF-07).
outcome<described_tensor> describe(const erased_tensor& x, const type_agreement& agreed = {});

// The view that a descriptor describes, over the buffer itself. Judged strictly first
// (invalid_descriptor, naming the clause). no_agreement; unsupported_type; unsupported_layout for
// what is not row-major, column-major or strided, or has a quantization; misaligned_buffer;
// unsupported_byte_order. The tensor may be written once it is the buffer's sole holder, where
// `writable` says that its memory may be.
outcome<erased_tensor> tensor_over(ByteView descriptor, const std::vector<shared_buffer>& buffers,
                                   const type_agreement& agreed = {}, bool writable = true);

}  // namespace plumbline
