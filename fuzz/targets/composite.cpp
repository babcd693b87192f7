// A composite head and its members, one behind the other: conformance/robustness, memory, depth.
#include "../memory.h"
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
    MemoryWatch watch;
    SetJudgement judged = judge_set(set);
    // A member of one byte costs as much as its judgement and its refusal.
    if (watch.peak() > 65536 + 512 * input.size() + 4096 * set.size())
      return "a set of " + std::to_string(input.size()) + " bytes takes " + std::to_string(watch.peak());
  }
  return robustness::broken_promise_of_set(set);
}

}  // namespace plumbline::fuzz
