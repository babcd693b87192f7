// The rules of scoring, one case a rule; replies are written by hand.
#include "conformance/runner/score.h"

#include <catch2/catch.hpp>
#include <memory>
#include <set>

using namespace plumbline::runner;
namespace vectors = plumbline::vectors;

namespace {

const hello everything = [] {
  hello h;
  h.ops = {"decode",  "fields",   "encode", "composite", "size",
           "address", "contents", "lookup", "dequantise"};
  h.modes = {"strict", "lenient", "permissive"};
  return h;
}();

vectors::vector a_vector(const std::string& cls, const std::string& op = "decode") {
  vectors::vector v;
  v.id = "EXT-05/b";
  v.clause = "EXT-05";
  v.cls = cls;
  v.op = op;
  v.mode = "strict";
  v.input = {0x48, 0x52};
  if (cls == "accept" || cls == "unsupported-is-fine") {
    v.expect.verdict = "accept";
    v.expect.extent = "full";
    v.expect.fields = {{"type_tag", "3"}, {"shape", "3,4"}};
  } else if (cls.starts_with("refuse")) {
    v.expect.verdict = "invalid";
    v.expect.clause = "EXT-05";
    v.expect.offset = 57;
  }
  return v;
}

vectors::vector a_value(const std::string& op, const std::string& value) {
  vectors::vector v = a_vector("value", op);
  v.expect.value = value;
  return v;
}

// The result after these replies; every reply must be asked for, and no more.
result scored(const vectors::vector& v, const std::vector<std::string>& replies,
              const std::string& profile = "validator", bool codes = false, bool rulings = false,
              const hello& about = everything, bool author = false) {
  static std::vector<std::unique_ptr<vectors::vector>> kept;
  kept.push_back(std::make_unique<vectors::vector>(v));
  scorer s({kept.back().get(), author}, {parse_profile(profile), codes, rulings});
  auto request = s.begin(about);
  for (const std::string& reply : replies) {
    REQUIRE(request);
    answer a;
    a.how = finish::replied;
    a.text = reply;
    request = s.take(a);
  }
  CHECK_FALSE(request);
  return s.so_far();
}

outcome of(const vectors::vector& v, const std::vector<std::string>& replies,
           const std::string& profile = "validator") {
  return scored(v, replies, profile).how;
}

const std::string good_fields = "ok type_tag=0x03 shape=3,0x4";

}  // namespace

TEST_CASE("an accept is verified by its fields, compared as values") {
  const auto v = a_vector("accept");
  result r = scored(v, {"accept full 4852", good_fields});
  CHECK(r.how == outcome::pass);
  CHECK(r.accepted == result::trust::verified);
  CHECK(r.requests == std::vector<std::string>{"decode strict 4852", "fields strict 4852"});

  CHECK(of(v, {"accept full 4852", "ok type_tag=3 shape=4,3"}) == outcome::fail);
  CHECK(of(v, {"accept full 4852", "ok type_tag=3"}) == outcome::fail);
  CHECK(of(v, {"accept full 4852", "ok type_tag=3 shape=3,4 shard.shard_offset=0,0"}) ==
        outcome::fail);
  CHECK(of(v, {"accept full 4852", "reject invalid EXT-05 57"}) == outcome::fail);
  CHECK(of(v, {"accept full 4852", "ok type_tag=3 shape=3,4 shape=3,4"}) == outcome::garbage);
  CHECK(of(v, {"reject invalid EXT-05 57"}) == outcome::fail);
}

TEST_CASE("an accept without fields is claimed, never verified") {
  hello about = everything;
  about.ops.erase("fields");
  result r = scored(a_vector("accept"), {"accept full -"}, "reader", false, false, about);
  CHECK(r.how == outcome::pass);
  CHECK(r.accepted == result::trust::claimed);
  CHECK(r.detail.empty());
  r = scored(a_vector("accept"), {"accept full -", "skip not yet"});
  CHECK(r.how == outcome::pass);
  CHECK(r.accepted == result::trust::claimed);
  CHECK(r.detail == "fields skipped: not yet");
}

