// Block-paged tensors: parameters by page slot, and which token lies where.
#include <catch2/catch.hpp>

#include "reference/types/dequantise.h"
#include "reference/types/test_tensor.h"

using namespace plumbline;

namespace {

using Values = std::vector<float>;

const std::string half = "q.scheme_tag=1 q.scale=0x3f000000 ";

}  // namespace

TEST_CASE("block-paged: by page and slot") {
  std::string paged =
      "type_tag=0x10 layout_tag=0x0a shape=3,2,2 layout.page_size=2 layout.num_pages=2 "
      "layout.num_seqs=1 ";
  std::vector<Bytes> own{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                         entries<std::uint32_t>({1, 0}),
                         entries<std::uint32_t>({0, 2})};
  auto with = [&](Bytes parameters) {
    std::vector<Bytes> all = own;
    all.push_back(std::move(parameters));
    return all;
  };
  // Per slot: entry page * page_size + slot (D-142).
  Tensor t(paged + "q.scheme_tag=3 q.flags=1 q.axis=0 q.block_size=2 q.scale_buffer_index=3",
           with(floats({1, 10, 100, 1000})));
  // One sequence has all tokens: page 1, then the first slot of page 0.
  CHECK(dequantise(t.d, t.views) ==
        Values{800, 900, 1000, 1100, 12000, 13000, 14000, 15000, 0, 1, 2, 3});
  CHECK(dequantise_paged(t.d, t.views, {1, 0, 1, 0}) == 1000.0f);
  CHECK(dequantise_paged(t.d, t.views, {1, 1, 1, 1}) == 15000.0f);
  CHECK(dequantise_paged(t.d, t.views, {0, 1, 0, 1}) == 50.0f);
  for (PageSlot at :
       {PageSlot{2, 0, 0, 0}, PageSlot{0, 2, 0, 0}, PageSlot{0, 0, 2, 0}, PageSlot{0, 0, 0, 2}})
    CHECK(dequantise_paged(t.d, t.views, at).error().kind == "range");
  CHECK(dequantise_code(t.d, t.views, {0, 0, 0}, 1).error().kind == "sparse");

  Tensor channel(paged + "q.scheme_tag=2 q.flags=1 q.axis=2 q.scale_buffer_index=3",
                 with(floats({1, 10})));
  CHECK(dequantise_paged(channel.d, channel.views, {1, 0, 1, 1}) == 110.0f);
  CHECK(dequantise(channel.d, channel.views) ==
        Values{8, 90, 10, 110, 12, 130, 14, 150, 0, 10, 2, 30});
  Tensor whole(paged + half, own);
  CHECK(dequantise_paged(whole.d, whole.views, {1, 0, 1, 1}) == 5.5f);
  // Lenient readers take channels along the token axis, but no token has a known slot.
  Tensor tokens(paged + "q.scheme_tag=2 q.flags=1 q.axis=0 q.scale_buffer_index=3",
                with(floats({1, 1, 1})), false);
  CHECK(dequantise_paged(tokens.d, tokens.views, {0, 0, 0, 0}).error().kind == "opaque");
}

TEST_CASE("block-paged: heads and width differ") {
  // Two pages of one slot, two heads of three.
  std::string fields =
      "type_tag=0x10 layout_tag=0x0a shape=2,2,3 layout.page_size=1 layout.num_pages=2 "
      "layout.num_seqs=1 q.flags=1 q.scale_buffer_index=3 q.scheme_tag=2 q.axis=";
  Bytes pool{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, table = entries<std::uint32_t>({1, 0}),
                                                    pointers = entries<std::uint32_t>({0, 2});
  Tensor heads(fields + "1", {pool, table, pointers, floats({1, 10})});
  CHECK(dequantise(heads.d, heads.views) == Values{6, 7, 8, 90, 100, 110, 0, 1, 2, 30, 40, 50});
  CHECK(dequantise_paged(heads.d, heads.views, {1, 0, 1, 2}) == 110.0f);
  CHECK(dequantise_paged(heads.d, heads.views, {0, 0, 1, 0}) == 30.0f);
  Tensor width(fields + "2", {pool, table, pointers, floats({1, 10, 100})});
  CHECK(dequantise(width.d, width.views) ==
        Values{6, 70, 800, 9, 100, 1100, 0, 10, 200, 3, 40, 500});
}

TEST_CASE("block-paged as a whole: only where every sequence has a known length (D-140)") {
  // Two pages of two slots, one element a slot.
  auto paged = [](std::uint64_t tokens, std::initializer_list<std::uint32_t> table,
                  std::initializer_list<std::uint32_t> pointers, bool sound = true) {
    return Tensor("type_tag=0x10 layout_tag=0x0a layout.page_size=2 layout.num_pages=2 shape=" +
                      std::to_string(tokens) +
                      ",1,1 layout.num_seqs=" + std::to_string(pointers.size() - 1) + " " + half,
                  {{2, 4, 6, 8}, entries(table), entries(pointers)}, sound);
  };
  auto values_of = [](const Tensor& t) { return dequantise(t.d, t.views).value(); };
  auto refused_by = [](const Tensor& t) {
    std::expected<Values, Refusal> result = dequantise(t.d, t.views);
    return result ? "none" : result.error().kind;
  };
  CHECK(values_of(paged(3, {1, 0}, {0, 2})) == Values{3, 4, 1});
  // Every slot is used; both sequences begin with the same page.
  CHECK(values_of(paged(6, {0, 1, 0}, {0, 2, 3})) == Values{1, 2, 3, 4, 1, 2});
  // The other sequences have no pages.
  CHECK(values_of(paged(3, {1, 0}, {0, 0, 2, 2})) == Values{3, 4, 1});
  CHECK(refused_by(paged(5, {0, 1, 0}, {0, 2, 3})) == "sparse");
  CHECK(values_of(paged(0, {}, {0})).empty());
  CHECK(refused_by(paged(1, {}, {0})) == "contents");
  CHECK(refused_by(paged(5, {1, 0}, {0, 2})) == "contents");
  CHECK(refused_by(paged(7, {0, 1, 0}, {0, 2, 3})) == "contents");
  CHECK(refused_by(paged(3, {1, 2}, {0, 2})) == "contents");  // no page 2
  CHECK(refused_by(paged(3, {1, 0}, {2, 0})) == "contents");
  CHECK(refused_by(paged(3, {1}, {0, 2})) == "contents");
  CHECK(refused_by(paged(3, {1, 0}, {0, 2, 1})) == "contents");
  CHECK(refused_by(paged(3, {1, 0}, {0, 0xFFFFFFFF})) == "none");  // pages that no token reaches
  Tensor flat("type_tag=0x10 layout_tag=0x0a shape=4 layout.page_size=2 layout.num_pages=2 " + half,
              {{2, 4, 6, 8}, {}, {}}, false);
  CHECK(refused_by(flat) == "opaque");
  // No index type that any reader takes, so no clause says how long seq_ptr is.
  Tensor untyped(
      "type_tag=0x10 layout_tag=0x0a shape=4,1,1 layout.page_size=2 layout.num_pages=2 "
      "layout.num_seqs=1 layout.block_table_index_type=2 " +
          half,
      {{2, 4, 6, 8}, {}, {}}, false);
  CHECK(refused_by(untyped) == "buffers");
}
