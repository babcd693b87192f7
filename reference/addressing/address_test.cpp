// The worked examples of the pages, the rulings' examples, and brute force.
#include "reference/addressing/address.h"

#include "reference/addressing/element_offset.h"
#include "reference/addressing/test_tensors.h"

using namespace plumbline;
using namespace plumbline::test;

namespace {

std::string kind(const std::expected<Address, Refusal>& result) {
  return result ? "none" : result.error().kind;
}

Address at(std::uint64_t byte, std::uint32_t bit = 0) { return {0, byte, bit}; }

}  // namespace

TEST_CASE("row-major and column-major: the pages' examples") {
  Descriptor row = accepted(tensor(tag::f32, layout::row_major, {3, 4}, {48}));
  CHECK(address(row, {1, 2}) == at(4 * 6));
  CHECK(address(row, {2, 3}) == at(44));
  Descriptor column = accepted(tensor(tag::f32, layout::column_major, {3, 4}, {48}));
  CHECK(address(column, {1, 2}) == at(4 * 7));
  CHECK(address(column, {2, 0}) == at(8));
}

TEST_CASE("a scalar has one element, and byte_offset counts") {
  Descriptor scalar = tensor(tag::f64, layout::row_major, {}, {24});
  scalar.byte_offset = 16;
  CHECK(address(accepted(scalar), {}) == at(16));
  CHECK(kind(address(scalar, {0})) == "range");
}

TEST_CASE("strided: the page's example, corrected to its own formula (D-100)") {
  Descriptor d = tensor(tag::f32, layout::strided, {3, 4}, {48}, strides({-4, 1}));
  d.byte_offset = 32;
  d = accepted(d);
  CHECK(address(d, {2, 3}) == at(32 - 20));
  CHECK(address(d, {2, 0}) == at(0));
  CHECK(address(d, {0, 3}) == at(44));
  d.buffers.handles[0].byte_size = 36;  // leaves [0,1] to [0,3] outside
  CHECK(address(d, {0, 0}) == at(32));
  CHECK(kind(address(d, {0, 1})) == "buffers");
}

TEST_CASE("negative element offsets take the floor (D-043)") {
  Descriptor d = tensor(tag::boolean, layout::strided, {9}, {2}, strides({-1}));
  d.byte_offset = 1;
  d = accepted(d);
  CHECK(address(d, {0}) == at(1, 0));
  CHECK(address(d, {1}) == at(0, 7));
  CHECK(address(d, {8}) == at(0, 0));
  Descriptor nibbles = tensor(tag::i4, layout::strided, {4}, {4}, strides({-1}));
  nibbles.byte_offset = 2;
  nibbles = accepted(nibbles);
  CHECK(address(nibbles, {1}) == at(1, 4));
  CHECK(address(nibbles, {2}) == at(1, 0));
  CHECK(address(nibbles, {3}) == at(0, 4));
}

TEST_CASE("an element before the buffer's start has no address") {
  Descriptor d = tensor(tag::boolean, layout::strided, {18}, {4}, strides({-1}));
  d.byte_offset = 2;
  CHECK(address(d, {16}) == at(0, 0));
  CHECK(kind(address(d, {17})) == "buffers");
}

TEST_CASE("zero strides repeat, and a dimension of size 1 has no reach (D-103)") {
  Descriptor d = accepted(tensor(tag::f32, layout::strided, {1000, 3, 1}, {12},
                                 strides({0, 1, std::numeric_limits<std::int64_t>::min()})));
  CHECK(address(d, {999, 2, 0}) == at(8));
}

TEST_CASE("6-bit elements lie in groups of four in three bytes (D-044, D-089)") {
  Descriptor row = accepted(tensor(tag::e2m3, layout::row_major, {8}, {6}));
  // element-types.md, 6-bit packing: the lowest bit of each element
  std::vector<Address> expected = {at(0, 0), at(0, 6), at(1, 4), at(2, 2),
                                   at(3, 0), at(3, 6), at(4, 4), at(5, 2)};
  for (std::uint64_t i = 0; i < 8; ++i) CHECK(address(row, {i}) == expected[i]);

  Descriptor three = accepted(tensor(tag::e3m2, layout::strided, {2}, {3}, strides({3})));
  CHECK(address(three, {1}) == at(2, 2));
  Descriptor four = accepted(tensor(tag::e3m2, layout::strided, {2}, {6}, strides({4})));
  CHECK(address(four, {1}) == at(3, 0));
  four.buffers.handles[0].byte_size = 5;  // the whole group must be there
  CHECK(kind(address(four, {1})) == "buffers");
  CHECK(address(four, {0}) == at(0, 0));

  Descriptor back = tensor(tag::e2m3, layout::strided, {5}, {6}, strides({-1}));
  back.byte_offset = 3;
  back = accepted(back);
  CHECK(address(back, {0}) == at(3, 0));
  CHECK(address(back, {1}) == at(2, 2));
  CHECK(address(back, {2}) == at(1, 4));
  CHECK(address(back, {3}) == at(0, 6));
  CHECK(address(back, {4}) == at(0, 0));
}

