#include "bf16_oracle.h"

#include <bit>
#include <cmath>

namespace plumbline::oracle {
namespace {

// Magnitudes only: the pattern 0x7f80 counts as 2^128, one step above the largest finite number.
double magnitude(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 7), significand = static_cast<int>(bits & 0x7fu);
  return exponent == 0 ? std::ldexp(significand, -133)
                       : std::ldexp(significand + 128, exponent - 134);
}

bool is_nan(std::uint16_t bits) { return (bits & 0x7fffu) > 0x7f80u; }
bool is_finite(std::uint16_t bits) { return (bits & 0x7f80u) != 0x7f80u; }

// The largest pattern whose magnitude is at most |x|, by bisection.
template <class Number>
std::uint32_t floor_pattern(const Number& x) {
  std::uint32_t low = 0, high = 0x7f80;
  while (low < high) {
    const std::uint32_t middle = (low + high + 1) / 2;
    if (Number(magnitude(middle)) <= x) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

// Both distances must be exact: they are for real, and for doubles made of floats.
template <class Number>
std::uint16_t nearest_pattern(const Number& x, bool negative) {
  const std::uint32_t below = floor_pattern(x);
  const std::uint32_t above = below == 0x7f80 ? below : below + 1;
  const Number down = x - Number(magnitude(below)), up = Number(magnitude(above)) - x;
  std::uint32_t nearest = down < up ? below : above;
  if (down == up) nearest = below % 2 == 0 ? below : above;
  if (below == 0x7f80) nearest = below;
  return static_cast<std::uint16_t>(nearest | (negative ? 0x8000u : 0u));
}

double of_doubles(bf16_operation op, double x, double y) {
  switch (op) {
    case bf16_operation::add:
      return x + y;
    case bf16_operation::sub:
      return x - y;
    case bf16_operation::mul:
      return x * y;
    case bf16_operation::div:
      return x / y;
    case bf16_operation::sqrt:
      return std::sqrt(x);
  }
  return 0;
}

real of_reals(bf16_operation op, const real& x, const real& y) {
  switch (op) {
    case bf16_operation::add:
      return x + y;
    case bf16_operation::sub:
      return x - y;
    case bf16_operation::mul:
      return x * y;
    case bf16_operation::div:
      return x / y;
    case bf16_operation::sqrt:
      return boost::multiprecision::sqrt(x);
  }
  return 0;
}

double widened(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace

real bf16_value(std::uint16_t bits) {
  const double m = magnitude(bits & 0x7fffu);
  return (bits & 0x8000u) != 0 ? -m : m;
}

std::uint16_t nearest_bf16(const real& x) { return nearest_pattern<real>(abs(x), x < 0); }

std::uint16_t nearest_bf16(double x) {
  return nearest_pattern<double>(std::fabs(x), std::signbit(x));
}

bool judge_bf16(bf16_operation op, std::uint16_t x, std::uint16_t y, std::uint16_t z) {
  if (op == bf16_operation::sqrt) y = 0x3f80;
  const double special = of_doubles(op, widened(x), widened(y));
  if (std::isnan(special)) return is_nan(z);
  if (is_nan(z)) return false;
  const bool divides_by_zero = op == bf16_operation::div && widened(y) == 0;
  if (!is_finite(x) || !is_finite(y) || divides_by_zero || special == 0) {
    return widened(z) == special && std::signbit(widened(z)) == std::signbit(special);
  }
  const real truth = of_reals(op, bf16_value(x), bf16_value(y));
  const bool sum = op == bf16_operation::add || op == bf16_operation::sub;
  if (sum || abs(truth) >= real(0x1p-126)) return z == nearest_bf16(truth);
  const std::uint16_t sign = truth < 0 ? 0x8000 : 0;
  return (z & 0x8000u) == sign && is_finite(z) &&
         abs(bf16_value(z) - truth) <= real(0x1p-134) + real(0x1p-150);
}

}  // namespace plumbline::oracle
