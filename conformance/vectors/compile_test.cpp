// From text to vectors, and every way in which a text can be wrong.
#include "conformance/vectors/compile.h"

#include <catch2/catch.hpp>

#include "conformance/vectors/check.h"

using namespace plumbline::vectors;

namespace {

const std::string base =
    "base f32  # a comment\n"
    "  type_tag = 3\n"
    "  shape = 3,4\n"
    "  buffer.0.byte_size = 48\n";

std::vector<vector> compiled(const std::string& text) {
  std::vector<text_file> files = {parse_text("base.vec", base), parse_text("hdr.vec", text)};
  return compile(files).at(0).vectors;
}

std::string vec(const std::string& body) {
  return "vector HDR-04/a\n  class accept\n  base f32\n  why because\n" + body;
}

// The complaint about a text, "" where there is none.
std::string complaint(const std::string& text) {
  try {
    compiled(text);
    return "";
  } catch (const text_error& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("a vector states bytes, fields and verdict") {
  const auto all = compiled(vec("  expect accept\n"));
  REQUIRE(all.size() == 1);
  CHECK(all[0].id == "HDR-04/a");
  CHECK(all[0].op == "decode");
  CHECK(all[0].mode == "strict");
  CHECK(all[0].expect.extent == "full");
  CHECK(all[0].expect.fields.size() == 16);
  CHECK(all[0].input.size() == 61);
}

TEST_CASE("changes, edits and offsets") {
  const auto all = compiled(
      "vector HDR-07/a\n"
      "  class refuse-R\n"
      "  base f32\n"
      "  set shape = 3,5\n"
      "  set buffer.0.byte_size = 60\n"
      "  drop buffer.0.byte_size\n"
      "  patch 0 49\n"
      "  expect malformed HDR-07 at shape[1]\n"
      "  also lenient: malformed HDR-07 at 28\n"
      "  why because\n"
      "  why it is so\n");
  REQUIRE(all.size() == 2);
  CHECK(all[0].input[0] == 0x49);
  CHECK(all[0].input[28] == 5);
  CHECK(all[0].expect.offset == 28);
  CHECK(all[0].why == "because it is so");
  CHECK(all[1].id == "HDR-07/a+lenient");
  CHECK(all[1].mode == "lenient");
  CHECK(all[1].expect.offset == all[0].expect.offset);
}

TEST_CASE("cut and append") {
  CHECK(compiled("vector HDR-09/a\n  class refuse-R\n  base f32\n  cut 60\n  expect malformed "
                 "HDR-09 at 6\n  why x\n")[0]
            .input.size() == 60);
  CHECK(compiled(vec("  append aabb\n  expect accept\n"))[0].input.size() == 63);
}

TEST_CASE("several questions get suffixes") {
  const auto all = compiled(
      "vector ROW-03/a\n  class value\n  base f32\n  ask address 1,2\n    expect 0 24 0\n  ask "
      "address 2,3\n    expect 0 44 0\n"
      "  ask size\n    expect 48\n  ask fields\n    expect shape = 3,4\n    expect rank = 2\n  ask "
      "encode\n    expect bytes\n  why x\n");
  REQUIRE(all.size() == 5);
  CHECK(all[0].id == "ROW-03/a");
  CHECK(all[1].id == "ROW-03/a+address@2,3");
  CHECK(all[2].id == "ROW-03/a+size");
  CHECK(all[3].expect.fields == named_values{{"shape", "3,4"}, {"rank", "2"}});
  CHECK(all[4].ask == "type_tag=3 shape=3,4 buffer.0.byte_size=48");
  CHECK(all[4].expect.value == to_hex(all[4].input));
}

TEST_CASE(
    "a refused descriptor says what a writer would be asked, unless an agreement is all it wants") {
  const auto given = [](const std::string& body) {
    return compiled("vector HDR-07/a\n  class refuse-R\n  base f32\n" + body + "  why x\n")[0]
        .given;
  };
  CHECK(given("  set flags = 0x20\n  expect unsupported FLG-02 at flags\n") ==
        "flags=32 type_tag=3 shape=3,4 buffer.0.byte_size=48");
  CHECK(
      given("  set buffer.0.device_tag = 0xf0\n  expect unsupported D-022 at buffer.0.device_tag\n")
          .empty());
  CHECK(given("  set buffer.0.sync_mode = 1\n  transport network\n  expect invalid BUF-35 at "
              "buffer.0.sync_mode\n")
            .empty());
  CHECK(given("  cut 60\n  expect malformed HDR-09 at 6\n").empty());
  const std::string scheme =
      "  set quantization.scheme_tag = 0xTT\n  expect unsupported QNT-06 at "
      "quantization.scheme_tag\n";
  CHECK(!given(std::string(scheme).replace(scheme.find("TT"), 2, "41")).empty());
  CHECK(given(std::string(scheme).replace(scheme.find("TT"), 2, "f0")).empty());
}

TEST_CASE("modes, agreements, transport") {
  const auto all =
      compiled(vec("  mode permissive\n  agree type=0xf2,layout=0xf0\n  transport network\n  "
                   "expect accept sized\n"
                   "  also strict+device=0xf1+transport=network: accept\n"));
  CHECK(all[0].agree == std::vector<std::string>{"type=0xf2", "layout=0xf0"});
  CHECK(all[0].transport == "network");
  CHECK(all[0].expect.extent == "sized");
  CHECK(all[1].agree == std::vector<std::string>{"device=0xf1"});
  CHECK(all[1].transport == "network");
}

TEST_CASE("sets and buffers") {
  const auto set = compiled(
      "base head\n  type_tag = 3\n  layout_tag = 11\n  shape = 8\n  layout.member_count = 1\n"
      "vector CMP-16/a\n  class refuse-R\n  head head\n  member f32\n    set shape = 4,4\n"
      "  expect invalid CMP-16 member 1 at rank\n  why x\n");
  CHECK(set[0].op == "composite");
  CHECK(set[0].set.size() == 2);
  CHECK(set[0].expect.member == 1);
  CHECK(set[0].expect.offset == 16);
  const auto contents =
      compiled(vec("  data 0 f32 1.5, 0*11\n  ask contents\n    expect accept\n"));
  CHECK(contents[0].buffers.at(0).size() == 48);
  CHECK(to_hex(contents[0].buffers.at(0)).starts_with("0000c03f00000000"));
}

TEST_CASE("open vectors state readings") {
  const auto all = compiled(
      "vector HDR-05/a\n  class open D-011\n  base f32\n  set tail = 00\n  expect malformed HDR-05 "
      "at tail\n"
      "  reading A: malformed HDR-05\n  reading B: accept\n  why x\n");
  CHECK(all[0].points == std::vector<std::string>{"D-011"});
  CHECK(all[0].readings.at(1).expect.verdict == "accept");
}

TEST_CASE("an open vector states its readings in every mode") {
  const auto open = [](const std::string& also) {
    return "vector HDR-05/a\n  class open D-011\n  base f32\n  set tail = 00\n"
           "  expect malformed HDR-05 at tail\n  reading A: malformed HDR-05\n  reading B: accept\n"
           "  why x\n" + also;
  };
  // The same answer: the mode touches nothing.
  const auto same = compiled(open("  also permissive: malformed HDR-05 at tail\n"));
  REQUIRE(same.size() == 2);
  CHECK(same[1].cls == "open");
  CHECK(same[1].readings == same[0].readings);
  // Another answer: readings of the mode, or the class where they agree.
  const auto other =
      compiled(open("  also lenient: accept\n    reading A: accept\n    reading B: invalid HDR-07\n"
                    "  also permissive class accept: accept\n  ask size\n    expect 48\n"));
  REQUIRE(other.size() == 4);
  CHECK(other[2].readings.at(0).expect.verdict == "accept");
  CHECK(other[2].readings.at(1).expect.clause == "HDR-07");
  CHECK(other[2].points == std::vector<std::string>{"D-011"});
  CHECK(other[3].cls == "accept");
  CHECK(other[3].readings.empty());
  CHECK(other[3].points.empty());
  CHECK(complaint(open("  also lenient: accept\n")).starts_with("hdr.vec:9: HDR-05/a+lenient: the answer"));
  CHECK(complaint(open("  also lenient: accept\n  reading A: accept\n")).find("two readings") !=
        std::string::npos);
  CHECK(complaint(open("  also lenient: accept\n  reading A: accept\n  reading B: accept\n"))
            .find("do not differ") != std::string::npos);
  CHECK(complaint(open("  also lenient class accept: accept\n  reading A: accept\n"))
            .find("only an open vector") != std::string::npos);
  CHECK(complaint(vec("  expect accept\n  also lenient class open D-011: accept\n"))
            .find("two readings") != std::string::npos);
}

TEST_CASE("hex by hand, alone or against a base") {
  const std::string hex =
      "  hex 48525259 01 00 3d000000  # magic, version, length\n  hex 00000000 03 01 02000000\n"
      "  hex 0300000000000000 0400000000000000 0000000000000000\n  hex 01 3000000000000000 "
      "40000000 00000000\n";
  CHECK(
      compiled("vector HDR-04/a\n  class accept\n  base f32\n" + hex + "  expect accept\n  why x\n")
          .size() == 1);
  CHECK(complaint("vector HDR-04/a\n  class accept\n  base f32\n  set shape = 4,3\n" + hex +
                  "  expect accept\n  why x\n")
            .find("differ") != std::string::npos);
  CHECK(complaint("vector HDR-04/a\n  class accept\n" + hex + "  expect accept\n  why x\n")
            .find("needs its fields") != std::string::npos);
}

TEST_CASE("a vector survives the way through JSON") {
  for (const vector& v : compiled(
           "vector HDR-05/a\n  class open D-011\n  base f32\n  set tail = 00\n  agree type=0xf2\n"
           "  expect malformed HDR-05 at tail\n  reading A: malformed HDR-05\n  reading B: accept\n"
           "  also lenient class accept: accept\n  why \"x\" \\ y\n" +
           vec("  data 0 u8 1*48\n  ask contents\n    expect accept\n"))) {
    CHECK(from_json_line(to_json_line(v)) == v);
  }
  CHECK_THROWS_AS(from_json_line("{}"), load_error);
  CHECK_THROWS_AS(from_json_line("{\"id\":1}"), load_error);
  CHECK_THROWS_AS(from_json_line("{\"id\":\"a\",\"clause\":\"b\",\"op\":\"c\",\"colour\":1}"),
                  load_error);
  CHECK_THROWS_AS(load("/nowhere.jsonl"), load_error);
}

TEST_CASE("malformed texts name their file and line") {
  const std::string good = vec("  expect accept\n");
  CHECK(complaint(good) == "");
  const std::pair<std::string, std::string> bad[] = {
      {"colour\n", "hdr.vec:1: unknown word"},
      {"  set a = 1\n", "hdr.vec:1: an indented line"},
      {"\tbase\n", "hdr.vec:1: tabs"},
      {"vector HDR-4/a\n", "hdr.vec:1: an id"},
      {"vector HDR-04/A\n", "hdr.vec:1: an id"},
      {"vector HDR-04\n", "hdr.vec:1: an id"},
      {"vector HDR-04/?\n", "hdr.vec:1: HDR-04/? has no letters yet"},
      {"base A\n", "hdr.vec:1: base NAME"},
      {"base a : b : c\n", "hdr.vec:1: base NAME"},
      {"base a : nothing\n", "hdr.vec:1: unknown base"},
      {"base f32\n", "hdr.vec:1: a second base"},
      {"base a\n  colour = 3\n", "hdr.vec:2: unknown key"},
      {"base a\n  shape 3\n", "hdr.vec:2: KEY = VALUE"},
      {"base a\n  shape = 3,x\n", "hdr.vec:2: not a number"},
      {vec("  colour red\n  expect accept\n"), "hdr.vec:5: unknown word"},
      {vec("  class accept\n"), "hdr.vec:5: a second class"},
      {vec("  base f32\n"), "hdr.vec:5: a second base"},
      {vec("  member f32\n"), "hdr.vec:5: member without head"},
      {vec("  head f32\n"), "hdr.vec:5: head stands first"},
      {vec("  mode soft\n"), "hdr.vec:5: unknown mode"},
      {vec("  agree type=f2\n"), "hdr.vec:5: unknown agreement"},
      {vec("  agree kind=0xf2\n"), "hdr.vec:5: unknown agreement"},
      {vec("  transport pigeon\n"), "hdr.vec:5: unknown transport"},
      {vec("  ask weight\n"), "hdr.vec:5: unknown question"},
      {vec("  ask address\n"), "hdr.vec:5: address and lookup"},
      {vec("  ask size 1\n"), "hdr.vec:5: address and lookup"},
      {vec("  ask size\n  ask size\n"), "hdr.vec:6: the question before"},
      {vec("  expect accept\n  mode lenient\n"), "hdr.vec:6: mode stands before"},
      {vec("  also lenient\n"), "hdr.vec:5: also MODE"},
      {vec("  expect accept\n  also soft: accept\n"), "hdr.vec:6: unknown mode"},
      {vec("  expect accept\n  also lenient+type=1: accept\n"), "hdr.vec:6: unknown agreement"},
      {vec("  expect accept\n  also lenient: invalid HDR-07 at 6\n"), "hdr.vec:6: state the class"},
      {vec("  reading A accept\n"), "hdr.vec:5: reading NAME"},
      {vec(""), "hdr.vec:1: HDR-04/a: no expect"},
      {vec("  expect\n"), "hdr.vec:5: expect needs"},
      {vec("  expect yes\n"), "hdr.vec:5: not an answer"},
      {vec("  expect accept fully\n"), "hdr.vec:5: accept, or"},
      {vec("  expect accept\n  expect accept\n"), "hdr.vec:6: a second expect"},
      {vec("  expect invalid HDR-07 at 6\n"), "hdr.vec:5: HDR-04/a: the class says accept"},
      {vec("  ask size\n    expect 48,x\n"), "hdr.vec:6: not a number"},
      {vec("  ask size\n    expect error contents\n"), "hdr.vec:6: unknown error"},
      {vec("  ask lookup 0,0\n    expect error unquantized\n"), "hdr.vec:6: unknown error"},
      {vec("  expect error head\n"), "hdr.vec:5: unknown error"},
      {vec("  ask size\n    expect unsupported BUF-17\n"), "hdr.vec:6: a refusal states its offset"},
      {vec("  ask fields\n    expect shape = 3,5\n"), "hdr.vec:6: shape is 3,4"},
      {vec("  ask fields\n    expect layout.nnz = 3\n"), "hdr.vec:6: layout.nnz is not there"},
      {vec("  ask fields\n    expect colour = 3\n"), "hdr.vec:6: unknown key"},
      {vec("  ask contents\n    expect accept\n"), "hdr.vec:6: HDR-04/a: data 0 has 0 bytes"},
      {vec("  data 1 00\n  expect accept\n"), "hdr.vec:5: data in ascending order"},
      {vec("  data 0 u8 256\n  expect accept\n"), "hdr.vec:5: not u8"},
      {vec("  data 0 i8 -129\n  expect accept\n"), "hdr.vec:5: not i8"},
      {vec("  data 0 bf16 0.1\n  expect accept\n"), "hdr.vec:5: not exact"},
      {vec("  hex 0\n  expect accept\n"), "hdr.vec:5: not hex"},
      {vec("  cut 61\n  expect accept\n"), "hdr.vec:5: cut N"},
      {vec("  patch 61 00\n  expect accept\n"), "hdr.vec:5: patch lies outside"},
      {vec("  patch 0 48\n  expect accept\n"), "hdr.vec:5: patch changes nothing"},
      {vec("  cut 4\n  expect accept\n"),
       "hdr.vec:6: HDR-04/a: an accepted descriptor needs its fields"},
      {vec("  set shape\n  expect accept\n"), "hdr.vec:5: KEY = VALUE"},
      {vec("  set type_tag = 300\n  expect accept\n"), "hdr.vec:5: does not fit"},
      {vec("  set layout.nnz = 3\n  expect accept\n"), "hdr.vec:3: this descriptor has no place"},
      {vec("  drop buffer.1\n  expect accept\n"), "hdr.vec:5: nothing to drop"},
      {vec("  set rank = 1\n  ask encode\n    expect bytes\n"),
       "hdr.vec:6: HDR-04/a: a writer cannot be asked"},
      {"vector HDR-04/a\n  base f32\n  expect accept\n  why x\n", "hdr.vec:1: HDR-04/a: no class"},
      {"vector HDR-04/a\n  class accept\n  base f32\n  expect accept\n",
       "hdr.vec:1: HDR-04/a: no why"},
      {"vector HDR-04/a\n  class accept\n  expect accept\n  why x\n",
       "hdr.vec:1: HDR-04/a: no base"},
      {"vector HDR-04/a\n  class fine\n", "hdr.vec:2: unknown class"},
      {"vector HDR-04/a\n  class open\n", "hdr.vec:2: class open"},
      {"vector HDR-04/a\n  class accept D-001\n", "hdr.vec:2: class open"},
      {"vector HDR-04/a\n  class open D1\n", "hdr.vec:2: not an open point"},
  };
  for (const auto& [text, start] : bad) {
    CAPTURE(text, start);
    CHECK(complaint(text).starts_with(start));
  }
  const std::string refuse = "vector HDR-07/a\n  class refuse-R\n  base f32\n  why x\n  expect ";
  for (const char* answer : {"accept", "invalid at 3", "invalid HDR-07", "invalid HDR-07 at colour",
                             "invalid HDR-07 at shape[2]", "invalid HDR-07 member 1 at 3",
                             "invalid HDR-07 at 3 4", "error range"}) {
    CAPTURE(answer);
    CHECK(complaint(refuse + answer + "\n").starts_with("hdr.vec:5: "));
  }
  const std::string open =
      "vector HDR-05/a\n  class open D-011\n  base f32\n  why x\n  expect accept\n";
  CHECK(complaint(open).find("two readings") != std::string::npos);
  CHECK(complaint(open + "  reading A: invalid HDR-07\n  reading B: invalid HDR-06\n")
            .find("none of the readings") != std::string::npos);
  CHECK(complaint(open + "  reading A: accept\n  reading B: accept\n").find("do not differ") !=
        std::string::npos);
}

TEST_CASE("numeric questions get their exact answers from MPFR") {
  const auto numeric = [](const std::string& body) {
    return "vector DFA-01/a\n  class value\n  why because\n" + body;
  };
  const auto all = compiled(numeric(
      "  ask df64.add 1 0x1p-80\n  expect bounded\n  ask df64.add 1 2\n  expect exactly 3\n"
      "  ask sum bf16[2]=1,2\n  expect bounded 1.5\n  ask qr df64[1,1]=0\n  expect error argument\n"
      "  ask df64.compare 1 2\n  expect less\n  ask einsum_vjp i->i - df64[1]=1\n  expect absent\n"));
  REQUIRE(all.size() == 6);
  CHECK(all[0].id == "DFA-01/a");
  CHECK(all[0].is_numeric());
  CHECK(all[0].ask == "3ff0000000000000:0000000000000000 3af0000000000000:0000000000000000");
  CHECK(all[0].expect.value == "0x1.00000000000000000001p0");
  CHECK(all[0].expect.within == 2);
  CHECK(all[1].id == "DFA-01/a+df64.add@2");
  CHECK(all[1].expect.within == 0);
  CHECK(all[2].expect.within == 1.5);
  CHECK(all[2].expect.scale == "0x3p0");
  CHECK(all[2].needs == std::vector<std::string>{"scalar:bf16"});
  CHECK(all[3].expect.error == "argument");
  CHECK(all[4].expect.value == "less");
  CHECK(all[5].expect.value == "-");
  for (const vector& v : all) CHECK(from_json_line(to_json_line(v)) == v);

  // What is stated must be true, and the question one that has an answer.
  for (const char* wrong :
       {"ask df64.add 1 2\n  expect exactly 3:0x1p-80", "ask df64.add 1 2\n  expect exactly 4",
        "ask df64.div 1 3\n  expect exactly 0.3333333333333333:1.850371707708594e-17",
        "ask df64.add 1 2\n  expect error range",
        "ask df64.add 1 1\n  expect error argument", "ask df64.parse +1\n  expect error argument",
        "ask df64.parse 1.2.3\n  expect bounded", "ask df64.parse 1e5e5\n  expect bounded", "ask df64.add 1\n  expect bounded",
        "ask df64.add 1 2:2\n  expect bounded", "ask df64.compare 1 2\n  expect greater",
        "ask qr df64[1,1]=2\n  expect exactly df64[1,1]=1 df64[1,1]=2",
        "ask convert f32 df64[1]=1\n  expect bounded", "ask sum df64[2]=1\n  expect bounded",
        "ask einsum i,i->i df64[1]=1\n  expect bounded", "ask df64.add 1 2\n  expect bounded -1",
        "ask df64.add 1 2\n  expect 3", "ask sum bf16[1]=0.1\n  expect bounded",
        "ask qr_jvp of df64[1,1]=2 df64[2,1]=1,1\n  expect bounded", "ask df64.add\n  expect bounded",
        "ask df64.add 1 2"}) {
    INFO(wrong);
    CHECK(!complaint(numeric("  " + std::string(wrong) + "\n")).empty());
  }
  // Operands outside the domain have no answer; a refusal can be asked for.
  for (const char* refused :
       {"qr df64[1,1]=0", "qr df64[2,2]=1,2,2,4", "qr df64[1,2]=1,2", "qr df64[0,0]=-",
        "qr df64[2]=1,2", "qr df64[2,1]=inf,1", "qr bf16[1,1]=1",
        "qr_jvp bf16[1,1]=1 bf16[1,1]=1 -", "sum f64[1]=1", "dot df64[1]=1 bf16[1]=1",
        "einsum i,i-> df64[1]=1 bf16[1]=1", "einsum i,-> df64[1]=1 df64[]=1",
        "einsum i->ii df64[1]=1", "einsum 1-> df64[1]=1", "einsum i-> bf16[1]=1",
        "einsum ii,i-> bf16[1,1]=1 bf16[1]=1", "einsum_vjp i,i-> bf16[]=1 bf16[1]=1 bf16[1]=1"}) {
    INFO(refused);
    const std::string ask = "  ask " + std::string(refused);
    CHECK(!complaint(numeric(ask + "\n  expect bounded\n")).empty());
    CHECK(compiled(numeric(ask + "\n  expect error argument\n")).size() == 1);
  }
  // What has an answer is refused by nobody.
  for (const char* answered : {"qr df64[1,1]=2", "sum bf16[1]=1", "einsum i-> df64[1]=1"}) {
    INFO(answered);
    const std::string ask = "  ask " + std::string(answered);
    CHECK(complaint(numeric(ask + "\n  expect error argument\n"))
              .ends_with("the question has an answer"));
    CHECK(compiled(numeric(ask + "\n  expect bounded\n")).size() == 1);
  }
  // What the protocol leaves open is not asked: columns close to dependent, norms out of range, no
  // pair.
  for (const char* open :
       {"qr df64[2,2]=1,1,1,1:1e-31", "qr df64[1,1]=0x1p501", "qr df64[1,1]=0x1p-451",
        "df64.neg 1:1", "df64.neg 1:-0", "sum df64[1]=0:1", "convert f64 df64[1]=1:1"}) {
    INFO(open);
    const bool is_asked = std::string_view(open).starts_with("convert");
    const std::string ask = "  ask " + std::string(open);
    CHECK(complaint(numeric(ask + "\n  expect bounded\n")).empty() == is_asked);
    CHECK(!complaint(numeric(ask + "\n  expect error argument\n")).empty());
  }
  CHECK(!complaint("vector DFA-01/a\n  class accept\n  why because\n  ask df64.neg 1\n  expect bounded\n")
             .empty());
  CHECK(!complaint("vector DFA-01/a\n  class value\n  base f32\n  why because\n  ask df64.neg 1\n"
                   "  expect bounded\n")
             .empty());
}
