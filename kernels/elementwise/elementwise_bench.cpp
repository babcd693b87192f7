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
DF64_BINARY(sub)
DF64_BINARY(mul)
DF64_BINARY(div)
BENCHMARK_CAPTURE(df64_binary, axpy, [](auto x, auto y, std::span<df64> z) {
  kernels::axpy(df64(1.5), x, y, z);
}) -> Unit(benchmark::kMillisecond);

// Of a negative number it is a NaN, by the reference.
template <class T>
void make_positive(tensor<T>& x) {
  for (T& v : x.values) {
    if (v < T(0.0f)) v = -v;
  }
}

void df64_sqrt(benchmark::State& state) {
  auto x = bench::df64_tensor({large / sizeof(df64)});
  make_positive(x);
  std::vector<df64> z(x.values.size());
  for (auto _ : state) {
    kernels::sqrt({x.values.data(), z.size()}, z);
    benchmark::ClobberMemory();
  }
  bench::per_second(state, "G_bytes", 2.0 * large);
}
BENCHMARK(df64_sqrt)->Unit(benchmark::kMillisecond);

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

// Of one operand, with itself; made once, as that takes longer than the work.
const tensor<bf16>& large_bf16() {
  static const tensor<bf16> made = [] {
    auto x = bench::bf16_tensor({large / sizeof(bf16)});
    make_positive(x);
    return x;
  }();
  return made;
}
template <class R, class Kernel>
void bf16_elementwise(benchmark::State& state, R, Kernel kernel) {
  const tensor<bf16>& x = large_bf16();
  std::vector<R> z(x.values.size());
  const kernels::strided<bf16> xs(x.values.data(), z.size());
  for (auto _ : state) {
    kernel(xs, std::span(z));
    benchmark::ClobberMemory();
  }
  bench::per_second(state, "G_bytes", static_cast<double>(large + z.size() * sizeof(R)));
}
#define BF16(name, result, ...)                                                             \
  BENCHMARK_CAPTURE(bf16_elementwise, name, result, [](auto x, auto z) { __VA_ARGS__; }) \
      ->Unit(benchmark::kMillisecond);
BF16(add, bf16(), kernels::add(x, x, z))
BF16(mul, bf16(), kernels::mul(x, x, z))
BF16(div, bf16(), kernels::div(x, x, z))
BF16(sqrt, bf16(), kernels::sqrt(x, z))
BF16(widen, 0.0f, kernels::widen(x, z))

}  // namespace
