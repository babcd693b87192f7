// Lookup through composites: the page's examples, precedence, nesting, and sets that can't be
// followed.
#include "reference/addressing/composite_lookup.h"

#include "reference/addressing/test_tensors.h"

using namespace plumbline;
using namespace plumbline::test;

namespace {

using Result = std::expected<std::vector<Contribution>, Refusal>;

std::string kind(const Result& result) { return result ? "none" : result.error().kind; }

Part head(std::uint8_t rule, std::uint8_t op, std::uint32_t members, Sizes shape) {
  CompositeHead h;
  h.composition_rule = rule;
  h.combine_op = op;
  h.member_count = members;
  return {tensor(tag::f32, layout::composite, std::move(shape), {}, h), {}};
}

void place(Descriptor& d, Sizes parent, Sizes offset) {
  d.header.flags |= flag::shard;
  d.shard = Shard{.parent_shape = std::move(parent), .shard_offset = std::move(offset)};
}

Part member(const Held& held, Sizes shape, Sizes parent, Sizes offset) {
  Part part{tensor(tag::f32, layout::row_major, std::move(shape), held.sizes()), held.views()};
  place(part.descriptor, std::move(parent), std::move(offset));
  return part;
}

Bytes numbered(std::uint64_t count, std::uint64_t from) {
  Bytes bytes;
  for (std::uint64_t n = 0; n < count; ++n) append_little_endian(bytes, from + n, 4);
  return bytes;
}
std::optional<Stored> number(std::uint64_t n) { return numbered(1, n); }

}  // namespace

TEST_CASE("partition: the page's example") {
  Held left = {numbered(32, 0)}, right = {numbered(32, 100)};
  std::vector<Part> set = {head(rule::partition, 0, 2, {8, 8}),
                           member(left, {8, 4}, {8, 8}, {0, 0}),
                           member(right, {8, 4}, {8, 8}, {0, 4})};
  for (const Part& part : set) accepted(part.descriptor);
  Result found = lookup_composite(set, {3, 6});
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  CHECK(found->front().part == 2);
  CHECK(found->front().index == Sizes{3, 2});
  CHECK(found->front().stored == number(100 + 3 * 4 + 2));
  for_each_index({8, 8}, [&](const Sizes& index) {
    Result each = lookup_composite(set, index);
    REQUIRE(each);
    std::uint64_t expected =
        index[1] < 4 ? index[0] * 4 + index[1] : 100 + index[0] * 4 + index[1] - 4;
    CHECK(each->at(0).stored == number(expected));
  });
  CHECK(kind(lookup_composite(set, {8, 0})) == "range");
  CHECK(kind(lookup_composite(set, {0})) == "range");
}

namespace {

// A base of nine numbers from 0 and two corrections: rows 0 and 1 from 100, then the cell [1, 1] as
// 200.
struct Overlay {
  Held base = {numbered(9, 0)}, rows = {numbered(6, 100)}, cell = {numbered(1, 200)};
  std::vector<Part> set;
  explicit Overlay(std::uint8_t op)
      : set{head(rule::overlay, op, 3, {3, 3}), member(base, {3, 3}, {3, 3}, {0, 0}),
            member(rows, {2, 3}, {3, 3}, {0, 0}), member(cell, {1, 1}, {3, 3}, {1, 1})} {}
};

}  // namespace

TEST_CASE("overlay: the latest wins inside its box, the base shows through elsewhere") {
  Overlay overlay(1);
  struct Case {
    Sizes index;
    std::size_t part;
    std::uint64_t value;
  };
  for (const Case& c :
       {Case{{0, 0}, 2, 100}, Case{{1, 1}, 3, 200}, Case{{1, 2}, 2, 105}, Case{{2, 1}, 1, 7}}) {
    Result found = lookup_composite(overlay.set, c.index);
    REQUIRE(found);
    REQUIRE(found->size() == 1);
    CHECK(found->front().part == c.part);
    CHECK(found->front().stored == number(c.value));
  }
}

TEST_CASE("overlay: to add, base first and then all that cover the index, in order") {
  Overlay overlay(2);
  Result found = lookup_composite(overlay.set, {1, 1});
  REQUIRE(found);
  REQUIRE(found->size() == 3);
  CHECK(found->at(0).stored == number(4));
  CHECK(found->at(1).stored == number(104));
  CHECK(found->at(2).stored == number(200));
  CHECK(found->at(2).index == Sizes{0, 0});
  CHECK(lookup_composite(overlay.set, {2, 2})->size() == 1);
}

