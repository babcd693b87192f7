// Reading, judging and writing whole descriptors. Bytes are spelled from the specification's tables.
#include "descriptor.h"

#include <catch2/catch.hpp>

#include "author.h"
#include "composite_set.h"

using namespace plumbline;

namespace {

Bytes hex(std::string_view text) {
  std::string digits;
  for (char c : text)
    if (c != ' ' && c != '\n') digits += c;
  return from_hex(digits).value();
}

// metadata.md, Worked Example
const Bytes worked_example = hex(
    "48525259 01 00 3d000000 00000000 03 01 02000000 0300000000000000 0400000000000000"
    "0000000000000000 01 c000000000000000 40000000 00 000000");

// The private 24-bit integer of the extension types page, shape [4].
Descriptor int24() {
  Descriptor d;
  d.header.type_tag = 0xF2;
  d.header.layout_tag = layout::row_major;
  d.shape = {4};
  d.extension_type = author_extension_type({.bit_width = 24, .is_signed = true}).value();
  return d;
}

FieldText text_of(const Descriptor& d) {
  FieldText text;
  for (const Field& f : list_fields(d)) {
    std::string& value = text[f.key];
    value = f.index > 0 ? value + "," + f.value : f.value;
  }
  text.erase("magic");
  return text;
}

}  // namespace

TEST_CASE("the worked example of metadata.md") {
  Judgement judged = judge(worked_example);
  REQUIRE(judged.accepted());
  CHECK(judged.interpreted);
  CHECK(judged.descriptor.shape == std::vector<std::uint64_t>{3, 4});
  CHECK(judged.descriptor.buffers.handles[0].byte_size == 192);
  CHECK(serialize(judged.descriptor) == worked_example);
  CHECK(encode(judged.descriptor).value() == worked_example);
  CHECK(serialize(from_fields(text_of(judged.descriptor)).value()) == worked_example);
}

TEST_CASE("input that ends early is refused at every length") {
  for (std::size_t n = 0; n < worked_example.size(); ++n) {
    Judgement judged = judge(ByteView(worked_example).first(n));
    REQUIRE(judged.verdict() == Verdict::malformed);
    CHECK(judged.faults[0].clause == "HDR-09");
    // The field cut off; from byte 10 on the fault is that of descriptor_length.
    std::uint64_t at = n < 4 ? 0 : n < 5 ? 4 : n < 6 ? 5 : 6;
    CHECK(judged.faults[0].offset == at);
  }
}

TEST_CASE("bytes behind the descriptor are counted, bytes left over inside it are a fault") {
  Bytes longer = worked_example;
  longer.resize(70);
  CHECK(judge(longer).rest == 9);
  CHECK(judge(longer).accepted());
  longer[6] = 68;
  Judgement judged = judge(longer);
  CHECK(judged.verdict() == Verdict::malformed);
  CHECK(judged.faults[0].clause == "HDR-05");
  CHECK(judged.faults[0].offset == 61);
  CHECK(judge(longer, {.mode = Mode::lenient}).accepted());
  CHECK(serialize(judge(longer, {.mode = Mode::lenient}).descriptor) == Bytes(longer.begin(), longer.begin() + 68));
  longer[5] = 1;  // a newer minor version may have appended them
  CHECK(judge(longer).accepted());
}

TEST_CASE("nothing behind another major version is judged") {
  Bytes bytes = worked_example;
  bytes[4] = 2;
  bytes[14] = 0xFF;
  Judgement judged = judge(bytes);
  REQUIRE(judged.faults.size() == 1);
  CHECK(judged.faults[0].clause == "HDR-08");
  CHECK(judged.verdict() == Verdict::unsupported);
  bytes[4] = 0;
  CHECK(judge(bytes).faults[0].clause == "VER-02");
}

