// A peer: OpenBLAS's sgemm on the same operands, widened beforehand. One thread.
#include <cblas.h>

#include "kernels/bench_operands.h"

extern "C" void openblas_set_num_threads(int threads);

namespace {

void openblas_sgemm(benchmark::State& state) {
  constexpr int n = 1024;
  openblas_set_num_threads(1);
  const auto operand = plumbline::bench::bf16_tensor({n, n});
  std::vector<float> a, c(n * n);
  for (const plumbline::bf16 x : operand.values) a.push_back(float(x));
  for (auto _ : state) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a.data(), n, a.data(), n, 0,
                c.data(), n);
    benchmark::ClobberMemory();
  }
  plumbline::bench::per_second(state, "G_operations", 2.0 * n * n * n);
}
BENCHMARK(openblas_sgemm)->Unit(benchmark::kMillisecond);

}  // namespace
