// Typed fields -> bytes -> typed fields.
#include "../build.h"
#include "../target.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::fuzz {

std::string fields_roundtrip(ByteView input) {
  Choices choices(input);
  Descriptor d = sound(choices);
  std::expected<Bytes, Fault> bytes = encode(d);
  if (!bytes) return "sound fields are refused: " + bytes.error().message();
  std::expected<Descriptor, Fault> back = decode(*bytes, {.agreement = Agreement::everything()});
  if (!back) return "encoded, but not decoded: " + back.error().message();
  std::vector<Field> before = list_fields(d), after = list_fields(*back);
  if (before.size() != after.size()) return "another number of fields";
  for (std::size_t k = 0; k < before.size(); ++k) {
    if (before[k].key == "descriptor_length") continue;  // computed when writing
    if (before[k].key != after[k].key || before[k].index != after[k].index ||
        before[k].offset != after[k].offset || before[k].value != after[k].value)
      return before[k].key + " is " + before[k].value + ", came back as " + after[k].key + " " + after[k].value;
  }
  return "";
}

}  // namespace plumbline::fuzz
