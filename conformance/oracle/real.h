// Real numbers for the oracle: MPFR with so many bits that every sum of two pairs of doubles is
// exact (2^1025 down to 2^-1074), and every other operation is known to far more digits than any
// bound.
#pragma once

#include <boost/multiprecision/mpfr.hpp>

namespace plumbline::oracle {

// 650 decimal digits are at least 2159 bits.
using real = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<650, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;

// A double-double as it comes from an implementation: two doubles, whatever their form.
struct pair {
  double hi = 0;
  double lo = 0;
};

inline real value(pair x) { return real(x.hi) + real(x.lo); }

}  // namespace plumbline::oracle
