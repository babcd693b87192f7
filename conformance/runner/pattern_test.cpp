// The patterns of --filter: what they mean, what is refused, and that none is slow. std::regex
// judges the meaning of small patterns, which it can be trusted with.
#include "conformance/runner/pattern.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <optional>
#include <random>
#include <regex>
#include <string>

using plumbline::runner::pattern;
using plumbline::runner::pattern_error;

namespace {

bool found(const std::string& text, const std::string& in) { return pattern(text).is_in(in); }

std::string repeated(const std::string& text, std::size_t count) {
  std::string out;
  while (count-- > 0) out += text;
  return out;
}

}  // namespace

TEST_CASE("a pattern is found anywhere, unless it says where") {
  CHECK(found("EXT-", "EXT-05/b"));
  CHECK(found("05", "EXT-05/b"));
  CHECK_FALSE(found("^05", "EXT-05/b"));
  CHECK(found("^EXT-05/b$", "EXT-05/b"));
  CHECK_FALSE(found("^EXT-05/b$", "EXT-05/bc"));
  CHECK(found("^(ROW|EXT)-.*size", "ROW-01/a+size"));
  CHECK_FALSE(found("^(ROW|EXT)-.*size", "HDR-01/a+size"));
  CHECK(found("[+]author$", "EXT-05/b+author"));
  CHECK(found(R"(\+author$)", "EXT-05/b+author"));
  CHECK(found(R"(^\w\w\w-\d\d/[^a-c]$)", "EXT-05/d"));
  CHECK_FALSE(found(R"(^\w\w\w-\d\d/[^a-c]$)", "EXT-05/b"));
  CHECK(found("[a-]", "x-"));
  CHECK(found("", ""));
  CHECK(found("a|", ""));
  CHECK_FALSE(found("a", ""));
  CHECK(found("^$", ""));
  CHECK_FALSE(found("^$", "a"));
  CHECK_FALSE(found("a^", "aa"));
}

TEST_CASE("what is no pattern, or is not known, is refused with its place") {
  for (const char* text :
       {"(",     ")",       "a)", "(a",    "[",         "[a",        "[]",     "[^]",     "[a-",
        "*",     "+a",      "?",  "(*)",   "a|*",       "^*",        "$+",     "a**",     "a*+",
        "a{2}",  "a}",      "]",  "\\",    "a\\",       R"(\1)",     R"(\b)",  R"(\x41)", "(?=a)",
        "(?!a)", "(?<a>b)", "(?", "[b-a]", R"([\d-z])", R"([a-\d])", R"([\q])"}) {
    INFO(text);
    CHECK_THROWS_AS(pattern(text), pattern_error);
    CHECK_THROWS_WITH(pattern(text), Catch::Contains("(at character "));
  }
  CHECK_NOTHROW(pattern(std::string(pattern::longest, 'a')));
  CHECK_THROWS_WITH(pattern(std::string(pattern::longest + 1, 'a')),
                    Catch::Contains("1000 at most"));
  CHECK_THROWS_AS(pattern(std::string(30000, '(') + std::string(30000, ')')), pattern_error);
}

TEST_CASE("no pattern is slow or deep") {
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = std::string(2000, 'a') + '!';
  CHECK_FALSE(found("^(a*)*$", text));
  CHECK_FALSE(found("^(a|aa|a?a)+$", text));
  CHECK_FALSE(found("^((((a+)+)+)+)+$", text));
  CHECK_FALSE(found('^' + repeated("a?", 300) + repeated("a", 300) + "b", text));
  CHECK(found(std::string(500, '(') + std::string(500, ')'), text));
  CHECK(found(repeated("(", 300) + 'a' + repeated("*)", 300), text));
  CHECK(found(repeated("(?:a*?)*?", 100), text));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}

TEST_CASE("small patterns mean what std::regex takes them for") {
  std::mt19937 random(1);
  const auto one_of = [&](const std::vector<std::string>& from) {
    return from[std::uniform_int_distribution<std::size_t>(0, from.size() - 1)(random)];
  };
  const std::vector<std::string> marks = {"a",    "b",    "1",      ".",   "*",   "+",   "?",  "(",
                                          ")",    "|",    "^",      "$",   "-",   "/",   "a",  "b",
                                          "[ab]", "[^a]", "[0-9a]", "\\d", "\\w", "\\D", "(?:"};
  std::size_t accepted = 0, matched = 0;
  for (int i = 0; i < 60000; ++i) {
    std::string text;
    for (std::size_t length = 1 + random() % 8; length > 0; --length) text += one_of(marks);
    std::optional<pattern> ours;
    try {
      ours.emplace(text);
    } catch (const pattern_error&) {
      continue;
    }
    ++accepted;
    INFO(text);
    const std::regex theirs(text);
    for (int k = 0; k < 6; ++k) {
      std::string in;
      for (std::size_t length = random() % 6; length > 0; --length)
        in += one_of({"a", "b", "1", "-", "/"});
      INFO(in);
      const bool is_in = ours->is_in(in);
      matched += is_in;
      REQUIRE(is_in == std::regex_search(in, theirs));
    }
  }
  CHECK(accepted > 10000);
  CHECK(matched > 10000);
}
