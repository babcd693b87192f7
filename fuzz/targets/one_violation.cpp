// Sound fields are accepted; with one clause broken, exactly that clause is named, alone, and in lenient
// too where its class is R or N.
#include "../build.h"
#include "../target.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::fuzz {

std::string one_violation(ByteView input) {
  Choices choices(input);
  std::size_t which = choices.below(violations.size());
  Descriptor d = sound(choices);
  Options strict{.agreement = Agreement::everything()};
  if (Judgement judged = judge(serialize(d), strict); !judged.accepted())
    return "sound fields are refused: " + judged.faults[0].message();

  const Violation& violation = violations[which];
  std::string clause(violation.clause);
  if (!violation.apply(d, choices)) return "";
  Bytes bytes = serialize(d);
  Judgement judged = judge(bytes, strict);
  if (judged.accepted()) return clause + " is broken, and nothing is refused: " + to_hex(bytes);
  if (judged.faults.size() > 1)
    return clause + " is broken alone, but " + judged.faults[0].clause + " and " + judged.faults[1].clause +
           " are named: " + to_hex(bytes);
  if (judged.faults[0].clause != clause)
    return clause + " is broken, but " + judged.faults[0].message() + " is named: " + to_hex(bytes);
  Options lenient{.mode = Mode::lenient, .agreement = Agreement::everything()};
  bool refused = !judge(bytes, lenient).accepted();
  if (judged.faults[0].severity != Class::W && !refused) return clause + " is let pass by lenient";
  if (judged.faults[0].severity == Class::W && refused) {
    // Who lets it pass may still need room that the broken field asks for.
    std::string second = judge(bytes, lenient).faults[0].clause;
    if (second == clause) return clause + " binds only writers, but lenient refuses it";
  }
  return "";
}

}  // namespace plumbline::fuzz
