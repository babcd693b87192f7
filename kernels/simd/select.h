// Which targets Highway compiles here, and how a table of functions is chosen among them. Included
// before any header of Highway's.
//
// A kernel file defines, in each target's namespace, a constant named `table` of its own type, and
// outside them one for the reference; PLUMBLINE_SELECT_TABLE then picks by current_target().
#pragma once

// AVX2 (with FMA) and AVX-512 on x86-64, NEON on AArch64: what has a fused multiply-add. The
// emulated baseline that Highway insists on stays empty.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)

#include "hwy/detect_targets.h"

#define PLUMBLINE_HAS_AVX512 ((HWY_TARGETS & HWY_AVX3) != 0)
#define PLUMBLINE_HAS_AVX2 ((HWY_TARGETS & HWY_AVX2) != 0)
#define PLUMBLINE_HAS_NEON ((HWY_TARGETS & HWY_NEON) != 0)

#if PLUMBLINE_HAS_AVX512
#define PLUMBLINE_CASE_AVX512 \
  case target::avx512:        \
  case target::avx512_bf16:   \
    return N_AVX3::table;
#else
#define PLUMBLINE_CASE_AVX512
#endif
#if PLUMBLINE_HAS_AVX2
#define PLUMBLINE_CASE_AVX2 \
  case target::avx2:        \
    return N_AVX2::table;
#else
#define PLUMBLINE_CASE_AVX2
#endif
#if PLUMBLINE_HAS_NEON
#define PLUMBLINE_CASE_NEON \
  case target::neon:        \
    return N_NEON::table;
#else
#define PLUMBLINE_CASE_NEON
#endif

#define PLUMBLINE_SELECT_TABLE(reference_table) \
  switch (current_target()) {                   \
    PLUMBLINE_CASE_AVX512                       \
    PLUMBLINE_CASE_AVX2                         \
    PLUMBLINE_CASE_NEON                         \
    default:                                    \
      return reference_table;                   \
  }
