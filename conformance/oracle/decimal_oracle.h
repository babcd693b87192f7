// Decimal literals as exact rationals (GMP), rounded by MPFR.
#pragma once

#include <cstdint>
#include <string>

#include "real.h"

namespace plumbline::oracle {

// RN(value) and RN(value - RN(value)) of a literal such as -12.5e-3; inf and 0 where it is too
// large. Not normalised. Throws std::invalid_argument for what is no decimal literal.
pair nearest_doubles(const std::string& literal);

// significand * 2^exponent written out in full: every digit of it.
std::string exact_decimal(const std::string& significand, long exponent);

}  // namespace plumbline::oracle
