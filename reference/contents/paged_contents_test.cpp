// The storage invariants of block-paged.md.
#include "reference/contents/test_contents.h"

using namespace plumbline;
using namespace plumbline::test;

namespace {

struct Paged {
  std::uint64_t tokens = 9;
  std::uint32_t num_seqs = 2;
  std::uint8_t index_type = 0;
  std::initializer_list<std::uint64_t> table = {0, 1, 0}, pointers = {0, 2, 3};
};

std::string paged(const Paged& p, Mode mode = Mode::strict) {
  std::size_t width = p.index_type == 0 ? 4 : 8;
  Held held = {Bytes(640), integers(width, p.table), integers(width, p.pointers)};
  BlockPaged l;
  l.page_size = 4;
  l.num_pages = 5;
  l.num_seqs = p.num_seqs;
  l.layer_index = 3;
  l.block_table_index_type = p.index_type;
  return verdict(over(held, tag::f16, layout::block_paged, {p.tokens, 2, 8}, l), held, mode);
}

}  // namespace

TEST_CASE("block-paged: the page's example, with its shared page (BPG-24)") {
  CHECK(paged({}) == "fine");
  CHECK(paged({.index_type = 1}) == "fine");
}

TEST_CASE("block-paged: sequence pointers") {
  CHECK(paged({.pointers = {1, 2, 3}}) == "CON-45 b2+0");
  CHECK(paged({.index_type = 1, .table = {0, 1, 0}, .pointers = {0, 4, 3}}) == "CON-46 b2+16");
  CHECK(paged({.pointers = {0, 4, 3}}) == "CON-46 b2+8");
  CHECK(paged({.pointers = {0, 2, 4}}) == "BPG-21 b2+8");
  CHECK(paged({.pointers = {0, 2, 0xFFFFFFFF}}) == "BPG-21 b2+8");
  CHECK(paged({.table = {0, 1, 0, 4, 4}}) == "fine");  // a longer table
}

TEST_CASE("block-paged: page IDs") {
  CHECK(paged({.table = {0, 5, 0}}) == "CON-47 b1+4");
  CHECK(paged({.index_type = 1, .table = {0, 1, 5}, .pointers = {0, 2, 3}}) == "CON-47 b1+16");
  CHECK(paged({.table = {4, 4, 4}}) == "fine");
  CHECK(paged({.table = {0, 1, 0, 99}}) == "fine");  // behind the last logical page
  // Only where the table is sound (CON-45, BPG-21).
  CHECK(paged({.table = {0, 5, 0}, .pointers = {1, 2, 3}}) == "CON-45 b2+0");
  CHECK(paged({.table = {0, 5, 0}, .pointers = {0, 2, 4}}) == "BPG-21 b2+8");
  CHECK(paged({.table = {0, 5, 0}, .pointers = {0, 4, 3}}) == "CON-47 b1+4, CON-46 b2+8");
}

TEST_CASE("block-paged: no more tokens than slots (D-140)") {
  CHECK(paged({.tokens = 12}) == "fine");
  CHECK(paged({.tokens = 13}) == "BPG-22 b2+8");
  CHECK(paged({.tokens = 1}) == "fine");  // the lower bound is not asked for
  CHECK(paged({.tokens = 13, .pointers = {1, 2, 3}}) == "CON-45 b2+0");
  CHECK(paged({.tokens = dynamic_dimension}) == "fine");
  CHECK(paged({.tokens = 0, .num_seqs = 0, .table = {}, .pointers = {0}}) == "fine");  // CON-51
  CHECK(paged({.tokens = 1, .num_seqs = 0, .table = {}, .pointers = {0}}) == "BPG-22 b2+0");
  CHECK(paged({.tokens = 0, .num_seqs = 0, .table = {}, .pointers = {1}}) ==
        "CON-45 b2+0, BPG-21 b2+0");
}

TEST_CASE("block-paged: what a permissive reader passes over, and what it may not") {
  CHECK(paged({.table = {0, 5, 0}, .pointers = {0, 2, 3}}, Mode::permissive) == "fine");
  CHECK(paged({.pointers = {1, 4, 3}}, Mode::permissive) == "fine");
  CHECK(paged({.pointers = {0, 2, 4}}, Mode::permissive) == "BPG-21 b2+8");
  CHECK(paged({.tokens = 13}, Mode::lenient) == "BPG-22 b2+8");
  CHECK(paged({.table = {0, 5, 0}}, Mode::lenient) == "CON-47 b1+4");
}

TEST_CASE("block-paged along another axis means nothing here") {
  Held held = {Bytes(640), u32s({0, 9, 0}), u32s({7, 2, 4})};  // past the table, too
  BlockPaged l;
  l.page_size = 4;
  l.num_pages = 5;
  l.num_seqs = 2;
  l.paged_axis = 1;
  Descriptor d =
      accepted(tensor(tag::f16, layout::block_paged, {9, 2, 8}, held.sizes(), l), Mode::permissive);
  CHECK(verdict(d, held, Mode::permissive) == "fine");
}
