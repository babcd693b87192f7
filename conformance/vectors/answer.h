// The answers of FORMAT.md: `accept`, `invalid EXT-05 at extension.packing_factor`, `0 24 0`, ...
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "conformance/vectors/vector.h"

namespace plumbline::vectors {

// The offset of KEY in the given member (0 for a single descriptor). Throws value_error.
using offset_of = std::function<std::uint64_t(unsigned member, std::string_view key)>;

// Throws value_error. `need_offset` is false in readings, which may state a refusal without its
// place.
expectation parse_answer(std::string_view op, std::string_view text, const offset_of& where,
                         bool need_offset);

}  // namespace plumbline::vectors
