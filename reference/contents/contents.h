// Judging what the buffers of a tensor hold: the storage invariants of the layout pages, the values
// that the schemes allow in their parameter arrays, reserved patterns and padding bits.
#pragma once

#include <expected>
#include <vector>

#include "../descriptor/fault.h"
#include "../descriptor/sections.h"
#include "../question.h"

namespace plumbline {

// The faults of the buffers' contents, in order of buffer (Fault::member), offset in that buffer
// and place in the table; each clause is named once, at the earliest instance that breaks it, and
// filtered by the mode as a descriptor's faults are. The offset is that of the last array entry, in
// buffer order, that takes part.
//
// Refused (buffers) where the buffers do not fit the table, or the table is too short for the
// layout. What depends on a dynamic size is not judged (open point D-035). Under a private or
// unknown layout nothing is judged; of a private or unknown element type or scheme, its own bytes
// are not.
//
// Reads nothing outside the buffers, whatever they hold; time is n log n, memory linear in them.
std::expected<std::vector<Fault>, Refusal> judge_contents(const Descriptor& d,
                                                          const Buffers& buffers,
                                                          const Options& options = {});

}  // namespace plumbline
