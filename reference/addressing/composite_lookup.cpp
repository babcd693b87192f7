#include "composite_lookup.h"

#include <algorithm>

#include "refuse.h"

namespace plumbline {

namespace {

using Contributions = std::vector<Contribution>;

class Set {
 public:
  explicit Set(std::span<const Part> parts) : parts_(parts) {}

  // Finds where each part's subtree ends. Nothing, or why the set can't be followed.
  std::optional<Refusal> bind() {
    end_.assign(parts_.size(), 0);
    std::size_t at = 0;
    if (std::optional<Refusal> refusal = bind(at, 1)) return refusal;
    if (at != parts_.size()) return Refusal{"opaque", "parts left over behind the set"};
    return std::nullopt;
  }

  std::expected<Contributions, Refusal> view(std::size_t at, const Index& index) const {
    const Descriptor& d = parts_[at].descriptor;
    auto* head = std::get_if<CompositeHead>(&d.layout);
    if (!head) {
      std::expected<std::optional<Stored>, Refusal> stored = lookup(d, parts_[at].buffers, index);
      if (!stored) return std::unexpected(stored.error());
      return Contributions{{at, index, *stored}};
    }
    if (std::optional<Refusal> refusal = refuse_index(d.shape, index))
      return std::unexpected(*refusal);
    if (head->composition_rule == rule::partition || head->composition_rule == rule::overlay)
      if (std::optional<Refusal> refusal = refuse_boxes(at)) return std::unexpected(*refusal);
    if (head->composition_rule == rule::partition) return partition(at, index);
    if (head->composition_rule == rule::overlay &&
        (head->combine_op == 1 || mutant("wrong:", "corrections replace where they add")))
      return replace(at, index);
    if (head->composition_rule == rule::overlay && head->combine_op == 2) return add(at, index);
    if (head->composition_rule == rule::group)
      return refuse("virtual", "a group has no common view");
    return refuse("opaque", "a composition rule of unknown meaning");
  }

 private:
  std::optional<Refusal> bind(std::size_t& at, int depth) {
    if (at == parts_.size()) return Refusal{"opaque", "the set ends before its last member"};
    std::size_t self = at++;
    if (auto* head = std::get_if<CompositeHead>(&parts_[self].descriptor.layout)) {
      if (depth > deepest_nesting) return Refusal{"opaque", "more than 8 heads inside one another"};
      for (std::uint32_t k = 0; k < head->member_count; ++k)
        if (std::optional<Refusal> refusal = bind(at, depth + 1)) return refusal;
    }
    end_[self] = at;
    return std::nullopt;
  }

  // The members of the head at `at`, in order.
  std::vector<std::size_t> members(std::size_t at) const {
    std::vector<std::size_t> list;
    for (std::size_t member = at + 1; member < end_[at]; member = end_[member])
      list.push_back(member);
    return list;
  }

  // Which member holds an index can't be told while the box of one is not known.
  std::optional<Refusal> refuse_boxes(std::size_t at) const {
    for (std::size_t member : members(at)) {
      const Descriptor& d = parts_[member].descriptor;
      auto is_dynamic = [](std::uint64_t n) { return n == dynamic_dimension; };
      if (d.has_dynamic_dimension() ||
          (d.shard && std::ranges::any_of(d.shard->shard_offset, is_dynamic)))
        return Refusal{"opaque", "a member whose box is not known yet"};
    }
    return std::nullopt;
  }

  // The index inside the member's box; nothing where the box does not hold it.
  std::expected<std::optional<Index>, Refusal> local(std::size_t member, const Index& index) const {
    const Descriptor& d = parts_[member].descriptor;
    if (!d.shard || d.shard->shard_offset.size() != index.size() || d.shape.size() != index.size())
      return refuse("opaque", "a member without a box of the head's rank");
    Index inside;
    for (std::size_t k = 0; k < index.size(); ++k) {
      std::uint64_t offset = d.shard->shard_offset[k];
      if (index[k] < offset || index[k] - offset >= d.shape[k]) return std::nullopt;
      inside.push_back(mutant("wrong:", "the box's offset not subtracted") ? index[k]
                                                                           : index[k] - offset);
    }
    return inside;
  }

  // What the member gives for an index of the head; empty where its box does not hold it.
  std::expected<Contributions, Refusal> give(std::size_t member, const Index& index) const {
    std::expected<std::optional<Index>, Refusal> inside = local(member, index);
    if (!inside) return std::unexpected(inside.error());
    if (!*inside) return Contributions{};
    return view(member, **inside);
  }

  std::expected<Contributions, Refusal> partition(std::size_t at, const Index& index) const {
    for (std::size_t member : members(at)) {
      std::expected<Contributions, Refusal> given = give(member, index);
      if (!given || !given->empty()) return given;
    }
    return refuse("opaque", "no member's box holds the index");
  }

  std::expected<Contributions, Refusal> replace(std::size_t at, const Index& index) const {
    std::vector<std::size_t> list = members(at);
    std::ranges::reverse(list);
    for (std::size_t member : list) {
      std::expected<Contributions, Refusal> given = give(member, index);
      if (!given) return given;
      bool is_base = member == at + 1;
      bool is_stored =
          std::ranges::any_of(*given, [](const Contribution& c) { return c.stored.has_value(); });
      if (is_stored || (is_base && !given->empty())) return given;
    }
    return refuse("opaque", "the base's box does not hold the index");
  }

  std::expected<Contributions, Refusal> add(std::size_t at, const Index& index) const {
    Contributions all;
    for (std::size_t member : members(at)) {
      std::expected<Contributions, Refusal> given = give(member, index);
      if (!given) return given;
      if (member == at + 1 && given->empty())
        return refuse("opaque", "the base's box does not hold the index");
      all.insert(all.end(), given->begin(), given->end());
    }
    if (all.empty()) return refuse("opaque", "an overlay without a base");
    return all;
  }

  std::span<const Part> parts_;
  std::vector<std::size_t> end_;  // of each part's subtree
};

}  // namespace

std::expected<std::vector<Contribution>, Refusal> lookup_composite(std::span<const Part> parts,
                                                                   const Index& index) {
  Set set(parts);
  if (std::optional<Refusal> refusal = set.bind()) return std::unexpected(*refusal);
  return set.view(0, index);
}

}  // namespace plumbline
