// A question with the reference's answer as text of corpus/vectors (FORMAT.md).
#pragma once

#include <set>
#include <string>

#include "disagreement.h"

namespace plumbline::program {

struct vector_text {
  std::string text;     // bases and one vector; empty where there is no such text
  std::string lacking;  // then why
};

// `name` begins the names of the bases. The id is CLAUSE/?: which letters are free, those withdrawn
// included, is known to conformance/vectors/ids.py alone. What comes back was compiled, with letters
// in that place, and gives the very question.
vector_text as_vector(const question& q, const reference_answer& reference, const std::string& name,
                      const std::string& why, const std::set<std::string>& keys);

}  // namespace plumbline::program
