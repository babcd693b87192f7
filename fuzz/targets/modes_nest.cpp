// What lenient refuses, strict refuses; what strict takes, permissive takes; an agreement only adds.
#include <algorithm>

#include "../target.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::fuzz {

std::string modes_nest(ByteView input) {
  auto ask = [&](Mode mode, bool agrees, bool network = false) {
    return judge(input, {.mode = mode,
                         .agreement = agrees ? Agreement::everything() : Agreement{},
                         .network_transport = network});
  };
  for (bool agrees : {false, true}) {
    Judgement strict = ask(Mode::strict, agrees), lenient = ask(Mode::lenient, agrees),
              permissive = ask(Mode::permissive, agrees);
    if (strict.accepted() && !lenient.accepted()) return "lenient refuses what strict takes";
    if (strict.accepted() && !permissive.accepted()) return "permissive refuses what strict takes";
    if (strict.read_end != lenient.read_end) return "the mode changes what is read";
    auto names = [](const Judgement& j, const std::string& clause) {
      return std::ranges::any_of(j.faults, [&](const Fault& f) { return f.clause == clause; });
    };
    for (const Fault& fault : lenient.faults) {
      if (fault.severity == Class::W) return "lenient refuses " + fault.clause + ", which binds only writers";
      bool presupposes = !fault.unless.empty() && names(strict, fault.unless);
      bool behind = fault.verdict == Verdict::unsupported && strict.verdict() != Verdict::unsupported;
      if (!presupposes && !behind && !names(strict, fault.clause)) return "strict does not name " + fault.clause;
    }
    if (ask(Mode::strict, agrees, true).accepted() && !strict.accepted())
      return "crossing a network makes it acceptable";
    if (permissive.accepted() && !permissive.interpreted && strict.accepted() && strict.interpreted)
      return "permissive interprets less than strict";
  }
  for (Mode mode : {Mode::strict, Mode::lenient, Mode::permissive})
    if (ask(mode, false).accepted() && !ask(mode, true).accepted())
      return "an agreement makes a descriptor unacceptable";
  return "";
}

}  // namespace plumbline::fuzz
