// QR against the same algorithm over QD's double-doubles (qd_bench.cpp).
#include "kernels/qr/qr.h"

#include "kernels/bench_operands.h"

using namespace plumbline;

namespace {

void df64_qr(benchmark::State& state) {
  const auto a = bench::df64_tensor({512, 256});
  kernels::workspace work;
  for (auto _ : state) benchmark::DoNotOptimize(kernels::qr(a, work));
  // Two passes of a projection and a subtraction for each pair of columns, two norms a column.
  bench::per_second(state, "G_multiply_adds", 512.0 * (2 * 256 * 255 + 2 * 256));
}
BENCHMARK(df64_qr)->Unit(benchmark::kMillisecond);

}  // namespace
