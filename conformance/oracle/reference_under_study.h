// The reference as the error studies call it: pairs in, pairs out. For the tests; the oracle itself
// does not know the reference.
#pragma once

#include "conformance/oracle/controls.h"
#include "conformance/oracle/df64_oracle.h"
#include "conformance/oracle/study.h"
#include "reference/scalar/df64.h"

namespace plumbline::oracle {

inline df64 to_df64(pair x) { return df64::raw(x.hi, x.lo); }
inline pair to_pair(df64 x) { return {x.hi, x.lo}; }

inline pair reference_df64(operation op, pair x, pair y) {
  const df64 a = to_df64(x), b = to_df64(y);
  switch (op) {
    case operation::add:
      return to_pair(a + b);
    case operation::sub:
      return to_pair(a - b);
    case operation::mul:
      return to_pair(a * b);
    case operation::div:
      return to_pair(a / b);
    case operation::sqrt:
      return to_pair(sqrt(a));
    case operation::add_double:
      return to_pair(a + b.hi);
    case operation::sub_double:
      return to_pair(a - b.hi);
    case operation::mul_double:
      return to_pair(a * b.hi);
    case operation::div_double:
      return to_pair(a / b.hi);
  }
  return {};
}

// What the generator must find, in u^2: in a run of ten million operands, and of a hundred
// thousand.
struct strength {
  double long_run = 0, short_run = 0;
};
inline strength expected_strength(operation op) {
  switch (op) {
    case operation::add:
    case operation::sub:
      return {1.45, 1.45};
    case operation::mul:
      return {3.9, 3.9};
    case operation::div:
      return {6.2, 5.8};
    case operation::sqrt:
      return {3.1, 3.1};
    case operation::add_double:
    case operation::sub_double:
      return {1.95, 1.95};
    case operation::mul_double:
      return {1.45, 1.45};
    case operation::div_double:
      return {2.75, 2.6};
  }
  return {};
}

// Every operation of the reference; and, beside its addition, another one of a larger error, which
// the generator must find too.
inline std::vector<study_result> study_reference(std::size_t operands, std::uint64_t seed,
                                                 bool long_run,
                                                 const std::vector<hard_case>& kept) {
  std::vector<study_result> results;
  for (const operation op : all_operations) {
    results.push_back(study(op, bound_of(op), operands, seed, reference_df64, kept));
    const strength expected = expected_strength(op);
    results.back().floor = long_run ? expected.long_run : expected.short_run;
  }
  results.push_back(
      study(operation::add, control::accurate_bound, operands, seed, control::accurate_sum, kept));
  results.back().floor = 2.4;
  return results;
}

}  // namespace plumbline::oracle
