// The writer against bytes spelled out by hand from the tables of the specification.
#include "conformance/vectors/writer.h"

#include <catch2/catch.hpp>

#include "conformance/vectors/keys.h"

using namespace plumbline::vectors;

namespace {

std::string hex_of(const field_map& fields) { return to_hex(write_descriptor(fields).data); }
std::string joined(std::string_view spaced) { return to_hex(*from_hex(spaced)); }

const field_map dense = {{"type_tag", "3"}, {"shape", "3,4"}, {"buffer.0.byte_size", "192"}};

field_map with(field_map fields,
               std::initializer_list<std::pair<const std::string, std::string>> more) {
  for (const auto& [key, value] : more) fields[key] = value;
  return fields;
}

}  // namespace

TEST_CASE("the worked example of the metadata page") {
  CHECK(hex_of(dense) == joined("48525259 01 00 3d000000 00000000 03 01 02000000"
                                "0300000000000000 0400000000000000 0000000000000000"
                                "01 c000000000000000 40000000 00 00 00 00"));
}

TEST_CASE("every section, in the order of the structure diagram") {
  const field_map all = {{"type_tag", "0xf2"},
                         {"buffer.0.byte_size", "3"},
                         {"quantization.scheme_tag", "1"},
                         {"shard.parent_shape", "-"},
                         {"shard.shard_offset", "-"},
                         {"statistics.nnz", "5"},
                         {"statistics.value_mean", "1"},
                         {"extension.bit_width", "24"},
                         {"member.member_role", "1"}};
  CHECK(
      hex_of(all) ==
      joined("48525259 01 00 ad000000 1f000000 f2 01 00000000 0000000000000000"
             "01 0300000000000000 40000000 00 00 00 00"
             "10000000 01 01 0000 0000803f 00000000 00000000"
             "00000000 00000000 0500000000000000 0000000000000000 0000000000000000 0000000000000000"
             "0000000000000000 000000000000f03f 0000000000000000 00 00 00 00 00000000"
             "18000000 01 00 00 00 00 00 0000 00000000 00 00 0000"
             "01 000000000000000000000000000000"));
}

TEST_CASE("the fields of every layout") {
  const auto layout = [](field_map more) {
    more["type_tag"] = "3";
    const written w = write_descriptor(more);
    const auto from = static_cast<std::ptrdiff_t>(w.at.at("byte_offset")) + 8;
    const auto to = static_cast<std::ptrdiff_t>(
        w.at.contains("buffer_count") ? w.at.at("buffer_count") : w.data.size());
    return to_hex(bytes(w.data.begin() + from, w.data.begin() + to));
  };
  CHECK(layout({{"layout_tag", "2"}}).empty());
  CHECK(layout(
            {{"layout_tag", "3"}, {"shape", "1,1"}, {"layout.strides", "-1,0x0102030405060708"}}) ==
        joined("ffffffffffffffff 0807060504030201"));
  CHECK(layout({{"layout_tag", "4"},
                {"shape", "8"},
                {"layout.tile.0.tile_shape", "4"},
                {"layout.tile.0.outer_layout", "3"},
                {"layout.tile.0.inner_layout", "4"},
                {"layout.tile.0.outer_strides", "-2"},
                {"layout.tile.1.tile_shape", "2"},
                {"layout.tile.1.inner_layout", "3"},
                {"layout.tile.1.inner_strides", "5"}}) ==
        joined("0400000000000000 03 04 0000 feffffffffffffff 0200000000000000 01 03 0000 "
               "0500000000000000"));
  CHECK(layout({{"layout_tag", "5"}, {"shape", "4,2"}, {"layout.morton_bits", "2,1"}}) ==
        joined("02000000 01000000"));
  CHECK(layout({{"layout_tag", "6"}, {"layout.nnz", "3"}, {"layout.is_sorted", "1"}}) ==
        joined("0300000000000000 01 00000000000000"));
  CHECK(layout({{"layout_tag", "7"}, {"layout.nnz", "3"}}) ==
        joined("0300000000000000 0000000000000000"));
  CHECK(layout({{"layout_tag", "8"}, {"layout.nnz", "3"}}) ==
        joined("0300000000000000 0000000000000000"));
  CHECK(layout({{"layout_tag", "9"},
                {"shape", "2,3,4"},
                {"layout.nnz", "5"},
                {"layout.mode_order", "2,0,1"}}) ==
        joined("0500000000000000 02000000 00000000 01000000 0000000000000000"));
  CHECK(layout({{"layout_tag", "10"},
                {"layout.page_size", "1"},
                {"layout.num_pages", "2"},
                {"layout.paged_axis", "3"},
                {"layout.num_seqs", "4"},
                {"layout.kv_role", "5"},
                {"layout.layer_index", "6"},
                {"layout.block_table_index_type", "7"},
                {"layout.reserved", "08090a0b0c0d"}}) ==
        joined("01000000 0200000000000000 03000000 04000000 05 06000000 07 08090a0b0c0d"));
  CHECK(layout({{"layout_tag", "11"},
                {"layout.composition_rule", "2"},
                {"layout.combine_op", "1"},
                {"layout.member_count", "7"}}) == joined("02 01 0000 07000000"));
  CHECK(layout({{"layout_tag", "0x40"},
                {"layout.hilbert_order", "3"},
                {"layout.hilbert_rank", "2"}}) == joined("03000000 02000000"));
  CHECK(layout({{"layout_tag", "0xf1"},
                {"layout.extension_layout_id", "9"},
                {"layout.extension_data", "aabbcc"}}) ==
        joined("0900000000000000 03000000 aabbcc"));
  CHECK(layout({{"layout_tag", "0x0c"}, {"layout.raw", "aabb"}}) == "aabb");
}

