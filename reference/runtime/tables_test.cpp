// GUIDE_CLAIMS.tsv and BOUNDARIES.tsv of this folder name the tests that carry their rows. A row
// whose test is gone claims what nobody checks.
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "test_runtime.h"

namespace plumbline::test {

namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(std::string(PLUMBLINE_SOURCE_DIR "/") + file);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::vector<std::string>> rows(const std::string& file, const std::string& head) {
  std::istringstream lines(text_of(file));
  std::string line;
  std::getline(lines, line);
  CHECK(line == head);
  std::vector<std::vector<std::string>> table;
  while (std::getline(lines, line)) {
    std::vector<std::string> cells{""};
    for (const char c : line) {
      if (c == '\t') {
        cells.emplace_back();
      } else {
        cells.back() += c;
      }
    }
    table.push_back(cells);
  }
  return table;
}

// The names of refusals that a cell holds, separated by "or".
std::vector<std::string> refusals_of(const std::string& cell) {
  std::vector<std::string> names;
  std::istringstream words(cell);
  for (std::string word; words >> word;) {
    if (word != "or") names.push_back(word);
  }
  return names;
}

std::set<std::string_view> known_refusals() {
  std::set<std::string_view> names;
  for (int k = 0; k <= static_cast<int>(foreign_value); ++k) {
    names.insert(to_string(static_cast<runtime_error_kind>(k)));
  }
  return names;
}

// The source of a test, from its name to the end of its body.
std::string body_of(const std::string& test) {
  const std::size_t colon = test.find(": ");
  const std::string text = text_of(test.substr(0, colon));
  const std::size_t begin = text.find("TEST_CASE(\"" + test.substr(colon + 2) + "\")");
  return begin == std::string::npos ? "" : text.substr(begin, text.find("\n}\n", begin) - begin);
}

void check_test_exists(const std::string& test) {
  CAPTURE(test);
  const std::size_t colon = test.find(": ");
  const std::string text = text_of(test.substr(0, colon));
  if (test.ends_with(".py")) {  // a script, which CTest runs
    const std::size_t slash = test.rfind('/');
    const bool house = test.starts_with("cmake/");
    const std::string list =
        house ? "cmake/PlumblineHouseTests.cmake" : test.substr(0, slash) + "/CMakeLists.txt";
    CHECK(text_of(list).find(test.substr(slash)) != std::string::npos);
    return;
  }
  if (test.ends_with(".md")) return;  // a report
  REQUIRE(colon != std::string::npos);
  CHECK(text.find("TEST_CASE(\"" + test.substr(colon + 2) + "\")") != std::string::npos);
}

}  // namespace

TEST_CASE("every claim of the guide about the runtime names a test that exists") {
  const auto table = rows("reference/runtime/GUIDE_CLAIMS.tsv", "claim\ttest\tkind");
  CHECK(table.size() >= 60);
  for (const auto& row : table) {
    REQUIRE(row.size() == 3);
    check_test_exists(row[1]);
  }
}

TEST_CASE("every boundary states what it is and names a test that exists") {
  const std::set<std::string_view> known = known_refusals();
  const auto table = rows("reference/runtime/BOUNDARIES.tsv", "boundary\tstate\trefusal\ttest");
  CHECK(table.size() >= 45);
  std::set<std::string> states;
  for (const auto& row : table) {
    CAPTURE(row[0]);
    REQUIRE(row.size() == 4);
    CHECK((row[1] == "present" || row[1] == "rejected by design" || row[1] == "missing"));
    CHECK((row[1] != "rejected by design" || !row[2].empty()));
    states.insert(row[1]);
    check_test_exists(row[3]);
    const std::string body = body_of(row[3]);
    for (const std::string& name : refusals_of(row[2])) {
      CAPTURE(name);
      CHECK(known.contains(name));
      // `refused` checks the kind; a numeric refusal is compared with its own.
      CHECK(body.find(name) != std::string::npos);
    }
  }
  CHECK(states.size() == 3);
}

TEST_CASE("every kind of refusal has a name of its own") {
  const std::set<std::string_view> names = known_refusals();
  CHECK_FALSE(names.contains(""));
  CHECK(names.size() == static_cast<std::size_t>(foreign_value) + 1);
  for (int k = 0; k <= static_cast<int>(numeric_error_kind::rule_unavailable); ++k) {
    const auto kind = static_cast<numeric_error_kind>(k);
    CHECK(to_string(from_numeric({kind, "text"}).kind) == to_string(kind));
    CHECK(from_numeric({kind, "text"}).text == "text");
  }
}

}  // namespace plumbline::test
