// Which clauses a change of the specification touches.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/clauses.h"

namespace plumbline::program {

struct spec_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Where a clause stands: a file, and lines of the audited revision (none: the whole section or
// file).
struct place {
  std::string file, section;
  std::vector<std::size_t> lines;
};
// "metadata.md §Fixed Header L58,67; data-model.md §Shape L64-66"
std::vector<place> places_of(const std::string& source);

// The line of `newer` that each line of `older` became (from 1), 0 where it is gone: the longest
// common subsequence.
std::vector<std::size_t> lines_kept(const std::vector<std::string>& older,
                                    const std::vector<std::string>& newer);

struct spec_difference {
  std::string text;         // the report
  std::size_t changed = 0;  // clauses whose lines changed or are gone
  std::size_t moved = 0;    // clauses whose lines only stand elsewhere
  std::size_t added = 0;    // runs of new lines beside which no clause's line changed
};
// Throws spec_error where a folder is no checkout of the specification, or OLD is not the revision
// that the clauses were taken from.
spec_difference spec_diff(const std::filesystem::path& older, const std::filesystem::path& newer,
                          const std::vector<Clause>& table);

}  // namespace plumbline::program
