// Time and heap grow with the input and not with its square: what bounds.h cannot see in inputs of 4 KiB. Each
// question is put about so many bytes and about 16 times as many; three times 16 is allowed, for n log n and
// for caches.
#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>

#include "bounds.h"
#include "reference/contents/contents.h"
#include "reference/descriptor/composite_set.h"
#include "reference/descriptor/descriptor.h"

using namespace plumbline;

namespace {

constexpr std::size_t small = std::size_t{64} << 10, times = 16, most_times = 48;

struct Cost {
  double seconds = 1e9;
  std::size_t heap = ~std::size_t{0};
};

// The best of five; each of so many calls, that a short one can be measured.
Cost cost(const std::function<void()>& call, int calls) {
  Cost best;
  for (int run = 0; run < 5; ++run) {
    fuzz::MemoryWatch watch;
    double start = fuzz::processor_seconds();
    for (int k = 0; k < calls; ++k) call();
    best.seconds = std::min(best.seconds, (fuzz::processor_seconds() - start) / calls);
    best.heap = std::min(best.heap, watch.peak());
  }
  return best;
}

// `make` gives what is to be measured for an input of so many bytes.
void expect_linear(const std::string& what, const std::function<std::function<void()>(std::size_t)>& make) {
  Cost few = cost(make(small), times), many = cost(make(small * times), 1);
  INFO(what << ", 64 KiB: " << few.seconds << " s, " << few.heap << " bytes; 1 MiB: " << many.seconds << " s, "
            << many.heap << " bytes");
  CHECK(many.seconds <= few.seconds * most_times);
  CHECK(many.heap <= few.heap * most_times);
}

void settle(Descriptor& d) {
  d.header.rank = static_cast<std::uint32_t>(d.shape.size());
  d.header.flags = (d.quantization ? flag::quantization : 0) | (d.shard ? flag::shard : 0);
  d.buffers.buffer_count = static_cast<std::uint8_t>(d.buffers.handles.size());
}

Descriptor bare(std::uint8_t layout_tag, std::uint8_t type_tag, std::vector<std::uint64_t> shape) {
  Descriptor d;
  d.header.layout_tag = layout_tag;
  d.header.type_tag = type_tag;
  d.layout = layout_for(layout_tag);
  d.shape = std::move(shape);
  return d;
}

const Options strict{.agreement = Agreement::everything()};

std::function<void()> judging(const Descriptor& d) {
  return [bytes = serialize(d)] {
    Judgement judged = judge(bytes, strict);
    REQUIRE(judged.accepted());
    REQUIRE(!list_fields(judged.descriptor).empty());
  };
}

Bytes numbers(std::size_t count, std::size_t width, const std::function<std::uint64_t(std::size_t)>& value) {
  Bytes bytes;
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < width; ++i) bytes.push_back(static_cast<std::uint8_t>(value(k) >> (8 * i)));
  return bytes;
}

std::function<void()> judging_contents(Descriptor d, std::vector<Bytes> storage) {
  for (const Bytes& buffer : storage) d.buffers.handles.push_back({.byte_size = buffer.size()});
  settle(d);
  REQUIRE(judge(serialize(d), strict).accepted());
  return [d, storage = std::move(storage)] {
    auto faults = judge_contents(d, Buffers(storage.begin(), storage.end()), strict);
    REQUIRE(faults.has_value());
    if (!faults->empty()) FAIL((*faults)[0].clause << ": " << (*faults)[0].message());
  };
}

std::uint64_t zero(std::size_t) { return 0; }
std::uint64_t itself(std::size_t k) { return k; }

std::function<void()> judging_set(const Descriptor& head, const std::vector<Descriptor>& members) {
  std::vector<Bytes> set = {serialize(head)};
  for (const Descriptor& d : members) set.push_back(serialize(d));
  return [set = std::move(set)] {
    SetJudgement judged = judge_set({set.begin(), set.end()}, strict);
    REQUIRE(judged.accepted());
  };
}

