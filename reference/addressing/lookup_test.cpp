// Lookup: the worked examples of the pages cell by cell, random tensors against a map, broken
// buffers.
#include "reference/addressing/lookup.h"

#include <map>
#include <numeric>

#include "reference/addressing/test_tensors.h"

using namespace plumbline;
using namespace plumbline::test;

namespace {

using Result = std::expected<std::optional<Stored>, Refusal>;

std::string kind(const Result& result) { return result ? "none" : result.error().kind; }
// The stored bytes in hex, "zero", or the kind of refusal.
std::string cell(const Result& result) {
  if (!result) return result.error().kind;
  return *result ? to_hex(**result) : "zero";
}

// The descriptor over these buffers, accepted.
Descriptor over(const Held& held, std::uint8_t type, std::uint8_t layout_tag, Sizes shape,
                Layout fields) {
  return accepted(tensor(type, layout_tag, std::move(shape), held.sizes(), std::move(fields)));
}

// Every cell of a float32 tensor: what `values` has there, and zero elsewhere.
void check_cells(const Descriptor& d, const Held& held, const std::map<Sizes, float>& values) {
  std::size_t found = 0;
  for_each_index(d.shape, [&](const Sizes& index) {
    Result result = lookup(d, held.views(), index);
    REQUIRE(result);
    auto value = values.find(index);
    if (value == values.end()) {
      CHECK_FALSE(result->has_value());
    } else {
      REQUIRE(result->has_value());
      CHECK(**result == f32s({value->second}));
      ++found;
    }
  });
  CHECK(found == values.size());
}

}  // namespace

TEST_CASE("COO: the page's example, sorted and not") {
  Held held = {f32s({1.5f, -0.5f, 2.0f}), u64s({0, 1, 2, 0, 3, 3})};
  std::map<Sizes, float> values = {{{0, 1}, 1.5f}, {{2, 0}, -0.5f}, {{3, 3}, 2.0f}};
  check_cells(over(held, tag::f32, layout::coo, {4, 4}, coo(3, true)), held, values);
  check_cells(over(held, tag::f32, layout::coo, {4, 4}, coo(3, false)), held, values);
  Held mixed = {f32s({2.0f, 1.5f, -0.5f}), u64s({3, 3, 0, 1, 2, 0})};
  check_cells(over(mixed, tag::f32, layout::coo, {4, 4}, coo(3, false)), mixed, values);
}

TEST_CASE("CSR and CSC: the pages' examples") {
  std::map<Sizes, float> values = {
      {{0, 0}, 1.0f}, {{0, 3}, 2.0f}, {{1, 2}, 3.0f}, {{2, 1}, 4.0f}, {{2, 4}, 5.0f}};
  Held csr = {f32s({1, 2, 3, 4, 5}), u64s({0, 3, 2, 1, 4}), u64s({0, 2, 3, 5, 5})};
  check_cells(over(csr, tag::f32, layout::csr, {4, 5}, matrix(5)), csr, values);
  Held csc = {f32s({1, 4, 3, 2, 5}), u64s({0, 2, 1, 0, 2}), u64s({0, 1, 2, 3, 4, 5})};
  check_cells(over(csc, tag::f32, layout::csc, {4, 5}, matrix(5)), csc, values);
}

TEST_CASE("CSF: the page's example") {
  Held held = {f32s({1, 2, 3, 4}), u64s({0, 2}),       u64s({0, 1}),      u64s({0, 2, 3}),
               u64s({0, 2, 1}),    u64s({0, 1, 2, 4}), u64s({1, 3, 0, 2})};
  check_cells(over(held, tag::f32, layout::csf, {2, 3, 4}, csf(4, {0, 1, 2})), held,
              {{{0, 0, 1}, 1.0f}, {{0, 2, 3}, 2.0f}, {{1, 1, 0}, 3.0f}, {{1, 1, 2}, 4.0f}});
}

