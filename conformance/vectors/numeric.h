// Numeric questions in the text of vectors: the exact answers come from MPFR
// (conformance/numeric/).
#pragma once

#include "conformance/numeric/judge.h"
#include "conformance/vectors/vector.h"

namespace plumbline::vectors {

// Both throw value_error. `text` is what follows `ask OP` and `expect`.
std::string numeric_question(std::string_view op, std::string_view text);
expectation numeric_answer(std::string_view op, std::string_view question, std::string_view text);

numeric::answer_bound bound_in(const expectation& e);

}  // namespace plumbline::vectors