TEST_CASE("the payload of every quantization scheme") {
  const auto payload = [](field_map more) {
    more["type_tag"] = "0x10";
    const written w = write_descriptor(more);
    return to_hex(bytes(
        w.data.begin() + static_cast<std::ptrdiff_t>(w.at.at("quantization.quantization_length")),
        w.data.end()));
  };
  const std::string q = "quantization.";
  CHECK(payload({{q + "scheme_tag", "1"}, {q + "scale", "-0.5"}, {q + "zero_point", "-3"}}) ==
        joined("10000000 01 01 0000 000000bf fdffffff 00000000"));
  CHECK(payload({{q + "scheme_tag", "2"},
                 {q + "flags", "1"},
                 {q + "axis", "7"},
                 {q + "scale_buffer_index", "8"},
                 {q + "zero_point_buffer_index", "9"}}) ==
        joined("14000000 02 01 0100 07000000 08000000 09000000 03 000000"));
  CHECK(payload({{q + "scheme_tag", "3"},
                 {q + "axis", "7"},
                 {q + "block_size", "16"},
                 {q + "scale_type_tag", "2"}}) ==
        joined("18000000 03 01 0000 07000000 10000000 01000000 ffffffff 02 000000"));
  CHECK(payload({{q + "scheme_tag", "4"}}) ==
        joined("10000000 04 01 0000 00000000 40000000 01000000"));
  CHECK(payload({{q + "scheme_tag", "5"}}) ==
        joined("10000000 05 01 0000 00000000 20000000 01000000"));
  CHECK(payload({{q + "scheme_tag", "5"}, {q + "scheme_version", "2"}, {q + "payload", "aabb"}}) ==
        joined("06000000 05 02 0000 aabb"));
  CHECK(payload({{q + "scheme_tag", "1"}, {q + "padding", "00ff"}}) ==
        joined("12000000 01 01 0000 0000803f 00000000 00000000 00ff"));
}

TEST_CASE("positions are those of the fields") {
  const written w = write_descriptor(dense);
  CHECK(w.at.at("magic") == 0);
  CHECK(w.at.at("descriptor_length") == 6);
  CHECK(w.at.at("type_tag") == 14);
  CHECK(w.at.at("shape[1]") == 28);
  CHECK(w.at.at("buffer.0.alignment") == 53);
  CHECK(w.at.at("tail") == 61);
}

