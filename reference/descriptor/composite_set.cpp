// layouts/composite.md: Binding, Members, Composition Semantics, Validation.
#include "composite_set.h"

#include <algorithm>
#include <functional>
#include <tuple>

#include "../mutation.h"
#include "../too_strict.h"
#include "../types/element_type.h"
#include "composite_cover.h"

namespace plumbline {

namespace {

struct Binder {
  const std::vector<ByteView>& set;
  const Options& options;
  SetJudgement result;
  std::vector<Faults> across;  // of each member: what only its head, or its siblings, can tell

  // Judges the next tensor of the set alone.
  std::size_t take_next() {
    std::size_t m = result.members.size();
    result.members.push_back(judge(set[m], options));
    result.rest += result.members[m].rest;
    across.emplace_back().set_member(m);
    return m;
  }

  const CompositeHead* head_at(std::size_t m) const {
    const Judgement& j = result.members[m];
    auto* head = std::get_if<CompositeHead>(&j.descriptor.layout);
    return head && head->at != not_read && head->at + 8 <= j.read_end ? head : nullptr;
  }

  // A head whose members follow it: one with a count (CMP-13 is about one without an end).
  bool is_followed(std::size_t m) const {
    const CompositeHead* head = head_at(m);
    return head && head->member_count != 0xFFFFFFFF;
  }

  // A head on the path to the next tensor, and the members it has bound so far.
  struct Open {
    std::size_t head;
    std::vector<std::size_t> bound;
  };

