// layouts/composite.md, Partition: coverage and non-overlap of member boxes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace plumbline {

// Along each dimension the half-open range [offset, offset + size).
struct Box {
  std::vector<std::uint64_t> offset, size;
};

// The place in `boxes` of the first one that overlaps an earlier one, by the page's formula (which
// lets an empty box overlap: open point D-193).
std::optional<std::size_t> first_overlap(const std::vector<Box>& boxes);

// Whether the boxes, all inside `shape`, leave an index of it uncovered. Exact for boxes that do not
// overlap; for those that do, a search that stops after a stated number of steps and then says
// no, since the overlap refuses the composite anyway.
bool leaves_gap(const std::vector<Box>& boxes, const std::vector<std::uint64_t>& shape,
                bool overlapping);

}  // namespace plumbline
