// A run: cases through one or more adapter processes to results.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/runner/score.h"
#include "conformance/runner/session.h"

namespace plumbline::runner {

struct run_settings {
  std::vector<std::string> command;
  scoring how;
  std::chrono::milliseconds timeout{10000};
  std::chrono::milliseconds start_timeout{10000};
  unsigned jobs = 1;
  std::optional<std::uint64_t>
      seed;  // shuffles the cases; without it they come in the order of the corpus
  // Called after every result, one call at a time.
  std::function<void(std::size_t done, std::size_t of, std::size_t bad)> progress;
};

struct run_result {
  std::vector<result> results;  // in the order of the cases
  std::optional<hello> about;   // nothing when no start succeeded
  std::string start_fault;      // why the run ended early
  std::vector<std::string> end_faults;
  std::vector<std::string> list_faults;  // lines of the implementer's lists that do not hold
  // Of a part of the cases: wildcards of which all that ran was skipped, and those that are in use.
  // Only all parts together tell whether the former are in use somewhere.
  std::vector<std::string> lists_idle, lists_used;
  bool ended_early = false;
  std::size_t starts = 0;
  double seconds = 0;

  std::size_t count(outcome o) const;
  std::size_t bad() const;
  // 0 as expected, 1 a failure, crash, timeout or broken promise, 3 not startable or ended early.
  int exit_code() const;
};

run_result run(const std::vector<test_case>& cases, const run_settings& settings);

}  // namespace plumbline::runner
