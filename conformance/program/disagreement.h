// What two answers to one question disagree about, and which of them the reference gives.
#pragma once

#include <string>
#include <vector>

#include "ask_both.h"
#include "mutation.h"

namespace plumbline::program {

// The reference's own answer, and everything that it finds wrong with what was asked.
struct reference_answer {
  said answer;
  std::vector<Fault> faults;
  bool is_clean = true;  // of a question about values: strict mode takes what it is asked of
};
reference_answer answer_of_reference(const question& q);

// Who does not say what the reference says.
enum class differing { a, b, both };

struct disagreement {
  std::string about;  // "EXT-05", "EXT-05 (place)", "address (ROW-02)"; empty where there is none
  std::string group;  // what is counted as one: about, for values the operation and the clauses' letters
  differing who = differing::a;
};
disagreement compare(const question& q, const said& a, const said& b, const reference_answer& reference);

// The request line, without its id.
std::string request_of(const question& q);

}  // namespace plumbline::program
