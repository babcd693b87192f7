// The storage invariants of coo.md, csr.md, csc.md and csf.md.
#include <set>

#include "reference/contents/test_contents.h"

using namespace plumbline;
using namespace plumbline::test;

namespace {

std::string coo_verdict(Sizes shape, Sizes tuples, bool is_sorted, Mode mode = Mode::strict) {
  std::uint64_t nnz = tuples.size() / shape.size();
  Held held = {Bytes(nnz * 4), u64s(tuples)};
  return verdict(over(held, tag::f32, layout::coo, shape, coo(nnz, is_sorted)), held, mode);
}

std::string csr_verdict(Sizes columns, Sizes pointers, Mode mode = Mode::strict) {
  Held held = {Bytes(columns.size() * 4), u64s(columns), u64s(pointers)};
  return verdict(over(held, tag::f32, layout::csr, {4, 5}, matrix(columns.size())), held, mode);
}
std::string csc_verdict(Sizes rows, Sizes pointers, Mode mode = Mode::strict) {
  Held held = {Bytes(rows.size() * 4), u64s(rows), u64s(pointers)};
  return verdict(over(held, tag::f32, layout::csc, {4, 5}, matrix(rows.size())), held, mode);
}

// csf.md, Example, with one array replaced.
std::string csf_verdict(std::size_t buffer, Sizes array, Mode mode = Mode::strict,
                        Csf fields = csf(4)) {
  Held held = {f32s({1, 2, 3, 4}), u64s({0, 2}),       u64s({0, 1}),      u64s({0, 2, 3}),
               u64s({0, 2, 1}),    u64s({0, 1, 2, 4}), u64s({1, 3, 0, 2})};
  if (buffer > 0) held[buffer] = u64s(array);
  return verdict(over(held, tag::f32, layout::csf, {2, 3, 4}, fields), held, mode);
}
std::string empty_csf(std::size_t buffer = 0, Sizes array = {}) {
  Held held = {Bytes{}, u64s({0, 0}), Bytes{}, u64s({0}), Bytes{}, u64s({0}), Bytes{}};
  if (buffer > 0) held[buffer] = u64s(array);
  return verdict(over(held, tag::f32, layout::csf, {2, 3, 4}, csf(0)), held);
}

}  // namespace

TEST_CASE("COO: the page's example and its three rules") {
  CHECK(coo_verdict({4, 4}, {0, 1, 2, 0, 3, 3}, true) == "fine");
  CHECK(coo_verdict({4, 4}, {3, 3, 0, 1, 2, 0}, false) == "fine");
  CHECK(coo_verdict({4, 4}, {}, true) == "fine");
  CHECK(coo_verdict({4, 4}, {0, 1, 2, 4, 3, 3}, true) == "CON-21 b1+24");
  CHECK(coo_verdict({4, 4}, {0, 1, 4, 0}, true) == "CON-21 b1+16");
  CHECK(coo_verdict({4, 4}, {~std::uint64_t{0}, 1}, true) == "CON-21 b1+0");
  // A repeat lies at the last coordinate of the later tuple, next to its twin or far from it.
  CHECK(coo_verdict({4, 4}, {0, 1, 2, 0, 2, 0}, true) == "CON-22 b1+40");
  CHECK(coo_verdict({4, 4}, {2, 0, 0, 1, 3, 3, 2, 0}, false) == "CON-22 b1+56");
  // Of two repeats the earlier one.
  CHECK(coo_verdict({4, 4}, {3, 3, 0, 1, 3, 3, 0, 1}, false) == "CON-22 b1+40");
  // Out of order, at the coordinate that decides it.
  CHECK(coo_verdict({4, 4}, {0, 1, 2, 0, 1, 3}, true) == "CON-23 b1+32");
  CHECK(coo_verdict({4, 4}, {0, 1, 2, 2, 2, 1}, true) == "CON-23 b1+40");
  CHECK(coo_verdict({4, 4}, {2, 0, 0, 1}, false) == "fine");
}

TEST_CASE("COO: modes (D-003, D-131)") {
  for (auto [mode, expected] :
       {std::pair(Mode::lenient, "CON-21 b1+0"), std::pair(Mode::permissive, "fine")})
    CHECK(coo_verdict({4}, {4, 1}, false, mode) == expected);
  CHECK(coo_verdict({4}, {1, 1}, false, Mode::lenient) == "CON-22 b1+8");
  CHECK(coo_verdict({4}, {1, 1}, true, Mode::permissive) == "fine");
  CHECK(coo_verdict({4}, {1, 0}, true, Mode::lenient) == "fine");
  CHECK(coo_verdict({4}, {1, 0}, true, Mode::permissive) == "CON-23 b1+8");
}

