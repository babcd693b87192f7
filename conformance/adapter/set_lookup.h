// lookup through a composite set: one element of the head's view.
#pragma once

#include <expected>
#include <optional>
#include <vector>

#include "reference/addressing/composite_lookup.h"
#include "reference/descriptor/composite_set.h"

namespace plumbline::adapter {

// `set` was accepted; `buffers` are those of its tensors, one after the other. The element in the
// head's type; nothing for a cell that no tensor stores. Sums are formed in that type, correction
// by correction.
std::expected<std::optional<Stored>, Refusal> lookup_set(const SetJudgement& set,
                                                         const std::vector<Bytes>& buffers,
                                                         const Index& index);

}  // namespace plumbline::adapter
