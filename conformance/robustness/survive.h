// What must hold for any bytes at all: they are judged alike by the stopping and the collecting call,
// the modes nest, and whatever any mode accepts answers every further question with a value or a typed
// refusal, stays inside its buffers, and is written again byte for byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/bytes.h"
#include "reference/descriptor/sections.h"

namespace plumbline::robustness {

// Empty when every promise holds; otherwise which one is broken. Asked without an agreement and with an
// agreement on everything private.
std::string broken_promise(ByteView bytes);
// The same for a composite head with its members. Where `changed` names a place in the set, the further
// questions are put to that member alone.
std::string broken_promise_of_set(const std::vector<ByteView>& set,
                                  std::optional<std::size_t> changed = {});

// The indices at whose ends addresses and lookups are asked: corners of the shape.
std::vector<std::vector<std::uint64_t>> corners(const Descriptor& d);

}  // namespace plumbline::robustness
