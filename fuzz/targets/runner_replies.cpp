// What an adapter may answer: a line is a reply or unreadable, and no line ends the runner.
#include <algorithm>
#include <array>
#include <stdexcept>

#include "../target.h"
#include "conformance/runner/reply.h"
#include "conformance/runner/values.h"

namespace plumbline::fuzz {

std::string runner_replies(ByteView input) {
  static constexpr std::array ops = {"decode",  "fields",  "encode",   "composite", "size",
                                     "address", "contents", "lookup", "dequantise", "unknown"};
  std::string text(input.begin(), input.end());
  try {
    for (const char* op : ops) {
      runner::reply r = runner::parse_reply(op, text);
      if (r.is == runner::reply::form::unreadable && r.rest.empty()) return "unreadable without a word why";
      if (r.is == runner::reply::form::accept && r.extent != "full" && r.extent != "sized")
        return "an accept that is neither full nor sized";
      if (r.is == runner::reply::form::reject && r.verdict != "malformed" && r.verdict != "invalid" &&
          r.verdict != "unsupported" && r.verdict != "refused")
        return "a reject without a verdict";
      (void)runner::same_value(op, text, text);
      if (text.find('7') == std::string::npos && runner::same_value(op, text + "7", text) &&
          std::string(op) == "lookup")
        return "two different values are the same";
    }
    (void)runner::same_field("shape", text, text);
    try {
      vectors::named_values fields = runner::parse_fields(text);
      if (!runner::difference(fields, fields, true).empty()) {
        // Values that cannot be read are equal to nothing, not to themselves either.
        bool readable = std::ranges::all_of(
            fields, [](const auto& field) { return runner::same_field(field.first, field.second, field.second); });
        std::vector<std::string> keys;
        for (const auto& field : fields) keys.push_back(field.first);
        std::ranges::sort(keys);
        bool twice = std::ranges::adjacent_find(keys) != keys.end();
        if (readable && !twice) return "fields differ from themselves";
      }
    } catch (const std::invalid_argument&) {
    }
  } catch (const std::exception& error) {
    return std::string("an exception: ") + error.what();
  }
  return "";
}

}  // namespace plumbline::fuzz
