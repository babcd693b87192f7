// A peer: QD's dd_real with its accurate addition (QD_IEEE_ADD) and its multiply-subtract macro set
// to the fused instruction, -O3 for this machine, no contraction. Product and QR as written in the
// textbook, loops in the order that the compiler vectorises best.
#include <cmath>

#define QD_IEEE_ADD 1
#define QD_FMS(a, b, c) std::fma(a, b, -(c))
#include <qd/dd_real.h>

#include "kernels/bench_operands.h"

namespace {

std::vector<dd_real> operand(std::size_t rows, std::size_t columns) {
  std::vector<dd_real> x;
  for (const plumbline::df64 v : plumbline::bench::df64_tensor({rows, columns}).values) {
    x.emplace_back(v.hi, v.lo);
  }
  return x;
}

void qd_product(benchmark::State& state) {
  constexpr std::size_t n = 512;
  const auto a = operand(n, n);
  std::vector<dd_real> c(n * n);
  for (auto _ : state) {
    std::fill(c.begin(), c.end(), dd_real(0.0));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        const dd_real x = a[i * n + k];
        for (std::size_t j = 0; j < n; ++j) c[i * n + j] += x * a[k * n + j];
      }
    }
    benchmark::ClobberMemory();
  }
  plumbline::bench::per_second(state, "G_multiply_adds", 1.0 * n * n * n);
}
BENCHMARK(qd_product)->Unit(benchmark::kMillisecond);

void qd_qr(benchmark::State& state) {
  constexpr std::size_t m = 512, n = 256;
  const auto a = operand(n, m);  // its rows are the columns
  for (auto _ : state) {
    auto q = a;
    std::vector<dd_real> r(n * n);
    for (std::size_t k = 0; k < n; ++k) {
      dd_real* const x = &q[k * m];
      for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t j = 0; j < k; ++j) {
          const dd_real* const y = &q[j * m];
          dd_real p = 0.0;
          for (std::size_t i = 0; i < m; ++i) p += y[i] * x[i];
          for (std::size_t i = 0; i < m; ++i) x[i] -= p * y[i];
          r[j * n + k] += p;
        }
      }
      dd_real square = 0.0;
      for (std::size_t i = 0; i < m; ++i) square += x[i] * x[i];
      r[k * n + k] = sqrt(square);
      const dd_real scale = 1.0 / r[k * n + k];
      for (std::size_t i = 0; i < m; ++i) x[i] *= scale;
    }
    benchmark::DoNotOptimize(q.data());
    benchmark::DoNotOptimize(r.data());
  }
  plumbline::bench::per_second(state, "G_multiply_adds", 512.0 * (2 * 256 * 255 + 2 * 256));
}
BENCHMARK(qd_qr)->Unit(benchmark::kMillisecond);

}  // namespace
