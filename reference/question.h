// What the questions about a descriptor's data share: the buffers beside it, and the typed refusal of a
// question that has no answer.
#pragma once

#include <string>
#include <vector>

#include "bytes.h"

namespace plumbline {

// The bytes of each entry of the buffer table, in its order.
using Buffers = std::vector<ByteView>;

struct Refusal {
  // range: an index outside the shape, or of the wrong length
  // dynamic: a size that is not known yet
  // opaque: a private or unknown type, layout or scheme whose elements have no known place or value
  // sparse: a layout without an address for every cell (use lookup)
  // virtual: a composite head, which owns no data
  // overflow: a number beyond 64 bits
  // large: an answer of more values than may be made
  // buffers: buffers that do not fit the table, or too short for what is asked
  // contents: indices or parameters inside the buffers that break the layout's invariants
  // unquantized: a tensor without a quantization section
  std::string kind;
  std::string text;
};

}  // namespace plumbline
