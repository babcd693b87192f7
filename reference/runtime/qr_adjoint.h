// The adjoint of QR in a borrowed workspace: the formula of qr_derivatives.h, stage by stage, each
// stage's matrix kept in a buffer of its own. Same bits.
//
//   M = R Rbar^T - Qbar^T Q,  S = copyltu(M),  B = Qbar + Q S,  X R^T = B
//
// Eight buffers, for m x n of T: 3 m n + 5 n^2 elements, so 64 x 64 of df64 retains 524,288 bytes.
#pragma once

#include <algorithm>

#include "../algorithms/qr_derivatives.h"

namespace plumbline {

template <class T>
struct qr_adjoint_workspace {
  std::vector<T> qbar_t, qs, b;                      // n x m, m x n, m x n
  std::vector<T> rbar_t, r_rbar_t, qbar_t_q, mm, s;  // n x n

  std::size_t bytes() const {
    std::size_t elements = 0;
    for (const auto* v : {&qbar_t, &qs, &b, &rbar_t, &r_rbar_t, &qbar_t_q, &mm, &s}) {
      elements += v->capacity();
    }
    return elements * sizeof(T);
  }
  // Buffers of zeros; those of the right size are not allocated again.
  void fit(std::size_t m, std::size_t n) {
    for (auto* v : {&qbar_t, &qs, &b}) v->assign(m * n, T{});
    for (auto* v : {&rbar_t, &r_rbar_t, &qbar_t_q, &mm, &s}) v->assign(n * n, T{});
  }
};

template <class T>
result<tensor<T>> qr_adjoint(const qr_factors<T>& f, const qr_cotangents<T>& cotangents,
                             qr_adjoint_workspace<T>& w) {
  using namespace qr_detail;
  const std::size_t m = f.q.rows(), n = f.q.columns();
  w.fit(m, n);
  if (const auto fault = check_factors(f)) return std::unexpected(*fault);
  if (cotangents.q) {
    if (const auto fault = check_shape(*cotangents.q, f.q.shape, "the cotangent of Q")) {
      return std::unexpected(*fault);
    }
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) w.qbar_t[j * m + i] = (*cotangents.q)(i, j);
    }
  }
  if (cotangents.r) {
    if (const auto fault = check_shape(*cotangents.r, f.r.shape, "the cotangent of R")) {
      return std::unexpected(*fault);
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i; j < n; ++j) w.rbar_t[j * n + i] = (*cotangents.r)(i, j);
    }
  }

  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if (cotangents.r) {  // R[i,e] is zero for e < i
        w.r_rbar_t[i * n + j] = inner_product<T>(
            n - i, [&](std::size_t e) { return f.r(i, i + e); },
            [&](std::size_t e) { return w.rbar_t[(i + e) * n + j]; });
      }
      T lower = w.r_rbar_t[i * n + j];
      if (cotangents.q) {
        w.qbar_t_q[i * n + j] = inner_product<T>(
            m, [&](std::size_t e) { return w.qbar_t[i * m + e]; }, column(f.q, j));
        lower = lower - w.qbar_t_q[i * n + j];
      }
      w.mm[i * n + j] = lower;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) w.s[i * n + j] = w.mm[std::max(i, j) * n + std::min(i, j)];
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      w.qs[i * n + k] =
          inner_product<T>(n, row(f.q, i), [&](std::size_t e) { return w.s[e * n + k]; });
      w.b[i * n + k] = cotangents.q ? (*cotangents.q)(i, k) + w.qs[i * n + k] : w.qs[i * n + k];
    }
  }
  tensor<T> gradient({m, n});
  for (std::size_t k = n; k-- > 0;) {  // X R^T = B, from the right
    for (std::size_t i = 0; i < m; ++i) {
      const T known = inner_product<T>(
          n - k - 1, [&](std::size_t e) { return gradient(i, k + 1 + e); },
          [&](std::size_t e) { return f.r(k, k + 1 + e); });
      gradient(i, k) = (w.b[i * n + k] - known) / f.r(k, k);
    }
  }
  return gradient;
}

}  // namespace plumbline
