// Prints the faults of the arithmetic environment, one a line; exits with 1 when there are any.
// Built a second and third time with the flags that it must notice, and asked to spoil the thread's
// own settings, so that the tests can see it fail.
#include <cfenv>
#include <cstdio>
#include <string_view>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "reference/scalar/environment.h"

int main(int argc, char** argv) {
  const std::string_view spoil = argc > 1 ? argv[1] : "";
#if defined(__x86_64__)
#if defined(__FMA__)
  if (!__builtin_cpu_supports("fma")) {
    std::puts("skipped: this machine has no fused multiply-add");
    return 0;
  }
#endif
  if (spoil == "flush") _mm_setcsr(_mm_getcsr() | 0x8000u);
  if (spoil == "denormals") _mm_setcsr(_mm_getcsr() | 0x0040u);
#else
  if (spoil == "flush" || spoil == "denormals") {
    std::puts("skipped: no such switch on this machine");
    return 0;
  }
#endif
  if (spoil == "upward") std::fesetround(FE_UPWARD);
  if (spoil == "downward") std::fesetround(FE_DOWNWARD);
  if (spoil == "toward_zero") std::fesetround(FE_TOWARDZERO);

  const auto faults = plumbline::environment_faults();
  std::fesetround(FE_TONEAREST);
  for (const std::string_view fault : faults) {
    std::printf("fault: %.*s\n", static_cast<int>(fault.size()), fault.data());
  }
  if (faults.empty()) std::puts("no faults");
  return faults.empty() ? 0 : 1;
}
