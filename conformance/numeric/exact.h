// What a numeric question's answer must be, by MPFR and exact rationals: the exact values, and how
// far from them an answer may lie. It stands in the compiled vectors, so that whoever judges an
// answer needs nothing else.
#pragma once

#include <string>
#include <string_view>

#include "conformance/numeric/question.h"

namespace plumbline::numeric {

// Of a df64, |answer - value| <= within * u^2 * scale + absolute * 2^-1074, with u = 2^-53 and
// scale = |value| where none is stated. Of a bf16, the answer is the bfloat16 nearest to some
// number no further from value than within * 2^-24 * scale + absolute * 2^-150: a float's rounding
// a term, and one rounding at the end.
struct answer_bound {
  std::string value;  // words, as in a reply, with real numbers in place of bits; - for none
  std::string scale;  // words beside those of value; empty for |value|
  double within = 0, absolute = 0;
};

// `question` in canonical form. Throws atom_error where the operands have no answer: a refusal is
// stated in the vector, not computed.
answer_bound exact_answer(std::string_view op, std::string_view question);

}  // namespace plumbline::numeric