TEST_CASE("CSF and COO: random tensors, every mode order") {
  std::mt19937 random(99);
  auto pick = [&](std::uint64_t low, std::uint64_t high) {
    return std::uniform_int_distribution<std::uint64_t>(low, high)(random);
  };
  for (int round = 0; round < 60; ++round) {
    std::size_t rank = pick(3, 4);
    Sizes shape(rank);
    for (std::uint64_t& size : shape) size = pick(1, 4);
    std::map<Sizes, float> values;
    for_each_index(shape, [&](const Sizes& index) {
      if (pick(0, 3) == 0) values[index] = static_cast<float>(values.size() + 1);
    });
    std::vector<std::uint32_t> order(rank);
    std::iota(order.begin(), order.end(), 0u);
    do {
      // Sorted by the permuted index, the tree's nodes are the distinct prefixes.
      std::map<Sizes, float> permuted;
      for (const auto& [index, value] : values) {
        Sizes q;
        for (std::uint32_t mode : order) q.push_back(index[mode]);
        permuted[q] = value;
      }
      std::vector<Sizes> pos(rank, Sizes{0}), crd(rank);
      Bytes leaves;
      Sizes before;
      for (const auto& [q, value] : permuted) {
        std::size_t level = 0;
        while (level < before.size() && before[level] == q[level]) ++level;
        for (std::size_t l = level; l < rank; ++l) {
          crd[l].push_back(q[l]);
          if (l + 1 < rank) pos[l + 1].push_back(0);  // closed below
          pos[l].back() = crd[l].size();
          if (l == 0 && pos[0].size() == 1) pos[0] = {0, 1};
        }
        Bytes bytes = f32s({value});
        leaves.insert(leaves.end(), bytes.begin(), bytes.end());
        before = q;
      }
      if (values.empty()) pos[0] = {0, 0};
      Held held;
      held.add(leaves);
      for (std::size_t l = 0; l < rank; ++l) {
        held.add(u64s(pos[l]));
        held.add(u64s(crd[l]));
      }
      check_cells(over(held, tag::f32, layout::csf, shape, csf(values.size(), order)), held,
                  values);
    } while (std::next_permutation(order.begin(), order.end()));

    Held list;
    Sizes tuples;
    Bytes stored;
    for (const auto& [index, value] : values) {
      tuples.insert(tuples.end(), index.begin(), index.end());
      Bytes bytes = f32s({value});
      stored.insert(stored.end(), bytes.begin(), bytes.end());
    }
    list.add(stored);
    list.add(u64s(tuples));
    check_cells(over(list, tag::f32, layout::coo, shape, coo(values.size(), true)), list, values);
  }
}

namespace {

// block-paged.md, Example: page p, slot i, head h, dimension d holds p * 64 + i * 16 + h * 8 + d.
struct PagedExample {
  Held held;
  Descriptor d;
  explicit PagedExample(std::uint8_t index_type = 0) {
    Bytes pool;
    for (std::uint64_t n = 0; n < 320; ++n) append_little_endian(pool, n, 2);
    std::size_t width = index_type == 0 ? 4 : 8;
    held = {pool, integers(width, {0, 1, 0}), integers(width, {0, 2, 3})};
    BlockPaged l;
    l.page_size = 4;
    l.num_pages = 5;
    l.num_seqs = 2;
    l.layer_index = 3;
    l.block_table_index_type = index_type;
    d = over(held, tag::f16, layout::block_paged, {9, 2, 8}, l);
  }
};

}  // namespace

TEST_CASE("block-paged: the page's example, with its shared page (BPG-23, BPG-24)") {
  for (std::uint8_t index_type : {std::uint8_t{0}, std::uint8_t{1}}) {
    PagedExample e(index_type);
    for (std::uint64_t t = 0; t < 6; ++t)
      for (std::uint64_t h = 0; h < 2; ++h)
        for (std::uint64_t k = 0; k < 8; ++k) {
          Bytes expected;
          append_little_endian(expected, t * 16 + h * 8 + k, 2);  // pages 0 and 1 follow each other
          CHECK(cell(lookup(e.d, e.held.views(), {0, t, h, k})) == to_hex(expected));
          if (t < 3) CHECK(cell(lookup(e.d, e.held.views(), {1, t, h, k})) == to_hex(expected));
        }
    Buffers views = e.held.views();
    CHECK(kind(lookup(e.d, views, {2, 0, 0, 0})) == "range");
    CHECK(kind(lookup(e.d, views, {0, 8, 0, 0})) == "range");  // two pages
    CHECK(kind(lookup(e.d, views, {1, 4, 0, 0})) == "range");  // one page
    CHECK(kind(lookup(e.d, views, {0, 0, 2, 0})) == "range");
    CHECK(kind(lookup(e.d, views, {0, 0, 0, 8})) == "range");
    CHECK(kind(lookup(e.d, views, {0, 0, 0})) == "range");
    CHECK(kind(lookup(e.d, views, {~std::uint64_t{0}, ~std::uint64_t{0}, 0, 0})) == "range");
  }
}

