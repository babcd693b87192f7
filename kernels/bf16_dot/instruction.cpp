// The one place that holds the instruction. Nothing here runs before the machine was asked for it.
#include "kernels/simd/select.h"

#if PLUMBLINE_HAS_AVX512
#include <immintrin.h>
#endif

#include <atomic>

#include "hwy/base.h"
#include "kernels/bf16_dot/bf16_dot.h"
#include "kernels/simd/targets.h"

#if PLUMBLINE_HAS_AVX512
HWY_PUSH_ATTRIBUTES("avx512f,avx512bf16")
namespace plumbline::kernels {
namespace {

struct instruction_step {
  using sums = __m512;
  using pairs = __m512i;
  static constexpr std::size_t width = 16;

  static HWY_INLINE sums load(const float* x) { return _mm512_loadu_ps(x); }
  static HWY_INLINE pairs load(const std::uint32_t* x) { return _mm512_loadu_si512(x); }
  static HWY_INLINE void store(sums s, float* x) { _mm512_storeu_ps(x, s); }
  static HWY_INLINE pairs repeated(std::uint32_t pair) {
    return _mm512_set1_epi32(static_cast<int>(pair));
  }
  static HWY_INLINE sums dot(sums s, pairs x, pairs y) {
    return _mm512_dpbf16_ps(s, (__m512bh)x, (__m512bh)y);
  }
};

#include "kernels/bf16_dot/tile-inl.h"

}  // namespace
}  // namespace plumbline::kernels
HWY_POP_ATTRIBUTES
#endif

namespace plumbline::kernels {
namespace {
std::atomic<const dot_kernel*> replacement{nullptr};
}

dot_support dot_instruction() {
#if PLUMBLINE_HAS_AVX512
  static const dot_support support = [] {
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bf16")) {
      return dot_support::absent;
    }
    return has_dot_semantics(dot_kernel_of<instruction_step>) ? dot_support::sound
                                                              : dot_support::refused;
  }();
  return support;
#else
  return dot_support::absent;
#endif
}

void replace_dot_kernel(const dot_kernel* kernel) { replacement = kernel; }

const dot_kernel* chosen_dot_kernel() {
  if (const dot_kernel* other = replacement) return other;
#if PLUMBLINE_HAS_AVX512
  if (current_target() == target::avx512_bf16) return &dot_kernel_of<instruction_step>;
#endif
  return nullptr;
}

}  // namespace plumbline::kernels
