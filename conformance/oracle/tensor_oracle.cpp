#include "tensor_oracle.h"

#include <algorithm>
#include <limits>
#include <map>

namespace plumbline::oracle {
namespace {

constexpr double units = 0x1p106;  // 1 / u^2

rational exact_value(pair x) { return rational(x.hi) + rational(x.lo); }

// A matrix of reals, row-major.
struct matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<real> values;

  matrix(std::size_t m, std::size_t n) : rows(m), columns(n), values(m * n) {}
  explicit matrix(const array& a) : matrix(a.shape[0], a.shape[1]) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(a.values[i]);
  }
  real& operator()(std::size_t i, std::size_t j) { return values[i * columns + j]; }
  const real& operator()(std::size_t i, std::size_t j) const { return values[i * columns + j]; }
};

real column_norm(const matrix& a, std::size_t j) {
  real sum = 0;
  for (std::size_t i = 0; i < a.rows; ++i) sum += a(i, j) * a(i, j);
  return sqrt(sum);
}

struct factors {
  matrix q, r;
};

// Gram-Schmidt; with 2159 bits one pass is enough for every input that df64 can hold apart.
factors factorise(const matrix& a) {
  factors f{a, matrix(a.columns, a.columns)};
  for (std::size_t k = 0; k < a.columns; ++k) {
    for (std::size_t j = 0; j < k; ++j) {
      real p = 0;
      for (std::size_t i = 0; i < a.rows; ++i) p += f.q(i, j) * f.q(i, k);
      for (std::size_t i = 0; i < a.rows; ++i) f.q(i, k) -= p * f.q(i, j);
      f.r(j, k) = p;
    }
    f.r(k, k) = column_norm(f.q, k);
    for (std::size_t i = 0; i < a.rows; ++i) f.q(i, k) /= f.r(k, k);
  }
  return f;
}

factors central_difference(const matrix& a, const matrix& v) {
  const real h = ldexp(real(1), -300);
  matrix up = a, down = a;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    up.values[i] += h * v.values[i];
    down.values[i] -= h * v.values[i];
  }
  factors d = factorise(up);
  const factors e = factorise(down);
  for (std::size_t i = 0; i < d.q.values.size(); ++i) {
    d.q.values[i] = (d.q.values[i] - e.q.values[i]) / (2 * h);
  }
  for (std::size_t i = 0; i < d.r.values.size(); ++i) {
    d.r.values[i] = (d.r.values[i] - e.r.values[i]) / (2 * h);
  }
  return d;
}

}  // namespace

std::vector<exact_sum> exact_einsum(const std::vector<labels>& operands, const labels& output,
                                    const std::vector<array>& values) {
  std::map<std::uint32_t, std::size_t> extent, index;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (std::size_t axis = 0; axis < operands[i].size(); ++axis) {
      extent[operands[i][axis]] = values[i].shape[axis];
    }
  }
  const auto offset = [&](const labels& ls) {
    std::size_t o = 0;
    for (const auto l : ls) o = o * extent.at(l) + index.at(l);
    return o;
  };
  std::size_t outputs = 1, assignments = 1;
  for (const auto l : output) outputs *= extent.at(l);
  for (const auto& [l, n] : extent) assignments *= n;

  std::vector<exact_sum> sums(outputs);
  for (std::size_t count = 0; count < assignments; ++count) {
    std::size_t rest = count;
    for (const auto& [l, n] : extent) {
      index[l] = rest % n;
      rest /= n;
    }
    rational product = 1;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      product *= exact_value(values[i].values[offset(operands[i])]);
    }
    exact_sum& sum = sums[offset(output)];
    sum.value += product;
    sum.magnitude += abs(product);
  }
  return sums;
}

double einsum_error(const std::vector<exact_sum>& exact, const std::vector<pair>& z) {
  if (exact.size() != z.size()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const rational error = abs(exact_value(z[i]) - exact[i].value);
    if (error == 0) continue;
    if (exact[i].magnitude == 0) return std::numeric_limits<double>::infinity();
    const rational relative = error / exact[i].magnitude * rational(units);
    worst = std::max(worst, relative.convert_to<double>());
  }
  return worst;
}

double einsum_bound(std::size_t terms, std::size_t steps) {
  const double n = static_cast<double>(terms), k = static_cast<double>(steps);
  return k * (4 + 2 * n) * (1 + 0x1p-40);
}

qr_error judge_qr(const array& a, const array& q, const array& r) {
  const matrix ma(a), mq(q), mr(r);
  qr_error error;
  real reconstruction = 0, orthogonality = 0;
  for (std::size_t j = 0; j < ma.columns; ++j) {
    const real norm = column_norm(ma, j);
    for (std::size_t i = 0; i < ma.rows; ++i) {
      real residual = ma(i, j);
      for (std::size_t k = 0; k < ma.columns; ++k) residual -= mq(i, k) * mr(k, j);
      reconstruction = std::max<real>(reconstruction, abs(residual) / norm);
    }
    for (std::size_t k = 0; k < ma.columns; ++k) {
      real product = j == k ? -1 : 0;
      for (std::size_t i = 0; i < ma.rows; ++i) product += mq(i, j) * mq(i, k);
      orthogonality = std::max<real>(orthogonality, abs(product));
      if (k < j && mr(j, k) != 0) error.upper = false;
    }
    if (mr(j, j) <= 0) error.positive = false;
  }
  error.reconstruction = (reconstruction * units).convert_to<double>();
  error.orthogonality = (orthogonality * units).convert_to<double>();
  return error;
}

real_factors qr_exact(const array& a) {
  const factors f = factorise(matrix(a));
  return {f.q.values, f.r.values};
}

pair rounded(const real& x) {
  const auto hi = x.convert_to<double>();
  return {hi, real(x - hi).convert_to<double>() + 0.0};
}

double independence(const array& a) {
  const matrix m(a);
  const matrix r = factorise(m).r;
  real smallest = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < m.columns; ++j) {
    smallest = std::min<real>(smallest, r(j, j) / column_norm(m, j));
    if (smallest < ldexp(real(1), -1000)) return 0;
  }
  return (smallest * units).convert_to<double>();
}

real_factors qr_difference(const array& a, const array& v) {
  factors d = central_difference(matrix(a), matrix(v));
  return {std::move(d.q.values), std::move(d.r.values)};
}

std::vector<real> qr_gradient(const array& a, const array& wq, const array& wr) {
  const matrix m(a);
  std::vector<real> gradient(m.values.size());
  for (std::size_t entry = 0; entry < gradient.size(); ++entry) {
    matrix unit(m.rows, m.columns);
    unit.values[entry] = 1;
    const factors d = central_difference(m, unit);
    for (std::size_t i = 0; i < wq.values.size(); ++i) {
      gradient[entry] += value(wq.values[i]) * d.q.values[i];
    }
    for (std::size_t i = 0; i < wr.values.size(); ++i) {
      gradient[entry] += value(wr.values[i]) * d.r.values[i];
    }
  }
  return gradient;
}

double difference(const std::vector<pair>& x, const std::vector<real>& exact) {
  if (x.size() != exact.size()) return std::numeric_limits<double>::infinity();
  real worst = 0, scale = 1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    worst = std::max<real>(worst, abs(value(x[i]) - exact[i]));
    scale = std::max<real>(scale, abs(exact[i]));
  }
  return (worst / scale).convert_to<double>();
}

}  // namespace plumbline::oracle
