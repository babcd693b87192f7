// Sums and dot products of df64 and bfloat16 in the dot order (reference/scalar/reductions.h), with
// the very bits of the reference on every target.
//
// Precondition: the operands of a dot product have the same size.
#pragma once

#include <array>

#include "kernels/simd/strided.h"
#include "reference/scalar/reductions.h"

namespace plumbline::kernels {

df64 sum(strided<df64> x);
df64 dot(strided<df64> x, strided<df64> y);
bf16 sum(strided<bf16> x);
bf16 dot(strided<bf16> x, strided<bf16> y);

// The dot order in portions, for who gathers the terms himself. Every portion but the last must
// have a multiple of `portion` terms.
template <class T>
class running_dot {
 public:
  static constexpr std::size_t portion = 2 * partial_sums;
  using sum_type = typename accumulation<T>::sum_type;

  void add(const T* x, const T* y, std::size_t n);  // products
  void add(const T* x, std::size_t n);              // terms
  // Not to be believed when it is not finite: then the reference has to be asked.
  sum_type total() const;

 private:
  std::array<sum_type, partial_sums> p_{};
};

}  // namespace plumbline::kernels
