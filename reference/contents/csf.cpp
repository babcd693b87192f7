// layouts/csf.md, Storage Invariants. The node count of a level is the last pointer of that level
// (open point D-138); arrays may be longer than their counts (D-071). With nnz 0 the rules for an
// empty tensor stand in place of the others (D-137).
#include "pages.h"

namespace plumbline {

namespace {

// csf.md: buffer 2L + 1 holds pos_L, buffer 2L + 2 crd_L.
std::size_t pos_buffer(std::size_t level) { return 2 * level + 1; }
std::size_t crd_buffer(std::size_t level) { return 2 * level + 2; }

void judge_empty(Contents& c, std::size_t rank) {
  Array top = c.array(1, 8);
  for (std::uint64_t i = 0; i < 2; ++i)
    if (*top.entry(i) > limit("CON-42", std::uint64_t{0})) {
      c.fault("CON-42", 1, 8 * i, "top pointer " + std::to_string(*top.entry(i)), "0: nnz is 0");
      break;
    }
  for (std::size_t level = 1; level < rank; ++level)
    if (std::uint64_t first = *c.array(pos_buffer(level), 8).entry(0);
        first > limit("CON-43", std::uint64_t{0})) {
      c.fault("CON-43", pos_buffer(level), 0, "pointer " + std::to_string(first), "0: nnz is 0");
      break;
    }
}

// Node counts n_L from the top down, as far as the pointers lead: pos_L has an entry behind each of
// the `parents` nodes above, which the descriptor alone could not ask for (clause CSF-07), and
// crd_L holds as many nodes as the last of them says.
std::vector<std::uint64_t> judge_counts(Contents& c, std::size_t rank, std::uint64_t nnz) {
  std::vector<std::uint64_t> counts;
  std::uint64_t parents = 1;
  for (std::size_t level = 0; level < rank; ++level) {
    Array pos = c.array(pos_buffer(level), 8), crd = c.array(crd_buffer(level), 8);
    std::optional<std::uint64_t> last = pos.entry(parents);
    std::uint64_t at = 8 * parents;
    if (!last) {
      at = 8 * pos.size();  // the first pointer that is not there
      c.fault("CSF-07", pos_buffer(level), at,
              "the end of the pointers of level " + std::to_string(level),
              "a pointer behind node " + std::to_string(parents - 1));
      break;
    }
    bool is_leaf = level + 1 == rank;
    if (is_leaf ? *last != nnz : *last > limit("CON-38", crd.size())) {
      c.fault("CON-38", pos_buffer(level), at,
              "a last pointer of " + std::to_string(*last) + " in level " + std::to_string(level),
              is_leaf ? "nnz, " + std::to_string(nnz)
                      : "at most the " + std::to_string(crd.size()) + " coordinates of the level");
      break;
    }
    counts.push_back(*last);
    parents = *last;
  }
  return counts;
}

void judge_pointers(Contents& c, std::size_t rank, const std::vector<std::uint64_t>& counts) {
  for (std::size_t level = 0; level < rank; ++level) {
    Array pos = c.array(pos_buffer(level), 8);
    if (std::uint64_t first = *pos.entry(0); first > limit("CON-36", std::uint64_t{0})) {
      c.fault("CON-36", pos_buffer(level), 0, "a first pointer of " + std::to_string(first), "0");
      break;
    }
  }
  // Where the chain of counts ends, the pointers that are there are still read.
  for (std::size_t level = 0; level <= counts.size() && level < rank; ++level) {
    Array pos = c.array(pos_buffer(level), 8);
    std::uint64_t parents = level == 0 ? 1 : counts[level - 1];
    if (!pos.entry(parents)) break;
    if (std::optional<std::uint64_t> i = first_falling("CON-37", pos, parents + 1)) {
      c.fault("CON-37", pos_buffer(level), 8 * *i,
              "pointer " + std::to_string(*pos.entry(*i)) + " after " +
                  std::to_string(*pos.entry(*i - 1)),
              "pointers that never decrease");
      break;
    }
  }
}

void judge_siblings(Contents& c, std::size_t level, std::uint64_t parents) {
  Array pos = c.array(pos_buffer(level), 8), crd = c.array(crd_buffer(level), 8);
  for (std::uint64_t p = 0; p < parents; ++p)
    if (auto i = first_not_increasing("CON-40", crd, *pos.entry(p), *pos.entry(p + 1))) {
      c.fault("CON-40", crd_buffer(level), 8 * *i,
              "coordinate " + std::to_string(*crd.entry(*i)) + " after " +
                  std::to_string(*crd.entry(*i - 1)),
              "strictly increasing siblings");
      return;
    }
}

}  // namespace

void judge_csf_contents(Contents& c, const Csf& layout) {
  std::size_t rank = c.d.shape.size();
  if (rank < 3 || layout.mode_order.size() != rank) return;
  if (layout.nnz == 0) return judge_empty(c, rank);

  std::vector<std::uint64_t> counts = judge_counts(c, rank, layout.nnz);
  judge_pointers(c, rank, counts);
  bool sound = counts.size() == rank && !c.faults.broken("CON-36") && !c.faults.broken("CON-37");
  for (std::size_t level = 0; sound && level < rank; ++level)
    judge_siblings(c, level, level == 0 ? 1 : counts[level - 1]);

  std::vector<bool> named(rank);
  for (std::uint32_t mode : layout.mode_order) {
    if (mode >= rank || named[mode]) return;  // CSF-03
    named[mode] = true;
  }
  for (std::size_t level = 0; level < rank; ++level) {
    bool is_leaf = level + 1 == rank;
    if (level >= counts.size() && !is_leaf) continue;
    std::uint64_t count = is_leaf ? layout.nnz : counts[level],
                  size = c.d.shape[layout.mode_order[level]];
    Array crd = c.array(crd_buffer(level), 8);
    if (size == dynamic_dimension) continue;
    if (std::optional<std::uint64_t> i = first_not_below(crd, count, limit("CON-41", size)))
      c.fault("CON-41", crd_buffer(level), 8 * *i, "coordinate " + std::to_string(*crd.entry(*i)),
              "one below the size, " + std::to_string(size));
  }
}

}  // namespace plumbline
