// One element by its logical index, through the buffers: the Element Lookup parts of the layout
// pages.
#pragma once

#include "element.h"

namespace plumbline {

// The element's bytes; nothing for a cell that a sparse layout does not store, which is zero
// (clause CON-66). The index of a block-paged tensor is s, t, h, d: sequence, token in the
// sequence, head, dimension; token counts are out of band (open point D-140), so t is bounded by
// the sequence's pages and by the total. Refused as address is, but for sparse; opaque also for
// every private or unknown element type, whose bytes are nobody's to read without its meaning;
// buffers; contents where the buffers break an invariant on the way. Whatever they hold, no byte
// outside them is read, and the time is bounded by them.
std::expected<std::optional<Stored>, Refusal> lookup(const Descriptor& d, const Buffers& buffers,
                                                     const Index& index);

}  // namespace plumbline
