// Changes descriptors as a writer with bugs would: a field gets a boundary value, a section appears or
// goes, the layout or the scheme changes. Half of what is changed here states its new size in
// descriptor_length.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reference/bytes.h"

namespace plumbline::fuzz {

using Plain = std::size_t (*)(std::uint8_t* data, std::size_t size, std::size_t most);

// Changes one descriptor of `data` in place, whatever stands behind it stays. Some runs go to `plain`
// (nullptr: none). The new size, at most `most`.
std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t most, std::uint64_t seed,
                   Plain plain);
// Two parents make one child: their sections are exchanged, or sets are joined.
std::size_t cross(ByteView a, ByteView b, std::uint8_t* out, std::size_t most, std::uint64_t seed,
                  bool structured);

}  // namespace plumbline::fuzz
