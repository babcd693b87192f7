// Scalar operations against MPFR: conformance/oracle says what each bound is.
#include <bit>
#include <cmath>

#include "../build.h"
#include "../target.h"
#include "conformance/oracle/bf16_oracle.h"
#include "conformance/oracle/df64_oracle.h"
#include "reference/scalar/bf16.h"
#include "reference/scalar/df64.h"

namespace plumbline::fuzz {

namespace {

df64 apply(oracle::operation op, df64 x, df64 y) {
  using enum oracle::operation;
  switch (op) {
    case add: return x + y;
    case sub: return x - y;
    case mul: return x * y;
    case div: return x / y;
    case oracle::operation::sqrt: return plumbline::sqrt(x);
    case add_double: return x + y.hi;
    case sub_double: return x - y.hi;
    case mul_double: return x * y.hi;
    case div_double: return x / y.hi;
  }
  return x;
}

bf16 apply(oracle::bf16_operation op, bf16 x, bf16 y) {
  using enum oracle::bf16_operation;
  switch (op) {
    case add: return x + y;
    case sub: return x - y;
    case mul: return x * y;
    case div: return x / y;
    case oracle::bf16_operation::sqrt: return plumbline::sqrt(x);
  }
  return x;
}

std::string hex(double value) { return std::to_string(std::bit_cast<std::uint64_t>(value)); }

}  // namespace

std::string scalar_mpfr(ByteView input) {
  Choices choices(input);
  std::uint8_t op = choices.byte();
  if (op % 2 == 0) {
    auto x = static_cast<std::uint16_t>(choices.byte() << 8 | choices.byte());
    auto y = static_cast<std::uint16_t>(choices.byte() << 8 | choices.byte());
    auto which = static_cast<oracle::bf16_operation>(op / 2 % 5);
    bf16 z = apply(which, bf16::from_bits(x), bf16::from_bits(y));
    if (!oracle::judge_bf16(which, x, y, z.bits))
      return "bf16 operation " + std::to_string(op / 2 % 5) + " of " + std::to_string(x) + " and " +
             std::to_string(y) + " is " + std::to_string(z.bits);
    return "";
  }
  auto number = [&] { return std::bit_cast<double>(choices.wide()); };
  double a = number(), b = number(), c = number(), e = number();
  df64 x(a, b), y(c, e);  // canonical, whatever the bits
  oracle::operation which = oracle::all_operations[op / 2 % oracle::all_operations.size()];
  df64 z = apply(which, x, y);
  oracle::verdict v = oracle::judge(which, {x.hi, x.lo}, {y.hi, y.lo}, {z.hi, z.lo});
  if (v.within) return "";
  return std::string(oracle::to_string(which)) + " of " + hex(x.hi) + ":" + hex(x.lo) + " and " + hex(y.hi) + ":" +
         hex(y.lo) + ": " + v.fault;
}

}  // namespace plumbline::fuzz
