// Expected failures: what an implementation is known to get wrong, so that its CI fails only on what
// changes.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "conformance/runner/run.h"

namespace plumbline::runner {

// Ids of cases, one a line; blank lines and what follows a # are left out. Throws where the file cannot
// be read or names a case that no vector gives.
std::set<std::string> read_expected_failures(const std::filesystem::path& file,
                                             const std::vector<vectors::vector>& all);

// Marks the results of those cases.
void expect_failures(run_result& run, const std::set<std::string>& ids);

}  // namespace plumbline::runner