TEST_CASE("an accept that echoes other bytes, or claims to interpret what is only sized, fails") {
  auto v = a_vector("accept");
  CHECK(of(v, {"accept full 4853"}) == outcome::fail);
  CHECK(of(v, {"accept sized -"}) == outcome::fail);
  v.expect.extent = "sized";
  CHECK(of(v, {"accept full -"}) == outcome::fail);
  CHECK(of(v, {"accept sized -", good_fields}) == outcome::pass);

  // What stands behind the descriptor is not its own.
  v = a_vector("accept");
  v.input = {0x48, 0x52, 0xFF};
  v.expect.fields.emplace_back("descriptor_length", "2");
  CHECK(of(v, {"accept full 4852", good_fields + " descriptor_length=2"}) == outcome::pass);
  CHECK(of(v, {"accept full 4852ff"}) == outcome::fail);
}

TEST_CASE("a numeric answer is judged by its bound, and its error reported") {
  vectors::vector v = a_vector("value", "df64.div");
  v.mode.clear();
  v.input.clear();
  v.ask = "3ff0000000000000:0000000000000000 4008000000000000:0000000000000000";
  v.expect.value = "0x5.555555555555555555555555555555555555555555555555555p-4";
  v.expect.within = 9.8;
  hello about = everything;
  about.ops.insert("df64.div");
  const auto answered = [&](const std::string& reply, bool codes = false) {
    return scored(v, {reply}, "scalar", codes, false, about);
  };
  result r = answered("ok 3fd5555555555555:3c75555555555555");
  CHECK(r.how == outcome::pass);
  CHECK(r.requests == std::vector<std::string>{"df64.div " + v.ask});
  CHECK(r.error.value() < 0.5);
  CHECK(r.unit == "u^2");
  r = answered("ok 3fd5555555555555:0000000000000000");
  CHECK(r.how == outcome::fail);
  CHECK(r.detail.find("u^2 off, 9.8 are allowed") != std::string::npos);
  for (const char* wrong : {"ok", "ok 0x3fd5555555555555", "ok 3fd5555555555555:3c75555555555555 -",
                            "error argument", "reject invalid EXT-05 57", "ok nan"}) {
    INFO(wrong);
    CHECK(answered(wrong).how == outcome::fail);
  }
  CHECK(answered("skip later").how == outcome::skip_declared);
  CHECK(scored(v, {}, "scalar").how == outcome::skip);
  CHECK(scored(v, {}, "scalar").detail == "no operation on numbers is declared");
  hello others = everything;
  others.ops.insert("qr");
  CHECK(scored(v, {}, "scalar", false, false, others).detail == "operation df64.div is not declared");

  v.expect = {};
  v.expect.error = "argument";
  CHECK(answered("error argument x").how == outcome::pass);
  CHECK(answered("error rank x").how == outcome::pass);  // a refusal of another kind
  CHECK(answered("error rank x").differs.size() == 1);
  CHECK(answered("error rank x", true).how == outcome::fail);
  CHECK(answered("error request x").how == outcome::fail);  // it could not be read
  CHECK(answered("error range x").how == outcome::fail);
  CHECK(answered("ok 3fd5555555555555:3c75555555555555").how == outcome::fail);

  v.needs = {"scalar:df64"};
  about.lacks.insert("scalar:df64");
  CHECK(answered("error type no df64").how == outcome::skip);
  CHECK(answered("ok 3fd5555555555555:3c75555555555555").how == outcome::fail);
}

TEST_CASE("numeric questions go to readers and to scalars alone") {
  vectors::vector v = a_vector("value", "df64.neg"), d = a_vector("accept");
  v.mode.clear();
  const std::vector<vectors::vector> both = {v, d};
  CHECK(cases_of(both, parse_profile("scalar")).size() == 1);
  CHECK(cases_of(both, parse_profile("reader")).size() == 2);
  CHECK(cases_of(both, parse_profile("validator")).size() == 2);
  CHECK(cases_of(both, parse_profile("writer")).empty());
}

TEST_CASE("a refusal counts whatever its kind, but unsupported must not hide a fault") {
  const auto v = a_vector("refuse-R");
  CHECK(of(v, {"reject invalid EXT-05 57"}) == outcome::pass);
  CHECK(of(v, {"reject refused - -"}) == outcome::pass);
  CHECK(of(v, {"reject unsupported - -"}) == outcome::fail);
  CHECK(of(v, {"accept full -"}) == outcome::fail);
  const result r = scored(v, {"reject malformed EXT-06 58 some text"});
  CHECK(r.how == outcome::pass);
  CHECK(r.differs.size() == 3);  // kind, clause and place are reported

  auto unsupported = v;
  unsupported.expect.verdict = "unsupported";
  CHECK(of(unsupported, {"reject unsupported EXT-05 57"}) == outcome::pass);
  CHECK(of(unsupported, {"reject invalid EXT-05 57"}) == outcome::pass);
}