TEST_CASE("block-paged: never past the total (D-140), nor by broken tables") {
  PagedExample e;
  e.d.shape[0] = 5;
  CHECK(kind(lookup(e.d, e.held.views(), {0, 4, 0, 0})) == "none");
  CHECK(kind(lookup(e.d, e.held.views(), {0, 5, 0, 0})) == "range");
  e.d.shape[0] = 9;
  e.held[1] = u32s({0, 5, 0});  // page 5 of 5
  CHECK(kind(lookup(e.d, e.held.views(), {0, 4, 0, 0})) == "contents");
  e.held[1] = u32s({0, 1, 0});
  e.held[2] = u32s({2, 0, 3});
  CHECK(kind(lookup(e.d, e.held.views(), {0, 0, 0, 0})) == "contents");
  e.held[2] = u32s({0, 2, 9});
  CHECK(kind(lookup(e.d, e.held.views(), {1, 4, 0, 0})) == "contents");
  e.held[2] = u32s({0xFFFFFFF0, 0xFFFFFFFF, 3});
  CHECK(kind(lookup(e.d, e.held.views(), {0, 0, 0, 0})) == "contents");
}

TEST_CASE("dense lookup gives the bytes at the address; packed elements in the low bits") {
  Held held = {f32s({0, 1, 2, 3, 4, 5})};
  Descriptor d = over(held, tag::f32, layout::row_major, {2, 3}, Contiguous{});
  CHECK(cell(lookup(d, held.views(), {1, 2})) == to_hex(f32s({5})));

  // element-types.md: the worked examples of packing
  Held six = {Bytes{0x81, 0x40, 0x20}};
  Descriptor e = over(six, tag::e2m3, layout::row_major, {4}, Contiguous{});
  const std::uint8_t codes[] = {1, 2, 4, 8};
  for (std::uint64_t i = 0; i < 4; ++i)
    CHECK(cell(lookup(e, six.views(), {i})) == to_hex(Bytes{codes[i]}));
  Held u4 = {Bytes{0xC5, 0x03}};
  Descriptor f = over(u4, tag::u4, layout::row_major, {3}, Contiguous{});
  CHECK(cell(lookup(f, u4.views(), {0})) == to_hex(Bytes{5}));
  CHECK(cell(lookup(f, u4.views(), {1})) == to_hex(Bytes{12}));
  CHECK(cell(lookup(f, u4.views(), {2})) == to_hex(Bytes{3}));
  Held u2 = {Bytes{0x27}};
  Descriptor g = over(u2, tag::u2, layout::row_major, {3}, Contiguous{});
  CHECK(cell(lookup(g, u2.views(), {0})) == to_hex(Bytes{3}));
  CHECK(cell(lookup(g, u2.views(), {1})) == to_hex(Bytes{1}));
  CHECK(cell(lookup(g, u2.views(), {2})) == to_hex(Bytes{2}));
  Held bits = {Bytes{0x0D}};
  Descriptor h = over(bits, tag::boolean, layout::row_major, {5}, Contiguous{});
  const std::uint8_t truths[] = {1, 0, 1, 1, 0};
  for (std::uint64_t i = 0; i < 5; ++i)
    CHECK(cell(lookup(h, bits.views(), {i})) == to_hex(Bytes{truths[i]}));
}

TEST_CASE("packed values of sparse tensors") {
  Held held = {Bytes{0x81, 0x40, 0x20}, u64s({6, 2, 0, 4})};
  Descriptor d = over(held, tag::e3m2, layout::coo, {8}, coo(4, false));
  CHECK(cell(lookup(d, held.views(), {6})) == to_hex(Bytes{1}));
  CHECK(cell(lookup(d, held.views(), {2})) == to_hex(Bytes{2}));
  CHECK(cell(lookup(d, held.views(), {4})) == to_hex(Bytes{8}));
  CHECK(cell(lookup(d, held.views(), {1})) == "zero");
}

TEST_CASE("what can't be looked up says why") {
  Held held = {f32s({1, 2})};
  Descriptor d = over(held, tag::f32, layout::row_major, {2}, Contiguous{});
  CHECK(kind(lookup(d, held.views(), {2})) == "range");
  CHECK(kind(lookup(d, {}, {0})) == "buffers");
  Held two = {f32s({1, 2}), Bytes{}};
  CHECK(kind(lookup(d, two.views(), {0})) == "buffers");
  Held cut = {f32s({1})};
  CHECK(kind(lookup(d, cut.views(), {0})) == "buffers");
  Held longer = {f32s({1, 2, 3})};
  CHECK(kind(lookup(d, longer.views(), {1})) == "none");
  d.shape[0] = dynamic_dimension;
  CHECK(kind(lookup(d, held.views(), {0})) == "dynamic");
  make_private(d, 32);  // sized, but never read
  CHECK(kind(lookup(d, held.views(), {0})) == "opaque");
  CHECK(kind(lookup(tensor(tag::f32, 0xF0, {2}, {8}, PrivateLayout{}), held.views(), {0})) ==
        "opaque");
  CHECK(kind(lookup(tensor(tag::f32, layout::composite, {2}, {}, CompositeHead{}), {}, {0})) ==
        "virtual");
  Descriptor private_coo = tensor(0xF2, layout::coo, {2}, {8, 16}, coo(2, false));
  make_private(private_coo, 32);
  Held stored = {f32s({1, 2}), u64s({0, 1})};
  CHECK(kind(lookup(private_coo, stored.views(), {0})) == "opaque");
}

