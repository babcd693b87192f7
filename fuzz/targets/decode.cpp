// Any bytes: within bounds of memory and time, and every promise of conformance/robustness holds.
#include "../bounds.h"
#include "../target.h"
#include "conformance/robustness/survive.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::fuzz {

namespace {

// Judging keeps the struct and the faults with their texts; listing a key, a place and a value for
// every field, and for all 255 handles that a cut-off table may announce.
constexpr std::size_t at_least = 65536, judging = 512, list_at_least = 512 * 1024, listing = 512;

std::string bounded(ByteView input) {
  static const Judgement tables_read = judge({});  // tables that no input pays for
  (void)tables_read;
  for (Mode mode : {Mode::strict, Mode::lenient, Mode::permissive}) {
    Bounds of_judging;
    Judgement judged = judge(input, {.mode = mode});
    if (std::string broken = of_judging.broken("judging", input.size(), at_least, judging); !broken.empty())
      return broken;
    Bounds of_listing;
    (void)list_fields(judged.descriptor);
    if (std::string broken = of_listing.broken("listing", input.size(), list_at_least, listing); !broken.empty())
      return broken;
  }
  return "";
}

}  // namespace

std::string decode_any(ByteView input) {
  if (std::string broken = bounded(input); !broken.empty()) return broken;
  return robustness::broken_promise(input);
}

}  // namespace plumbline::fuzz