TEST_CASE("lengths, counts and flags follow unless they are set") {
  CHECK(write_descriptor(with(dense, {{"descriptor_length", "7"}})).data[6] == 7);
  CHECK(write_descriptor(with(dense, {{"buffer_count", "9"}})).data[44] == 9);
  CHECK(write_descriptor(with(dense, {{"rank", "1"}})).data[16] == 1);
  CHECK(write_descriptor(with(dense, {{"flags", "0x20"}})).data[10] == 0x20);
  CHECK(write_descriptor(with(dense, {{"member.member_role", "0"}})).data[10] == 0x10);
  CHECK(write_descriptor(with(dense, {{"tail", "aabb"}})).data[6] == 63);
}

TEST_CASE("an encode question holds what was set, and only where a writer can be asked") {
  CHECK(write_descriptor(dense).given == "type_tag=3 shape=3,4 buffer.0.byte_size=192");
  CHECK(write_descriptor(with(dense, {{"rank", "1"}})).given.empty());
  CHECK(write_descriptor(with(dense, {{"flags", "1"}})).given.empty());
  CHECK(write_descriptor(with(dense, {{"flags", "0x20"}})).given.ends_with("192"));
}

TEST_CASE("behind an unknown layout everything is one field") {
  const written w = write_descriptor(with(dense, {{"layout_tag", "0x0c"}}));
  CHECK(w.fields.back().first == "layout.raw");
  CHECK(w.fields.back().second == joined("01 c000000000000000 40000000 00 00 00 00"));
  CHECK(w.at.at("buffer_count") == 44);
}

TEST_CASE("what a descriptor needs beyond the core") {
  CHECK(write_descriptor(dense).needs.empty());
  CHECK(write_descriptor({{"type_tag", "0x46"}}).needs == std::vector<std::string>{"type:0x46"});
  CHECK(write_descriptor({{"type_tag", "0x10"}, {"quantization.scheme_tag", "1"}}).needs ==
        std::vector<std::string>{"quantization", "scheme:0x01"});
}

TEST_CASE("what does not fit is refused") {
  CHECK_THROWS_AS(write_descriptor({}), value_error);                                  // no type
  CHECK_THROWS_AS(write_descriptor(with(dense, {{"colour", "1"}})), value_error);      // unknown
  CHECK_THROWS_AS(write_descriptor(with(dense, {{"layout.nnz", "1"}})), value_error);  // no place
  CHECK_THROWS_AS(write_descriptor(with(dense, {{"type_tag", "256"}})), value_error);  // too wide
  CHECK_THROWS_AS(write_descriptor(with(dense, {{"buffer.2.byte_size", "1"}})),
                  value_error);                                                        // a gap
  CHECK_THROWS_AS(write_descriptor(with(dense, {{"layout_tag", "3"}})), value_error);  // no strides
  CHECK_THROWS_AS(write_descriptor(with(dense, {{"layout_tag", "3"}, {"layout.strides", "1"}})),
                  value_error);
  CHECK_THROWS_AS(write_descriptor(with(dense, {{"member.reserved", "00"}})),
                  value_error);  // 15 bytes
}

TEST_CASE("values and their canonical form") {
  CHECK(canonical(kind::u32, "0xffffffff") == "4294967295");
  CHECK(canonical(kind::i64, "-9223372036854775808") == "-9223372036854775808");
  CHECK(canonical(kind::u64_list, "1*3, dynamic") == "1,1,1,18446744073709551615");
  CHECK(canonical(kind::f32, "-0") == "0x80000000");
  CHECK(canonical(kind::f64, "nan") == "0x7ff8000000000000");
  CHECK(canonical(kind::hex, "AB cd") == "abcd");
  CHECK(parse_float("65504", 16) == 0x7bff);
  CHECK(parse_float("-2", 16) == 0xc000);
  for (const char* text : {"", "1x", "-1", "0x", "18446744073709551616"})
    CHECK_THROWS_AS(canonical(kind::u64, text), value_error);
  CHECK_THROWS_AS(canonical(kind::i32, "2147483648"), value_error);
  CHECK_THROWS_AS(canonical(kind::hex, "abc"), value_error);
  CHECK_THROWS_AS(parse_float("0.1", 16), value_error);
  CHECK_THROWS_AS(parse_float("0x1234", 32), value_error);
  CHECK(kind_of("buffer.10.alignment") == kind::u32);
  for (const char* key :
       {"buffer.01.alignment", "buffer..alignment", "buffer.1.alignmen", "shapes", ""})
    CHECK(!kind_of(key));
}
