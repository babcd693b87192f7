// layouts/composite.md: a head with its members, judged together.
#pragma once

#include "descriptor.h"

namespace plumbline {

inline constexpr std::size_t deepest_composite = 8;  // heads on one path, the outermost included (D-196)

struct SetJudgement {
  // The head and the members it binds, in order; a nested head is followed by its own members.
  std::vector<Judgement> members;
  std::vector<Fault> faults;  // by member, then offset, then table order; none when accepted
  bool interpreted = true;
  std::size_t rest = 0;  // bytes behind the members' descriptors, and tensors behind the last member

  bool accepted() const { return faults.empty(); }
  Verdict verdict() const { return faults.empty() ? Verdict::accept : faults.front().verdict; }
};

// Judges `set`: the head first, then its members in pre-order. The head must have the composite
// layout; of any other first tensor only its own judgement is given.
SetJudgement judge_set(const std::vector<ByteView>& set, const Options& options = {});

}  // namespace plumbline
