// The checks over all vectors: each is shown to find its fault.
#include "conformance/vectors/check.h"

#include <catch2/catch.hpp>
#include <fstream>

using namespace plumbline::vectors;

namespace {

const clause_table table = {
    {"HDR-04", {"HDR-04", "1-descriptor", "R", "both", "malformed", "HDR-04"}},
    {"HDR-05", {"HDR-05", "1-descriptor", "W", "both", "malformed", "HDR-05"}},
    {"HDR-06", {"HDR-06", "1-descriptor", "R", "both", "malformed", "HDR-04"}},
    {"ELT-08", {"ELT-08", "1-descriptor", "N", "both", "invalid", "ELT-08"}},
    {"HDR-01", {"HDR-01", "1-descriptor", "-", "value", "-", "HDR-01"}},
    {"HRY-01", {"HRY-01", "3-file", "R", "both", "malformed", "HRY-01"}},
};

const std::string head = "base f32\n  type_tag = 3\n  shape = 3,4\n  buffer.0.byte_size = 48\n";
const std::string accepting =
    "vector HDR-04/a\n  class accept\n  base f32\n  expect accept\n  why x\n";
const std::string refusing =
    "vector HDR-04/b\n  class refuse-R\n  base f32\n  patch 0 49\n  expect malformed HDR-04 at "
    "magic\n  why x\n";

std::vector<compiled_file> files(const std::string& text, const std::string& name = "hdr.vec") {
  const std::vector<text_file> parsed = {parse_text(name, head + text)};
  return compile(parsed);
}
std::vector<std::string> faults(const std::string& text, const std::string& name = "hdr.vec") {
  return check_vectors(files(text, name), table);
}
bool finds(const std::string& text, const std::string& what, const std::string& name = "hdr.vec") {
  const auto found = faults(text, name);
  return found.size() == 1 && found[0].find(what) != std::string::npos;
}
std::string refusal(const std::string& cls, const std::string& answer) {
  return "vector HDR-04/b\n  class " + cls + "\n  base f32\n  patch 0 49\n  expect " + answer +
         "\n  why x\n";
}

}  // namespace

TEST_CASE("sound vectors have no fault") { CHECK(faults(accepting + refusing).empty()); }

TEST_CASE("each fault is found") {
  CHECK(finds(accepting + "vector HDR-04/a\n  class accept\n  base f32\n  set shape = 3,2\n  "
                          "expect accept\n  why x\n",
              "used twice"));
  CHECK(finds(accepting + "vector HDR-05/a\n  class accept\n  base f32\n  expect accept\n  why x\n",
              "same bytes, mode and question as HDR-04/a"));
  const std::string agreed = "\n  class accept\n  base f32\n  agree ";
  CHECK(finds("vector HDR-04/a" + agreed + "type=0xf2\n  agree layout=0xf0\n  expect accept\n  why x\n" +
                  "vector HDR-04/b" + agreed + "layout=0xf0\n  agree type=0xf2\n  expect accept\n  why x\n",
              "same bytes, mode and question as HDR-04/a"));
  CHECK(finds("vector HDR-99/a\n  class accept\n  base f32\n  expect accept\n  why x\n",
              "no such clause"));
  CHECK(finds(accepting, "stands in ext.vec", "ext.vec"));
  CHECK(faults(accepting, "hdr_more.vec").empty());
  CHECK(finds(refusal("refuse-R", "malformed HDR-99 at 0"), "unknown clause"));
  CHECK(finds(refusal("refuse-R", "malformed HDR-06 at 0"), "owned by HDR-04"));
  CHECK(finds(refusal("refuse-R", "invalid HDR-04 at 0"), "says malformed"));
  CHECK(finds(refusal("refuse-W", "malformed HDR-04 at 0"), "of class R"));
  CHECK(finds(refusal("refuse-R", "malformed HDR-04 at 62"), "behind the bytes"));
  CHECK(faults(refusal("refuse-W", "invalid ELT-08 at 0")).empty());
  CHECK(faults(refusal("refuse-R", "invalid D-144 at 0")).empty());
  CHECK(finds(refusal("open D-011", "malformed HDR-04 at 0") +
                  "  reading A: malformed HDR-04\n  reading B: invalid HDR-05\n",
              "HDR-05 says malformed"));
}

TEST_CASE("an open vector without two readings that differ is a fault") {
  auto all = files(refusal("open D-011", "malformed HDR-04 at 0") +
                   "  reading A: malformed HDR-04\n  reading B: accept\n");
  vector& v = all.at(0).vectors.at(0);
  const std::vector<reading> readings = v.readings;
  CHECK(check_vectors(all, table).empty());
  v.readings.clear();
  CHECK(check_vectors(all, table).size() == 1);
  v.readings = {readings[0], readings[0]};
  CHECK(check_vectors(all, table).size() == 1);
  v.readings = {readings[1], readings[1]};
  CHECK(check_vectors(all, table).size() == 1);
  v.readings = readings;
  v.cls = "refuse-R";
  CHECK(check_vectors(all, table).size() == 1);
}

TEST_CASE("coverage names the sides that are missing") {
  const auto rows = coverage(files(accepting), table, {});
  REQUIRE(rows.size() == 4);  // ELT-08, HDR-01, HDR-04, HDR-05
  CHECK(rows[2].clause == "HDR-04");
  CHECK(rows[2].lacks == "refuse");
  CHECK(rows[3].lacks == "accept refuse");
  CHECK(rows[1].lacks == "value");
  CHECK(coverage(files(accepting + refusing), table, {"HDR"})[1].lacks.empty());
  CHECK(coverage(files(refusing), table, {"HDR"})[1].lacks == "accept");
  // A vector of HDR-06 counts for its owner HDR-04.
  CHECK(coverage(files("vector HDR-06/a\n  class accept\n  base f32\n  expect accept\n  why x\n"),
                 table, {})[2]
            .accepts == 1);
}

TEST_CASE("committed files are compared with the text") {
  const auto folder = std::filesystem::temp_directory_path() / "plumbline_vectors_check_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const auto all = files(accepting);
  CHECK(check_committed(all, folder).size() == 1);
  std::ofstream(folder / "hdr.jsonl", std::ios::binary) << to_json_lines(all[0]);
  CHECK(check_committed(all, folder).empty());
  CHECK(load(folder / "hdr.jsonl") == all[0].vectors);
  std::ofstream(folder / "hdr.jsonl", std::ios::app) << "\n";
  CHECK(check_committed(all, folder).size() == 1);
  std::ofstream(folder / "old.jsonl") << "";
  CHECK(check_committed(all, folder).size() == 2);
  std::filesystem::remove_all(folder);
}
