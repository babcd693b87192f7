// What the machine can do at most: vector instructions a second on registers alone, and memory copied,
// filled and read.
#include <cstring>
#include <numeric>
#include <thread>

#include "kernels/bench_operands.h"

using namespace plumbline;

namespace {

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

#if defined(__AVX512F__)
using vector = __m512d;
constexpr double lanes = 8;
inline vector repeated(double x) { return _mm512_set1_pd(x); }
#else
using vector = __m256d;
constexpr double lanes = 4;
inline vector repeated(double x) { return _mm256_set1_pd(x); }
#endif

// Figures count lanes, so that they mean the same for every width.
#define ADD(x) asm volatile("vaddpd %1, %0, %0" : "+v"(x) : "v"(c));
#define FMA(x) asm volatile("vfmadd213pd %1, %1, %0" : "+v"(x) : "v"(c));
#define FLOAT_FMA(x) asm volatile("vfmadd213ps %1, %1, %0" : "+v"(x) : "v"(c));
#define DIVIDE(x) asm volatile("vdivpd %0, %1, %0" : "+v"(x) : "v"(c));
#define ROOT(x) asm volatile("vsqrtpd %0, %0" : "+v"(x));
#define FLOAT_DIVIDE(x) asm volatile("vdivps %0, %1, %0" : "+v"(x) : "v"(c));
#define FLOAT_ROOT(x) asm volatile("vsqrtps %0, %0" : "+v"(x));
#define TWELVE(A, B) A(a0) B(a1) A(a2) B(a3) A(a4) B(a5) A(a6) B(a7) A(a8) B(a9) A(a10) B(a11)
#define VECTORS                                                                             \
  const vector c = repeated(1e-9);                                                          \
  vector a0 = c, a1 = c, a2 = c, a3 = c, a4 = c, a5 = c, a6 = c, a7 = c, a8 = c, a9 = c,    \
         a10 = c, a11 = c;
#define LIMIT(name, lanes_each, A, B)                                                       \
  void name(benchmark::State& state) {                                                      \
    VECTORS                                                                                 \
    for (auto _ : state) {                                                                  \
      for (int i = 0; i < 100000; ++i) {                                                    \
        TWELVE(A, B)                                                                        \
      }                                                                                     \
    }                                                                                       \
    bench::per_second(state, "G_lanes", 1.2e6 * (lanes_each));                              \
  }                                                                                         \
  BENCHMARK(name)->Unit(benchmark::kMillisecond);
LIMIT(limit_adds, lanes, ADD, ADD)
LIMIT(limit_multiply_adds, lanes, FMA, FMA)
LIMIT(limit_mixed, lanes, ADD, FMA)
LIMIT(limit_float_multiply_adds, 2 * lanes, FLOAT_FMA, FLOAT_FMA)

LIMIT(limit_divisions, lanes, DIVIDE, DIVIDE)
// Lanes count once: half of them a division, half a root.
LIMIT(limit_roots_and_divisions, lanes, ROOT, DIVIDE)
LIMIT(limit_float_divisions, 2 * lanes, FLOAT_DIVIDE, FLOAT_DIVIDE)
LIMIT(limit_float_roots, 2 * lanes, FLOAT_ROOT, FLOAT_ROOT)

#if !defined(__AVX512F__)
// The instructions of narrow (kernels/elementwise) for two vectors of float, but for loads and stores.
void limit_narrow(benchmark::State& state) {
  const __m256i x = _mm256_set1_epi32(0x3f812345), one = _mm256_set1_epi32(1),
                most = _mm256_set1_epi32(0x7fff);
  for (auto _ : state) {
    for (int i = 0; i < 100000; ++i) {
      __m256i a, b, odd_a, odd_b;
      asm volatile(
          "vinserti128 $1, %x4, %4, %0\n vinserti128 $1, %x4, %4, %1\n"
          "vpsrld $16, %0, %2\n vpsrld $16, %1, %3\n"
          "vpand %5, %2, %2\n vpand %5, %3, %3\n"
          "vpaddd %6, %0, %0\n vpaddd %6, %1, %1\n"
          "vpaddd %2, %0, %0\n vpaddd %3, %1, %1\n"
          "vpsrld $16, %0, %0\n vpsrld $16, %1, %1\n"
          "vpackusdw %1, %0, %0\n"
          "vaddps %4, %4, %1\n"  // the look for a NaN
          : "=&v"(a), "=&v"(b), "=&v"(odd_a), "=&v"(odd_b)
          : "v"(x), "v"(one), "v"(most));
    }
  }
  bench::per_second(state, "G_lanes", 1e5 * 16);
}
BENCHMARK(limit_narrow)->Unit(benchmark::kMillisecond);
#endif

// How a loop that touches no memory scales: so does the machine, at most.
void multiply_adds() {
  VECTORS
  for (int i = 0; i < 10'000'000; ++i) {
    TWELVE(FMA, FMA)
  }
}
void limit_multiply_adds_on(benchmark::State& state, std::size_t threads) {
  for (auto _ : state) {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(multiply_adds);
    multiply_adds();
  }
  bench::per_second(state, "G_lanes", 1.2e8 * lanes * static_cast<double>(threads));
}
BENCHMARK_CAPTURE(limit_multiply_adds_on, one_thread, 1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(limit_multiply_adds_on, two_threads, 2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
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

constexpr std::size_t large = 64 << 20;

void limit_fill(benchmark::State& state) {
  std::vector<char> to(large);
  for (auto _ : state) {
    std::memset(to.data(), 1, large);
    benchmark::ClobberMemory();
  }
  bench::per_second(state, "G_bytes", static_cast<double>(large));
}
BENCHMARK(limit_fill)->Unit(benchmark::kMillisecond);

void limit_read(benchmark::State& state) {
  const std::vector<std::uint64_t> from(large / sizeof(std::uint64_t), 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::accumulate(from.begin(), from.end(), std::uint64_t{}));
  }
  bench::per_second(state, "G_bytes", static_cast<double>(large));
}
BENCHMARK(limit_read)->Unit(benchmark::kMillisecond);

}  // namespace
