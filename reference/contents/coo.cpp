// layouts/coo.md, Validity Constraints. A coordinate out of range is at fault itself; a repeated
// tuple at the last coordinate of the later one, since all its coordinates take part; a tuple out
// of order at the coordinate that decides it, since those behind it do not.
#include <algorithm>
#include <numeric>

#include "pages.h"

namespace plumbline {

namespace {

// The tuples of the indices buffer.
struct Tuples {
  Array indices;
  std::uint64_t rank;

  std::uint64_t at(std::uint64_t i, std::uint64_t d) const { return *indices.entry(i * rank + d); }
  // The first dimension in which tuples i and j differ, or rank.
  std::uint64_t first_difference(std::uint64_t i, std::uint64_t j) const {
    std::uint64_t d = 0;
    while (d < rank && at(i, d) == at(j, d)) ++d;
    return d;
  }
  // Dictionary order, equal tuples by their place.
  bool before(std::uint64_t i, std::uint64_t j) const {
    std::uint64_t d = first_difference(i, j);
    return d == rank ? i < j : at(i, d) < at(j, d);
  }
};

void judge_bounds(Contents& c, const Tuples& tuples, std::uint64_t nnz) {
  for (std::uint64_t i = 0; i < nnz; ++i)
    for (std::uint64_t d = 0; d < tuples.rank; ++d) {
      std::uint64_t size = c.d.shape[d];
      if (size == dynamic_dimension || tuples.at(i, d) < limit("CON-21", size)) continue;
      c.fault("CON-21", 1, 8 * (i * tuples.rank + d),
              "coordinate " + std::to_string(tuples.at(i, d)) + " of entry " + std::to_string(i) +
                  " in dimension " + std::to_string(d),
              "one below the size, " + std::to_string(size));
      return;
    }
}

// The earliest tuple that repeats one before it.
void judge_repeats(Contents& c, const Tuples& tuples, std::uint64_t nnz) {
  std::vector<std::uint64_t> order(static_cast<std::size_t>(nnz));
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::ranges::sort(order, [&](std::uint64_t i, std::uint64_t j) { return tuples.before(i, j); });
  std::uint64_t earliest = nnz;
  for (std::size_t k = 1; k < order.size(); ++k)
    if (tuples.first_difference(order[k - 1], order[k]) == tuples.rank)
      earliest = std::min(earliest, order[k]);
  if (earliest < nnz)
    c.fault("CON-22", 1, 8 * (earliest * tuples.rank + tuples.rank - 1),
            "entry " + std::to_string(earliest) + " with the tuple of an earlier one",
            "each tuple once");
}

// Ties are repeats, which CON-22 owns.
void judge_order(Contents& c, const Tuples& tuples, std::uint64_t nnz) {
  for (std::uint64_t i = 1; i < nnz; ++i) {
    std::uint64_t d = tuples.first_difference(i - 1, i);
    if (d == tuples.rank || tuples.at(i - 1, d) < tuples.at(i, d)) continue;
    c.fault("CON-23", 1, 8 * (i * tuples.rank + d),
            "entry " + std::to_string(i) + " before the one that precedes it",
            "tuples in increasing order with is_sorted 0x01");
    return;
  }
}

}  // namespace

void judge_coo_contents(Contents& c, const Coo& layout) {
  if (c.d.shape.empty()) return;
  Tuples tuples{c.array(1, 8), c.d.shape.size()};
  judge_bounds(c, tuples, layout.nnz);
  judge_repeats(c, tuples, layout.nnz);
  if (layout.is_sorted == 1) judge_order(c, tuples, layout.nnz);
}

}  // namespace plumbline
