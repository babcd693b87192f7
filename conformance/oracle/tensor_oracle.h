// What is true of a contraction, by exact rationals, and of a QR factorisation and its derivatives,
// by MPFR. Written from the definitions: no fold, no order of accumulation, no derivative formula.
#pragma once

#include <boost/multiprecision/gmp.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "real.h"

namespace plumbline::oracle {

using rational = boost::multiprecision::mpq_rational;
using labels = std::vector<std::uint32_t>;

// Row-major, as an implementation gives it.
struct array {
  std::vector<std::size_t> shape;
  std::vector<pair> values;
};

// Each output: the sum, over every assignment of the labels it does not name, of the products; and
// the same of the absolute values, which is what an error is measured against.
struct exact_sum {
  rational value, magnitude;
};
std::vector<exact_sum> exact_einsum(const std::vector<labels>& operands, const labels& output,
                                    const std::vector<array>& values);

// The largest |z - exact| in units of u^2 * magnitude; outputs of magnitude zero must be exact
// (else inf). u^2 = 2^-106.
double einsum_error(const std::vector<exact_sum>& exact, const std::vector<pair>& z);

// What any order of accumulation keeps within, in the same units: a product (4 u^2) and an addition
// (2 u^2) for each of `terms` terms, in each of the steps of a fold.
double einsum_bound(std::size_t terms, std::size_t steps);

// Errors of a factorisation in units of u^2.
struct qr_error {
  double reconstruction = 0;  // largest |A - Q R| in a column, over the norm of that column of A
  double orthogonality = 0;   // largest |Q^T Q - I|
  bool upper = true;          // R is exactly zero below the diagonal
  bool positive = true;       // the diagonal of R is positive
};
qr_error judge_qr(const array& a, const array& q, const array& r);

// The smallest norm of what a column adds to those before it, over the column's own norm, in units
// of u^2: 0 where the columns are dependent.
double independence(const array& a);

struct real_factors {
  std::vector<real> q, r;
};
real_factors qr_exact(const array& a);

// The nearest df64: both parts rounded to nearest.
pair rounded(const real& x);

// Derivatives of the factors along v, as central differences with so many digits that all those of
// a df64 are right.
real_factors qr_difference(const array& a, const array& v);

// The gradient of <wq, Q> + <wr, R> with respect to A, entry by entry; an empty weight is absent.
std::vector<real> qr_gradient(const array& a, const array& wq, const array& wr);

// The largest |x - exact|, over the largest |exact| and 1.
double difference(const std::vector<pair>& x, const std::vector<real>& exact);

}  // namespace plumbline::oracle