TEST_CASE("--codes asks for the clause as well") {
  const auto v = a_vector("refuse-R");
  CHECK(scored(v, {"reject invalid EXT-05 57"}, "reader", true).how == outcome::pass);
  CHECK(scored(v, {"reject invalid EXT-06 57"}, "reader", true).how == outcome::fail);
  CHECK(scored(v, {"reject invalid - -"}, "reader", true).how == outcome::fail);
}

TEST_CASE("what binds writers alone is scored for validators and not for readers") {
  const auto w = a_vector("refuse-W");
  CHECK(of(w, {"accept full -"}, "validator") == outcome::fail);
  CHECK(of(w, {"reject invalid EXT-05 57"}, "validator") == outcome::pass);
  CHECK(of(w, {"accept full -"}, "reader") == outcome::unscored);
  CHECK(of(w, {"reject invalid EXT-05 57"}, "reader") == outcome::unscored);
  CHECK(of(a_vector("refuse-N"), {"accept full -"}, "reader") == outcome::fail);
  CHECK(of(a_vector("refuse-R", "contents"), {"accept full -"}, "reader") == outcome::unscored);
  CHECK(of(a_vector("refuse-R", "contents"), {"accept full -"}, "validator") == outcome::fail);
}

TEST_CASE("a writer must not produce what is refused") {
  auto v = a_vector("refuse-W");
  v.given = "type_tag=0xf2 shape=4";
  std::vector<vectors::vector> all = {v};
  const auto cases = cases_of(all, parse_profile("reader,writer"));
  REQUIRE(cases.size() == 2);
  CHECK(cases[1].id() == "EXT-05/b+author");
  CHECK(request_of(cases[1]) == "encode type_tag=0xf2 shape=4");
  const auto authored = [&](const char* reply) {
    return scored(v, {reply}, "writer", false, false, everything, true).how;
  };
  CHECK(authored("reject invalid EXT-05 57") == outcome::pass);
  CHECK(authored("ok 4852") == outcome::fail);
  CHECK(authored("skip cannot be said") == outcome::skip);
  CHECK(authored("error opaque") == outcome::fail);
  CHECK(cases_of(all, parse_profile("reader")).size() == 1);
  all[0].expect.verdict = "unsupported";  // a writer knows its own tags
  CHECK(cases_of(all, parse_profile("validator")).size() == 1);
}

TEST_CASE("optional parts may be unsupported") {
  const auto v = a_vector("unsupported-is-fine");
  CHECK(of(v, {"reject unsupported - -"}) == outcome::pass);
  CHECK(of(v, {"reject refused - -"}) == outcome::pass);
  CHECK(of(v, {"reject invalid - -"}) == outcome::fail);
  CHECK(of(v, {"accept sized -", good_fields}) == outcome::pass);
}

TEST_CASE("a lacking part is a skip with a reason, and a wrong answer stays wrong") {
  hello about = everything;
  about.lacks = {"type:0x46", "quantization"};
  auto v = a_vector("accept");
  v.needs = {"type:0x46"};
  const auto with = [&](const vectors::vector& what, std::vector<std::string> replies) {
    return scored(what, std::move(replies), "validator", true, false, about);
  };
  result r = with(v, {"reject unsupported - -"});
  CHECK(r.how == outcome::skip);
  CHECK(r.detail == "lacks type:0x46");
  CHECK(with(v, {"reject invalid - -"}).how == outcome::fail);
  CHECK(with(v, {"accept full -", good_fields}).how == outcome::pass);
  CHECK(of(v, {"reject unsupported - -"}) == outcome::fail);  // nothing is lacking here

  auto wrong = a_vector("refuse-R");
  wrong.needs = {"quantization", "scheme:0x03"};
  CHECK(with(wrong, {"reject unsupported - -"}).how == outcome::skip);
  CHECK(with(wrong, {"accept full -"}).how == outcome::fail);
  auto value = a_value("dequantise", "0x3f800000");
  value.needs = {"scheme:0x03"};
  CHECK(with(value, {"error opaque"}).how == outcome::skip);
}

