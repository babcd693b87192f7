// The Hilbert curve: a step on the curve is a step of one to a neighbour, and the way back is exact.
#include <algorithm>

#include "../build.h"
#include "../target.h"
#include "reference/addressing/element_offset.h"

namespace plumbline::fuzz {

std::string curves(ByteView input) {
  Choices choices(input);
  std::uint32_t rank = 2 + static_cast<std::uint32_t>(choices.below(15));
  std::uint32_t most = std::min<std::uint32_t>(63, 128 / rank);
  std::uint32_t order = 1 + static_cast<std::uint32_t>(choices.below(most));
  u128 h = u128{choices.wide()} << 64 | choices.wide();
  if (rank * order < 128) h &= (u128{1} << rank * order) - 1;

  Index here = hilbert_to_coords(h, rank, order);
  for (std::uint64_t x : here)
    if (x >> order != 0) return "a coordinate outside the cube";
  if (!(coords_to_hilbert(here, order) == Exact(h))) return "coordinates of another place on the curve";
  u128 last = rank * order < 128 ? (u128{1} << rank * order) - 1 : ~u128{0};
  if (h == last) return "";
  Index next = hilbert_to_coords(h + 1, rank, order);
  std::size_t steps = 0;
  for (std::size_t k = 0; k < rank; ++k) {
    std::uint64_t low = std::min(here[k], next[k]), high = std::max(here[k], next[k]);
    if (high - low > 1) return "a step of more than one";
    steps += high - low;
  }
  return steps == 1 ? "" : "a step in " + std::to_string(steps) + " dimensions";
}

}  // namespace plumbline::fuzz
