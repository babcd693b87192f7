// The sparse examples of the layout pages, and what breaks their invariants.
#include "reference/types/stored_entries.h"

#include <catch2/catch.hpp>

#include "reference/types/test_tensor.h"

using namespace plumbline;

namespace {

using Index = std::vector<std::uint64_t>;

Bytes u64s(std::initializer_list<std::uint64_t> values) { return entries<std::uint64_t>(values); }

struct Walk {
  std::vector<Index> found;
  std::string refused = "none";
};
Walk walk(const std::string& fields, const std::vector<Bytes>& buffers) {
  std::string sizes;
  for (std::size_t k = 0; k < buffers.size(); ++k)
    sizes += " buffer" + std::to_string(k) + "=" + std::to_string(buffers[k].size());
  Descriptor d = tensor(fields + sizes);
  Walk w;
  std::optional<Refusal> refusal =
      visit_stored(d, Buffers(buffers.begin(), buffers.end()),
                   [&](const Index& index, std::uint64_t position) -> std::optional<Refusal> {
                     CHECK(position == w.found.size());
                     w.found.push_back(index);
                     return std::nullopt;
                   });
  if (refusal) w.refused = refusal->kind;
  return w;
}

const std::string coo = "type_tag=0x10 layout_tag=0x06 shape=4,4 layout.nnz=3 layout.is_sorted=1";
const std::string csr = "type_tag=0x10 layout_tag=0x07 shape=4,5 layout.nnz=5";
const std::string csc = "type_tag=0x10 layout_tag=0x08 shape=5,4 layout.nnz=5";
const std::string csf =
    "type_tag=0x10 layout_tag=0x09 shape=2,3,4 layout.nnz=4 layout.mode_order=0,1,2";

std::vector<Bytes> csf_example() {
  return {Bytes(4),        u64s({0, 2}),       u64s({0, 1}),      u64s({0, 2, 3}),
          u64s({0, 2, 1}), u64s({0, 1, 2, 4}), u64s({1, 3, 0, 2})};
}
std::string refused_csf(std::size_t buffer, Bytes bytes, const std::string& fields = csf) {
  std::vector<Bytes> buffers = csf_example();
  buffers[buffer] = std::move(bytes);
  return walk(fields, buffers).refused;
}

}  // namespace

TEST_CASE("coo.md") {
  std::vector<Bytes> buffers{Bytes(3), u64s({0, 1, 2, 0, 3, 3})};
  CHECK(walk(coo, buffers).found == std::vector<Index>{{0, 1}, {2, 0}, {3, 3}});
  auto refused = [&](std::initializer_list<std::uint64_t> indices,
                     const std::string& fields = coo) {
    return walk(fields, {Bytes(3), u64s(indices)}).refused;
  };
  CHECK(refused({0, 1, 2, 0, 3, 3}) == "none");
  CHECK(refused({0, 1, 2, 0, 3, 4}) == "contents");
  CHECK(refused({0, 1, 4, 0, 3, 3}) == "contents");
  CHECK(refused({2, 0, 0, 1, 3, 3}) == "contents");  // is_sorted
  CHECK(refused({0, 1, 0, 1, 3, 3}) == "contents");
  std::string unsorted = "type_tag=0x10 layout_tag=0x06 shape=4,4 layout.nnz=3";
  CHECK(refused({2, 0, 0, 1, 3, 3}, unsorted) == "none");
  CHECK(refused({0, 1, 2, 0, 3}) == "buffers");
  CHECK(walk("type_tag=0x10 layout_tag=0x06 shape=4,4 layout.nnz=0xffffffffffffffff", buffers)
            .refused == "buffers");
  CHECK(walk("type_tag=0x10 layout_tag=0x06 shape=- layout.nnz=0xffffffffffffffff", buffers)
            .refused == "opaque");
  CHECK(walk("type_tag=0x10 layout_tag=0x06 shape=4,4 layout.nnz=0", {Bytes(), Bytes()})
            .found.empty());
  CHECK(walk(coo, {Bytes(3)}).refused == "buffers");
}

