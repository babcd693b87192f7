// Which corners of a shape are asked: all of few dimensions, of many those that show a wrong term.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "survive.h"

using namespace plumbline;

namespace {

Descriptor of_shape(std::vector<std::uint64_t> shape) {
  Descriptor d;
  d.header.layout_tag = layout::row_major;
  d.shape = std::move(shape);
  return d;
}

std::set<std::vector<std::uint64_t>> asked(const Descriptor& d) {
  std::vector<std::vector<std::uint64_t>> all = robustness::corners(d);
  CHECK(all == robustness::corners(d));  // whenever it is judged
  for (const auto& corner : all) {
    REQUIRE(corner.size() == d.shape.size());
    for (std::size_t k = 0; k < corner.size(); ++k)
      CHECK((corner[k] == 0 || corner[k] + 1 == d.shape[k]));
  }
  return {all.begin(), all.end()};
}

std::size_t ends(const std::vector<std::uint64_t>& corner) {
  return static_cast<std::size_t>(std::ranges::count_if(corner, [](auto i) { return i > 0; }));
}

}  // namespace

TEST_CASE("all corners up to rank 6") {
  CHECK(asked(of_shape({})).size() == 1);
  CHECK(asked(of_shape({3, 1, 0})).size() == 2);  // of what has one index or none there is one end
  CHECK(asked(of_shape({2, 3, 4, 5, 6, 7})).size() == 64);
}

TEST_CASE("above rank 6 both ends, single dimensions and a sample of the others") {
  for (std::size_t rank : {7u, 20u, 48u, 64u}) {
    const auto all = asked(of_shape(std::vector<std::uint64_t>(rank, 3)));
    CHECK(all.contains(std::vector<std::uint64_t>(rank, 0)));
    CHECK(all.contains(std::vector<std::uint64_t>(rank, 2)));
    const auto single = std::ranges::count_if(all, [](const auto& c) { return ends(c) == 1; });
    CHECK(static_cast<std::size_t>(single) >= std::min<std::size_t>(rank, 48));
    const auto mixed = std::ranges::count_if(
        all, [&](const auto& c) { return ends(c) > 1 && ends(c) < rank; });
    CHECK(mixed >= 12);
    CHECK(all.size() <= 2 + std::min<std::size_t>(rank, 48) + 16);
  }
}

TEST_CASE("a strided layout is asked where all its strides pull one way") {
  Descriptor d = of_shape({2, 2, 2, 2, 2, 2, 2, 2});
  d.header.layout_tag = layout::strided;
  Strided fields;
  fields.strides = {1, -2, 4, -8, 16, -32, 64, -128};
  d.layout = fields;
  const auto all = asked(d);
  CHECK(all.contains({0, 1, 0, 1, 0, 1, 0, 1}));
  CHECK(all.contains({1, 0, 1, 0, 1, 0, 1, 0}));
}
