// One pairwise step of a contraction as strides: which axes run over the outputs' rows and columns,
// which over both operands at once, which are summed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "reference/algorithms/einsum_pattern.h"

namespace plumbline::kernels {

// Distances in elements: within the left operand, the right one, the output.
struct place {
  std::ptrdiff_t lhs = 0, rhs = 0, out = 0;
};
struct axis {
  std::size_t extent = 1;
  place stride;
};
using axes = std::vector<axis>;

std::size_t count(const axes& a);
// Where index i lies, counted in row-major order.
place place_of(const axes& a, std::size_t i);
// The places first, first + 1, ...
void places_of(const axes& a, std::size_t first, std::span<place> places);

struct step {
  axes summed;                       // in order of first appearance
  axes only_lhs, only_rhs, in_both;  // the output's, by who names them
  axes outputs;                      // all of them, in the output's order
};

// `rhs_labels` is empty for a single operand, `rhs_strides` too.
step make_step(const label_list& lhs_labels, std::span<const std::ptrdiff_t> lhs_strides,
               const label_list& rhs_labels, std::span<const std::ptrdiff_t> rhs_strides,
               const label_list& output, const label_extents& extents);

}  // namespace plumbline::kernels
