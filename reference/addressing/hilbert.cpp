// layouts/hilbert.md, Normative Index Mapping: Skilling's algorithm (2004) in both directions, as
// printed (clause HIL-07). The printed algorithm outranks the printed table; they agree (D-122).
#include "element_offset.h"

namespace plumbline {

Exact coords_to_hilbert(Index x, std::uint32_t p) {
  std::size_t r = x.size();
  std::uint64_t m = std::uint64_t{1} << (p - 1);
  for (std::uint64_t q = m; q > 1; q >>= 1) {
    std::uint64_t low = q - 1;  // P of the page
    for (std::size_t i = 0; i < r; ++i) {
      if ((x[i] & q) != 0) {
        x[0] ^= low;
      } else {
        std::uint64_t t = (x[0] ^ x[i]) & low;
        x[0] ^= t;
        x[i] ^= t;
      }
    }
  }
  for (std::size_t i = 1; i < r; ++i) x[i] ^= x[i - 1];
  std::uint64_t t = 0;
  for (std::uint64_t q = m; q > 1; q >>= 1)
    if ((x[r - 1] & q) != 0) t ^= q - 1;
  if (!mutant("wrong:", "Hilbert without its last Gray step"))
    for (std::size_t i = 0; i < r; ++i) x[i] ^= t;

  Exact h(0);
  for (std::size_t b = 0; b < p; ++b)
    for (std::size_t d = 0; d < r; ++d) {
      std::size_t bit = b * r + (r - 1 - d);
      if (mutant("wrong:", "Hilbert bits from the last dimension")) bit = b * r + d;
      if ((x[d] >> b & 1) != 0) h = h + power_of_two(bit);  // each bit once
    }
  return h;
}

Index hilbert_to_coords(u128 h, std::uint32_t r, std::uint32_t p) {
  Index x(r, 0);
  for (std::size_t b = 0; b < p; ++b)
    for (std::size_t d = 0; d < r; ++d) {
      std::size_t bit = b * r + (r - 1 - d);
      if (bit < 128 && (h >> bit & 1) != 0) x[d] |= std::uint64_t{1} << b;
    }
  std::uint64_t t = x[r - 1] >> 1;
  for (std::size_t i = r - 1; i >= 1; --i) x[i] ^= x[i - 1];
  x[0] ^= t;
  for (std::uint64_t q = 2; q != std::uint64_t{1} << p; q <<= 1) {
    std::uint64_t low = q - 1;
    for (std::size_t i = r; i-- > 0;) {
      if ((x[i] & q) != 0) {
        x[0] ^= low;
      } else {
        std::uint64_t u = (x[0] ^ x[i]) & low;
        x[0] ^= u;
        x[i] ^= u;
      }
    }
  }
  return x;
}

}  // namespace plumbline
