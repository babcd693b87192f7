// What the tests of this folder share: the verdict on a tensor's contents as one line of text.
#pragma once

#include "reference/addressing/test_tensors.h"
#include "reference/contents/contents.h"

namespace plumbline::test {

// "CON-21 b1+8" for each fault, joined by commas: clause, buffer and offset; "refused KIND";
// "fine".
inline std::string verdict(const Descriptor& d, const Held& held, Mode mode = Mode::strict) {
  auto faults = judge_contents(d, held.views(), {.mode = mode});
  if (!faults) return "refused " + faults.error().kind;
  std::string text;
  for (const Fault& fault : *faults)
    text += (text.empty() ? "" : ", ") + fault.clause + " b" + std::to_string(fault.member) + "+" +
            std::to_string(fault.offset);
  return text.empty() ? "fine" : text;
}

// The descriptor over these buffers, accepted.
inline Descriptor over(const Held& held, std::uint8_t type, std::uint8_t layout_tag, Sizes shape,
                       Layout fields = Contiguous{}) {
  return accepted(tensor(type, layout_tag, std::move(shape), held.sizes(), std::move(fields)));
}

}  // namespace plumbline::test
