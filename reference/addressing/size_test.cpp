// The least sizes: the pages' formulas and examples, and what has none.
#include "reference/addressing/size.h"

#include "reference/addressing/test_tensors.h"

using namespace plumbline;
using namespace plumbline::test;

namespace {

Sizes sizes(const Descriptor& d) {
  auto result = least_sizes(d);
  if (!result) FAIL(result.error().kind + ": " + result.error().text);
  return *result;
}
std::string kind(const Descriptor& d) {
  auto result = least_sizes(d);
  return result ? "none" : result.error().kind;
}

BlockPaged pages(std::uint32_t page_size, std::uint64_t num_pages, std::uint32_t num_seqs) {
  BlockPaged l;
  l.page_size = page_size;
  l.num_pages = num_pages;
  l.num_seqs = num_seqs;
  return l;
}

}  // namespace

TEST_CASE("dense sizes") {
  CHECK(sizes(tensor(tag::f32, layout::row_major, {3, 4}, {0})) == Sizes{48});
  CHECK(sizes(tensor(tag::f32, layout::row_major, {3, 4}, {})) == Sizes{48});
  CHECK(sizes(tensor(tag::f32, layout::row_major, {}, {0})) == Sizes{4});
  CHECK(sizes(tensor(tag::f32, layout::column_major, {}, {0})) == Sizes{4});
  CHECK(sizes(tensor(tag::f32, layout::row_major, {3, 0}, {0})) == Sizes{0});
  CHECK(sizes(tensor(tag::boolean, layout::column_major, {9}, {0})) == Sizes{2});
  CHECK(sizes(tensor(tag::f32, layout::strided, {1000, 3}, {0}, strides({0, 1}))) == Sizes{12});
  // D-080: three bytes for each started group of four.
  const Sizes bytes = {0, 3, 3, 3, 3, 6, 6};
  for (std::uint64_t n = 0; n < bytes.size(); ++n)
    CHECK(sizes(tensor(tag::e2m3, layout::row_major, {n}, {0})) == Sizes{bytes[n]});

  Tiled tiled;
  tiled.levels.emplace_back();
  tiled.levels[0].tile_shape = {2, 4};
  CHECK(sizes(tensor(tag::f32, layout::tiled, {6, 8}, {0}, tiled)) == Sizes{192});
  CHECK(sizes(tensor(tag::f32, layout::tiled, {5, 5}, {0}, tiled)) == Sizes{192});
  Morton morton;
  morton.morton_bits = {1, 3};
  CHECK(sizes(tensor(tag::f32, layout::morton, {2, 8}, {0}, morton)) == Sizes{176});  // D-120
  Hilbert hilbert;
  hilbert.hilbert_order = 2;
  CHECK(sizes(tensor(tag::f32, layout::hilbert, {4, 4}, {0}, hilbert)) == Sizes{64});
}

TEST_CASE("sizes of private types come from the section") {
  Descriptor int24 = tensor(0xF2, layout::row_major, {4}, {12});
  CHECK(kind(int24) == "opaque");
  make_private(int24, 24);
  CHECK(sizes(int24) == Sizes{12});
  Descriptor nibble = tensor(0xF2, layout::row_major, {7}, {4});
  make_private(nibble, 4);
  CHECK(sizes(nibble) == Sizes{4});
  for (std::uint32_t bits : {0u, 6u, 12u}) {
    make_private(nibble, bits);
    CHECK(kind(nibble) == "opaque");
  }
}

TEST_CASE("sparse, paged and parameter sizes") {
  CHECK(sizes(tensor(tag::f32, layout::coo, {4, 4}, {0, 0}, coo(3))) == Sizes{12, 48});
  CHECK(sizes(tensor(tag::f32, layout::csr, {4, 5}, {0, 0, 0}, matrix(5))) == Sizes{20, 40, 40});
  CHECK(sizes(tensor(tag::f32, layout::csc, {4, 5}, {0, 0, 0}, matrix(5))) == Sizes{20, 40, 48});
  CHECK(sizes(tensor(tag::f32, layout::csr, {4, 0}, {0, 0, 0}, matrix(0))) ==
        Sizes{0, 0, 40});  // D-032
  CHECK(sizes(tensor(tag::f32, layout::csf, {2, 3, 4}, Sizes(7, 0), csf(4, {0, 1, 2}))) ==
        Sizes{16, 16, 0, 8, 0, 8, 32});  // D-138
  CHECK(sizes(tensor(tag::f16, layout::block_paged, {9, 2, 8}, {0, 0, 0}, pages(4, 5, 2))) ==
        Sizes{640, 0, 12});

  Descriptor channels = tensor(tag::i8, layout::row_major, {768, 1024}, {0, 0, 0});
  quantize(channels, scheme::per_channel, PerChannelAffine{.zero_point_buffer_index = 2});
  CHECK(sizes(channels) == Sizes{786432, 3072, 3072});
  Descriptor blocks = tensor(tag::i8, layout::row_major, {2, 5}, {0, 0});
  quantize(blocks, scheme::per_block,
           PerBlockAffine{.axis = 1, .block_size = 4, .scale_type_tag = 1}, scheme::symmetric);
  CHECK(sizes(blocks) == Sizes{10, 8});
  Descriptor paged = tensor(tag::i8, layout::block_paged, {9, 2, 8}, {0, 0, 0, 0}, pages(4, 5, 2));
  quantize(paged, scheme::per_block, PerBlockAffine{.block_size = 4, .scale_buffer_index = 3},
           scheme::symmetric);
  CHECK(sizes(paged) == Sizes{320, 0, 12, 80});  // D-142
  CHECK(sizes(tensor(tag::f32, layout::composite, {4}, {}, CompositeHead{})).empty());
}

