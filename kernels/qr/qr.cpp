#include "kernels/qr/qr.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/elementwise/elementwise.h"
#include "kernels/qr/project_kernels.h"
#include "kernels/reduce/reduce.h"

namespace plumbline::kernels {
namespace {

using enum numeric_error_kind;

strided<df64> part_of_row(const tensor<df64>& x, std::size_t row, std::size_t first,
                          std::size_t n) {
  return {x.values.data() + row * x.columns() + first, n};
}
strided<df64> part_of_row(const tensor<df64>& x, std::size_t row, std::size_t n) {
  return part_of_row(x, row, 0, n);
}
// So that columns lie contiguous, as rows.
tensor<df64> transposed(const tensor<df64>& x) {
  tensor<df64> t({x.columns(), x.rows()});
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t j = 0; j < x.columns(); ++j) t(j, i) = x(i, j);
  }
  return t;
}
// Every element of a row-major matrix, a line of the cache from each row in turn.
template <class Visit>
void by_lines(std::size_t rows, std::size_t columns, Visit visit) {
  constexpr std::size_t line = 64 / sizeof(df64);
  for (std::size_t first = 0; first < columns; first += line) {
    const std::size_t end = std::min(columns, first + line);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t k = first; k < end; ++k) visit(i, k);
    }
  }
}
std::size_t bytes_of(std::size_t rows, std::size_t columns) {
  return rows * columns * sizeof(df64);
}

}  // namespace

result<qr_factors<df64>> qr(const tensor<df64>& a, workspace& work) {
  if (const auto fault = qr_detail::check_matrix(a)) return std::unexpected(*fault);
  const std::size_t m = a.rows(), n = a.columns();
  const std::size_t length = (m + partial_sums - 1) / partial_sums * partial_sums;
  if (const auto room = take_scratch(2 * n * length * sizeof(double), "QR needs", work); !room) {
    return std::unexpected(room.error());
  }

  // The columns, high and low parts apart.
  std::vector<double> hi(n * length), lo(n * length);
  const auto column_of = [&](std::size_t k) {
    return column{hi.data() + k * length, lo.data() + k * length};
  };
  by_lines(m, n, [&](std::size_t i, std::size_t k) {
    hi[k * length + i] = a(i, k).hi;
    lo[k * length + i] = a(i, k).lo;
  });
  const project_kernels& kernels = chosen_project_kernels();
  tensor<df64> r({n, n});
  for (std::size_t k = 0; k < n; ++k) {
    const std::string name = "column " + std::to_string(k);
    const column q = column_of(k);
    // A poisoned sum of squares is as little finite as the reference's.
    const df64 squares = kernels.dot(length, q, q);
    const df64 before = plumbline::sqrt(squares);
    if (!std::isfinite(before.hi) || !std::isfinite(before.lo)) {
      return refuse(invalid_argument, name + " has no finite norm");
    }
    if (before == df64(0.0)) return refuse(invalid_argument, name + " is a zero column");
    if (before < df64(0x1p-450) || before > df64(0x1p500)) {
      return refuse(invalid_argument, "the squares of " + name + " overflow or underflow");
    }
    // Each subtraction goes with the next inner product, at last with the square of the norm.
    df64 product = k == 0 ? squares : kernels.dot(length, column_of(0), q);
    for (std::size_t step = 1; step <= 2 * k; ++step) {
      const std::size_t j = (step - 1) % k;
      r(j, k) = r(j, k) + product;
      const column next = step == 2 * k ? q : column_of(step % k);
      product = kernels.subtract_and_dot(length, product, column_of(j), q, next);
    }
    const df64 after = plumbline::sqrt(product);
    if (!(after > before * df64(dependence_threshold * rounding_unit<df64>))) {
      return refuse(invalid_argument, name + " depends on those before it");
    }
    kernels.scale(length, df64(1.0) / after, q);
    r(k, k) = after;
  }
  tensor<df64> q({m, n});
  by_lines(m, n, [&](std::size_t i, std::size_t k) {
    q(i, k) = df64::raw(hi[k * length + i], lo[k * length + i]);
  });
  return qr_factors<df64>{std::move(q), std::move(r)};
}

