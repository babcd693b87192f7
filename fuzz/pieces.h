// Cuts an input of one of the formats into its pieces.
#pragma once

#include <algorithm>
#include <vector>

#include "reference/bytes.h"

namespace plumbline::fuzz {

// Where the descriptor at the front ends, by its own descriptor_length; the whole input where that
// says more, at least one byte.
inline std::size_t front_length(ByteView input) {
  std::uint64_t length = input.size() < 10 ? input.size() : little_endian(input.subspan(6, 4));
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(length, std::min<std::size_t>(1, input.size()), input.size()));
}

inline std::vector<ByteView> split_set(ByteView input, std::size_t most = 1000) {
  std::vector<ByteView> set;
  while (!input.empty() && set.size() < most) {
    std::size_t length = front_length(input);
    set.push_back(input.first(length));
    input = input.subspan(length);
  }
  return set;
}

}  // namespace plumbline::fuzz
