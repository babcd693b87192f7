// Operands aimed at the ends of the range, for every operation: the exact result lies near the
// largest double, beside the value from which a result rounds to inf, beyond it, in the subnormal
// range, or beside the value that rounds to zero; or the operands lie there. The result is chosen
// first, then one operand, and the other is what MPFR says.
#pragma once

#include <limits>

#include "df64_oracle.h"
#include "operands.h"

namespace plumbline::oracle {

class edge_source {
 public:
  struct operands {
    pair x, y;
  };

  explicit edge_source(operand_source& source) : source_(source) {}

  operands near_top(operation op) {
    switch (op) {
      case operation::add:
      case operation::add_double:
      case operation::sub:
      case operation::sub_double: {
        const real sum = large();
        return with_sum(op, sum, source_.one_in(4) ? huge() : of_exponents(960, 1023));
      }
      case operation::mul:
      case operation::mul_double:
        return with_product(op, large(), 0, 1023);
      case operation::div:
      case operation::div_double:
        // A large quotient, or a moderate one of operands of which the reciprocal underflows.
        if (source_.one_in(4)) return {huge(), huge()};
        return with_quotient(op, large(), -1074, -1);
      case operation::sqrt:
        return {huge(), {}};
    }
    return {};
  }

  operands near_bottom(operation op) {
    switch (op) {
      case operation::add:
      case operation::add_double:
      case operation::sub:
      case operation::sub_double: {
        const real sum = small();
        return with_sum(op, sum, of_exponents(-1074, -960));
      }
      case operation::mul:
      case operation::mul_double:
        return with_product(op, small(), -1022, 0);
      case operation::div:
      case operation::div_double:
        // A small quotient, or a moderate one of operands of which the reciprocal overflows.
        if (source_.one_in(4)) return {of_exponents(-1074, -960), of_exponents(-1074, -960)};
        return with_quotient(op, small(), 0, 1023);
      case operation::sqrt:
        return {of_exponents(-1074, -960), {}};
    }
    return {};
  }

 private:
  real units(std::uint64_t most) {
    const real n(static_cast<double>(source_.below(2 * most + 1)));
    return n - real(static_cast<double>(most));
  }
  real either_sign(const real& x) { return source_.one_in(2) ? x : -x; }

  // The result at the top: within some last places of a pair of the threshold, where the heads
  // alone overflow and the value does not, anywhere up to there, or beyond.
  real large() {
    switch (source_.below(4)) {
      case 0:
        return either_sign(overflow_threshold() + units(64) * real(0x1p917));
      case 1:
        return either_sign(overflow_threshold() + value(source_.near_power(970)));
      case 2:
        return value(source_.near_power(source_.between(1021, 1023)));
      default:
        return real(4) * value(source_.near_power(source_.between(1021, 1023)));
    }
  }

  // The result at the bottom: beside half of the smallest double, beside the middle of two
  // subnormal doubles, where hi becomes subnormal, or where lo does.
  real small() {
    const real eta(0x1p-1074);
    switch (source_.below(4)) {
      case 0:
        return either_sign(eta / real(2) + units(64) * real(0x1p-70) * eta);
      case 1: {
        const real middle = (units(40) + real(0.5)) * eta;
        return either_sign(middle + units(8) * real(0x1p-60) * eta);
      }
      case 2:
        return either_sign(real(0x1p-1022) + units(8) * eta / real(4));
      default:
        return value(source_.near_power(source_.between(-1074, -900)));
    }
  }

  pair huge() {
    const pair x = source_.near_power(source_.between(1020, 1023));
    if (!source_.one_in(3)) return x;
    const int exponent = source_.one_in(2) ? 969 : source_.between(900, 969);
    return operand_source::normalised(std::copysign(std::numeric_limits<double>::max(), x.hi),
                                      source_.number(exponent));
  }
  pair of_exponents(int low, int high) { return source_.near_power(source_.between(low, high)); }

  // The nearest pair, or almost; the largest numbers where it is beyond them.
  static pair nearest(const real& x) {
    const double hi = x.convert_to<double>();
    if (!std::isfinite(hi)) return {std::copysign(std::numeric_limits<double>::max(), hi), 0};
    return operand_source::normalised(hi, (x - real(hi)).convert_to<double>());
  }

  // One operand given, the other computed. Where the second is a double, it is the one given.
  operands with_sum(operation op, const real& sum, pair y) {
    if (second_is_double(op)) y.lo = 0;
    // Most summands of one sign, so that the other does not lie beyond the range.
    if ((y.hi > 0) != (sum > 0) && !source_.one_in(4)) y = {-y.hi, -y.lo};
    pair x = nearest(sum - value(y));
    if (!second_is_double(op) && source_.one_in(2)) std::swap(x, y);
    const bool subtracts = op == operation::sub || op == operation::sub_double;
    return {x, subtracts ? pair{-y.hi, -y.lo} : y};
  }
  operands with_product(operation op, const real& product, int low, int high) {
    pair y = of_exponents(low, high);
    if (second_is_double(op)) y.lo = 0;
    pair x = nearest(product / value(y));
    if (!second_is_double(op) && source_.one_in(2)) std::swap(x, y);
    return {x, y};
  }
  operands with_quotient(operation op, const real& quotient, int low, int high) {
    pair y = of_exponents(low, high);
    if (second_is_double(op)) y.lo = 0;
    return {nearest(quotient * value(y)), y};
  }

  operand_source& source_;
};

}  // namespace plumbline::oracle