// The checks are the reference's own.
result<std::optional<qr_factors<df64>>> qr_jvp(const qr_factors<df64>& f,
                                               const std::optional<tensor<df64>>& tangent,
                                               workspace& work) {
  using namespace qr_detail;
  if (const auto fault = check_factors(f)) return std::unexpected(*fault);
  if (!tangent) return std::nullopt;
  const tensor<df64>& da = *tangent;
  if (const auto fault = check_shape(da, f.q.shape, "the tangent of A")) {
    return std::unexpected(*fault);
  }
  const std::size_t m = f.q.rows(), n = f.q.columns();
  const std::size_t needed = 2 * bytes_of(m, n) + 4 * bytes_of(n, n);
  if (const auto room = take_scratch(needed, "QR needs", work); !room) {
    return std::unexpected(room.error());
  }
  const tensor<df64> q_columns = transposed(f.q), da_columns = transposed(da);
  const tensor<df64> r_columns = transposed(f.r);
  tensor<df64> w({n, n}), s({n, n});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      w(i, j) = dot(part_of_row(q_columns, i, m), part_of_row(da_columns, j, m));
    }
  }
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t i = c + 1; i < n; ++i) {
      s(i, c) = (w(i, c) - dot(part_of_row(s, i, c), part_of_row(r_columns, c, c))) / f.r(c, c);
      s(c, i) = -s(i, c);
    }
  }
  tensor<df64> dr({n, n}), dr_columns({n, n}), dq({m, n});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      dr(i, j) = w(i, j) - dot(part_of_row(s, i, j + 1), part_of_row(r_columns, j, j + 1));
      dr_columns(j, i) = dr(i, j);
    }
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t c = 0; c < n; ++c) {
      const df64 b = da(i, c) - dot(part_of_row(f.q, i, c + 1), part_of_row(dr_columns, c, c + 1));
      dq(i, c) = (b - dot(part_of_row(dq, i, c), part_of_row(r_columns, c, c))) / f.r(c, c);
    }
  }
  return qr_factors<df64>{std::move(dq), std::move(dr)};
}

result<std::optional<tensor<df64>>> qr_vjp(const qr_factors<df64>& f,
                                           const qr_cotangents<df64>& cotangents, workspace& work) {
  using namespace qr_detail;
  if (const auto fault = check_factors(f)) return std::unexpected(*fault);
  if (!cotangents.q && !cotangents.r) return std::nullopt;
  if (const auto fault = check_cotangents(f, cotangents)) return std::unexpected(*fault);
  const std::size_t m = f.q.rows(), n = f.q.columns();
  const std::size_t copies = cotangents.q ? 2 * bytes_of(m, n) : 0;
  if (const auto room = take_scratch(copies + bytes_of(n, n), "QR needs", work); !room) {
    return std::unexpected(room.error());
  }
  tensor<df64> q_columns, qbar_columns;
  if (cotangents.q) {
    q_columns = transposed(f.q);
    qbar_columns = transposed(*cotangents.q);
  }
  tensor<df64> c({n, n});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      df64 lower = 0.0;
      if (cotangents.r) {
        lower = dot(part_of_row(f.r, i, i, n - i), part_of_row(*cotangents.r, j, i, n - i));
      }
      if (cotangents.q) {
        lower = lower - dot(part_of_row(qbar_columns, i, m), part_of_row(q_columns, j, m));
      }
      c(i, j) = lower;
      c(j, i) = lower;  // so that its rows are its columns
    }
  }
  tensor<df64> gradient({m, n});
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = n; k-- > 0;) {
      df64 b = dot(part_of_row(f.q, i, n), part_of_row(c, k, n));
      if (cotangents.q) b = (*cotangents.q)(i, k) + b;
      const std::size_t known = n - k - 1;
      b = b - dot(part_of_row(gradient, i, k + 1, known), part_of_row(f.r, k, k + 1, known));
      gradient(i, k) = b / f.r(k, k);
    }
  }
  return gradient;
}

}  // namespace plumbline::kernels