TEST_CASE("the first fault is the one with the smallest offset, and unsupported yields") {
  Bytes bytes = worked_example;
  bytes[14] = 0x4C;  // no such type
  CHECK(judge(bytes).verdict() == Verdict::unsupported);
  CHECK(judge(bytes, {.mode = Mode::permissive}).accepted());
  CHECK_FALSE(judge(bytes, {.mode = Mode::permissive}).interpreted);
  bytes[60] = 1;  // reserved byte of the handle
  CHECK(judge(bytes).faults[0].clause == "BUF-14");
  bytes[53] = 63;  // alignment, before it
  Judgement judged = judge(bytes);
  REQUIRE(judged.faults.size() == 2);
  CHECK(judged.faults[0].clause == "BUF-06");
  CHECK(judged.faults[0].offset == 53);
  CHECK(judged.faults[1].offset == 60);
  CHECK(decode(bytes).error().clause == "BUF-06");
  CHECK(judge(bytes, {.mode = Mode::lenient}).faults.size() == 1);
}

TEST_CASE("authoring a private type, as the extension types page shows") {
  CHECK(int24().extension_type->packing_factor == 1);
  CHECK(author_extension_type({.bit_width = 4}).value().packing_factor == 2);

  Fault six = author_extension_type({.bit_width = 6}).error();
  CHECK(six.clause == "EXT-04");
  CHECK_THAT(six.message(), Catch::Contains("1, 2 or 4"));
  Fault twelve = author_extension_type({.bit_width = 12}).error();
  CHECK(twelve.clause == "EXT-19");

  NumberFormat half{.bit_width = 16, .is_float = true, .sign_bits = 1, .exponent_bits = 5,
                    .mantissa_bits = 10, .exponent_bias = 15, .has_nan = true, .has_inf = true};
  CHECK(author_extension_type(half).value().is_signed == 0);
  NumberFormat scale{.bit_width = 8, .is_float = true, .exponent_bits = 8, .exponent_bias = 127};
  CHECK(author_extension_type(scale).has_value());
  half.is_signed = true;
  Fault both = author_extension_type(half).error();
  CHECK(both.clause == "EXT-07");
  CHECK_THAT(both.message(), Catch::Contains("is_signed"));

  Descriptor d = author(int24(), {12}).value();
  Judgement stranger = judge(serialize(d), {.mode = Mode::permissive});
  CHECK(stranger.accepted());
  CHECK_FALSE(stranger.interpreted);
  CHECK(stranger.descriptor.extension_type->bit_width == 24);
  CHECK(judge(serialize(d)).verdict() == Verdict::unsupported);

  Fault small = author(int24(), {4}).error();
  CHECK(small.clause == "EXT-17");
  CHECK_THAT(small.message(), Catch::Contains("need at least 12 bytes"));
  Descriptor silent = int24();
  silent.extension_type.reset();
  CHECK_THAT(author(silent, {12}).error().message(), Catch::Contains("must describe itself"));
  Descriptor needless = int24();
  needless.header.type_tag = 0x03;
  CHECK_THAT(author(needless, {16}).error().message(), Catch::Contains("not a private extension"));
}

TEST_CASE("a table of more buffers than buffer_count can say is refused at that field") {
  Descriptor d;
  d.header.type_tag = 0x03;
  d.header.layout_tag = layout::strided;
  d.shape = {3, 4};
  Strided fields;
  fields.strides = {4, 1};
  d.layout = fields;
  const std::vector<std::uint64_t> lengths(256, 48);
  Fault many = author(d, lengths).error();
  CHECK(many.clause == "BUF-05");
  CHECK(many.offset == 20 + 2 * 8 + 8 + 2 * 8);  // behind header, shape, byte_offset and strides
  CHECK(many.found == "256 buffers");
  CHECK_THAT(many.expected, Catch::Contains("at most 255"));
  d.header.type_tag = 0xFF;  // a fault before the table is the first one
  Fault first = author(d, lengths).error();
  CHECK(first.clause == "ELT-01");
  CHECK(first.offset == 14);
}