TEST_CASE("broken invariants on the way: a refusal or zero, nothing outside") {
  Held csr = {f32s({1, 2, 3, 4, 5}), u64s({0, 3, 2, 1, 4}), u64s({0, 2, 3, 5, 5})};
  Descriptor d = over(csr, tag::f32, layout::csr, {4, 5}, matrix(5));
  csr[2] = u64s({0, 2, 1, 5, 5});
  CHECK(kind(lookup(d, csr.views(), {1, 0})) == "contents");
  csr[2] = u64s({0, 2, 3, 6, 6});
  CHECK(kind(lookup(d, csr.views(), {2, 0})) == "contents");
  csr[2] = u64s({0, ~std::uint64_t{0}, 3, 5, 5});
  CHECK(kind(lookup(d, csr.views(), {0, 0})) == "contents");
  CHECK(kind(lookup(d, csr.views(), {3, 0})) == "none");

  // An index array longer than nnz may name entries that have no value.
  Held more = {f32s({1}), u64s({0, 1, 2}), u64s({0, 3, 3, 3, 3})};
  Descriptor e = accepted(tensor(tag::f32, layout::csr, {4, 5}, more.sizes(), matrix(1)));
  CHECK(cell(lookup(e, more.views(), {0, 0})) == to_hex(f32s({1})));
  CHECK(cell(lookup(e, more.views(), {0, 1})) == "contents");
  CHECK(cell(lookup(e, more.views(), {0, 3})) == "zero");

  Held tree = {f32s({1, 2, 3, 4}), u64s({0, 2}),       u64s({0, 1}),      u64s({0, 2}),
               u64s({0, 2, 1}),    u64s({0, 1, 2, 4}), u64s({1, 3, 0, 2})};
  Descriptor f = over(tree, tag::f32, layout::csf, {2, 3, 4}, csf(4, {0, 1, 2}));
  CHECK(kind(lookup(f, tree.views(), {0, 0, 1})) == "none");
  CHECK(kind(lookup(f, tree.views(), {1, 1, 0})) == "contents");  // no pointers behind node 1
  std::get<Csf>(f.layout).mode_order = {0, 1, 1};
  CHECK(kind(lookup(f, tree.views(), {0, 0, 1})) == "opaque");
  std::get<Csf>(f.layout).mode_order = {0, 1, 77};
  CHECK(kind(lookup(f, tree.views(), {0, 0, 1})) == "opaque");
}

TEST_CASE("random buffers never lead outside") {
  std::mt19937_64 random(4242);
  auto shake = [&](Held& held) {
    for (std::size_t k = 0; k < held.size(); ++k)
      for (std::uint8_t& byte : held[k])
        if (random() % 4 == 0)
          byte = static_cast<std::uint8_t>(random() % 3 == 0 ? random() : random() % 5);
  };
  for (int round = 0; round < 2000; ++round) {
    Held csr = {f32s({1, 2, 3, 4, 5}), u64s({0, 3, 2, 1, 4}), u64s({0, 2, 3, 5, 5})};
    Descriptor a = tensor(tag::f32, layout::csr, {4, 5}, csr.sizes(), matrix(5));
    Descriptor b = tensor(tag::f32, layout::csc, {5, 4}, csr.sizes(), matrix(5));
    Held tree = {f32s({1, 2, 3, 4}), u64s({0, 2}),       u64s({0, 1}),      u64s({0, 2, 3}),
                 u64s({0, 2, 1}),    u64s({0, 1, 2, 4}), u64s({1, 3, 0, 2})};
    Descriptor c = tensor(tag::f32, layout::csf, {2, 3, 4}, tree.sizes(), csf(4, {2, 0, 1}));
    PagedExample paged;
    shake(csr), shake(tree), shake(paged.held);
    auto every_cell = [](const Descriptor& d, const Held& held) {
      for_each_index(d.shape, [&](const Sizes& index) {
        Result result = lookup(d, held.views(), index);
        if (!result) CHECK(result.error().kind == "contents");
      });
    };
    every_cell(a, csr), every_cell(b, csr), every_cell(c, tree);
    for (std::uint64_t t = 0; t < 9; ++t) {
      Result result = lookup(paged.d, paged.held.views(), {t % 2, t, 1, 7});
      if (!result) CHECK((result.error().kind == "contents" || result.error().kind == "range"));
    }
  }
}
