// The bf16 dot instruction (vdpbf16ps of AVX512_BF16) under einsum's tiles.
//
// A lane adds the products of two pairs of bfloat16 to a float. As measured on a Zen 4 (16 million
// cases) these are two fused multiply-adds, the pair's second elements first, rounded to nearest,
// with what is subnormal taken and given as zero:
//
//   s = flushed(fma(x[1], y[1], flushed(sum)))
//   flushed(fma(x[0], y[0], s))
//
// That is the reference's order, pairs with the second first (reference/scalar/reductions.h). Where
// nothing is subnormal (guard.h) the bits are the reference's.
//
// The instruction is a target of its own, avx512_bf16 (kernels/simd/targets.h). It is available where
// the machine names it and semantics.cpp found these very semantics in the compiled kernel.
#pragma once

#include <cstdint>

#include "kernels/einsum/micro_kernels.h"

namespace plumbline::kernels {

// Panels hold pairs of terms, the first in the lower half; a last single term has a zero beside it.
using dot_kernel = micro_kernel<float, std::uint32_t>;

// The instruction's where the target in use has it, otherwise null.
const dot_kernel* chosen_dot_kernel();
// Tests put another in its place, whatever the target, until they call with null.
void replace_dot_kernel(const dot_kernel* kernel);

// Whether the kernel computes what is written above, over edge cases and random ones. What becomes
// 2^-126 by rounding is left out: whether that is flushed depends on how a machine sees that a result
// is tiny, and under the guard it does not occur.
bool has_dot_semantics(const dot_kernel& kernel);

enum class dot_support { absent, refused, sound };
// Of this machine; tested once.
dot_support dot_instruction();

}  // namespace plumbline::kernels
