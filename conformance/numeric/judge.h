// Judges the answer to a numeric question by the exact value and the bound that stand in the
// vector, in MPFR; and says how far off it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "conformance/numeric/exact.h"

namespace plumbline::numeric {

struct judgement {
  bool right = false;
  std::string fault;  // why not
  std::optional<double>
      error;         // the largest: in u^2 of the scale (df64), in units of the last place (bf16)
  std::string unit;  // "u^2" or "ulp"
};

// `reply` is what follows "ok".
judgement judge_answer(std::string_view op, std::string_view question, const answer_bound& expected,
                       std::string_view reply);

}  // namespace plumbline::numeric