TEST_CASE("zero points have their size whatever the type of the scales") {
  // int8 by blocks: a scale type 00, and 20 bytes of zero points where 16 are needed, which come first
  const Bytes bytes = *from_hex(
      "48525259010079000000010000001001020000000200000000000000080000000000000000000000"
      "00000000031000000000000000400000000000000010000000000000004000000000000000140000"
      "0000000000400000000000000018000000030100000100000004000000010000000200000000ff01"
      "01010101ff03000000");
  std::vector<std::string> clauses;
  for (const Fault& fault : judge(bytes).faults) clauses.push_back(fault.clause);
  CHECK(clauses == std::vector<std::string>{"QPB-14", "QPB-09", "QPB-10"});
}

TEST_CASE("a struct whose lists disagree with its counts is not written") {
  Descriptor d;
  d.header.type_tag = 0x03;
  d.header.layout_tag = layout::row_major;
  d.header.rank = 1;
  d.shape = {3};
  d.buffers.buffer_count = 1;
  d.buffers.handles = {{.byte_size = 12}};
  REQUIRE(encode(d).has_value());
  const auto refused = [](const Descriptor& wrong, std::size_t offset, const std::string& found) {
    const auto written = encode(wrong);
    REQUIRE_FALSE(written.has_value());
    CHECK(written.error().clause == "HDR-05");
    CHECK(written.error().offset == offset);
    CHECK(written.error().found == found);
  };
  Descriptor wide = d;
  wide.shape = {3, 4};  // the 4 would be dropped
  refused(wide, 20, "shape of 2");
  Descriptor handles = d;
  handles.buffers.handles.push_back({.byte_size = 99});
  refused(handles, 37, "buffers of 2");
  Descriptor strided = d;
  strided.header.layout_tag = layout::strided;
  strided.layout = Strided{};  // a stride of 0 would be made up
  refused(strided, 36, "layout.strides of 0");
  Strided three;
  three.strides = {1, 7, 9};
  strided.layout = three;
  refused(strided, 36, "layout.strides of 3");
  Descriptor head = d;
  head.header.layout_tag = layout::composite;
  CompositeHead fields;
  fields.reserved = Bytes(1);  // would move everything behind it
  fields.member_count = 1;
  head.layout = fields;
  head.buffers = {};
  CHECK_FALSE(encode(head).has_value());
}

TEST_CASE("an agreement makes a private value known in every mode") {
  Bytes bytes = serialize(author(int24(), {12}).value());
  for (Mode mode : {Mode::strict, Mode::lenient, Mode::permissive}) {
    Options options{.mode = mode};
    REQUIRE(options.agreement.parse("type=0xf2"));
    CHECK(judge(bytes, options).accepted());
    CHECK(judge(bytes, options).interpreted);
  }
  Agreement a;
  CHECK_FALSE(a.parse("type=0x03"));
  CHECK_FALSE(a.parse("colour=0xf2"));
}

TEST_CASE("a composite set binds its members in pre-order") {
  auto member = [](std::uint64_t offset) {
    Descriptor d;
    d.header.type_tag = 0x03;
    d.header.layout_tag = layout::row_major;
    d.shape = {8, 4};
    d.shard.emplace();
    d.shard->parent_shape = {8, 8};
    d.shard->shard_offset = {0, offset};
    return serialize(author(d, {128}).value());
  };
  Descriptor head;
  head.header.type_tag = 0x03;
  head.header.layout_tag = layout::composite;
  head.shape = {8, 8};
  CompositeHead fields;
  fields.composition_rule = rule::partition;
  fields.member_count = 2;
  head.layout = fields;
  Bytes h = serialize(author(head, {}).value()), left = member(0), right = member(4);

  CHECK(judge_set({h, left, right}).accepted());
  SetJudgement torn = judge_set({h, left});
  CHECK(torn.faults[0].clause == "CMP-29");
  CHECK(torn.verdict() == Verdict::malformed);
  SetJudgement gap = judge_set({h, left, left});
  REQUIRE(gap.faults.size() == 2);
  CHECK(gap.faults[0].clause == "CMP-26");
  CHECK(gap.faults[0].offset == 20);
  CHECK(gap.faults[1].clause == "CMP-27");
  CHECK(gap.faults[1].member == 2);
}
