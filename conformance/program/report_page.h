// What a browser reads after a run: one self-contained page, and the JSON of a badge.
#pragma once

#include <string>
#include <vector>

#include "conformance/runner/saved_report.h"
#include "conformance/vectors/vector.h"

namespace plumbline::program {

// The page of a report; `all` are the vectors that it is about, for the bytes of what failed.
std::string page_of(const runner::saved_report& report, const std::vector<vectors::vector>& all);
// The object that endpoint badges of shields.io read.
std::string badge_of(const runner::saved_report& report);

}  // namespace plumbline::program
