// Morton and Hilbert: the pages' examples, tables and bijections.
#include <set>

#include "reference/addressing/address.h"
#include "reference/addressing/element_offset.h"
#include "reference/addressing/test_tensors.h"

using namespace plumbline;
using namespace plumbline::test;

namespace {

Hilbert hilbert(std::uint32_t order, std::uint32_t rank) {
  Hilbert h;
  h.hilbert_order = order;
  h.hilbert_rank = rank;
  return h;
}

std::uint64_t code(const std::vector<std::uint32_t>& bits, const Sizes& index) {
  return static_cast<std::uint64_t>(*morton_offset(bits, index).value());
}

}  // namespace

TEST_CASE("Morton: the page's example") {
  CHECK(code({2, 2}, {2, 3}) == 14);
  Descriptor d = accepted(tensor(tag::f32, layout::morton, {4, 4}, {64}, morton({2, 2})));
  CHECK(address(d, {2, 3}) == Address{0, 56, 0});
}

TEST_CASE("Morton with equal bit counts fills its storage") {
  for (std::uint32_t rank = 1; rank <= 4; ++rank)
    for (std::uint32_t bits = 1; bits <= 3; ++bits) {
      std::set<std::uint64_t> seen;
      for_each_index(Sizes(rank, std::uint64_t{1} << bits), [&](const Sizes& index) {
        std::uint64_t m = code(std::vector<std::uint32_t>(rank, bits), index);
        // Taken apart again: bit b of dimension d stands at b * rank + d.
        Sizes back(rank, 0);
        for (std::uint32_t n = 0; n < rank * bits; ++n)
          back[n % rank] |= (m >> n & 1) << (n / rank);
        CHECK(back == index);
        seen.insert(m);
      });
      CHECK(seen.size() == std::size_t{1} << (rank * bits));
      CHECK(*seen.rbegin() == (std::uint64_t{1} << (rank * bits)) - 1);
    }
}

TEST_CASE("Morton with unequal bit counts, as printed (D-120)") {
  CHECK(code({1, 2}, {0, 2}) == 8);
  CHECK(code({1, 2}, {0, 3}) == 10);
  CHECK(code({1, 2}, {1, 3}) == 11);
  CHECK(code({1, 3}, {1, 7}) == 43);
  CHECK(code({1, 10}, {1, 1023}) == 699051);
  CHECK(code({2, 1}, {3, 1}) == 7);
  // 43 is inside a buffer that reaches the highest code, and outside one of 16 elements.
  Descriptor d = tensor(tag::f32, layout::morton, {2, 8}, {176}, morton({1, 3}));
  CHECK(address(accepted(d), {1, 7}) == Address{0, 172, 0});
  d.buffers.handles[0].byte_size = 64;
  CHECK(address(d, {1, 7}).error().kind == "buffers");
  CHECK_FALSE(judge(serialize(d)).accepted());
}

TEST_CASE("Morton: index bits beyond morton_bits are dropped, and codes beyond 64 bits refused") {
  CHECK(code({1, 1}, {2, 3}) == 2);
  Descriptor d = tensor(tag::f32, layout::morton, {std::uint64_t{1} << 40, std::uint64_t{1} << 40},
                        {64}, morton({40, 40}));
  CHECK(address(d, {0, 1}) == Address{0, 8, 0});
  CHECK(address(d, {std::uint64_t{1} << 39, 0}).error().kind == "overflow");
}

TEST_CASE("Hilbert: the page's whole table, both ways") {
  const Sizes table[16] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 2}, {0, 3}, {1, 3}, {1, 2},
                           {2, 2}, {2, 3}, {3, 3}, {3, 2}, {3, 1}, {2, 1}, {2, 0}, {3, 0}};
  Descriptor d = accepted(tensor(tag::f32, layout::hilbert, {4, 4}, {64}, hilbert(2, 2)));
  for (std::uint64_t h = 0; h < 16; ++h) {
    CHECK(coords_to_hilbert(table[h], 2) == Exact(h));
    CHECK(hilbert_to_coords(h, 2, 2) == table[h]);
    CHECK(address(d, table[h]) == Address{0, 4 * h, 0});
  }
}

TEST_CASE("Hilbert: inverse bijections in unit steps from the origin to a corner (D-122)") {
  struct Case {
    std::uint32_t r, p;
  };
  for (Case c :
       {Case{2, 1}, {2, 2}, {2, 3}, {2, 4}, {3, 1}, {3, 2}, {3, 3}, {4, 2}, {5, 1}, {6, 1}}) {
    CAPTURE(c.r, c.p);
    std::uint64_t count = std::uint64_t{1} << (c.r * c.p);
    std::set<Sizes> seen;
    Sizes before;
    for (std::uint64_t h = 0; h < count; ++h) {
      Sizes x = hilbert_to_coords(h, c.r, c.p);
      REQUIRE(coords_to_hilbert(x, c.p) == Exact(h));
      for (std::uint64_t coordinate : x) CHECK(coordinate < std::uint64_t{1} << c.p);
      seen.insert(x);
      if (h > 0) {
        std::uint64_t distance = 0;
        for (std::uint32_t d = 0; d < c.r; ++d)
          distance += x[d] > before[d] ? x[d] - before[d] : before[d] - x[d];
        CHECK(distance == 1);
      }
      before = x;
    }
    CHECK(seen.size() == count);
    CHECK(hilbert_to_coords(0, c.r, c.p) == Sizes(c.r, 0));
    Sizes corner(c.r, 0);
    corner[0] = (std::uint64_t{1} << c.p) - 1;
    CHECK(before == corner);
  }
}

TEST_CASE("Hilbert at its widest (D-123)") {
  std::mt19937_64 random(11);
  for (int round = 0; round < 200; ++round) {
    u128 h = (u128{random()} << 64 | random()) >> 2;  // 126 bits
    Sizes x = hilbert_to_coords(h, 2, 63);
    CHECK(coords_to_hilbert(x, 63) == Exact(h));
  }
  Sizes shape(2, std::uint64_t{1} << 63);
  Descriptor d = tensor(tag::boolean, layout::hilbert, shape, {64}, hilbert(63, 2));
  CHECK(address(d, {0, 0}) == Address{0, 0, 0});
  CHECK(address(d, {shape[0] - 1, shape[0] - 1}).error().kind == "overflow");
  // 64 coordinates of one bit: the index itself needs 64 bits.
  Descriptor many = tensor(tag::i8, layout::hilbert, Sizes(64, 2), {64}, hilbert(1, 64));
  CHECK(address(many, Sizes(64, 0)) == Address{0, 0, 0});
  Sizes ones(64, 0);
  ones[0] = 1;
  CHECK(address(many, ones).error().kind == "overflow");
  for (Hilbert wrong : {hilbert(0, 2), hilbert(64, 2), hilbert(2, 3), hilbert(3, 2)})
    CHECK(address(tensor(tag::f32, layout::hilbert, {4, 4}, {64}, wrong), {0, 0}).error().kind ==
          "opaque");
}
