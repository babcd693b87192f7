// Judges replies against what a vector expects.
#pragma once

#include <string>
#include <vector>

#include "conformance/runner/case.h"
#include "conformance/runner/reply.h"
#include "conformance/runner/session.h"

namespace plumbline::runner {

enum class outcome {
  pass,
  fail,
  skip,  // not applicable: an operation, mode or optional part that the adapter does not declare
  skip_declared,  // the adapter skipped an operation that it declared
  unscored,       // asked and reported: open points without --rulings, W clauses asked of readers
  crash,
  exit,
  early_end,
  timeout,
  blocked,
  garbage,
  oversized,
  out_of_order,
  unasked,
  not_run,
};
std::string_view name_of(outcome o);
outcome outcome_of(finish how);
// Failures, crashes, timeouts and every other broken promise of the protocol.
bool is_bad(outcome o);
struct result;
bool counts_as_bad(const result& r);  // and no list expects it

struct scoring {
  profile who;
  bool codes = false;    // the clause named by a refusal counts
  bool rulings = false;  // open points are scored by the project's rulings
};

struct result {
  test_case of;
  outcome how = outcome::not_run;
  enum class trust {
    none,
    claimed,
    verified
  } accepted = trust::none;          // of a decoded accept that passed
  std::string expected, got;         // in words
  std::string detail;                // why it failed or was skipped
  std::string following;             // the readings of an open point that the answer fits
  std::optional<double> error;       // of a numeric answer, in units of the bound
  std::string unit;
  std::vector<std::string> differs;  // of a right refusal: "kind", "clause", "place", and how
  std::vector<std::string> requests, replies;
  std::string complaints;
  double seconds = 0;
  // Its place in the implementer's lists (expected_failures.h).
  enum class listing { none, expected, flaky } known = listing::none;
  std::string known_reason;
  std::vector<std::string> unexpected_passes;  // the lines that expect a failure of what passed
};

// The state of one case while it is asked. `request` is empty once there is a result.
class scorer {
 public:
  scorer(const test_case& c, const scoring& how) : how_(how) { out_.of = c; }

  // The first request, or nothing where the adapter's hello makes it a skip.
  std::optional<std::string> begin(const hello& about);
  // The next request, or nothing where the result is there.
  std::optional<std::string> take(const answer& got);
  void spoil(finish how, const std::string& detail);

  const result& so_far() const { return out_; }

 private:
  std::optional<std::string> judge(const reply& r);
  std::optional<std::string> judge_accept(const reply& r);
  void judge_refusal(const reply& r);
  void judge_value(const reply& r);
  void judge_number(const reply& r);
  void judge_fields(const reply& r, bool all_of_them);
  void judge_open(const reply& r);
  bool lacks_excuse(const reply& r);
  void note_differences(const reply& r);
  void finish_with(outcome how, std::string detail = {});
  bool is_scored() const;

  const vectors::vector& vector() const { return *out_.of.vector; }

  scoring how_;
  hello about_;
  result out_;
  bool verifying_ = false;
};

// A short account of an expectation or a reply: "accept full", "invalid EXT-05 at 57", "12,4".
std::string in_words(const vectors::expectation& e);
std::string in_words(const reply& r);
// Whether the reply gives this answer; of refusals any kind, of values the value.
bool agrees(const vectors::expectation& e, const reply& r, std::string_view op);

}  // namespace plumbline::runner
