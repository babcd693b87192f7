// layouts/coo.md, csr.md, csc.md, csf.md, Iteration.
#include "stored_entries.h"

#include <algorithm>
#include <string>

#include "../descriptor/judge.h"

namespace plumbline {

namespace {

using Index = std::vector<std::uint64_t>;

Refusal too_short(std::string_view array) {
  return {"buffers", std::string(array) + " is too short for what the other arrays say"};
}
Refusal broken(std::string text) { return {"contents", std::move(text)}; }
Refusal out_of_shape(std::uint64_t coordinate, std::uint64_t size) {
  return broken("coordinate " + std::to_string(coordinate) + " in a dimension of " +
                std::to_string(size));
}

std::optional<Refusal> visit_coo(const Descriptor& d, const Coo& layout, const Buffers& buffers,
                                 const VisitEntry& visit) {
  Array indices(buffers[1], 8);
  std::size_t rank = d.shape.size();
  Index index(rank), previous;
  for (std::uint64_t i = 0; i < layout.nnz; ++i) {
    for (std::size_t k = 0; k < rank; ++k) {
      // i * rank does not wrap: the entries before it were inside the buffer.
      std::optional<std::uint64_t> coordinate = indices.entry(i * rank + k);
      if (!coordinate) return too_short("indices");
      if (*coordinate >= d.shape[k]) return out_of_shape(*coordinate, d.shape[k]);
      index[k] = *coordinate;
    }
    if (layout.is_sorted == 1 && i > 0 && previous >= index)
      return broken("entry " + std::to_string(i) + " is not behind the one before it");
    if (std::optional<Refusal> refusal = visit(index, i)) return refusal;
    previous = index;
  }
  return std::nullopt;
}

// Pointers for `parents` slices: from 0, never decreasing. Gives the last one.
std::optional<Refusal> check_pointers(Array pointers, std::uint64_t parents, std::string_view name,
                                      std::uint64_t& last) {
  std::optional<std::uint64_t> end = pointers.entry(0);
  if (!end) return too_short(name);
  if (*end != 0) return broken(std::string(name) + " begins at " + std::to_string(*end));
  for (std::uint64_t k = 0; k < parents; ++k) {
    std::optional<std::uint64_t> next = pointers.entry(k + 1);
    if (!next) return too_short(name);
    if (*next < *end) return broken(std::string(name) + " decreases");
    end = next;
  }
  last = *end;
  return std::nullopt;
}

// A tree of compressed levels, as csf.md has it; a matrix of csr.md or csc.md is one level below a
// dense one. Both arrays of a level are checked for size and pointers before the walk, so that each
// node has one parent and is visited once.
struct Level {
  Array pos, crd;
  std::size_t dimension;
};

struct Tree {
  const Descriptor& d;
  const VisitEntry& visit;
  std::vector<Level> levels;
  Index index;

  std::optional<Refusal> check(std::uint64_t parents, std::uint64_t nnz) {
    for (Level& level : levels) {
      std::uint64_t nodes = 0;
      if (std::optional<Refusal> refusal =
              check_pointers(level.pos, parents, "a pointer array", nodes))
        return refusal;
      bool is_leaf = &level == &levels.back();
      if (is_leaf && nodes != nnz)
        return broken("the last pointer is " + std::to_string(nodes) + ", nnz " +
                      std::to_string(nnz));
      if (nodes > level.crd.size()) return too_short("a coordinate array");
      parents = nodes;
    }
    return std::nullopt;
  }

  std::optional<Refusal> descend(std::size_t l, std::uint64_t parent) {
    const Level& level = levels[l];
    std::uint64_t begin = *level.pos.entry(parent), end = *level.pos.entry(parent + 1);
    std::uint64_t size = d.shape[level.dimension];
    for (std::uint64_t i = begin; i < end; ++i) {
      std::uint64_t coordinate = *level.crd.entry(i);
      if (coordinate >= size) return out_of_shape(coordinate, size);
      if (i > begin && coordinate <= index[level.dimension])
        return broken("coordinate " + std::to_string(coordinate) + " is not above its sibling");
      index[level.dimension] = coordinate;
      bool is_leaf = l + 1 == levels.size();
      if (std::optional<Refusal> refusal = is_leaf ? visit(index, i) : descend(l + 1, i))
        return refusal;
    }
    return std::nullopt;
  }
};

std::optional<Refusal> visit_matrix(const Descriptor& d, const CompressedMatrix& layout,
                                    const Buffers& buffers, const VisitEntry& visit) {
  if (d.shape.size() != 2) return Refusal{"opaque", "a compressed matrix has rank 2"};
  std::size_t outer = d.header.layout_tag == layout::csr ? 0 : 1;
  Tree tree{d, visit, {{Array(buffers[2], 8), Array(buffers[1], 8), 1 - outer}}, Index(2)};
  if (std::optional<Refusal> refusal = tree.check(d.shape[outer], layout.nnz)) return refusal;
  for (std::uint64_t k = 0; k < d.shape[outer]; ++k) {
    tree.index[outer] = k;
    if (std::optional<Refusal> refusal = tree.descend(0, k)) return refusal;
  }
  return std::nullopt;
}

std::optional<Refusal> visit_csf(const Descriptor& d, const Csf& layout, const Buffers& buffers,
                                 const VisitEntry& visit) {
  std::size_t rank = d.shape.size();
  std::vector<bool> named(rank);
  for (std::uint32_t mode : layout.mode_order)
    if (mode < rank) named[mode] = true;
  if (layout.mode_order.size() != rank || std::ranges::find(named, false) != named.end())
    return broken("mode_order is no permutation of the dimensions");
  Tree tree{d, visit, {}, Index(rank)};
  for (std::size_t l = 0; l < rank; ++l)
    tree.levels.push_back(
        {Array(buffers[2 * l + 1], 8), Array(buffers[2 * l + 2], 8), layout.mode_order[l]});
  if (std::optional<Refusal> refusal = tree.check(1, layout.nnz)) return refusal;
  return tree.descend(0, 0);
}

}  // namespace

std::optional<Refusal> visit_stored(const Descriptor& d, const Buffers& buffers,
                                    const VisitEntry& visit) {
  if (d.has_dynamic_dimension()) return Refusal{"dynamic", "a dimension is not known yet"};
  if (d.shape.empty()) return Refusal{"opaque", "no sparse layout has rank 0"};
  if (buffers.size() < layout_buffer_count(d))
    return Refusal{"buffers", "fewer buffers than the layout lists"};
  if (auto* l = std::get_if<Coo>(&d.layout)) return visit_coo(d, *l, buffers, visit);
  if (auto* l = std::get_if<CompressedMatrix>(&d.layout))
    return visit_matrix(d, *l, buffers, visit);
  if (auto* l = std::get_if<Csf>(&d.layout)) return visit_csf(d, *l, buffers, visit);
  return Refusal{"sparse", "not a sparse layout"};
}

}  // namespace plumbline
