#include "df64_oracle.h"

#include <cmath>
#include <limits>

namespace plumbline::oracle {
namespace {

// What IEEE arithmetic says of the heads alone: right where an operand is not finite, where a
// divisor or a radicand is zero, and for the sign of a zero result.
double of_heads(operation op, double x, double y) {
  switch (op) {
    case operation::add:
    case operation::add_double:
      return x + y;
    case operation::sub:
    case operation::sub_double:
      return x - y;
    case operation::mul:
    case operation::mul_double:
      return x * y;
    case operation::div:
    case operation::div_double:
      return x / y;
    case operation::sqrt:
      return std::sqrt(x);
  }
  return 0;
}

real exact(operation op, const real& x, const real& y) {
  switch (op) {
    case operation::add:
    case operation::add_double:
      return x + y;
    case operation::sub:
    case operation::sub_double:
      return x - y;
    case operation::mul:
    case operation::mul_double:
      return x * y;
    case operation::div:
    case operation::div_double:
      return x / y;
    case operation::sqrt:
      return boost::multiprecision::sqrt(x);
  }
  return 0;
}

bool is_normalised(pair z) { return std::isfinite(z.hi) ? z.hi + z.lo == z.hi : z.lo == 0; }

verdict right(region where = region::middle) { return {true, where, std::nullopt, {}}; }
verdict fault(std::string why, region where = region::middle) {
  return {false, where, std::nullopt, std::move(why)};
}

verdict same_special(pair z, double expected) {
  if (z.lo != 0) return fault("lo is not zero beside a special value");
  if (std::isnan(expected)) return std::isnan(z.hi) ? right() : fault("expected NaN");
  if (z.hi != expected || std::signbit(z.hi) != std::signbit(expected)) {
    return fault("expected " + std::to_string(expected));
  }
  return right();
}

region region_of(const real& truth) {
  const real size = abs(truth);
  if (size >= overflow_threshold()) return region::beyond;
  if (size >= overflow_threshold() - real(0x1p973)) return region::top;
  return size < real(std::numeric_limits<double>::min()) ? region::bottom : region::middle;
}

}  // namespace

const real& overflow_threshold() {
  static const real threshold = real(std::numeric_limits<double>::max()) + real(0x1p970);
  return threshold;
}

bool second_is_double(operation op) {
  return op == operation::add_double || op == operation::sub_double ||
         op == operation::mul_double || op == operation::div_double;
}

std::string_view to_string(operation op) {
  switch (op) {
    case operation::add:
      return "add";
    case operation::sub:
      return "sub";
    case operation::mul:
      return "mul";
    case operation::div:
      return "div";
    case operation::sqrt:
      return "sqrt";
    case operation::add_double:
      return "add_double";
    case operation::sub_double:
      return "sub_double";
    case operation::mul_double:
      return "mul_double";
    case operation::div_double:
      return "div_double";
  }
  return "";
}

std::optional<operation> parse_operation(std::string_view name) {
  for (const operation op : all_operations) {
    if (to_string(op) == name) return op;
  }
  return std::nullopt;
}

error_bound bound_of(operation op) {
  switch (op) {
    case operation::add:
    case operation::sub:
      return {2, 0, "Zhang, Aiken 2025"};
    case operation::mul:
      return {4, 2, "JMP Alg. 12, Muller, Rideau 2022"};
    case operation::div:
      return {9.8, 1, "JMP Alg. 18"};
    case operation::sqrt:
      return {25.0 / 8, 0, "Lefevre and others 2023, Alg. 8"};
    case operation::add_double:
    case operation::sub_double:
      return {2, 0, "JMP Alg. 4"};
    case operation::mul_double:
      return {1.5 + 4 * 0x1p-53, 1, "JMP Alg. 7"};
    case operation::div_double:
      return {3, 1, "JMP Alg. 15"};
  }
  return {};
}

verdict judge(operation op, pair x, pair y, pair z) { return judge(op, bound_of(op), x, y, z); }

verdict judge(operation op, error_bound bound, pair x, pair y, pair z) {
  if (op == operation::sqrt) y = {};
  if (second_is_double(op)) y.lo = 0;
  const double heads = of_heads(op, x.hi, y.hi);
  const bool divides = op == operation::div || op == operation::div_double;
  const bool special = !std::isfinite(x.hi) || !std::isfinite(y.hi) || (divides && y.hi == 0) ||
                       (op == operation::sqrt && x.hi <= 0);
  if (special) return same_special(z, heads);

  const real truth = exact(op, value(x), value(y));
  if (truth == 0) return same_special(z, std::copysign(0.0, heads));
  const region where = region_of(truth);
  if (std::isnan(z.hi)) return fault("NaN from finite operands", where);
  if (!is_normalised(z)) return fault("not normalised", where);

  const real allowed =
      real(bound.relative) * real(0x1p-106) * abs(truth) + real(bound.absolute) * real(0x1p-1074);
  if (std::isinf(z.hi)) {
    // Right where some number within the bound rounds to inf; the numbers just below the threshold
    // are no pairs (the largest lies 2^917 below it), and may be rounded either way.
    const bool same_sign = (z.hi > 0) == (truth > 0);
    if (!same_sign || abs(truth) + allowed + real(0x1p917) < overflow_threshold())
      return fault("inf too early", where);
    return right(where);
  }
  if (z.hi == 0 && std::signbit(z.hi) != (truth < 0))
    return fault("wrong sign of an underflow", where);

  const real error = abs(value(z) - truth);
  verdict result = right(where);
  result.within = error <= allowed;
  if (abs(truth) >= real(0x1p-900)) {
    result.error = (error / abs(truth) * real(0x1p106)).convert_to<double>();
  }
  if (!result.within) result.fault = "beyond the bound";
  return result;
}

}  // namespace plumbline::oracle
