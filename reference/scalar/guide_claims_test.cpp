// GUIDE_CLAIMS.tsv names, for every claim of the external-scalar guide, the test that carries it and
// the clauses whose vectors measure it in another implementation. A test that was renamed or removed,
// or a clause that is none, leaves a claim that nobody checks: that is an error here.
#include <catch2/catch.hpp>
#include <array>
#include <fstream>
#include <iterator>
#include <string>

#include "../clauses.h"

TEST_CASE("every claim of the guide names a test that exists") {
  const std::string root = PLUMBLINE_SOURCE_DIR "/";
  std::ifstream table(root + "reference/scalar/GUIDE_CLAIMS.tsv");
  REQUIRE(table);
  std::string line;
  int claims = 0;
  std::getline(table, line);
  CHECK(line == "claim\ttest\tkind\tclauses");
  while (std::getline(table, line)) {
    CAPTURE(line);
    std::array<std::string, 4> cells;
    std::size_t from = 0;
    for (std::string& cell : cells) {
      const std::size_t end = line.find('\t', from);
      cell = line.substr(from, end - from);
      REQUIRE_FALSE(cell.empty());
      REQUIRE((end == std::string::npos) == (&cell == &cells.back()));
      from = end + 1;
    }
    const std::string &test = cells[1], &kind = cells[2], &clauses = cells[3];
    CHECK((kind == "claim" || kind == "beyond" || kind == "departure" || kind == "fault"));
    for (std::size_t at = 0; clauses != "-" && at < clauses.size(); at += 7) {
      CHECK(plumbline::find_clause(clauses.substr(at, 6)) != nullptr);
      CHECK((at + 6 == clauses.size() || clauses[at + 6] == ','));
    }
    const std::size_t colon = test.find(": ");
    REQUIRE(colon != std::string::npos);
    std::ifstream file(root + test.substr(0, colon));
    REQUIRE(file);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    CHECK(text.find("TEST_CASE(\"" + test.substr(colon + 2) + "\")") != std::string::npos);
    ++claims;
  }
  CHECK(claims >= 50);
}
