// Elementwise kernels and conversions against memcpy of the bytes moved and against the compiler's
// own vectors (-O3 for this machine).
#include "kernels/elementwise/elementwise.h"

#include "kernels/bench_operands.h"
#include "reference/scalar/conversions.h"

using namespace plumbline;

namespace {

constexpr std::size_t large = 64 << 20;  // bytes of each operand

template <class Kernel>
void df64_binary(benchmark::State& state, Kernel kernel) {
  const auto x = bench::df64_tensor({large / sizeof(df64)});
  const auto y = x;
  std::vector<df64> z(x.values.size());
  const kernels::strided<df64> xs(x.values.data(), z.size()), ys(y.values.data(), z.size());
  for (auto _ : state) {
    kernel(xs, ys, z);
    benchmark::ClobberMemory();
  }
  bench::per_second(state, "G_bytes", 3.0 * large);
}
#define DF64_BINARY(op)                                                      \
  BENCHMARK_CAPTURE(df64_binary, op, [](auto x, auto y, std::span<df64> z) { \
    kernels::op(x, y, z);                                                    \
  })->Unit(benchmark::kMillisecond);
DF64_BINARY(add)
DF64_BINARY(mul)
DF64_BINARY(div)
BENCHMARK_CAPTURE(df64_binary, axpy, [](auto x, auto y, std::span<df64> z) {
  kernels::axpy(df64(1.5), x, y, z);
}) -> Unit(benchmark::kMillisecond);

void bf16_narrow(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const std::vector<float> x(bytes / sizeof(float), 1.2345f);
  std::vector<bf16> z(x.size());
  for (auto _ : state) {
    kernels::narrow({x.data(), x.size()}, z);
    benchmark::ClobberMemory();
  }
  bench::per_second(state, "G_bytes", 1.5 * static_cast<double>(bytes));
}
BENCHMARK(bf16_narrow)->Arg(16 << 10)->Arg(large)->Unit(benchmark::kMicrosecond);

void bf16_narrow_by_compiler(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const std::vector<float> x(bytes / sizeof(float), 1.2345f);
  std::vector<bf16> z(x.size());
  for (auto _ : state) {
    for (std::size_t i = 0; i < x.size(); ++i) z[i] = narrow(x[i]);
    benchmark::ClobberMemory();
  }
  bench::per_second(state, "G_bytes", 1.5 * static_cast<double>(bytes));
}
BENCHMARK(bf16_narrow_by_compiler)->Arg(16 << 10)->Arg(large)->Unit(benchmark::kMicrosecond);

void bf16_add(benchmark::State& state) {
  const auto x = bench::bf16_tensor({large / sizeof(bf16)});
  std::vector<bf16> z(x.values.size());
  const kernels::strided<bf16> xs(x.values.data(), z.size());
  for (auto _ : state) {
    kernels::add(xs, xs, z);
    benchmark::ClobberMemory();
  }
  bench::per_second(state, "G_bytes", 2.0 * large);
}
BENCHMARK(bf16_add)->Unit(benchmark::kMillisecond);

}  // namespace
