// Judges bfloat16: the nearest of the 65,536 patterns by distance, ties to the even one, and the
// error of an operation in units of the last place.
#pragma once

#include <cstdint>

#include "real.h"

namespace plumbline::oracle {

// The value of a pattern that is not inf or NaN, built from its fields.
real bf16_value(std::uint16_t bits);

// The pattern nearest to x among the finite ones and 2^128, which stands for inf; ties to even.
std::uint16_t nearest_bf16(const real& x);
// The same for a finite double, by distances that are exact in double.
std::uint16_t nearest_bf16(double x);

enum class bf16_operation { add, sub, mul, div, sqrt };

// Whether z is x op y, computed in float and rounded once: the correctly rounded result where that
// is zero or at least 2^-126 (and always for sums), else within half a unit in the last place +
// 2^-150.
bool judge_bf16(bf16_operation op, std::uint16_t x, std::uint16_t y, std::uint16_t z);

}  // namespace plumbline::oracle
