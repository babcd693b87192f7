// First-order derivatives of the QR factorisation, from its factors alone (A is not read).
//
// JVP  W = Q^T dA;  S antisymmetric with the strict lower part of S R equal to that of W;
//      dR = W - S R (upper triangle; the rest is +0);  dQ = (dA - Q dR) R^-1
// VJP  M = R Rbar^T - Qbar^T Q;  C symmetric with the lower triangle of M;
//      Abar = (Qbar + Q C) R^-T
//
// (Walter, Lehmann, "On evaluating higher-order derivatives of the QR decomposition of tall
// matrices", 2012; Townsend, "Differentiating the QR decomposition", 2018.) The VJP ends in X R^T =
// B, not in X R = B: the two agree for one column only. Inner products are taken in the dot order,
// the solves subtract one such sum and divide.
//
// An absent tangent or cotangent is no zero: without one there is no derivative (an empty
// optional).
#pragma once

#include "qr.h"

namespace plumbline {

template <class T>
struct qr_cotangents {
  std::optional<tensor<T>> q, r;
};

namespace qr_detail {

template <class T>
std::optional<numeric_error> check_factors(const qr_factors<T>& f) {
  using enum numeric_error_kind;
  if (f.q.rank() != 2 || f.r.rank() != 2) {
    return numeric_error{rank_mismatch, "the factors of a QR are rank-2 tensors"};
  }
  const bool fits = f.q.is_consistent() && f.r.is_consistent() && f.r.rows() == f.r.columns() &&
                    f.q.columns() == f.r.rows() && f.q.rows() >= f.q.columns() && f.r.rows() > 0;
  if (!fits) {
    return numeric_error{shape_mismatch, "Q " + shape_text(f.q.shape) + " and R " +
                                             shape_text(f.r.shape) + " are no factors of a QR"};
  }
  for (std::size_t k = 0; k < f.r.rows(); ++k) {
    if (!(f.r(k, k) != T(0.0))) {
      return numeric_error{invalid_argument,
                           "R is not invertible: diagonal entry " + std::to_string(k) + " is zero"};
    }
  }
  return std::nullopt;
}

template <class T>
std::optional<numeric_error> check_shape(const tensor<T>& x, const shape_type& shape,
                                         const std::string& name) {
  if (x.shape == shape && x.is_consistent()) return std::nullopt;
  return numeric_error{numeric_error_kind::shape_mismatch,
                       name + " is " + shape_text(x.shape) + ", not " + shape_text(shape)};
}

template <class T>
std::optional<numeric_error> check_cotangents(const qr_factors<T>& f,
                                              const qr_cotangents<T>& cotangents) {
  std::optional<numeric_error> fault;
  if (cotangents.q) fault = check_shape(*cotangents.q, f.q.shape, "the cotangent of Q");
  if (!fault && cotangents.r) fault = check_shape(*cotangents.r, f.r.shape, "the cotangent of R");
  return fault;
}

// row(x, i) and column(x, j): the elements along one index, as inner_product takes them.
template <class T>
auto row(const tensor<T>& x, std::size_t i) {
  return [&x, i](std::size_t j) { return x(i, j); };
}
template <class T>
auto column(const tensor<T>& x, std::size_t j) {
  return [&x, j](std::size_t i) { return x(i, j); };
}

}  // namespace qr_detail

// The tangents of Q and R.
template <class T>
result<std::optional<qr_factors<T>>> qr_jvp(const qr_factors<T>& f,
                                            const std::optional<tensor<T>>& tangent) {
  using namespace qr_detail;
  if (const auto fault = check_factors(f)) return std::unexpected(*fault);
  if (!tangent) return std::nullopt;
  const tensor<T>& da = *tangent;
  if (const auto fault = check_shape(da, f.q.shape, "the tangent of A")) {
    return std::unexpected(*fault);
  }
  const std::size_t m = f.q.rows(), n = f.q.columns();

  tensor<T> w({n, n}), s({n, n});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      w(i, j) = inner_product<T>(m, column(f.q, i), column(da, j));
    }
  }
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t i = c + 1; i < n; ++i) {
      s(i, c) = (w(i, c) - inner_product<T>(c, row(s, i), column(f.r, c))) / f.r(c, c);
      s(c, i) = -s(i, c);
    }
  }
  tensor<T> dr({n, n}), dq({m, n});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      dr(i, j) = w(i, j) - inner_product<T>(j + 1, row(s, i), column(f.r, j));
    }
  }
  for (std::size_t c = 0; c < n; ++c) {  // X R = B, from the left
    for (std::size_t i = 0; i < m; ++i) {
      const T b = da(i, c) - inner_product<T>(c + 1, row(f.q, i), column(dr, c));
      dq(i, c) = (b - inner_product<T>(c, row(dq, i), column(f.r, c))) / f.r(c, c);
    }
  }
  return qr_factors<T>{std::move(dq), std::move(dr)};
}

// The cotangent of A. The strict lower triangle of the cotangent of R is not read.
template <class T>
result<std::optional<tensor<T>>> qr_vjp(const qr_factors<T>& f,
                                        const qr_cotangents<T>& cotangents) {
  using namespace qr_detail;
  if (const auto fault = check_factors(f)) return std::unexpected(*fault);
  if (!cotangents.q && !cotangents.r) return std::nullopt;
  if (const auto fault = check_cotangents(f, cotangents)) return std::unexpected(*fault);
  const std::size_t m = f.q.rows(), n = f.q.columns();

  tensor<T> c({n, n});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      T lower = T(0.0);
      if (cotangents.r) {  // R[i,e] is zero for e < i
        lower = inner_product<T>(
            n - i, [&](std::size_t e) { return f.r(i, i + e); },
            [&](std::size_t e) { return (*cotangents.r)(j, i + e); });
      }
      if (cotangents.q) {
        lower = lower - inner_product<T>(m, column(*cotangents.q, i), column(f.q, j));
      }
      c(i, j) = lower;
      c(j, i) = lower;
    }
  }
  tensor<T> gradient({m, n});
  for (std::size_t k = n; k-- > 0;) {  // X R^T = B, from the right
    for (std::size_t i = 0; i < m; ++i) {
      T b = inner_product<T>(n, row(f.q, i), column(c, k));
      if (cotangents.q) b = (*cotangents.q)(i, k) + b;
      const T known = inner_product<T>(
          n - k - 1, [&](std::size_t e) { return gradient(i, k + 1 + e); },
          [&](std::size_t e) { return f.r(k, k + 1 + e); });
      gradient(i, k) = (b - known) / f.r(k, k);
    }
  }
  return gradient;
}

}  // namespace plumbline
