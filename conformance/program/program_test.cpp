// The line protocol of `plumbline check --hex-lines`.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "line.h"

using namespace plumbline;
using nlohmann::json;

namespace {

json ask(std::string line, const Options& options = {}, bool all = false) {
  return json::parse(program::answer_line(std::move(line), options, all).json);
}

const std::string worked_example =
    "4852525901003d00000000000000030102000000030000000000000004000000000000000000000000000000"
    "01c0000000000000004000000000000000";
const std::string group_of_none = "48525259010025000000000000000" "30b000000000000000000000000030000000000000000";

}  // namespace

TEST_CASE("an accepted line") {
  json answer = ask(worked_example);
  CHECK(answer["verdict"] == "accept");
  CHECK(answer["clause"].is_null());
  CHECK(answer["offset"].is_null());
  CHECK(answer["interpreted"] == true);
  CHECK(answer["rest"] == 0);
  CHECK(ask(worked_example + "ffff\r")["rest"] == 2);
}

TEST_CASE("the empty line is the empty input") {
  json answer = ask("");
  CHECK(answer["verdict"] == "malformed");
  CHECK(answer["clause"] == "HDR-09");
  CHECK(answer["offset"] == 0);
}

TEST_CASE("text that is not hexadecimal is an error of its own") {
  for (const char* text : {"4", "zz", "48 52", "48525259;x", "0x48"}) {
    INFO(text);
    CHECK(ask(text)["verdict"] == "error");
  }
}

TEST_CASE("a set of a head and its members") {
  REQUIRE(ask(group_of_none)["verdict"] == "accept");
  json alone = ask(group_of_none + ";");
  CHECK(alone["verdict"] == "accept");
  CHECK(alone["member"].is_null());
  std::string one = group_of_none;
  one[65] = '1';  // member_count 1
  json torn = ask(one + ";");
  CHECK(torn["verdict"] == "malformed");
  CHECK(torn["clause"] == "CMP-29");
  CHECK(torn["member"] == 0);
  CHECK(torn["offset"] == 32);
  CHECK(ask(one + ";" + worked_example)["verdict"] == "accept");
  json broken = ask(one + ";" + worked_example.substr(0, 120));
  CHECK(broken["clause"] == "HDR-09");
  CHECK(broken["member"] == 1);
  CHECK(ask(worked_example + ";" + worked_example)["verdict"] == "error");
}

TEST_CASE("all faults on request") {
  std::string line = worked_example;
  line.replace(120, 2, "01");  // reserved byte of the handle
  line.replace(106, 8, "03000000");  // alignment 3
  json answer = ask(line, {}, true);
  CHECK(answer["clause"] == "BUF-06");
  REQUIRE(answer["faults"].size() == 2);
  CHECK(answer["faults"][1]["clause"] == "BUF-14");
}
