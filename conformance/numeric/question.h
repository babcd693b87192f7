// The numeric operations of the protocol (conformance/PROTOCOL.md, Operations on numbers): which
// there are, and what their operands look like.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/numeric/atoms.h"

namespace plumbline::numeric {

bool is_operation(std::string_view op);
const std::vector<std::string>& operations();

// The typed refusals of a numeric operation.
bool is_refusal(std::string_view kind);

// The operands as an adapter gets them, from text with numbers as people write them. `of A` in
// qr_jvp and qr_vjp stands for the factors of A, each entry rounded to df64. Throws atom_error.
std::string canonical_question(std::string_view op, std::string_view text);

// The scalar types of the operands: "scalar:df64", as a vector lists what it needs.
std::set<std::string> needs_of(std::string_view op, std::string_view question);

// ik,kj->ij
struct pattern {
  std::vector<oracle::labels> operands;
  oracle::labels output;
};
std::optional<pattern> read_pattern(std::string_view text);

}  // namespace plumbline::numeric
