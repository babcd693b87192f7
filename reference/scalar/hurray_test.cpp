// df64 and bf16 inside Hurray descriptors: the section's fields, round trips bit for bit through
// the bytes, and what a reader without the agreement still knows.
#include "hurray.h"

#include <catch2/catch.hpp>
#include <map>

#include "../addressing/lookup.h"
#include "../addressing/size.h"
#include "../types/element_type.h"
#include "test_operands.h"

using namespace plumbline;

namespace {

Descriptor row_major(std::vector<std::uint64_t> shape) {
  Descriptor d;
  d.header.layout_tag = layout::row_major;
  d.shape = std::move(shape);
  return d;
}

Descriptor strided(std::vector<std::uint64_t> shape, std::vector<std::int64_t> strides,
                   std::uint64_t byte_offset = 0) {
  Descriptor d;
  d.header.layout_tag = layout::strided;
  d.shape = std::move(shape);
  d.byte_offset = byte_offset;
  Strided l;
  l.strides = std::move(strides);
  d.layout = l;
  return d;
}

// Every index of a shape, the last one fastest.
std::vector<Index> indices(const std::vector<std::uint64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t n : shape) count *= n;
  std::vector<Index> all;
  for (std::uint64_t i = 0; i < count; ++i) {
    Index index(shape.size());
    std::uint64_t rest = i;
    for (std::size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
      index[axis] = rest % shape[axis];
    all.push_back(index);
  }
  return all;
}

// The same pair, NaN patterns and signs of zeros included.
bool same_pattern(df64 x, df64 y) {
  return std::bit_cast<std::uint64_t>(x.hi) == std::bit_cast<std::uint64_t>(y.hi) &&
         std::bit_cast<std::uint64_t>(x.lo) == std::bit_cast<std::uint64_t>(y.lo);
}

std::vector<df64> awkward_values() {
  std::vector<df64> values = test::special_values();
  values.push_back(df64::raw(1, 1));        // no canonical pair
  values.push_back(df64::raw(-0.0, -0.0));  // nor is this
  values.push_back(df64::raw(std::bit_cast<double>(0x7ff0000000000001u),
                             std::bit_cast<double>(0xfff8000000abcdefu)));
  test::operand_stream stream(31);
  for (int i = 0; i < 60; ++i) values.push_back(stream.anywhere());
  return values;
}

const Options agreed = [] {
  Options o;
  o.agreement.parse("type=0xf0");
  return o;
}();

}  // namespace

TEST_CASE("df64 in a descriptor: the extension type section, field by field") {
  const auto d = author(with_df64_elements(row_major({2, 3})), {96});
  REQUIRE(d.has_value());
  const auto bytes = encode(*d);
  REQUIRE(bytes.has_value());
  std::map<std::string, std::string> said;
  for (const Field& field : list_fields(decode(*bytes, agreed).value()))
    said[field.key] = field.value;
  CHECK(said["type_tag"] == "240");
  CHECK(said["flags"] == "4");
  CHECK(said["extension.bit_width"] == "128");
  CHECK(said["extension.packing_factor"] == "1");
  CHECK(said["extension.is_float"] == "1");
  CHECK(said["extension.is_signed"] == "0");
  CHECK(said["extension.sign_bits"] == "1");
  CHECK(said["extension.exponent_bits"] == "11");
  CHECK(said["extension.mantissa_bits"] == "105");
  CHECK(said["extension.exponent_bias"] == "1023");
  CHECK(said["extension.has_nan"] == "1");
  CHECK(said["extension.has_inf"] == "1");
  CHECK_FALSE(author(with_df64_elements(row_major({2, 3})), {95}).has_value());
  CHECK_FALSE(author(with_df64_elements(row_major({2, 3}), 0x02), {96}).has_value());
}

TEST_CASE("df64 in a descriptor: hi lies at the lower address, both little-endian") {
  const auto d = author(with_df64_elements(row_major({1})), {16});
  REQUIRE(d.has_value());
  Bytes buffer(16);
  REQUIRE(store_df64(*d, buffer, {0}, df64::raw(1.0, 0x1p-80)).has_value());
  CHECK(to_hex(buffer) == "000000000000f03f000000000000f03a");
}

