// The inner loops of Gram-Schmidt, over columns kept as high and low parts apart. Their length is a
// multiple of 32; what is beyond the matrix is +0 and leaves every sum as it is.
#pragma once

#include <cstddef>

#include "reference/scalar/df64.h"

namespace plumbline::kernels {

struct column {
  double *hi, *lo;
};

struct project_kernels {
  // In the dot order. The operands are finite, and so small that nothing overflows.
  df64 (*dot)(std::size_t n, column x, column y);
  // y -= p x, and then the dot product of `next`, which may be y itself, and the new y.
  df64 (*subtract_and_dot)(std::size_t n, df64 p, column x, column y, column next);
  // y = y s, which is finite
  void (*scale)(std::size_t n, df64 s, column y);
};

const project_kernels& chosen_project_kernels();

}  // namespace plumbline::kernels
