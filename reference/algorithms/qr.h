// The reduced QR factorisation of a real matrix with m >= n and full column rank: A = Q R, Q (m x
// n) with orthonormal columns, R (n x n) upper triangular with a positive diagonal. Not pivoted.
//
// Modified Gram-Schmidt, a column at a time, with one re-orthogonalisation: both passes add into R.
//
//   for each column k:  q = a_k;  twice:  for j < k:  p = q_j . q;  q -= p q_j;  R[j,k] += p
//                       R[k,k] = sqrt(q . q);  q_k = q * (1 / R[k,k])
//
// Inner products are taken in the dot order (reductions.h). The operands of a product stand as
// written here; the strict lower triangle of R is +0.
//
// A column is refused as dependent where its norm after the second pass is at most
// dependence_threshold * u^2 of its norm before (u^2 the square of the unit roundoff for df64, u
// itself for double): what is left then is the rounding of the projections, and no digit of the
// diagonal entry, nor the direction of q, is known. This departs on purpose from testing for an
// exact zero, which accepts the columns (1,2), (2,4) and returns a Q that is not orthogonal.
//
// The limit of this test: it looks at one column at a time, so it finds exact dependence only where
// the columns before it are well conditioned. Where these are close to dependent themselves, the
// direction that tells them apart is known to few digits, and a later column in their span leaves
// more than the threshold: such a matrix is accepted, with an orthogonal Q and A = Q R to working
// precision (qr_test.cpp holds a case). No test of rank is promised.
//
// Domain: every column's norm within 2^-450 .. 2^500, so that no square overflows or loses digits.
#pragma once

#include <cmath>
#include <limits>
#include <optional>

#include "tensor.h"

namespace plumbline {

// Measured: exactly dependent columns behind well-conditioned ones, up to 128 rows and 100 columns,
// leave at most 1.5 units (conformance/oracle/algorithms_oracle_test.cpp, which demands 2.5); the
// independent (1,1), (1,1+1e-30) leave 40.6.
inline constexpr double dependence_threshold = 8;

// The unit of the relative error of one operation: u for double, u^2 for df64. Another scalar
// specialises it; it has no default.
template <class T>
inline constexpr double rounding_unit = [] {
  static_assert(sizeof(T) == 0, "state the rounding_unit of this scalar");
  return 0.0;
}();
template <>
inline constexpr double rounding_unit<double> = 0x1p-53;
template <>
inline constexpr double rounding_unit<df64> = 0x1p-106;

template <class T>
struct qr_factors {
  tensor<T> q, r;
};

namespace qr_detail {

template <class T>
std::optional<numeric_error> check_matrix(const tensor<T>& a) {
  using enum numeric_error_kind;
  if (a.rank() != 2) {
    return numeric_error{rank_mismatch, "QR takes a rank-2 tensor, not " + shape_text(a.shape)};
  }
  if (!a.is_consistent()) {
    return numeric_error{shape_mismatch, "values do not fill " + shape_text(a.shape)};
  }
  if (a.rows() == 0 || a.columns() == 0) {
    return numeric_error{invalid_argument, "QR of an empty matrix"};
  }
  if (a.rows() < a.columns()) {
    return numeric_error{
        invalid_argument,
        "QR needs at least as many rows as columns, not " + shape_text(a.shape)};
  }
  return std::nullopt;
}

}  // namespace qr_detail

template <class T>
result<qr_factors<T>> qr(const tensor<T>& a) {
  using enum numeric_error_kind;
  using std::isfinite, std::sqrt;
  if (const auto fault = qr_detail::check_matrix(a)) return std::unexpected(*fault);
  const std::size_t m = a.rows(), n = a.columns();

  tensor<T> q = a, r({n, n});
  const auto column = [&](std::size_t k) { return [&q, k](std::size_t i) { return q(i, k); }; };
  const auto norm = [&](std::size_t k) { return sqrt(inner_product<T>(m, column(k), column(k))); };
  for (std::size_t k = 0; k < n; ++k) {
    const std::string name = "column " + std::to_string(k);
    const T before = norm(k);
    if (!isfinite(before)) return refuse(invalid_argument, name + " has no finite norm");
    if (before == T(0.0)) return refuse(invalid_argument, name + " is a zero column");
    if (before < T(0x1p-450) || before > T(0x1p500)) {
      return refuse(invalid_argument, "the squares of " + name + " overflow or underflow");
    }
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t j = 0; j < k; ++j) {
        const T p = inner_product<T>(m, column(j), column(k));
        for (std::size_t i = 0; i < m; ++i) q(i, k) = q(i, k) - p * q(i, j);
        r(j, k) = r(j, k) + p;
      }
    }
    const T after = norm(k);
    if (!(after > before * T(dependence_threshold * rounding_unit<T>))) {
      return refuse(invalid_argument, name +
                                          " depends on those before it: all but a zero column is "
                                          "taken away by the projections");
    }
    const T scale = T(1.0) / after;
    for (std::size_t i = 0; i < m; ++i) q(i, k) = q(i, k) * scale;
    r(k, k) = after;
  }
  return qr_factors<T>{std::move(q), std::move(r)};
}

}  // namespace plumbline
