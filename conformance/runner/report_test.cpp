// Reports, packs and the exit status.
#include "conformance/runner/report.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "conformance/runner/pack.h"

using namespace plumbline::runner;
namespace vectors = plumbline::vectors;
namespace fs = std::filesystem;

namespace {

const std::vector<vectors::vector>& corpus() {
  static const auto all = load_folder(PLUMBLINE_SOURCE_DIR "/corpus/vectors");
  return all;
}

run_result sample() {
  static std::vector<vectors::vector> kept(4, corpus().front());
  run_result run;
  run.about = hello{};
  const outcome outcomes[] = {outcome::pass, outcome::fail, outcome::crash, outcome::skip};
  for (std::size_t i = 0; i < 4; ++i) {
    kept[i].clause = "HDR-04";
    kept[i].id = "HDR-04/" + std::string(1, static_cast<char>('a' + i));
    result r;
    r.of = {&kept[i], false};
    r.how = outcomes[i];
    r.detail = "expected <this> & \"that\"\x01";
    r.complaints = i == 2 ? "one\nlast words\n" : "";
    run.results.push_back(r);
  }
  return run;
}

const report_settings how{
    .adapter = "./mine", .reproduce = "plumbline run --filter {} -- ./mine", .failures_shown = 1};

class folder {
 public:
  folder() : path(fs::temp_directory_path() / ("plumbline_report_" + std::to_string(::getpid()))) {
    fs::create_directories(path);
  }
  ~folder() { fs::remove_all(path); }
  const fs::path path;
};

}  // namespace

TEST_CASE("the exit status follows the outcomes") {
  run_result run = sample();
  CHECK(run.exit_code() == 1);
  for (result& r : run.results) r.how = outcome::pass;
  CHECK(run.exit_code() == 0);
  for (const outcome fine : {outcome::skip, outcome::skip_declared, outcome::unscored}) {
    run.results[0].how = fine;
    CHECK(run.exit_code() == 0);
  }
  for (const outcome bad : {outcome::fail, outcome::crash, outcome::exit, outcome::early_end,
                            outcome::timeout, outcome::blocked, outcome::garbage,
                            outcome::oversized, outcome::out_of_order, outcome::unasked}) {
    run.results[0].how = bad;
    CHECK(run.exit_code() == 1);
  }
  run.ended_early = true;
  CHECK(run.exit_code() == 3);
}

TEST_CASE("the summary names the groups, the first failures and how to reproduce them") {
  std::ostringstream out;
  write_summary(out, sample(), how);
  const std::string text = out.str();
  CHECK(text.find("HDR            1       2        1") != std::string::npos);
  CHECK(text.find("plumbline run --filter HDR-04/b -- ./mine") != std::string::npos);
  CHECK(text.find(".. and 1 more") != std::string::npos);
  CHECK(text.find("NOT as expected: 1 passed, 2 failed, 1 skipped") != std::string::npos);
  CHECK(text.find(specification_revision) != std::string::npos);
}

TEST_CASE("words are quoted for a shell") {
  CHECK(quoted("EXT-05/b+permissive+type=0xf2") == "EXT-05/b+permissive+type=0xf2");
  CHECK(quoted("a b") == "'a b'");
  CHECK(quoted("it's") == "'it'\\''s'");
  CHECK(quoted("") == "''");
}

TEST_CASE("JUnit: counts add up, and no character breaks the XML") {
  std::ostringstream out;
  write_junit(out, sample(), how);
  const std::string xml = out.str();
  CHECK(xml.find("tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\"") != std::string::npos);
  CHECK(xml.find("expected &lt;this&gt; &amp; &quot;that&quot;?") != std::string::npos);
  CHECK(xml.find("<system-err>one\nlast words\n</system-err>") != std::string::npos);
  CHECK(xml.find('\x01') == std::string::npos);
}

TEST_CASE("JUnit: what fails a run without a failed case is an error of its own, or of the case that passed") {
  run_result run = sample();
  run.results[0].unexpected_passes = {"list:1: HDR-04/a passed: an unexpected pass"};
  run.list_faults = {run.results[0].unexpected_passes[0], "list:2: no <case>"};
  run.end_faults = {"exited with status 5"};
  run.ended_early = true;
  run.start_fault = "is gone";
  std::ostringstream out;
  write_junit(out, run, how);
  const std::string xml = out.str();
  const auto says = [&](const std::string& text) { return xml.find(text) != std::string::npos; };
  CHECK(says("tests=\"7\" failures=\"2\" errors=\"4\" skipped=\"1\""));
  CHECK(says("name=\"HDR\" tests=\"4\" failures=\"2\" errors=\"1\" skipped=\"1\""));
  CHECK(says("name=\"plumbline\" tests=\"3\" failures=\"0\" errors=\"3\" skipped=\"0\""));
  CHECK(says("<failure message=\"list:1: HDR-04/a passed: an unexpected pass\" type=\"unexpected-pass\">"));
  CHECK(says("name=\"plumbline.run\" time=\"0.0000\">\n      <error message=\"the run ended early: the adapter is gone\""));
  CHECK(says("name=\"plumbline.run.2\""));
  CHECK(says("message=\"list:2: no &lt;case&gt;\""));
}