TEST_CASE("csr.md") {
  Bytes columns = u64s({0, 3, 2, 1, 4}), rows = u64s({0, 2, 3, 5, 5});
  CHECK(walk(csr, {Bytes(5), columns, rows}).found ==
        std::vector<Index>{{0, 0}, {0, 3}, {1, 2}, {2, 1}, {2, 4}});
  auto refused = [&](Bytes c, Bytes r) {
    return walk(csr, {Bytes(5), std::move(c), std::move(r)}).refused;
  };
  CHECK(refused(columns, rows) == "none");
  CHECK(refused(columns, u64s({1, 2, 3, 5, 5})) == "contents");
  CHECK(refused(columns, u64s({0, 3, 2, 5, 5})) == "contents");
  CHECK(refused(columns, u64s({0, 2, 3, 5, 4})) == "contents");
  CHECK(refused(columns, u64s({0, 2, 3, 5, 6})) == "contents");
  CHECK(refused(columns, u64s({0, 2, ~std::uint64_t{0}, 5, 5})) == "contents");
  CHECK(refused(columns, u64s({0, 2, 3, 4, 4})) == "contents");
  // Where every slice that results is in order and inside, too.
  Bytes ascending = u64s({0, 1, 2, 3, 4});
  CHECK(refused(ascending, u64s({0, 3, 2, 5, 5})) == "contents");
  CHECK(refused(ascending, u64s({0, 2, 3, 6, 5})) == "contents");
  CHECK(refused(ascending, u64s({0, 2, ~std::uint64_t{0}, 5, 5})) == "contents");
  CHECK(refused(columns, u64s({0, 2, 3, 5})) == "buffers");
  CHECK(refused(columns, Bytes()) == "buffers");
  CHECK(refused(u64s({0, 3, 2, 1}), rows) == "buffers");
  CHECK(refused(u64s({0, 3, 2, 1, 5}), rows) == "contents");
  CHECK(refused(u64s({3, 0, 2, 1, 4}), rows) == "contents");
  CHECK(refused(u64s({0, 0, 2, 1, 4}), rows) == "contents");
  CHECK(walk("type_tag=0x10 layout_tag=0x07 shape=4 layout.nnz=5", {Bytes(5), columns, rows})
            .refused == "opaque");
}

TEST_CASE("csc.md stores columns") {
  // The transpose of csr.md's matrix: the same arrays, the other way round.
  CHECK(walk(csc, {Bytes(5), u64s({0, 3, 2, 1, 4}), u64s({0, 2, 3, 5, 5})}).found ==
        std::vector<Index>{{0, 0}, {3, 0}, {2, 1}, {1, 2}, {4, 2}});
}

TEST_CASE("csf.md") {
  CHECK(walk(csf, csf_example()).found ==
        std::vector<Index>{{0, 0, 1}, {0, 2, 3}, {1, 1, 0}, {1, 1, 2}});
  // The same tree, its levels for dimensions 1, 2 and 0.
  CHECK(walk("type_tag=0x10 layout_tag=0x09 shape=4,2,3 layout.nnz=4 layout.mode_order=1,2,0",
             csf_example())
            .found == std::vector<Index>{{1, 0, 0}, {3, 0, 2}, {0, 1, 1}, {2, 1, 1}});
  CHECK(walk("type_tag=0x10 layout_tag=0x09 shape=2,3,4 layout.nnz=0 layout.mode_order=0,1,2",
             {Bytes(), u64s({0, 0}), Bytes(), u64s({0}), Bytes(), u64s({0}), Bytes()})
            .found.empty());
  CHECK(refused_csf(1, u64s({0, 2})) == "none");
  CHECK(refused_csf(1, u64s({1, 2})) == "contents");
  CHECK(refused_csf(1, u64s({0})) == "buffers");
  CHECK(refused_csf(1, u64s({0, 3})) == "buffers");
  CHECK(refused_csf(2, u64s({0, 2})) == "contents");
  CHECK(refused_csf(2, u64s({1, 0})) == "contents");
  CHECK(refused_csf(3, u64s({0, 2, 1})) == "contents");
  CHECK(refused_csf(3, u64s({0, 2, 2})) == "contents");  // then the leaves are 2, not nnz
  CHECK(refused_csf(4, u64s({0, 2})) == "buffers");
  CHECK(refused_csf(4, u64s({2, 0, 1})) == "contents");
  CHECK(refused_csf(5, u64s({0, 1, 2, 3})) == "contents");
  CHECK(refused_csf(6, u64s({1, 3, 0, 4})) == "contents");
  CHECK(refused_csf(6, u64s({1, 3, 2, 2})) == "contents");
  CHECK(refused_csf(
            0, Bytes(4),
            "type_tag=0x10 layout_tag=0x09 shape=2,3,4 layout.nnz=4 layout.mode_order=0,1,1") ==
        "contents");
  CHECK(refused_csf(
            0, Bytes(4),
            "type_tag=0x10 layout_tag=0x09 shape=2,3,4 layout.nnz=4 layout.mode_order=0,1,3") ==
        "contents");
  std::vector<Bytes> few = csf_example();
  few.pop_back();
  CHECK(walk(csf, few).refused == "buffers");
}

TEST_CASE("other layouts and dynamic sizes have no stored entries") {
  CHECK(walk("type_tag=0x10 shape=2", {Bytes(2)}).refused == "sparse");
  CHECK(walk("type_tag=0x10 layout_tag=0x06 shape=0xffffffffffffffff layout.nnz=0",
             {Bytes(), Bytes()})
            .refused == "dynamic");
}

TEST_CASE("a refusal of the visitor ends the walk") {
  Descriptor d = tensor(coo + " buffer0=3 buffer1=48");
  Bytes values(3), indices = u64s({0, 1, 2, 0, 3, 3});
  int visited = 0;
  std::optional<Refusal> refusal = visit_stored(
      d, {values, indices}, [&](const Index&, std::uint64_t) -> std::optional<Refusal> {
        ++visited;
        return Refusal{"overflow", ""};
      });
  CHECK(refusal->kind == "overflow");
  CHECK(visited == 1);
}
