// Judges one operation of a df64 implementation: the error in units of u^2 (u = 2^-53), and whether
// it keeps within the bound that the operation's algorithm is proven to have.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "real.h"

namespace plumbline::oracle {

enum class operation {
  add,
  sub,
  mul,
  div,
  sqrt,        // of x; y is not looked at
  add_double,  // x + y.hi and so on: the second operand is a double
  sub_double,
  mul_double,
  div_double,
};
inline constexpr std::array all_operations = {
    operation::add,        operation::sub,        operation::mul,
    operation::div,        operation::sqrt,       operation::add_double,
    operation::sub_double, operation::mul_double, operation::div_double};
std::string_view to_string(operation op);
bool second_is_double(operation op);
std::optional<operation> parse_operation(std::string_view name);

// |z - exact| <= relative * u^2 * |exact| + absolute * 2^-1074.
struct error_bound {
  double relative = 0;
  double absolute = 0;
  std::string_view source;
};
error_bound bound_of(operation op);

// From 2^1024 - 2^970 on a number rounds to inf.
const real& overflow_threshold();
// Where the exact result of finite operands lies: less than four last places of a double below that
// threshold, from there on, below the smallest normal double, or elsewhere.
enum class region { middle, top, beyond, bottom };

struct verdict {
  bool within = false;
  region where = region::middle;
  // |z - exact| / (u^2 |exact|) where the exact result is finite, not zero, and at least 2^-900
  // (below that the absolute term may decide): otherwise nothing.
  std::optional<double> error;
  std::string fault;  // why not, in words
};

// Operands that are finite must be normalised pairs. What is to be expected of the others, of zeros
// and beyond the range: hi is the IEEE result, lo is zero.
verdict judge(operation op, pair x, pair y, pair z);
verdict judge(operation op, error_bound bound, pair x, pair y, pair z);

}  // namespace plumbline::oracle