  void bind();
  void judge_whole(const Open& open);
  void judge_member(std::size_t head_index, std::size_t m, std::size_t place);
  void judge_overlay_member(const Descriptor& head, std::size_t m, std::size_t place);
  void judge_partition(std::size_t head_index, const std::vector<std::size_t>& bound);
};

// A head of count N binds the next N tensors, a nested head with all its members as one (D-201). A head
// that is nested too deep binds like any other: what else is wrong is told all the same (D-252). Of a
// tensor that may be a head, and can't be read as one, no members are counted: any would leave the
// heads around it fewer. How the next tensors fit these can't be told any more, nor their boxes.
void Binder::bind() {
  std::vector<Open> path = {{0, {}}};
  std::size_t blurred = 0;  // the heads of the path before this one
  while (!path.empty()) {
    Open& open = path.back();
    const CompositeHead head = *head_at(open.head);  // a copy: take_next() moves the judgements
    if (open.bound.size() == head.member_count) {
      if (path.size() > blurred && head.composition_rule == rule::partition)
        judge_partition(open.head, open.bound);
      judge_whole(open);
      path.pop_back();
      blurred = std::min(blurred, path.size());
      continue;
    }
    if (result.members.size() == set.size()) break;
    std::size_t m = take_next();
    if (path.size() > blurred) judge_member(open.head, m, open.bound.size());
    open.bound.push_back(m);
    const Judgement& judged = result.members[m];
    bool has_layout = judged.descriptor.header.version_major == 1 && judged.read_end > 15;
    if (has_layout && !judged.descriptor.is_composite_head()) continue;
    if (has_layout && path.size() == limit("CMP-28", deepest_composite))
      across[m].add("CMP-28", 15, "a head below 8 others", "at most 8 heads on a path");
    if (is_followed(m))
      path.push_back({m, {}});
    else
      blurred = path.size();
  }
  for (const Open& open : path) judge_whole(open);
}

// A composite is torn where the set ends before its last member.
void Binder::judge_whole(const Open& open) {
  const CompositeHead& head = *head_at(open.head);
  if (limit("CMP-29", head.member_count - open.bound.size()) == 0) return;
  across[open.head].add("CMP-29", head.at + 4, std::to_string(open.bound.size()) + " of " +
                                                   std::to_string(head.member_count) + " members",
                        "every member");
}

// Whether the member's values decode to the head's type. A quantized member decodes to real numbers
// and matches any real floating type (open point D-192).
bool decodes_to(const Descriptor& member, std::uint8_t head_type) {
  if ((member.header.flags & flag::quantization) != 0) {
    const ElementType* type = find_element_type(head_type);
    return type && type->kind == NumberKind::floating;
  }
  return member.header.type_tag == head_type;
}

void Binder::judge_member(std::size_t head_index, std::size_t m, std::size_t place) {
  const Descriptor& head = result.members[head_index].descriptor;
  const Descriptor& d = result.members[m].descriptor;
  Faults& faults = across[m];
  std::uint8_t r = std::get<CompositeHead>(head.layout).composition_rule;
  bool has_section = (d.header.flags & flag::composite_member) != 0;
  if ((r == rule::partition || r == rule::group) && has_section)
    faults.add("CMP-24", 10, "the composite member flag", "the flag clear in a partition or group");
  if (r != rule::partition && r != rule::overlay) return;

  if (!decodes_to(d, head.header.type_tag))
    faults.add("CMP-18", 14, "type tag " + hex_tag(d.header.type_tag),
               "values that decode to the head's type " + hex_tag(head.header.type_tag));
  if ((d.header.flags & flag::shard) == 0)
    faults.add("CMP-15", 10, "no shard section", "a shard section on every member");
  else if (d.header.rank != head.header.rank)
    faults.add("CMP-16", 16, "rank " + std::to_string(d.header.rank),
               "the head's rank " + std::to_string(head.header.rank));
  else if (d.shard)
    for (std::size_t k = 0; k < d.shard->parent_shape.size() && k < head.shape.size(); ++k)
      if (d.shard->parent_shape[k] != head.shape[k]) {
        faults.add("CMP-16", d.shard->at + 8 * k,
                   "parent_shape " + std::to_string(d.shard->parent_shape[k]),
                   "the head's size " + std::to_string(head.shape[k]));
        break;
      }
  if (r == rule::overlay) judge_overlay_member(head, m, place);
}

void Binder::judge_overlay_member(const Descriptor& head, std::size_t m, std::size_t place) {
  const Descriptor& d = result.members[m].descriptor;
  Faults& faults = across[m];
  if ((d.header.flags & flag::composite_member) == 0) {
    faults.add("CMP-20", 10, "no composite member section", "a section on every overlay member");
    return;
  }
  if (!d.composite_member || d.composite_member->member_role > 1) return;  // MEM-01
  std::uint8_t role = d.composite_member->member_role;
  if (place > 0) {
    if (role != 0)
      faults.add("CMP-23", d.composite_member->at, "a second base", "a correction (0x00)");
    return;
  }
  if (role != 1) {
    faults.add("CMP-21", d.composite_member->at, "a correction first", "the base (0x01) first");
    return;
  }
  if (faults.broken("CMP-15") || faults.broken("CMP-16") || !d.shard) return;
  for (std::size_t k = 0; k < d.shape.size(); ++k)
    if (d.shape[k] != head.shape[k])
      faults.add("CMP-22", d.shape_at(k), "a base of size " + std::to_string(d.shape[k]),
                 "the head's size " + std::to_string(head.shape[k]));
  for (std::size_t k = 0; k < d.shard->shard_offset.size(); ++k)
    if (d.shard->shard_offset[k] != 0)
      faults.add("CMP-22", d.shard->at + 8 * (d.shape.size() + k),
                 "a base at " + std::to_string(d.shard->shard_offset[k]), "a base at 0");
}

// Coverage and non-overlap, once every member's box is known and inside the head.
void Binder::judge_partition(std::size_t head_index, const std::vector<std::size_t>& bound) {
  const Descriptor& head = result.members[head_index].descriptor;
  if (head.has_dynamic_dimension()) return;
  std::vector<Box> boxes;
  for (std::size_t m : bound) {
    const Descriptor& d = result.members[m].descriptor;
    if (!d.shard || d.shard->shard_offset.size() != head.shape.size()) return;
    if (across[m].broken("CMP-15") || across[m].broken("CMP-16")) return;
    for (std::size_t k = 0; k < head.shape.size(); ++k)
      if (!(Exact(d.shard->shard_offset[k]) + Exact(d.shape[k])).at_most(head.shape[k])) return;
    boxes.push_back({d.shard->shard_offset, d.shape});
  }
  std::optional<std::size_t> later = first_overlap(boxes);
  if (later) {
    std::size_t m = bound[*later];
    const Descriptor& d = result.members[m].descriptor;
    std::size_t at = d.shape.empty() ? 10 : d.shard->at + 8 * (2 * d.shape.size() - 1);
    across[m].add("CMP-27", at, "a box that overlaps an earlier member's", "boxes apart");
  }
  if (leaves_gap(boxes, head.shape, later.has_value()))
    across[head_index].add("CMP-26", 20, "an index of the head that no member covers",
                           "every index covered once");
}

}  // namespace

SetJudgement judge_set(const std::vector<ByteView>& set, const Options& options) {
  if (set.empty()) return judge_set({ByteView{}}, options);
  Binder binder{set, options, {}, {}};
  std::size_t head_index = binder.take_next();
  if (binder.is_followed(head_index)) binder.bind();

  SetJudgement& result = binder.result;
  judge_too_strictly(result, binder.across);
  for (std::size_t m = 0; m < result.members.size(); ++m) {
    const Judgement& j = result.members[m];
    // The boxes of a partition or overlay need the head's sizes at once (open point D-037).
    if (const CompositeHead* head = binder.head_at(m)) {
      bool is_partition = head->composition_rule == rule::partition;
      for (std::size_t k = 0; k < j.descriptor.shape.size(); ++k)
        if (j.descriptor.shape[k] == dynamic_dimension &&
            (is_partition || head->composition_rule == rule::overlay))
          binder.across[m].add(is_partition ? "CMP-26" : "D-037",
                               is_partition ? 20 : j.descriptor.shape_at(k),
                               "a dynamic size in the head", "known sizes for the members' boxes");
    }
    bool waived = false;
    for (Fault fault : j.faults) {
      fault.member = m;
      result.faults.push_back(fault);
    }
    for (const Fault& fault : binder.across[m].judged(options, j.read_end, waived))
      result.faults.push_back(fault);
    if (waived || !j.interpreted) result.interpreted = false;
  }
  for (std::size_t m = result.members.size(); m < set.size(); ++m) result.rest += set[m].size();

  auto wrong = [](const Fault& f) { return f.verdict != Verdict::unsupported; };
  if (std::ranges::any_of(result.faults, wrong)) std::erase_if(result.faults, std::not_fn(wrong));
  std::ranges::stable_sort(result.faults, {}, [](const Fault& f) {
    return std::tuple(f.member, f.offset, f.row);
  });
  return std::move(binder.result);
}

}  // namespace plumbline
