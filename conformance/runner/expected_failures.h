// The implementer's own list of failures that are known: conformance/README.md, Expected failures.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/runner/run.h"

namespace plumbline::runner {

// "EXT-05/b | we do not check it yet | https://.. | 2027-01-31"
struct known_line {
  std::size_t number = 0;  // in the file, from 1
  std::string pattern;     // an id, or "EXT-05/*": a star stands for anything within one clause
  std::string reason, link, until;  // until: the last day, or empty
  bool covers(const std::string& id) const;
  bool is_wildcard() const { return pattern.find('*') != std::string::npos; }
};

struct known_failures {
  std::string name;               // the file, for messages
  std::vector<std::string> text;  // as it stands there
  std::vector<known_line> lines;
};

struct known_failures_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws known_failures_error with file and line. An absent file is an error, too.
known_failures parse_known_failures(const std::string& name, std::string_view text);
known_failures load_known_failures(const std::filesystem::path& file);

// What lines may speak of: the cases of the profile, also those that a filter or a shard left out
// of this run, and those of all profiles.
struct list_scope {
  std::vector<test_case> of_profile, everywhere;
};

// Marks the results that the lists cover and notes every line that does not hold: an expected
// failure that passed, one that was not scored, a line without any case, a line beyond its day, a
// case in both lists. `today` as 2027-01-31.
void apply_known_failures(run_result& run, const list_scope& scope, const known_failures& expected,
                          const known_failures& flaky, const std::string& today);

// The file again for the results of this run: what no longer fails goes, what fails and is in
// neither list comes with a reason to be written; all else, comments, reasons and cases that were
// not asked, stays.
std::string updated(const known_failures& expected, const known_failures& flaky,
                    const run_result& run, const list_scope& scope);
// Replaces the file as a whole or not at all.
void replace_file(const std::filesystem::path& file, const std::string& text);

std::string date_of_today();
bool is_date(std::string_view text);

}  // namespace plumbline::runner