TEST_CASE("a sparse correction replaces the coordinates that it stores and no others (D-194)") {
  Held base = {numbered(9, 0)}, outliers = {numbered(1, 500), u64s({1, 2})};
  Coo coo;
  coo.nnz = 1;
  Part correction{tensor(tag::f32, layout::coo, {3, 3}, outliers.sizes(), coo), outliers.views()};
  place(correction.descriptor, {3, 3}, {0, 0});
  for (std::uint8_t op : {std::uint8_t{1}, std::uint8_t{2}}) {
    std::vector<Part> set = {head(rule::overlay, op, 2, {3, 3}),
                             member(base, {3, 3}, {3, 3}, {0, 0}), correction};
    Result at = lookup_composite(set, {1, 2}), beside = lookup_composite(set, {1, 1});
    REQUIRE(at);
    REQUIRE(beside);
    CHECK(at->back().stored == number(500));
    CHECK(at->size() == op);
    CHECK(beside->front().stored == number(4));
    CHECK(beside->size() == op);
    if (op == 2) CHECK_FALSE(beside->back().stored.has_value());  // adds zero
  }
}

TEST_CASE("a sparse base is zero where it stores nothing") {
  Held empty = {Bytes{}, Bytes{}};
  Part base{tensor(tag::f32, layout::coo, {3}, empty.sizes(), Coo{}), empty.views()};
  place(base.descriptor, {3}, {0});
  std::vector<Part> set = {head(rule::overlay, 1, 1, {3}), base};
  Result found = lookup_composite(set, {2});
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  CHECK_FALSE(found->front().stored.has_value());
}

TEST_CASE("nested heads: in pre-order, each with its own box (CMP-32, D-201)") {
  Held a = {numbered(2, 0)}, b = {numbered(2, 10)}, c = {numbered(4, 20)};
  Part inner = head(rule::partition, 0, 2, {4});
  place(inner.descriptor, {8}, {0});
  std::vector<Part> set = {head(rule::partition, 0, 2, {8}), inner, member(a, {2}, {4}, {0}),
                           member(b, {2}, {4}, {2}), member(c, {4}, {8}, {4})};
  const std::uint64_t expected[] = {0, 1, 10, 11, 20, 21, 22, 23};
  for (std::uint64_t i = 0; i < 8; ++i)
    CHECK(lookup_composite(set, {i})->at(0).stored == number(expected[i]));
  CHECK(lookup_composite(set, {3})->at(0).part == 3);
}

TEST_CASE("eight heads inside one another, not nine (D-196)") {
  for (std::size_t depth : {8u, 9u}) {
    Held held = {numbered(1, 7)};
    std::vector<Part> set;
    for (std::size_t k = 0; k < depth; ++k) {
      set.push_back(head(rule::partition, 0, 1, {1}));
      if (k > 0) place(set.back().descriptor, {1}, {0});
    }
    set.push_back(member(held, {1}, {1}, {0}));
    Result found = lookup_composite(set, {0});
    CHECK(kind(found) == (depth == 8 ? "none" : "opaque"));
    if (found) CHECK(found->at(0).stored == number(7));
  }
}

TEST_CASE("sets that give an index no place") {
  Held held = {numbered(4, 0)};
  Part whole = member(held, {4}, {4}, {0});
  std::vector<Part> torn = {head(rule::partition, 0, 2, {4}), whole};
  CHECK(kind(lookup_composite(torn, {0})) == "opaque");
  std::vector<Part> over = {head(rule::partition, 0, 1, {4}), whole, whole};
  CHECK(kind(lookup_composite(over, {0})) == "opaque");
  CHECK(kind(lookup_composite({}, {0})) == "opaque");
  std::vector<Part> many = {head(rule::partition, 0, 0xFFFFFFFE, {4}), whole};
  CHECK(kind(lookup_composite(many, {0})) == "opaque");
  std::vector<Part> gap = {head(rule::partition, 0, 1, {8}), member(held, {4}, {8}, {4})};
  CHECK(kind(lookup_composite(gap, {3})) == "opaque");
  CHECK(kind(lookup_composite(gap, {4})) == "none");
  std::vector<Part> boxless = {head(rule::partition, 0, 1, {4}), whole};
  boxless[1].descriptor.shard.reset();
  CHECK(kind(lookup_composite(boxless, {0})) == "opaque");
  std::vector<Part> group = {head(rule::group, 0, 1, {4}), whole};
  CHECK(kind(lookup_composite(group, {0})) == "virtual");
  std::vector<Part> other = {head(0xF0, 0, 1, {4}), whole};
  CHECK(kind(lookup_composite(other, {0})) == "opaque");
  std::vector<Part> overlay = {head(rule::overlay, 1, 1, {8}), member(held, {4}, {8}, {0})};
  CHECK(kind(lookup_composite(overlay, {5})) == "opaque");
  // A set without a head is one plain tensor.
  std::vector<Part> plain = {whole};
  CHECK(lookup_composite(plain, {2})->at(0).stored == number(2));
  // An offset near the end of the index space does not wrap.
  std::vector<Part> far = {head(rule::partition, 0, 1, {4}),
                           member(held, {4}, {4}, {~std::uint64_t{0}})};
  CHECK(kind(lookup_composite(far, {3})) == "opaque");
}
