// Elementwise df64 and bfloat16, with the very bits of the reference's operators on every target.
//
// Operands may be strided; results are contiguous. A result may lie on an operand that starts at
// the same element and has stride 1, and must not overlap it otherwise. Preconditions: all have the
// same size; df64 operands are canonical (df64.h). A NaN from arithmetic may differ in sign and
// payload; conversions keep every pattern.
#pragma once

#include "kernels/simd/strided.h"
#include "reference/scalar/bf16.h"
#include "reference/scalar/df64.h"

namespace plumbline::kernels {

// Results of this size are not expected back from the cache soon: they go past it.
inline constexpr std::size_t past_cache_bytes = std::size_t{8} << 20;

void add(strided<df64> x, strided<df64> y, std::span<df64> z);
void sub(strided<df64> x, strided<df64> y, std::span<df64> z);
void mul(strided<df64> x, strided<df64> y, std::span<df64> z);
// z = +0 + x * y: as mul, but no zero is negative. Past the cache for a part of a large result.
void one_term_sums(strided<df64> x, strided<df64> y, std::span<df64> z, bool past_cache);
void div(strided<df64> x, strided<df64> y, std::span<df64> z);
void sqrt(strided<df64> x, std::span<df64> z);
// z = y + a * x
void axpy(df64 a, strided<df64> x, strided<df64> y, std::span<df64> z);

void add(strided<bf16> x, strided<bf16> y, std::span<bf16> z);
void sub(strided<bf16> x, strided<bf16> y, std::span<bf16> z);
void mul(strided<bf16> x, strided<bf16> y, std::span<bf16> z);
void div(strided<bf16> x, strided<bf16> y, std::span<bf16> z);
void sqrt(strided<bf16> x, std::span<bf16> z);

void widen(strided<bf16> x, std::span<float> z);
void narrow(strided<float> x, std::span<bf16> z);

}  // namespace plumbline::kernels