TEST_CASE("JSON lines: a head and a line a case") {
  std::ostringstream out;
  write_json_lines(out, sample(), how);
  std::istringstream in(out.str());
  std::string line;
  std::getline(in, line);
  const auto head = nlohmann::json::parse(line);
  CHECK(head["specification"] == specification_revision);
  CHECK(head["cases"] == 4);
  CHECK(head["exit"] == 1);
  std::vector<std::string> outcomes;
  while (std::getline(in, line)) outcomes.push_back(nlohmann::json::parse(line)["outcome"]);
  CHECK(outcomes == std::vector<std::string>{"pass", "fail", "crash", "skip"});
}

TEST_CASE("an exported pack reads back equal, and damage is seen") {
  const folder work;
  const fs::path pack = work.path / "vectors.jsonl.gz";
  write_pack(pack, corpus());
  CHECK(read_pack(pack) == corpus());

  fs::resize_file(pack, fs::file_size(pack) / 2);
  CHECK_THROWS_AS(read_pack(pack), vectors::load_error);
  CHECK_THROWS_AS(read_pack(work.path / "absent.gz"), vectors::load_error);

  std::string shorter = pack_text(corpus());
  shorter.erase(shorter.rfind('\n', shorter.size() - 2) + 1);  // the last vector is gone
  std::ofstream(work.path / "plain.gz", std::ios::binary) << shorter;
  CHECK_THROWS_AS(read_pack(work.path / "plain.gz"), vectors::load_error);
}

TEST_CASE("exported files read back equal, and a changed byte is seen") {
  const folder work;
  std::vector<vectors::vector> some;
  for (const auto& v : corpus())
    if (!v.is_numeric() && some.size() < 20) some.push_back(v);
  write_files(work.path / "out", some);
  CHECK(read_files(work.path / "out") == some);
  CHECK(fs::exists(work.path / "out/schema.json"));
  const fs::path bin = work.path / "out" / (some[3].id + ".bin");
  REQUIRE(fs::exists(bin));
  std::ofstream(bin, std::ios::app) << 'x';
  CHECK_THROWS_AS(read_files(work.path / "out"), vectors::load_error);
}

TEST_CASE("exported numeric vectors have no byte files and read back equal") {
  const folder work;
  std::vector<vectors::vector> some;
  for (const auto& v : corpus())
    if (v.is_numeric() && some.size() < 20) some.push_back(v);
  REQUIRE(some.size() == 20);
  write_files(work.path / "out", some);
  CHECK(read_files(work.path / "out") == some);
  CHECK_FALSE(fs::exists(work.path / "out" / (some[0].id + ".bin")));
}

TEST_CASE("every vector has only the members that the schema names") {
  std::ifstream in(PLUMBLINE_SOURCE_DIR "/conformance/runner/vector.schema.json");
  const auto schema = nlohmann::json::parse(in);
  std::vector<std::string> faults;
  const auto is_of = [](const nlohmann::json& value, const std::string& type) {
    return type == "array"     ? value.is_array()
           : type == "integer" ? value.is_number_unsigned()
           : type == "number"  ? value.is_number()
           : type == "object"  ? value.is_object()
                               : value.is_string();
  };
  const auto check = [&](const std::string& id, const nlohmann::json& rules,
                         const nlohmann::json& object) {
    for (const auto& name : rules.value("required", nlohmann::json::array()))
      if (!object.contains(name.get<std::string>()))
        faults.push_back(id + ": no " + name.get<std::string>());
    for (const auto& [key, value] : object.items()) {
      const auto rule = rules["properties"].find(key);
      if (rule == rules["properties"].end())
        faults.push_back(id + ": unknown " + key);
      else if (rule->contains("enum") ? std::ranges::count((*rule)["enum"], value) == 0
                                      : rule->contains("type") && !is_of(value, (*rule)["type"]))
        faults.push_back(id + ": wrong " + key);
    }
  };
  for (const vectors::vector& v : corpus()) {
    const auto object = nlohmann::json::parse(vectors::to_json_line(v));
    check(v.id, schema, object);
    check(v.id, schema["$defs"]["answer"], object["expect"]);
    const int inputs = object.contains("bytes") + object.contains("set");
    if (inputs + v.is_numeric() != 1 || object.contains("mode") == v.is_numeric())
      faults.push_back(v.id + ": bytes or set with a mode, or numbers");
  }
  CHECK(faults == std::vector<std::string>{});
  check("none", schema,
        {{"id", 7}, {"strange", "x"}});  // the check itself sees wrong and missing members
  CHECK(faults.size() == 2 + 5);
}
