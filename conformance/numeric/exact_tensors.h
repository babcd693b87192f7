// Exact answers of the operations on tensors; `words` are the operands.
#pragma once

#include "conformance/numeric/exact.h"

namespace plumbline::numeric {

answer_bound exact_sum_of(std::string_view op, const std::vector<std::string>& words);
answer_bound exact_qr_jvp(const std::vector<std::string>& words);
answer_bound exact_qr_vjp(const std::vector<std::string>& words);
answer_bound exact_contraction(std::string_view op, const std::vector<std::string>& words);

}  // namespace plumbline::numeric