TEST_CASE("df64 in a descriptor: values come back bit for bit, whatever the layout and rank") {
  const std::vector<df64> values = awkward_values();
  struct layout_case {
    Descriptor draft;
    std::uint64_t length;
  };
  for (const auto& [draft, length] : std::vector<layout_case>{
           {row_major({}), 16},
           {row_major({5}), 80},
           {row_major({2, 3}), 96},
           {row_major({2, 1, 3, 2, 1}), 192},
           {strided({3, 2}, {1, 3}), 96},            // columns contiguous
           {strided({2, 3}, {8, 2}), 16 * 13},       // with gaps
           {strided({3}, {-2}, 64), 80},             // backwards
           {strided({2, 2, 2}, {4, 1, 2}, 16), 144}  // odd rank, behind an offset
       }) {
    const auto d = author(with_df64_elements(draft), {length});
    REQUIRE(d.has_value());
    const auto bytes = encode(*d);
    REQUIRE(bytes.has_value());
    Bytes buffer(length, 0xee);
    const auto all = indices(draft.shape);
    for (std::size_t start = 0; start < values.size(); start += all.size()) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        const df64 value = values[(start + i) % values.size()];
        REQUIRE(store_df64(*d, buffer, all[i], value).has_value());
      }
      const auto read = decode(*bytes, agreed);
      REQUIRE(read.has_value());
      CHECK(has_df64_elements(*read));
      for (std::size_t i = 0; i < all.size(); ++i) {
        const auto back = load_df64(*read, buffer, all[i]);
        REQUIRE(back.has_value());
        CHECK(same_pattern(*back, values[(start + i) % values.size()]));
      }
    }
  }
}

TEST_CASE("df64 in a descriptor: an empty tensor, an index outside, a buffer cut short") {
  const auto empty = author(with_df64_elements(row_major({3, 0, 2})), {0});
  REQUIRE(empty.has_value());
  const auto bytes = encode(*empty);
  REQUIRE(bytes.has_value());
  CHECK(least_sizes(decode(*bytes, agreed).value()).value() == std::vector<std::uint64_t>{0});
  CHECK(load_df64(*empty, {}, {0, 0, 0}).error().kind == "range");

  const auto d = author(with_df64_elements(row_major({2})), {32});
  Bytes buffer(32);
  CHECK(load_df64(*d, buffer, {2}).error().kind == "range");
  CHECK(load_df64(*d, buffer, {0, 0}).error().kind == "range");
  buffer.resize(31);
  CHECK(load_df64(*d, buffer, {0}).has_value());
  CHECK(load_df64(*d, buffer, {1}).error().kind == "buffers");
  CHECK(store_df64(*d, buffer, {1}, 1.0).error().kind == "buffers");
  const auto other = author(with_bf16_elements(row_major({2})), {4});
  CHECK(load_df64(*other, buffer, {0}).error().kind == "opaque");
  CHECK(load_bf16(*d, buffer, {0}).error().kind == "opaque");
}

TEST_CASE("df64 in a descriptor: a stranger sizes the buffers and does not interpret") {
  for (const auto& [draft, least] : std::vector<std::pair<Descriptor, std::uint64_t>>{
           {row_major({2, 3}), 96},
           {row_major({}), 16},
           {row_major({4, 0}), 0},
           {strided({2, 3}, {8, 2}), 16 * 13},
           {strided({2, 2, 2}, {4, 1, 2}, 16), 144}}) {
    const Bytes bytes = encode(author(with_df64_elements(draft), {least}).value()).value();
    for (const Mode mode : {Mode::strict, Mode::lenient}) {
      const Judgement judged = judge(bytes, {.mode = mode});
      CHECK(judged.verdict() == Verdict::unsupported);
    }
    const Judgement stranger = judge(bytes, {.mode = Mode::permissive});
    REQUIRE(stranger.accepted());
    CHECK_FALSE(stranger.interpreted);
    CHECK(least_sizes(stranger.descriptor).value() == std::vector<std::uint64_t>{least});
    const Bytes buffer(least);
    const Index first(draft.shape.size());
    CHECK(lookup(stranger.descriptor, {ByteView(buffer)}, first).error().kind == "opaque");
    CHECK(judge(bytes, agreed).interpreted);
  }
}

TEST_CASE("bf16 in a descriptor: the built-in type, every pattern back bit for bit") {
  const auto d = author(with_bf16_elements(row_major({256, 256})), {131072});
  REQUIRE(d.has_value());
  const auto read = decode(encode(*d).value());  // no agreement is needed
  REQUIRE(read.has_value());
  CHECK(find_element_type(read->header.type_tag)->name == "bfloat16");
  CHECK_FALSE(read->extension_type.has_value());
  Bytes buffer(131072);
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const Index index{bits / 256, bits % 256};
    const auto pattern = static_cast<std::uint16_t>(bits);
    REQUIRE(store_bf16(*d, buffer, index, bf16::from_bits(pattern)).has_value());
    const auto back = load_bf16(*read, buffer, index);
    REQUIRE(back.has_value());
    REQUIRE(back->bits == pattern);
    REQUIRE(lookup(*read, {ByteView(buffer)}, index).value() ==
            Bytes{static_cast<std::uint8_t>(bits & 255), static_cast<std::uint8_t>(bits >> 8)});
  }
  const auto odd = author(with_bf16_elements(strided({3}, {-2}, 8)), {10});
  REQUIRE(odd.has_value());
  Bytes few(10);
  REQUIRE(store_bf16(*odd, few, {2}, bf16(1.5f)).has_value());
  CHECK(to_hex(few) == "c03f0000000000000000");
}
