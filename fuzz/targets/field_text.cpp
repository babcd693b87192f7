// Fields as text, the way an adapter is given them: a descriptor or a word why not, and nothing is
// allocated on the word of a number.
#include "../bounds.h"
#include "../target.h"
#include "conformance/robustness/survive.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::fuzz {

namespace {

// A member of a list is a string of its own; a table of 255 buffers may be announced by a word each, and a
// rank of up to 4096 by one word.
constexpr std::size_t at_least = 4 << 20, times = 512;

}  // namespace

std::string field_text(ByteView input) {
  FieldText text;
  for (const std::string& word : split_list(std::string(input.begin(), input.end()), ' ')) {
    Agreement agreed;
    if (agreed.parse(word) && word.find('=') == word.npos) return "an agreement without an equals sign";
    if (std::optional<Mode> mode = parse_mode(word); mode && to_string(*mode) != word) return "another mode";
    std::size_t equals = word.find('=');
    if (equals != word.npos) text[word.substr(0, equals)] = word.substr(equals + 1);
  }
  Bounds bounds;
  std::expected<Descriptor, FieldTextFault> d = from_fields(text);
  if (std::string broken = bounds.broken("reading", input.size(), at_least, times); !broken.empty()) return broken;
  if (!d) return d.error().text.empty() ? "refused without a word why" : "";
  return robustness::broken_promise(serialize(*d));  // among them: written again from its printed fields
}

}  // namespace plumbline::fuzz