TEST_CASE("packed elements: low bits first, private ones as well (EXT-21, D-042)") {
  struct Case {
    std::uint8_t tag;
    std::uint32_t bits;
  };
  for (Case c :
       {Case{tag::boolean, 1}, Case{tag::i2, 2}, Case{tag::u2, 2}, Case{tag::i4, 4},
        Case{tag::u4, 4}, Case{tag::e2m1, 4}, Case{0xF2, 1}, Case{0xF2, 2}, Case{0xF2, 4}}) {
    Descriptor d = tensor(c.tag, layout::row_major, {20}, {20});
    if (c.tag == 0xF2) make_private(d, c.bits);
    d.byte_offset = 2;
    d = accepted(d);
    for (std::uint64_t i = 0; i < 20; ++i)
      CHECK(address(d, {i}) == at(2 + i * c.bits / 8, static_cast<std::uint32_t>(i * c.bits % 8)));
  }
}

TEST_CASE("wide elements: the first byte of each") {
  Descriptor complex = accepted(tensor(tag::c128, layout::column_major, {2, 2}, {64}));
  CHECK(address(complex, {0, 1}) == at(32));
  Descriptor int24 = tensor(0xF2, layout::row_major, {4}, {12});
  make_private(int24, 24);
  CHECK(address(accepted(int24), {3}) == at(9));
}

TEST_CASE("strided, row-major and column-major against brute force, all widths") {
  std::mt19937 random(7);
  auto pick = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  struct Case {
    std::uint8_t tag;
    std::int64_t bits;
  };
  const Case cases[] = {{tag::boolean, 1}, {tag::i2, 2},   {tag::u4, 4},    {tag::e2m3, 6},
                        {tag::i8, 8},      {tag::f16, 16}, {tag::c128, 128}};
  for (int round = 0; round < 500; ++round) {
    Case c = cases[round % 7];
    std::size_t rank = static_cast<std::size_t>(pick(1, 4));
    Sizes shape(rank);
    std::vector<std::int64_t> steps(rank);
    for (std::size_t k = 0; k < rank; ++k) {
      shape[k] = static_cast<std::uint64_t>(pick(1, 4));
      steps[k] = pick(-9, 9);
    }
    int which = static_cast<int>(pick(0, 2));
    std::uint8_t layout_tag = which == 0   ? layout::strided
                              : which == 1 ? layout::row_major
                                           : layout::column_major;
    if (which == 1)
      for (std::size_t k = rank; k-- > 0;)
        steps[k] = k + 1 == rank ? 1 : steps[k + 1] * static_cast<std::int64_t>(shape[k + 1]);
    if (which == 2)
      for (std::size_t k = 0; k < rank; ++k)
        steps[k] = k == 0 ? 1 : steps[k - 1] * static_cast<std::int64_t>(shape[k - 1]);
    // 27 * 4 steps of at most 9 elements of 16 bytes reach 2 KiB to either side; 4096 is a multiple
    // of three bytes plus one, so start at a group border.
    Descriptor d = tensor(c.tag, layout_tag, shape, {8190},
                          which == 0 ? Layout(strides(steps)) : Layout(Contiguous{}));
    d.byte_offset = 4095;
    d = accepted(d);
    for_each_index(shape, [&](const Sizes& index) {
      std::int64_t offset = 0;
      for (std::size_t k = 0; k < rank; ++k)
        offset += static_cast<std::int64_t>(index[k]) * steps[k];
      // From the group border the elements follow one another bit by bit, whatever their width.
      std::int64_t bit = 4095 * 8 + offset * c.bits;
      REQUIRE(address(d, index) ==
              at(static_cast<std::uint64_t>(bit / 8), static_cast<std::uint32_t>(bit % 8)));
    });
  }
}