TEST_CASE("a dynamic dimension holds up just the sizes that depend on it (D-035)") {
  constexpr std::uint64_t dynamic = dynamic_dimension;
  CHECK(kind(tensor(tag::f32, layout::row_major, {dynamic, 4}, {0})) == "dynamic");
  CHECK(kind(tensor(tag::f32, layout::row_major, {dynamic, 0}, {0})) == "dynamic");
  CHECK(sizes(tensor(tag::f32, layout::coo, {dynamic, 4}, {0, 0}, coo(3))) == Sizes{12, 48});
  CHECK(kind(tensor(tag::f32, layout::csr, {dynamic, 5}, {0, 0, 0}, matrix(5))) == "dynamic");
  CHECK(sizes(tensor(tag::f32, layout::csr, {4, dynamic}, {0, 0, 0}, matrix(5))) ==
        Sizes{20, 40, 40});
  CHECK(sizes(tensor(tag::f32, layout::csc, {dynamic, 5}, {0, 0, 0}, matrix(5))) ==
        Sizes{20, 40, 48});
  CHECK(kind(tensor(tag::f32, layout::csc, {4, dynamic}, {0, 0, 0}, matrix(5))) == "dynamic");
  CHECK(sizes(tensor(tag::f16, layout::block_paged, {dynamic, 2, 8}, {0, 0, 0}, pages(4, 5, 2))) ==
        Sizes{640, 0, 12});
  CHECK(kind(tensor(tag::f16, layout::block_paged, {9, dynamic, 8}, {0, 0, 0}, pages(4, 5, 2))) ==
        "dynamic");
  Descriptor channels = tensor(tag::i8, layout::coo, {dynamic, 4}, {0, 0, 0}, coo(3));
  quantize(channels, scheme::per_channel, PerChannelAffine{.axis = 1, .scale_buffer_index = 2},
           scheme::symmetric);
  CHECK(sizes(channels) == Sizes{3, 48, 16});
  std::get<PerChannelAffine>(channels.quantization->scheme).axis = 0;
  CHECK(kind(channels) == "dynamic");
  Descriptor blocks = tensor(tag::u4, layout::coo, {dynamic, 8}, {0, 0, 0}, coo(3));
  quantize(blocks, scheme::nf4, Nf4{.axis = 1, .block_size = 8, .scale_buffer_index = 2});
  CHECK(kind(blocks) == "dynamic");
}

TEST_CASE("sizes beyond 64 bits are refused, zero factors are zero (D-034)") {
  std::uint64_t big = std::uint64_t{1} << 33;
  CHECK(kind(tensor(tag::f32, layout::row_major, {std::uint64_t{1} << 32, std::uint64_t{1} << 32},
                    {0})) == "overflow");
  CHECK(sizes(tensor(tag::f32, layout::row_major, {big, big, 0}, {0})) == Sizes{0});
  CHECK(sizes(tensor(tag::u8, layout::row_major, {~std::uint64_t{0} - 1}, {0})) ==
        Sizes{~std::uint64_t{0} - 1});
  Descriptor last = tensor(tag::u8, layout::row_major, {~std::uint64_t{0} - 1}, {0});
  last.byte_offset = 1;
  CHECK(sizes(last) == Sizes{~std::uint64_t{0}});
  last.byte_offset = 2;
  CHECK(kind(last) == "overflow");
  CHECK(kind(tensor(tag::f32, layout::coo, Sizes(8, 1u << 20), {0, 0},
                    coo(std::uint64_t{1} << 61))) == "overflow");
  Descriptor below = tensor(tag::f32, layout::strided, {3}, {12}, strides({-1}));
  CHECK(kind(below) == "overflow");
}

TEST_CASE("what has no size") {
  CHECK(kind(tensor(tag::f32, 0xF0, {4}, {16}, PrivateLayout{})) == "opaque");
  CHECK(kind(tensor(tag::f32, 0x0C, {4}, {16}, UnknownLayout{})) == "opaque");
  CHECK(kind(tensor(0x47, layout::row_major, {4}, {16})) == "opaque");
  CHECK(kind(tensor(tag::f32, layout::strided, {4}, {16}, strides({}))) == "opaque");
}

TEST_CASE("the size helper of a bare tag points a private one to its section") {
  auto refused = buffer_size_bytes(0xF2, 10);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == "opaque");
  CHECK(refused.error().text.find("ExtensionType") != std::string::npos);
  CHECK(bit_width_sentinel(0xF2) == 0);
  CHECK(bit_width_sentinel(tag::f32) == 32);
  CHECK(buffer_size_bytes(tag::f32, 10) == 40);
  CHECK(buffer_size_bytes(tag::boolean, 9) == 2);
  CHECK(buffer_size_bytes(tag::e3m2, 5) == 6);
  CHECK(buffer_size_bytes(tag::f32, ~std::uint64_t{0}).error().kind == "overflow");
  for (unsigned value : {0x00u, 0x47u, 0x05u, 0xFFu}) {
    std::uint8_t unknown = static_cast<std::uint8_t>(value);
    CHECK(buffer_size_bytes(unknown, 1).error().kind == "opaque");
    CHECK(bit_width_sentinel(unknown) == 0);
  }
}
