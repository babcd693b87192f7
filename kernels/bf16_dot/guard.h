// Where the bf16 dot instruction returns the reference's bits though it takes subnormals for zero.
//
// GUARD. Every element is zero or normal (none subnormal, infinite or NaN), and e(A) + e(B) >= -112,
// where e is the least exponent of an operand's elements that are not zero: 2^e <= |x| < 2^(e+1).
//
// PROOF that no operand, sum or result of the instruction is subnormal then, so that its two steps are
// plain fused multiply-adds. Call q = 2^-126, the least normal float.
//   1. An element has 8 significant bits, so it is a multiple of 2^(e-7). A product of two, which a
//      fused multiply-add does not round, is a multiple of 2^(e(A)-7 + e(B)-7), hence of q.
//   2. Every sum is a multiple of q, infinite or NaN. By induction: the first one is +0. If s is a
//      multiple of q, so is v = s + x y. If |v| <= 2^24 q, v is a float and not rounded. Otherwise its
//      unit in the last place is a power of two above q, and the rounded v is a multiple of it, hence
//      of q, or overflows, as it would without the instruction; what is added after that leaves it
//      infinite or makes it NaN.
//   3. A multiple of q is zero or at least q in size: not subnormal. Nor is v ever tiny before it is
//      rounded, so no machine's way of seeing that matters.
// A last single term stands beside a product +0 * +0, which leaves every sum as it is: none is -0. It
// starts at +0; v = 0 exactly gives +0 unless s and x y are both -0; and v is not rounded to zero.
#pragma once

#include "kernels/einsum/step.h"
#include "reference/scalar/bf16.h"

namespace plumbline::kernels {

// The elements that are read of an operand: at every index along axes that move in it.
std::size_t elements_of_lhs(const step& s);
std::size_t elements_of_rhs(const step& s);

// Looks at every element. Precondition: no axis is empty.
bool dot_is_exact(const step& s, const bf16* lhs, const bf16* rhs);

}  // namespace plumbline::kernels
