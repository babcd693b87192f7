// Reads the tables of largest errors that ERRORS.md keeps. For the tests.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "df64_oracle.h"

namespace plumbline::oracle {

// The table below a heading, as study.h prints it; empty where there is none.
std::string kept_table(const std::filesystem::path& file, std::string_view heading);

struct kept_row {
  operation op = operation::add;
  std::string of;  // the source of the bound
  double proven = 0, largest = 0, floor = 0, kept_cases = 0;
  std::size_t operands = 0;
  pair x, y;  // the worst operands
};
// Throws std::runtime_error on a line that cannot be read.
std::vector<kept_row> read_rows(const std::string& table);

}  // namespace plumbline::oracle
