// What the machine can do at most: vector instructions a second on registers alone, and memcpy.
#include <cstring>

#include "kernels/bench_operands.h"

using namespace plumbline;

namespace {

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

#define ADD(x) asm volatile("vaddpd %1, %0, %0" : "+x"(x) : "x"(c));
#define FMA(x) asm volatile("vfmadd213pd %1, %1, %0" : "+x"(x) : "x"(c));
#define TWELVE(A, B) A(a0) B(a1) A(a2) B(a3) A(a4) B(a5) A(a6) B(a7) A(a8) B(a9) A(a10) B(a11)
#define LIMIT(name, A, B)                                                                   \
  void name(benchmark::State& state) {                                                      \
    const __m256d c = _mm256_set1_pd(1e-9);                                                 \
    __m256d a0 = c, a1 = c, a2 = c, a3 = c, a4 = c, a5 = c, a6 = c, a7 = c, a8 = c, a9 = c, \
            a10 = c, a11 = c;                                                               \
    for (auto _ : state) {                                                                  \
      for (int i = 0; i < 100000; ++i) {                                                    \
        TWELVE(A, B)                                                                        \
      }                                                                                     \
    }                                                                                       \
    bench::per_second(state, "G_instructions", 1.2e6);                                      \
  }                                                                                         \
  BENCHMARK(name)->Unit(benchmark::kMillisecond);
LIMIT(limit_avx2_adds, ADD, ADD)
LIMIT(limit_avx2_multiply_adds, FMA, FMA)
LIMIT(limit_avx2_mixed, ADD, FMA)
#endif

void limit_memcpy(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  std::vector<char> from(bytes, 1), to(bytes);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), bytes);
    benchmark::ClobberMemory();
  }
  bench::per_second(state, "G_bytes", 2.0 * static_cast<double>(bytes));
}
BENCHMARK(limit_memcpy)->Arg(16 << 10)->Arg(64 << 20)->Unit(benchmark::kMicrosecond);

}  // namespace
