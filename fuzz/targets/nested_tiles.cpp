// Tilings of any depth.
#include <map>

#include "../build.h"
#include "../target.h"
#include "reference/addressing/address.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::fuzz {

std::string nested_tiles(ByteView input) {
  Choices choices(input);
  Descriptor d;
  d.header.layout_tag = layout::tiled;
  d.header.type_tag = choices.one_in(2) ? 0x44 : 0x10;
  std::size_t rank = 1 + choices.below(3), depth = 1 + choices.below(12);
  for (std::size_t k = 0; k < rank; ++k) d.shape.push_back(1 + choices.below(9));
  Tiled tiled;
  bool strided = false;
  for (std::size_t n = 0; n < depth; ++n) {
    TileLevel level;
    for (std::size_t k = 0; k < rank; ++k) level.tile_shape.push_back(choices.below(9));
    level.outer_layout = static_cast<std::uint8_t>(1 + choices.below(3));
    level.inner_layout = n + 1 < depth ? layout::tiled : static_cast<std::uint8_t>(1 + choices.below(3));
    for (std::size_t k = 0; k < rank; ++k) {
      if (level.outer_layout == 3) level.outer_strides.push_back(static_cast<std::int64_t>(choices.below(9)) - 1);
      if (level.inner_layout == 3) level.inner_strides.push_back(static_cast<std::int64_t>(choices.below(9)) - 1);
    }
    strided = strided || level.outer_layout == 3 || level.inner_layout == 3;
    tiled.levels.push_back(level);
  }
  d.layout = tiled;
  d.buffers.handles = {{.byte_size = choices.one_in(4) ? choices.byte() : std::uint64_t{1} << 20}};
  settle(d);
  Bytes bytes = serialize(d);
  for (Mode mode : {Mode::strict, Mode::lenient, Mode::permissive}) {
    std::expected<Descriptor, Fault> accepted = decode(bytes, {.mode = mode});
    if (!accepted) continue;
    if (depth > deepest_tiling) return "tiles nested " + std::to_string(depth) + " deep are accepted";
    std::map<std::pair<std::uint64_t, std::uint32_t>, int> seen;
    std::vector<std::uint64_t> index(rank, 0);
    for (bool more = true; more;) {
      std::expected<Address, Refusal> place = address(*accepted, index);
      if (!place) return "no address: " + place.error().text;
      if (place->byte >= accepted->buffers.handles[0].byte_size) return "an address behind the buffer";
      if (++seen[{place->byte, place->bit}] > 1 && !strided) return "two elements at one address";
      std::size_t k = rank;
      while (k > 0 && ++index[k - 1] == d.shape[k - 1]) index[--k] = 0;
      more = k > 0;
    }
  }
  return "";
}

}  // namespace plumbline::fuzz
