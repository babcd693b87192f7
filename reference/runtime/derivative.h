// First-order derivatives of a program, as a program: the original steps, then those that the rules
// append. The helpers that rules append have no rule, so a second derivative is refused by name.
#pragma once

#include "program.h"
#include "support.h"

namespace plumbline {

// Refusals of both modes, in this order: unsupported_order, naming the order; non_field_scalar;
// rule_unavailable, naming the operation. Only what lies between input and output is asked.

struct reverse_program {
  program steps;
  value seed;                 // its last input: the cotangent of the output
  optional_values gradients;  // one per value asked for; absent where the output does not depend
};
outcome<reverse_program> reverse(const program& p, value output, const value_list& wanted,
                                 const rule_set& rules, int order = 1);

struct forward_program {
  program steps;
  value_list seeds;              // its last inputs: the tangents of the values named
  std::optional<value> tangent;  // of the output; absent where it does not depend on them
};
outcome<forward_program> forward_mode(const program& p, value output, const value_list& varied,
                                      const rule_set& rules, int order = 1);

}  // namespace plumbline