TEST_CASE("COO: repeats in random lists against a set") {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    Sizes tuples;
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    std::string expected = "fine";
    std::size_t nnz = random() % 12;
    for (std::size_t i = 0; i < nnz; ++i) {
      std::uint64_t a = random() % 6, b = random() % 6;
      tuples.insert(tuples.end(), {a, b});
      if (!seen.insert({a, b}).second && expected == "fine")
        expected = "CON-22 b1+" + std::to_string(16 * i + 8);
    }
    CHECK(coo_verdict({6, 6}, tuples, false) == expected);
  }
}

TEST_CASE("COO: a dynamic size bounds nothing yet (D-035), longer arrays are fine (D-071)") {
  Held held = {Bytes(8), u64s({7, 1, 7, 4, 99, 99})};
  Descriptor d = over(held, tag::f32, layout::coo, {dynamic_dimension, 4}, coo(2, false));
  CHECK(verdict(d, held) == "CON-21 b1+24");
  held[1] = u64s({7, 1, 7, 3, 99, 99});
  CHECK(verdict(d, held) == "fine");
}

TEST_CASE("COO: a long list takes n log n") {
  Sizes tuples;
  for (std::uint64_t i = 0; i < 200000; ++i)
    tuples.insert(tuples.end(), {i * 7919 % 200000, i % 3});
  CHECK(coo_verdict({200000, 3}, tuples, false) == "fine");
  tuples.insert(tuples.end(), {tuples[0], tuples[1]});
  CHECK(coo_verdict({200000, 3}, tuples, false) == "CON-22 b1+" + std::to_string(16 * 200000 + 8));
}

TEST_CASE("CSR: the page's example and its rules") {
  CHECK(csr_verdict({0, 3, 2, 1, 4}, {0, 2, 3, 5, 5}) == "fine");
  CHECK(csr_verdict({}, {0, 0, 0, 0, 0}) == "fine");
  CHECK(csr_verdict({0, 3, 2, 1, 4}, {1, 2, 3, 5, 5}) == "CON-26 b2+0");
  CHECK(csr_verdict({0, 3, 2, 1, 4}, {0, 2, 3, 4, 4}) == "CON-26 b2+32");
  CHECK(csr_verdict({0, 3, 2, 1, 4}, {0, 3, 2, 5, 5}) == "CON-27 b2+16");
  CHECK(csr_verdict({0, 3, 2, 1, 4}, {0, 2, 3, 6, 5}) == "CON-27 b2+32");
  CHECK(csr_verdict({3, 0, 2, 1, 4}, {0, 2, 3, 5, 5}) == "CON-28 b1+8");
  CHECK(csr_verdict({0, 3, 2, 1, 1}, {0, 2, 3, 5, 5}) == "CON-28 b1+32");
  CHECK(csr_verdict({0, 3, 2, 1, 5}, {0, 2, 3, 5, 5}) == "CON-29 b1+32");
  // Buffers in order, then offsets; order in a row waits for sound pointers.
  CHECK(csr_verdict({5, 0, 2, 1, 4}, {0, 2, 3, 5, 5}) == "CON-29 b1+0, CON-28 b1+8");
  CHECK(csr_verdict({3, 0, 2, 1, 9}, {0, 9, 3, 5, 5}) == "CON-29 b1+32, CON-27 b2+16");
  CHECK(csr_verdict({3, 0, 2, 1, 4}, {0, 2, 3, 5, 6}) == "CON-26 b2+32");
  CHECK(csr_verdict({3, 0, 2, 1, 4}, {0, 2, 3, 5, 6}, Mode::lenient) == "CON-26 b2+32");
  CHECK(csr_verdict({3, 9, 2, 1, 4}, {7, 2, 3, 5, 6}, Mode::permissive) == "fine");
}

