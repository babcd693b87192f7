// accepted => the same bytes again; the collecting call and the stopping one give one answer.
#include <algorithm>

#include "../target.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::fuzz {

std::string reencode(ByteView input) {
  for (bool agrees : {false, true})
    for (Mode mode : {Mode::strict, Mode::lenient, Mode::permissive}) {
      Options options{.mode = mode, .agreement = agrees ? Agreement::everything() : Agreement{}};
      Judgement collected = judge(input, options);
      std::expected<Descriptor, Fault> stopped = decode(input, options);
      if (stopped.has_value() != collected.accepted()) return "collecting and stopping differ";
      if (!stopped) {
        const Fault &a = collected.faults[0], &b = stopped.error();
        if (a.clause != b.clause || a.offset != b.offset || a.verdict != b.verdict)
          return "collecting says " + a.clause + ", stopping " + b.clause;
        for (std::size_t k = 1; k < collected.faults.size(); ++k)
          if (collected.faults[k].offset < collected.faults[k - 1].offset) return "faults out of order";
        for (const Fault& fault : collected.faults)
          if (fault.message().empty()) return "a fault without words";
        continue;
      }
      Bytes again = serialize(*stopped);
      std::size_t length = stopped->header.descriptor_length;
      if (length > input.size() || !std::ranges::equal(again, input.first(length)))
        return "does not re-encode to its own bytes";
      if (collected.rest != input.size() - length) return "the rest is not what lies behind the length";
      std::size_t at = 0;
      for (const Field& field : list_fields(*stopped)) {
        if (field.offset != at) return "a gap or overlap of fields before " + field.key;
        at += field.size;
      }
      if (at != length) return "the fields do not fill the descriptor";
    }
  return "";
}

}  // namespace plumbline::fuzz
