// Element offsets: where the element at a logical index lies, counted in elements from the element
// at index [0, 0, ..., 0]. One function a layout page, in exact arithmetic.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "../descriptor/sections.h"
#include "../mutation.h"

namespace plumbline {

using Index = std::vector<std::uint64_t>;

// forward - back. Both grow only, so neither a sum nor a product can wrap (see Exact).
struct ElementOffset {
  Exact forward, back;

  // Nothing where a part is beyond what i128 holds; no buffer reaches that far.
  std::optional<i128> value() const {
    constexpr u128 largest = ~u128{0} >> 1;
    if (!forward.at_most(largest) || !back.at_most(largest)) return std::nullopt;
    return static_cast<i128>(forward.value()) - static_cast<i128>(back.value());
  }
  friend ElementOffset operator+(ElementOffset a, ElementOffset b) {
    return {a.forward + b.forward, a.back + b.back};
  }
  friend ElementOffset operator*(ElementOffset a, Exact factor) {
    return {a.forward * factor, a.back * factor};
  }
};

// row_major.cpp, column_major.cpp, strided.cpp. The index is inside `sizes`.
ElementOffset row_major_offset(const std::vector<std::uint64_t>& sizes, const Index& index);
ElementOffset column_major_offset(const std::vector<std::uint64_t>& sizes, const Index& index);
ElementOffset strided_offset(const std::vector<std::int64_t>& strides, const Index& index);
// tiled.cpp: all levels of tiles. Every tile size is above 0.
ElementOffset tiled_offset(const Tiled& layout, const std::vector<std::uint64_t>& shape,
                           const Index& index);
// morton.cpp
ElementOffset morton_offset(const std::vector<std::uint32_t>& morton_bits, const Index& index);
// hilbert.cpp: r is the number of coordinates; p from 1 to 63, each coordinate below 2^p.
Exact coords_to_hilbert(Index x, std::uint32_t p);
// h is below 2^(r*p); r at least 1.
Index hilbert_to_coords(u128 h, std::uint32_t r, std::uint32_t p);

// The element offset in any dense layout, for an index inside the shape; nothing where the layout's
// fields do not give one because they break its clauses.
std::optional<ElementOffset> element_offset(const Descriptor& d, const Index& index);

}  // namespace plumbline
