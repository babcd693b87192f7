// A study of one operation: many operands, the largest error found, and every result within its
// bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "df64_oracle.h"
#include "hard_cases.h"

namespace plumbline::oracle {

// The implementation under study.
using df64_function = std::function<pair(operation, pair, pair)>;

struct study_result {
  operation op = operation::add;
  error_bound bound;
  double floor = 0;  // what the generator must find, or it is too weak to say anything
  std::size_t judged = 0;
  std::size_t top = 0, beyond = 0, bottom = 0;  // of these, by the region of the exact result
  double largest_generated = 0;                 // in u^2, over operands made by the generator
  double largest_kept = 0;                      // over the hard cases of the files
  pair x, y;                                    // the worst generated operands
  std::vector<std::string> faults;              // the first few, with operands and result
};

// A quarter of the operands near 1, an eighth over the whole range, an eighth at its two ends, a
// half climbing from the worst found so far, restarted often; then the hard cases of this
// operation.
study_result study(operation op, error_bound bound, std::size_t operands, std::uint64_t seed,
                   const df64_function& implementation, const std::vector<hard_case>& kept);

// The largest errors beside the proven bounds, one operation a line: a table in Markdown, the same
// on every machine. ERRORS.md keeps it.
std::string table(const std::vector<study_result>& results);

}  // namespace plumbline::oracle
