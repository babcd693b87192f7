// GUIDE_CLAIMS.tsv names, for every claim of the external-scalar guide, the test that carries it. A
// test that was renamed or removed leaves a claim that nobody checks: that is an error here.
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>

TEST_CASE("every claim of the guide names a test that exists") {
  const std::string root = PLUMBLINE_SOURCE_DIR "/";
  std::ifstream table(root + "reference/scalar/GUIDE_CLAIMS.tsv");
  REQUIRE(table);
  std::string line;
  int claims = 0;
  std::getline(table, line);
  CHECK(line == "claim\ttest\tkind");
  while (std::getline(table, line)) {
    CAPTURE(line);
    const std::size_t first = line.find('\t'), second = line.rfind('\t');
    REQUIRE((first != std::string::npos && second > first));
    const std::string test = line.substr(first + 1, second - first - 1);
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
