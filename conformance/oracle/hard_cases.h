// Hard cases kept in files: one operation a line,
//   df64.mul HI:LO HI:LO            judged by the bound
//   df64.div HI:LO HI:LO = HI:LO    and must be exactly this (a NaN: any NaN)
// with 16 hexadecimal digits a double; # begins a comment. sqrt takes one operand.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "df64_oracle.h"

namespace plumbline::oracle {

struct hard_case {
  operation op = operation::add;
  pair x, y;
  std::optional<pair> expected;
  std::string line;
};

// One line without its comment.
std::optional<hard_case> read_hard_case(const std::string& line);
// Throws std::runtime_error, naming file and line, where a line cannot be read.
std::vector<hard_case> read_hard_cases(const std::filesystem::path& file);

std::string to_hex(pair x);

}  // namespace plumbline::oracle