TEST_CASE("what has no address says why") {
  Descriptor row = tensor(tag::f32, layout::row_major, {3, 4}, {48});
  CHECK(kind(address(row, {3, 0})) == "range");
  CHECK(kind(address(row, {0, 4})) == "range");
  CHECK(kind(address(row, {0})) == "range");
  CHECK(kind(address(row, {0, 0, 0})) == "range");
  row.shape[0] = dynamic_dimension;
  CHECK(kind(address(row, {0, 0})) == "dynamic");
  CHECK(kind(address(tensor(tag::f32, layout::row_major, {3, 0}, {0}), {0, 0})) == "range");

  CHECK(kind(address(tensor(tag::f32, layout::coo, {4}, {0, 0}, Coo{}), {0})) == "sparse");
  CHECK(kind(address(tensor(tag::f32, layout::block_paged, {1, 1, 1}, {0, 0, 4}, BlockPaged{}),
                     {0, 0, 0})) == "sparse");
  CHECK(kind(address(tensor(tag::f32, layout::composite, {4}, {}, CompositeHead{}), {0})) ==
        "virtual");
  CHECK(kind(address(tensor(tag::f32, 0xF0, {4}, {16}, PrivateLayout{}), {0})) == "opaque");
  CHECK(kind(address(tensor(tag::f32, 0x0C, {4}, {16}, UnknownLayout{}), {0})) == "opaque");
  CHECK(kind(address(tensor(0x47, layout::row_major, {4}, {16}), {0})) == "opaque");
  Descriptor lone = tensor(0xF2, layout::row_major, {4}, {16});
  CHECK(kind(address(lone, {0})) == "opaque");  // no section
  make_private(lone, 12);
  CHECK(kind(address(lone, {0})) == "opaque");  // D-170
  make_private(lone, 6);
  CHECK(kind(address(lone, {0})) == "opaque");
  make_private(lone, 16);
  CHECK(address(lone, {1}) == at(2));
}

TEST_CASE("rank 0 belongs to row-major alone (D-030), but a lenient reader takes other layouts") {
  for (std::uint8_t other : {layout::column_major, layout::strided, layout::morton})
    CHECK(address(accepted(tensor(tag::f32, other, {}, {4}, layout_for(other)), Mode::lenient),
                  {}) == at(0));
}

TEST_CASE("addresses do not wrap") {
  Sizes huge = {std::uint64_t{1} << 33, std::uint64_t{1} << 33};
  Descriptor d = tensor(tag::f32, layout::row_major, huge, {~std::uint64_t{0}});
  CHECK(kind(address(d, {huge[0] - 1, huge[1] - 1})) == "overflow");
  CHECK(address(d, {std::uint64_t{1} << 28, 0}) == at(std::uint64_t{1} << 63));

  std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  Sizes wide(64, ~std::uint64_t{0} - 1);
  Descriptor far = tensor(tag::f32, layout::strided, wide, {100},
                          strides(std::vector<std::int64_t>(64, lowest)));
  CHECK(kind(address(far, Sizes(64, ~std::uint64_t{0} - 2))) == "overflow");
  CHECK(address(far, Sizes(64, 0)) == at(0));
  far.byte_offset = ~std::uint64_t{0} - 1;
  CHECK(kind(address(far, Sizes(64, 0))) == "overflow");
  // Great offsets that cancel are exact.
  Descriptor cancel = tensor(tag::i8, layout::strided, wide, {100},
                             strides({lowest, std::numeric_limits<std::int64_t>::max()}));
  cancel.header.rank = 2;
  cancel.shape = {~std::uint64_t{0} - 1, ~std::uint64_t{0} - 1};
  cancel.byte_offset = 90;
  CHECK(address(cancel, {50, 50}) == at(40));
  CHECK(kind(address(cancel, {1, 0})) == "buffers");

  Descriptor tile = tensor(tag::f32, layout::tiled, {4, 4}, {100},
                           tiles({level({std::uint64_t{1} << 63, std::uint64_t{1} << 63})}));
  CHECK(address(tile, {0, 3}) == at(12));
  CHECK(kind(address(tile, {3, 0})) == "overflow");
}

TEST_CASE("fields that break their clauses give a refusal, not a crash") {
  CHECK(kind(address(tensor(tag::f32, layout::tiled, {4}, {16}, tiles({level({0})})), {0})) ==
        "opaque");
  CHECK(kind(address(tensor(tag::f32, layout::tiled, {4}, {16}, tiles({level({2}, 1, 4)})), {0})) ==
        "opaque");
  CHECK(kind(address(tensor(tag::f32, layout::tiled, {4}, {16}, tiles({level({2}, 1, 0)})), {0})) ==
        "opaque");
  CHECK(kind(address(tensor(tag::f32, layout::tiled, {4}, {16}, tiles({level({2}, 4, 1)})), {0})) ==
        "opaque");
  CHECK(kind(address(tensor(tag::f32, layout::tiled, {4}, {16}, Tiled{}), {0})) == "opaque");
  CHECK(kind(address(tensor(tag::f32, layout::strided, {4}, {16}, strides({1, 2})), {0})) ==
        "opaque");
  CHECK(kind(address(tensor(tag::f32, layout::morton, {4}, {16}, Morton{}), {0})) == "opaque");
  CHECK(kind(address(tensor(tag::f32, layout::strided, {4}, {16}, Coo{}), {0})) == "opaque");
  CHECK(kind(address(tensor(tag::f32, layout::row_major, {4}, {}), {0})) == "buffers");
}
