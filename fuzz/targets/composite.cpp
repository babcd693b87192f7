// A composite head and its members, one behind the other: conformance/robustness, memory, depth.
#include "../bounds.h"
#include "../pieces.h"
#include "../target.h"
#include "conformance/robustness/survive.h"
#include "reference/descriptor/composite_set.h"

namespace plumbline::fuzz {

std::string composite(ByteView input) {
  std::vector<ByteView> set = split_set(input);
  static const SetJudgement tables_read = judge_set({});  // tables that no input pays for
  (void)tables_read;
  {
    Bounds bounds;
    SetJudgement judged = judge_set(set);
    // A member of one byte costs as much as its judgement and its refusal.
    if (std::string broken = bounds.broken("a set", input.size(), 65536 + 4096 * set.size(), 512); !broken.empty())
      return broken;
  }
  return robustness::broken_promise_of_set(set);
}

}  // namespace plumbline::fuzz