// A head over a square of boxes of one element, in rows.
std::function<void()> judging_boxes(std::uint8_t composition_rule, std::size_t bytes) {
  std::uint64_t side = 1;
  while ((side + 1) * (side + 1) * 101 <= bytes) ++side;
  Descriptor head = bare(layout::composite, 3, {side, side});
  std::get<CompositeHead>(head.layout) = {.composition_rule = composition_rule,
                                          .member_count = static_cast<std::uint32_t>(side * side)};
  settle(head);
  std::vector<Descriptor> members;
  for (std::uint64_t k = 0; k < side * side; ++k) {
    Descriptor d = bare(layout::row_major, 3, {1, 1});
    d.buffers.handles.push_back({.byte_size = 4});
    if (composition_rule == rule::partition)
      d.shard = Shard{.parent_shape = {side, side}, .shard_offset = {k / side, k % side}};
    settle(d);
    members.push_back(d);
  }
  return judging_set(head, members);
}

}  // namespace

TEST_CASE("descriptors are judged and listed in linear time and memory") {
  expect_linear("a private layout's data", [](std::size_t n) {
    Descriptor d = bare(0xF1, 3, {1});
    std::get<PrivateLayout>(d.layout).extension_data = Bytes(n, 7);
    std::get<PrivateLayout>(d.layout).extension_data_length = static_cast<std::uint32_t>(n);
    d.buffers.handles.push_back({.byte_size = 4});
    settle(d);
    return judging(d);
  });
  expect_linear("a private scheme's payload", [](std::size_t n) {
    Descriptor d = bare(layout::row_major, 0x10, {1});
    d.quantization.emplace();
    d.quantization->scheme_tag = 0xF1;
    d.quantization->scheme = UnknownScheme{Bytes(n, 7)};
    d.buffers.handles.push_back({.byte_size = 4});
    settle(d);
    return judging(d);
  });
}

TEST_CASE("sets are judged in linear time and memory") {
  expect_linear("a group", [](std::size_t n) { return judging_boxes(rule::group, n); });
  expect_linear("a partition", [](std::size_t n) { return judging_boxes(rule::partition, n); });
}

TEST_CASE("contents are judged in linear time and memory") {
  expect_linear("COO", [](std::size_t n) {
    std::size_t nnz = n / 20;
    Descriptor d = bare(layout::coo, 3, {nnz, 2});
    std::get<Coo>(d.layout).nnz = nnz;
    // Not sorted: the second of the two orders goes back to front.
    auto index = [nnz](std::size_t k) { return k % 2 == 0 ? nnz - 1 - k / 2 : k / 2 % 2; };
    return judging_contents(d, {numbers(nnz, 4, zero), numbers(2 * nnz, 8, index)});
  });
  expect_linear("CSR", [](std::size_t n) {
    std::size_t nnz = n / 20;
    Descriptor d = bare(layout::csr, 3, {nnz, nnz});
    std::get<CompressedMatrix>(d.layout).nnz = nnz;
    return judging_contents(d, {numbers(nnz, 4, zero), numbers(nnz, 8, itself), numbers(nnz + 1, 8, itself)});
  });
  expect_linear("CSF", [](std::size_t n) {
    std::size_t nnz = n / 44;
    Descriptor d = bare(layout::csf, 3, {nnz, 2, 2});
    std::get<Csf>(d.layout) = {.nnz = nnz, .mode_order = {0, 1, 2}};
    auto ends = [nnz](std::size_t k) { return k * nnz; };
    return judging_contents(d, {numbers(nnz, 4, zero), numbers(2, 8, ends), numbers(nnz, 8, itself),
                                numbers(nnz + 1, 8, itself), numbers(nnz, 8, zero),
                                numbers(nnz + 1, 8, itself), numbers(nnz, 8, zero)});
  });
  // float8_e8m0, of which one code is reserved: every element is looked at.
  expect_linear("pages", [](std::size_t n) {
    std::size_t pages = n / 9;
    Descriptor d = bare(layout::block_paged, 0x42, {pages, 1, 1});
    std::get<BlockPaged>(d.layout) = {.num_pages = pages, .num_seqs = static_cast<std::uint32_t>(pages)};
    auto back = [pages](std::size_t k) { return pages - 1 - k; };
    return judging_contents(d, {Bytes(pages, 1), numbers(pages, 4, back), numbers(pages + 1, 4, itself)});
  });
}
