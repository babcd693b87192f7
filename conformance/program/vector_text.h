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

// `name` begins the names of the bases; `taken` are the ids that are given already. What comes back
// was compiled and gives the very question.
vector_text as_vector(const question& q, const reference_answer& reference, const std::string& name,
                      const std::string& why, const std::set<std::string>& keys, std::set<std::string>& taken);

}  // namespace plumbline::program