TEST_CASE("CSC: the page's example and its rules") {
  CHECK(csc_verdict({0, 2, 1, 0, 2}, {0, 1, 2, 3, 4, 5}) == "fine");
  CHECK(csc_verdict({0, 2, 1, 0, 2}, {1, 1, 2, 3, 4, 5}) == "CON-31 b2+0");
  CHECK(csc_verdict({0, 2, 1, 0, 2}, {0, 1, 2, 3, 4, 4}) == "CON-31 b2+40");
  CHECK(csc_verdict({0, 2, 1, 0, 2}, {0, 2, 1, 3, 4, 5}) == "CON-32 b2+16");
  CHECK(csc_verdict({0, 2, 1, 2, 1}, {0, 1, 2, 3, 3, 5}) == "CON-33 b1+32");
  CHECK(csc_verdict({0, 2, 1, 0, 4}, {0, 1, 2, 3, 4, 5}) == "CON-34 b1+32");
  CHECK(csc_verdict({9, 0, 9, 0, 4}, {0, 1, 2, 3, 4, 9}, Mode::permissive) == "fine");
}

TEST_CASE("CSR with an empty dimension keeps its pointers (D-032), with a dynamic one it waits") {
  Held held = {Bytes{}, Bytes{}, u64s({0, 0, 0, 0, 1})};
  CHECK(verdict(over(held, tag::f32, layout::csr, {4, 0}, matrix(0)), held) == "CON-26 b2+32");
  Held none = {Bytes{}, Bytes{}, u64s({0})};
  CHECK(verdict(over(none, tag::f32, layout::csr, {0, 5}, matrix(0)), none) == "fine");
  Held waits = {Bytes(4), u64s({9}), u64s({7})};
  CHECK(verdict(over(waits, tag::f32, layout::csr, {dynamic_dimension, 5}, matrix(1)), waits) ==
        "CON-29 b1+0");
}

TEST_CASE("CSF: the page's example and its rules") {
  CHECK(csf_verdict(0, {}) == "fine");
  CHECK(csf_verdict(1, {1, 2}) == "CON-36 b1+0");
  CHECK(csf_verdict(3, {1, 2, 3}) == "CON-36 b3+0");
  CHECK(csf_verdict(5, {0, 3, 2, 4}) == "CON-37 b5+16");
  CHECK(csf_verdict(3, {0, 4, 3}) == "CON-37 b3+16");
  CHECK(csf_verdict(1, {0, 3}) == "CON-38 b1+8");      // three nodes, two coordinates
  CHECK(csf_verdict(3, {0, 2, 4}) == "CON-38 b3+16");  // four nodes, three coordinates
  CHECK(csf_verdict(3, {0, 2}) == "CSF-07 b3+16");     // no pointer behind node 1
  CHECK(csf_verdict(3, {0, 2}, Mode::permissive) == "CSF-07 b3+16");
  CHECK(csf_verdict(5, {0, 1, 2, 3}) == "CON-38 b5+24");  // three leaves, nnz 4
  CHECK(csf_verdict(5, {0, 1, 2}) == "CSF-07 b5+24");
  CHECK(csf_verdict(2, {1, 0}) == "CON-40 b2+8");
  CHECK(csf_verdict(4, {2, 2, 1}) == "CON-40 b4+8");
  CHECK(csf_verdict(6, {1, 3, 2, 2}) == "CON-40 b6+24");
  CHECK(csf_verdict(4, {2, 0, 1}) == "CON-40 b4+8");
  CHECK(csf_verdict(2, {0, 2}) == "CON-41 b2+8");
  CHECK(csf_verdict(4, {0, 3, 1}) == "CON-41 b4+8");
  CHECK(csf_verdict(6, {1, 4, 0, 2}) == "CON-41 b6+8");
  CHECK(csf_verdict(6, {1, 4, 0, 2}, Mode::lenient) == "CON-41 b6+8");
  CHECK(csf_verdict(6, {1, 4, 9, 2}, Mode::permissive) == "fine");
}

TEST_CASE("CSF: bounds follow the mode order, nodes without children are allowed (D-137)") {
  // Level 0 stores dimension 2, of size 4; level 2 stores dimension 0, of size 2.
  CHECK(csf_verdict(2, {0, 3}, Mode::strict, csf(4, {2, 1, 0})) == "CON-41 b6+8");
  CHECK(csf_verdict(6, {1, 1, 0, 1}, Mode::strict, csf(4, {2, 1, 0})) == "fine");
  CHECK(csf_verdict(5, {0, 2, 2, 4}) == "fine");
  // A mode_order that is no permutation bounds nothing (CSF-03), but the tree is still judged.
  Held held = {f32s({1, 2, 3, 4}), u64s({0, 2}),       u64s({0, 1}),       u64s({0, 2, 3}),
               u64s({0, 2, 1}),    u64s({0, 1, 2, 4}), u64s({1, 99, 0, 2})};
  Descriptor d = over(held, tag::f32, layout::csf, {2, 3, 4}, csf(4));
  std::get<Csf>(d.layout).mode_order = {0, 0, 77};
  CHECK(verdict(d, held) == "fine");
  held[2] = u64s({1, 0});
  CHECK(verdict(d, held) == "CON-40 b2+8");
}