TEST_CASE("QNT-01: a reader without quantization says so") {
  hello about = everything;
  about.lacks = {"quantization"};
  auto v = a_vector("unsupported-is-fine");
  v.clause = "QNT-01";
  v.needs = {"quantization"};
  const auto with = [&](const char* reply, bool codes) {
    return scored(v, {reply}, "reader", codes, false, about).how;
  };
  CHECK(with("reject unsupported QNT-01 10", true) == outcome::pass);
  CHECK(with("reject unsupported - -", false) == outcome::pass);
  CHECK(with("reject unsupported QNT-06 10", true) == outcome::fail);
  CHECK(with("accept full -", false) == outcome::fail);
}

TEST_CASE("values are compared as values") {
  CHECK(of(a_value("size", "12,0"), {"ok 0x0c,0"}) == outcome::pass);
  CHECK(of(a_value("size", "12,0"), {"ok 12"}) == outcome::fail);
  CHECK(of(a_value("size", "12,0"), {"error opaque"}) == outcome::fail);
  CHECK(of(a_value("address", "0 24 0"), {"ok 0 24 0"}) == outcome::pass);
  CHECK(of(a_value("address", "0 24 0"), {"ok 0 24 1"}) == outcome::fail);
  CHECK(of(a_value("address", "0 24 0"), {"ok 0 24"}) == outcome::fail);
  CHECK(of(a_value("lookup", "stored 0a0b"), {"ok stored 0A0B"}) == outcome::pass);
  CHECK(of(a_value("lookup", "stored 0a0b"), {"ok zero"}) == outcome::fail);
  CHECK(of(a_value("lookup", "zero"), {"ok zero"}) == outcome::pass);
  CHECK(of(a_value("encode", "4852"), {"ok 4852"}) == outcome::pass);
  CHECK(of(a_value("encode", "4852"), {"ok 4853"}) == outcome::fail);
  CHECK(of(a_value("encode", "4852"), {"reject invalid - -"}) == outcome::fail);
  const auto floats = a_value("dequantise", "0x7fc00000,0x80000000");
  CHECK(of(floats, {"ok 0xffc00001,0x80000000"}) == outcome::pass);  // every NaN is the same NaN
  CHECK(of(floats, {"ok 0x7fc00000,0x00000000"}) == outcome::fail);  // zeros differ in sign
  CHECK(of(floats, {"ok 0x7fc00000"}) == outcome::fail);
  CHECK(of(floats, {"ok nan,-0.0"}) == outcome::fail);  // bits, not decimals

  auto error = a_vector("value", "address");
  error.expect.error = "range";
  CHECK(of(error, {"error range beyond"}) == outcome::pass);
  CHECK(of(error, {"error opaque"}) == outcome::fail);
  CHECK(of(error, {"ok 0 0 0"}) == outcome::fail);

  auto some = a_vector("value", "fields");
  some.expect.fields = {{"shape", "3,4"}};
  CHECK(of(some, {"ok type_tag=3 shape=3,4"}) == outcome::pass);  // only what is named
  CHECK(of(some, {"ok type_tag=3"}) == outcome::fail);
}

TEST_CASE("open points are scored by rulings only on request") {
  auto v = a_vector("open");
  v.points = {"D-120"};
  v.expect.verdict = "invalid";
  v.expect.clause = "MOR-03";
  vectors::reading a{"A", {}}, b{"B", v.expect}, c{"C", v.expect};
  a.expect.verdict = "accept";
  a.expect.extent = "full";
  c.expect.clause = "D-120";
  v.readings = {a, b, c};
  result r = scored(v, {"accept full -"});
  CHECK(r.how == outcome::unscored);
  CHECK(r.following == "A");
  CHECK(scored(v, {"reject invalid MOR-03 5"}).following == "B");
  CHECK(scored(v, {"reject invalid D-120 5"}).following == "C");
  CHECK(scored(v, {"reject invalid - -"}).following == "B, C");
  CHECK(scored(v, {"error opaque"}).following == "none");
  CHECK(scored(v, {"accept full -"}, "validator", false, true).how == outcome::fail);
  CHECK(scored(v, {"reject invalid MOR-03 5"}, "validator", false, true).how == outcome::pass);
}

TEST_CASE(
    "what is not declared is skipped without being asked; what is declared and skipped is told "
    "apart") {
  hello about;
  about.ops = {"decode"};
  CHECK(scored(a_value("size", "1"), {}, "reader", false, false, about).how == outcome::skip);
  auto v = a_vector("accept");
  v.mode = "permissive";
  const result r = scored(v, {}, "reader", false, false, about);
  CHECK(r.how == outcome::skip);
  CHECK(r.detail == "mode permissive is not declared");
  CHECK(of(a_value("size", "1"), {"skip later"}) == outcome::skip_declared);
}

