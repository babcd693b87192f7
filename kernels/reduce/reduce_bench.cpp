// Sums and dot products against memcpy of the bytes read.
#include "kernels/reduce/reduce.h"

#include "kernels/bench_operands.h"

using namespace plumbline;

namespace {

constexpr std::size_t large = 64 << 20;

void df64_sum(benchmark::State& state) {
  const auto x = bench::df64_tensor({large / sizeof(df64)});
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        kernels::sum(kernels::strided<df64>(x.values.data(), x.values.size())));
  }
  bench::per_second(state, "G_bytes", large);
}
BENCHMARK(df64_sum)->Unit(benchmark::kMillisecond);

void bf16_sum(benchmark::State& state) {
  const auto x = bench::bf16_tensor({large / sizeof(bf16)});
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        kernels::sum(kernels::strided<bf16>(x.values.data(), x.values.size())));
  }
  bench::per_second(state, "G_bytes", large);
}
BENCHMARK(bf16_sum)->Unit(benchmark::kMillisecond);

template <class T>
void dot_of(benchmark::State& state, const tensor<T>& x, const tensor<T>& y) {
  const kernels::strided<T> xs(x.values.data(), x.values.size()), ys(y.values.data(), y.values.size());
  for (auto _ : state) benchmark::DoNotOptimize(kernels::dot(xs, ys));
  bench::per_second(state, "G_bytes", 2.0 * large);
}
void df64_dot(benchmark::State& state) {
  const auto x = bench::df64_tensor({large / sizeof(df64)});
  const auto y = x;
  dot_of(state, x, y);
}
BENCHMARK(df64_dot)->Unit(benchmark::kMillisecond);
void bf16_dot(benchmark::State& state) {
  const auto x = bench::bf16_tensor({large / sizeof(bf16)});
  const auto y = x;
  dot_of(state, x, y);
}
BENCHMARK(bf16_dot)->Unit(benchmark::kMillisecond);

}  // namespace
