// An einsum pattern: a list of labels for every operand and one for the output. Written ik,kj->ij.
//
// A label that an operand names twice reads the diagonal; one that the output does not name is
// summed. One operand is enough (a transposition, a diagonal, a trace, a sum). A rank-0 output is
// the pattern that ends in "->"; an operand without labels is refused here, in a user's pattern,
// though the derivatives of a rank-0 output contract their rank-0 cotangent all the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "shape.h"

namespace plumbline {

using label = std::uint32_t;
using label_list = std::vector<label>;

struct einsum_pattern {
  std::vector<label_list> operands;
  label_list output;
};

// Refuses (invalid_argument): no operand, an operand without labels, an output label that no
// operand names, an output label named twice.
result<einsum_pattern> make_einsum_pattern(std::vector<label_list> operands, label_list output);

// Labels are the ASCII letters; spaces are refused.
result<einsum_pattern> parse_einsum_pattern(std::string_view text);

bool names(const label_list& labels, label l);

// The labels of a, then of b, each once, in order of first appearance.
label_list first_seen(const label_list& a, const label_list& b = {});

// The extent of every label of the pattern, checked: as many tensors as operands
// (invalid_argument), as many axes as labels (rank_mismatch), one extent a label (invalid_argument,
// "shared label").
class label_extents {
 public:
  static result<label_extents> of(const std::vector<label_list>& operands,
                                  const std::vector<shape_type>& shapes);
  // Of a pattern that need not come from the functions above: no operand, and an output label that
  // no operand names or that the output repeats, are refused here as well.
  static result<label_extents> of(const einsum_pattern& pattern, const std::vector<shape_type>& shapes);
  std::size_t operator[](label l) const;
  shape_type shape(const label_list& labels) const;

 private:
  std::vector<std::pair<label, std::size_t>> extents_;
};

}  // namespace plumbline
