// What people and machines read after a run.
#pragma once

#include <iosfwd>
#include <string>

#include "conformance/runner/run.h"

namespace plumbline::runner {

inline constexpr const char* specification_revision = "2a2db96";

struct report_settings {
  std::string adapter;  // the command, for the header
  std::string
      reproduce;  // "plumbline run --profile validator --filter {} -- ADAPTER": {} is the case
  std::size_t failures_shown = 10;
  bool colour = false;
  // For reports that are merged or compared later: what was asked, which part of it, and the place
  // of each result in the whole (empty: they are the whole).
  std::string settings = {}, shard = {};
  std::vector<std::size_t> places = {};
};

// Counts a clause group, the first failures with a line that reproduces each, skips by reason,
// totals.
void write_summary(std::ostream& out, const run_result& run, const report_settings& how);
void write_junit(std::ostream& out, const run_result& run, const report_settings& how);
// The first line describes the run, every other one a case.
void write_json_lines(std::ostream& out, const run_result& run, const report_settings& how);

// A word as a shell takes it.
std::string quoted(const std::string& word);

}  // namespace plumbline::runner
