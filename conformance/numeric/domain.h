// Which numeric questions have an answer, and which are asked at all: conformance/PROTOCOL.md,
// Operations on numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::numeric {

// Throws atom_error where the operands of an operation on tensors (its words) lie outside its
// domain. What reading them alone shows, as shapes that do not fit, is left to whoever computes the
// answer.
void require_domain(std::string_view op, const std::vector<std::string>& words);

// Throws atom_error where no case may ask: whether the operands have an answer is left open.
void require_asked(std::string_view op, std::string_view question);

}  // namespace plumbline::numeric
