// Any bytes: within bounds of memory and time, and every promise of conformance/robustness holds.
#include <ctime>

#include "../memory.h"
#include "../target.h"
#include "conformance/robustness/survive.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::fuzz {

namespace {

// Judging keeps the struct and the faults with their texts; listing a key, a place and a value for
// every field, and for all 255 handles that a cut-off table may announce.
constexpr std::size_t at_least = 32768, judging = 160, list_at_least = 512 * 1024, listing = 512;

double seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::string bounded(ByteView input) {
  static const Judgement tables_read = judge({});  // tables that no input pays for
  (void)tables_read;
  for (Mode mode : {Mode::strict, Mode::lenient, Mode::permissive}) {
    double start = seconds();
    MemoryWatch judge_watch;
    Judgement judged = judge(input, {.mode = mode});
    if (judge_watch.peak() > at_least + judging * input.size())
      return "judging takes " + std::to_string(judge_watch.peak()) + " bytes for " +
             std::to_string(input.size()) + " of input";
    MemoryWatch list_watch;
    (void)list_fields(judged.descriptor);
    if (list_watch.peak() > list_at_least + listing * input.size())
      return "listing takes " + std::to_string(list_watch.peak()) + " bytes for " +
             std::to_string(input.size()) + " of input";
    // A hundredth of this is usual, also under a sanitizer.
    if (seconds() - start > 0.1 + 2e-5 * static_cast<double>(input.size())) return "takes too long";
  }
  return "";
}

}  // namespace

std::string decode_any(ByteView input) {
  if (std::string broken = bounded(input); !broken.empty()) return broken;
  return robustness::broken_promise(input);
}

}  // namespace plumbline::fuzz
