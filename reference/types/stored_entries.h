// layouts/coo.md, csr.md, csc.md, csf.md, Iteration: every stored entry of a sparse tensor.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "../descriptor/sections.h"
#include "../question.h"

namespace plumbline {

// Gets the logical index of an entry and its position in `values`; a Refusal ends the walk.
using VisitEntry = std::function<std::optional<Refusal>(const std::vector<std::uint64_t>& index,
                                                        std::uint64_t position)>;

// Visits the nnz entries in storage order. The buffers are cut to the sizes of the table, every
// access is inside them, and the walk takes time linear in their bytes. Refused: contents, where an
// invariant of the layout is broken (coordinates outside the shape, or not in the order they must
// have; pointers that do not begin at 0, decrease, or do not end at the count); buffers, where an
// array is shorter than what the others ask of it; sparse, for a layout that is not sparse. A
// repeated tuple in an unsorted COO tensor is not seen here.
std::optional<Refusal> visit_stored(const Descriptor& d, const Buffers& buffers,
                                    const VisitEntry& visit);

}  // namespace plumbline