TEST_CASE("CSF: several levels and their order") {
  Held held = {f32s({1, 2, 3, 4}), u64s({0, 2}),       u64s({0, 5}),      u64s({0, 2, 3}),
               u64s({2, 0, 1}),    u64s({0, 1, 2, 4}), u64s({1, 3, 2, 0})};
  Descriptor d = over(held, tag::f32, layout::csf, {2, 3, 4}, csf(4));
  CHECK(verdict(d, held) == "CON-41 b2+8, CON-40 b4+8");
  held[5] = u64s({0, 9, 2, 4});  // unsound pointers: order among siblings is not judged
  CHECK(verdict(d, held) == "CON-41 b2+8, CON-37 b5+16");
  held[2] = u64s({1, 0});
  held[3] = u64s({1, 2, 3});
  held[5] = u64s({0, 1, 2, 4});
  CHECK(verdict(d, held) == "CON-36 b3+0");
}

TEST_CASE("CSF with nnz 0 has its own rules") {
  CHECK(empty_csf() == "fine");
  CHECK(empty_csf(1, {0, 1}) == "CON-42 b1+8");
  CHECK(empty_csf(1, {1, 1}) == "CON-42 b1+0");
  CHECK(empty_csf(3, {1}) == "CON-43 b3+0");
  CHECK(empty_csf(5, {2}) == "CON-43 b5+0");
  // Nodes without leaves: none while nnz is 0 (D-137).
  Held held = {Bytes{}, u64s({0, 1}), u64s({0}), u64s({0, 0}), Bytes{}, u64s({0}), Bytes{}};
  CHECK(verdict(over(held, tag::f32, layout::csf, {2, 3, 4}, csf(0)), held) == "CON-42 b1+8");
}

TEST_CASE("index arrays are public also under a private type") {
  Held held = {Bytes(15), u64s({0, 3, 2, 1, 5}), u64s({0, 2, 3, 5, 5})};
  Descriptor d = tensor(0xF2, layout::csr, {4, 5}, held.sizes(), matrix(5));
  make_private(d, 24);
  CHECK(verdict(accepted(d), held) == "CON-29 b1+32");
}

TEST_CASE("random arrays: faults or none, nothing outside") {
  std::mt19937_64 random(77);
  auto shake = [&](Held& held) {
    for (std::size_t k = 0; k < held.size(); ++k)
      for (std::uint8_t& byte : held[k])
        if (random() % 6 == 0)
          byte = static_cast<std::uint8_t>(random() % 3 == 0 ? random() : random() % 5);
  };
  std::size_t faulty = 0;
  for (int round = 0; round < 3000; ++round) {
    Held list = {Bytes(12), u64s({0, 1, 2, 0, 3, 3})};
    Descriptor a = tensor(tag::f32, layout::coo, {4, 4}, list.sizes(), coo(3, round % 2 == 0));
    Held rows = {Bytes(20), u64s({0, 3, 2, 1, 4}), u64s({0, 2, 3, 5, 5})};
    Descriptor b = tensor(tag::f32, layout::csr, {4, 5}, rows.sizes(), matrix(5));
    Held tree = {Bytes(16),       u64s({0, 2}),       u64s({0, 1}),      u64s({0, 2, 3}),
                 u64s({0, 2, 1}), u64s({0, 1, 2, 4}), u64s({1, 3, 0, 2})};
    Descriptor c = tensor(tag::f32, layout::csf, {2, 3, 4}, tree.sizes(), csf(4, {0, 2, 1}));
    shake(list), shake(rows), shake(tree);
    for (const std::string& found : {verdict(a, list), verdict(b, rows), verdict(c, tree)}) {
      CHECK(found.substr(0, 7) != "refused");
      faulty += found != "fine";
    }
  }
  CHECK(faulty > 3000);
}
