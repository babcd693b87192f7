// layouts/composite.md, Composition Semantics: which elements of which members make up one element
// of the head's view.
#pragma once

#include <span>

#include "lookup.h"

namespace plumbline {

// One descriptor of a set with the buffers of its table.
struct Part {
  Descriptor descriptor;
  Buffers buffers;
};

// One member's element behind an element of the view.
struct Contribution {
  std::size_t part = 0;          // place in the set
  Index index;                   // in that member
  std::optional<Stored> stored;  // nothing: a cell that the member does not store, which is zero
};

inline constexpr int deepest_nesting =
    8;  // heads on a path, the outermost included (open point D-196)

// The element of a composite at `index` of the head's shape. `set` is the head and then its members
// in pre-order, a nested head followed by its own members (clause CMP-32); a set without a head is
// one plain tensor. The answer is
//   partition: the one element of the member whose box holds the index (CMP-33);
//   overlay, replace: the element of the latest member that covers the index, where a sparse
//   correction
//     covers the coordinates that it stores and no others (CMP-34, open point D-194);
//   overlay, add: the base's element and then those of all covering corrections in order, to be
//   summed in
//     the head's type by whoever knows what the stored elements stand for (members may be
//     quantized);
//   nested: what the member's own rule gives.
// Refused as lookup is; virtual also for a group, which has no view; opaque where the set does not
// give the index a place (ends early, has parts left over, nests too deep, lacks a box, a private
// rule).
std::expected<std::vector<Contribution>, Refusal> lookup_composite(std::span<const Part> set,
                                                                   const Index& index);

}  // namespace plumbline