TEST_CASE("replies that break the grammar are garbage") {
  const auto v = a_vector("accept");
  for (const char* reply : {"", "yes", "accept", "accept full", "accept whole -", "accept full xyz",
                            "accept full - more", "reject", "reject wrong - -", "reject invalid",
                            "reject invalid EXT-05", "reject invalid EXT-05 ten", "ok", "error"}) {
    INFO(reply);
    CHECK(of(v, {reply}) == outcome::garbage);
  }
  CHECK(of(a_value("size", "1"), {"accept full -"}) == outcome::garbage);
}

TEST_CASE("profiles choose the cases") {
  auto other = a_vector("accept");
  other.clause = "ROW-01";
  other.id = "ROW-01/a";
  auto private_type = a_vector("accept");
  auto encode = a_value("encode", "48");
  encode.ask = "type_tag=3";
  const std::vector<vectors::vector> all = {other, private_type, encode};
  CHECK(cases_of(all, parse_profile("reader")).size() == 2);
  CHECK(cases_of(all, parse_profile("writer")).size() == 1);
  CHECK(cases_of(all, parse_profile("validator")).size() == 3);
  CHECK(cases_of(all, parse_profile("extension-types")).size() == 2);
  CHECK_THROWS(parse_profile("judge"));
}

TEST_CASE("several profiles ask the cases of each") {
  std::vector<vectors::vector> all = {a_vector("refuse-R"), a_vector("accept"), a_vector("accept"),
                                      a_value("encode", "48"), a_value("encode", "48"),
                                      a_value("df64.neg", "0"), a_vector("refuse-R")};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % 2 == 0) all[i].clause = all[i].expect.clause = "ROW-01";
    all[i].id = all[i].clause + '/' + static_cast<char>('a' + i);
  }
  all[0].given = all[6].given = "type_tag=3";
  all[6].clause = "EXT-05";
  all[5].clause = "DFA-01";
  all[5].mode.clear();
  const auto ids = [&](const std::string& profile) {
    std::set<std::string> out;
    for (const test_case& c : cases_of(all, parse_profile(profile))) CHECK(out.insert(c.id()).second);
    return out;
  };
  const std::vector<std::string> words = {"reader", "writer", "validator", "extension-types",
                                          "scalar"};
  for (const std::string& a : words) {
    for (const std::string& b : words) {
      INFO(a << "," << b);
      std::set<std::string> both = ids(a);
      both.merge(ids(b));
      CHECK(ids(a + ',' + b) == both);
    }
  }
  CHECK(ids("reader").size() == 5);
  CHECK(ids("extension-types").size() == 4);
  CHECK(ids("reader,extension-types").size() == 7);
}

TEST_CASE("requests are written as the protocol says") {
  auto v = a_vector("accept");
  v.agree = {"type=0xf2"};
  v.transport = "network";
  CHECK(request_of({&v}) == "decode strict+type=0xf2+transport=network 4852");
  v.input.clear();
  CHECK(request_of({&v}) == "decode strict+type=0xf2+transport=network -");
  auto set = a_vector("accept", "composite");
  set.set = {{0x01}};
  CHECK(request_of({&set}) == "composite strict 01;");
  set.set = {{0x01}, {0x02}, {}};
  CHECK(request_of({&set}) == "composite strict 01;02;-");
  auto lookup = a_value("lookup", "zero");
  lookup.buffers = {{0xaa}, {}, {0xbb}};
  lookup.ask = "1,2";
  CHECK(request_of({&lookup}) == "lookup 4852 aa;-;bb 1,2");
  lookup.set = {{0x01}, {0x02}};
  CHECK(request_of({&lookup}) == "lookup 01;02 aa;-;bb 1,2");
  auto contents = a_vector("accept", "contents");
  CHECK(request_of({&contents}) == "contents strict 4852 -");
}

TEST_CASE("an exact id is one case, anything else an expression") {
  std::vector<vectors::vector> all(3, a_vector("accept"));
  all[1].id = "EXT-05/b+permissive";
  all[2].id = "EXT-05/bb";
  const auto cases = cases_of(all, parse_profile("reader"));
  CHECK(filtered(cases, "EXT-05/b").size() == 1);
  CHECK(filtered(cases, "EXT-05/b+permissive").size() == 1);
  CHECK(filtered(cases, "^EXT-05").size() == 3);
  CHECK(filtered(cases, "HDR").empty());
  CHECK(filtered(cases, "").size() == 3);
}
