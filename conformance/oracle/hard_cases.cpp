#include "hard_cases.h"

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace plumbline::oracle {
namespace {

bool read_hex(std::string_view text, double& x) {
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  x = std::bit_cast<double>(bits);
  return text.size() == 16 && error == std::errc{} && end == text.data() + text.size();
}

std::optional<pair> read_pair(std::string_view text) {
  pair x;
  if (text.size() != 33 || text[16] != ':') return std::nullopt;
  if (!read_hex(text.substr(0, 16), x.hi) || !read_hex(text.substr(17), x.lo)) return std::nullopt;
  return x;
}

}  // namespace

std::optional<hard_case> read_hard_case(const std::string& line) {
  std::istringstream words(line);
  std::string name, word;
  hard_case c;
  c.line = line;
  words >> name;
  if (!name.starts_with("df64.")) return std::nullopt;
  const auto op = parse_operation(std::string_view(name).substr(5));
  if (!op) return std::nullopt;
  c.op = *op;
  for (pair* operand : {&c.x, &c.y}) {
    if (operand == &c.y && c.op == operation::sqrt) break;
    const auto x = words >> word ? read_pair(word) : std::nullopt;
    if (!x) return std::nullopt;
    *operand = *x;
  }
  if (!(words >> word)) return c;
  if (word != "=" || !(words >> word)) return std::nullopt;
  c.expected = read_pair(word);
  return c.expected && !(words >> word) ? std::optional(c) : std::nullopt;
}

std::vector<hard_case> read_hard_cases(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  std::vector<hard_case> cases;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto c = read_hard_case(line);
    if (!c) throw std::runtime_error(file.string() + ":" + std::to_string(number) + ": " + line);
    cases.push_back(*c);
  }
  return cases;
}

std::string to_hex(pair x) {
  char text[34];
  std::snprintf(text, sizeof text, "%016llx:%016llx",
                static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(x.hi)),
                static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(x.lo)));
  return text;
}

}  // namespace plumbline::oracle
