// The input, and what its own descriptor_length leaves of it, right before a page that may not be read.
#include "../guarded.h"
#include "../pieces.h"
#include "../target.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::fuzz {

std::string exact_end(ByteView input) {
  static Guarded memory(1 << 20);
  if (input.size() > memory.room()) return "";
  std::size_t front = front_length(input);
  for (std::size_t length : {input.size(), front, front > 0 ? front - 1 : 0, front / 2}) {
    ByteView placed = memory.place(input, length);
    for (Mode mode : {Mode::strict, Mode::lenient, Mode::permissive}) {
      Judgement judged = judge(placed, {.mode = mode, .agreement = Agreement::everything()});
      if (judged.read_end > length) return "fields read behind the end of the input";
      if (length < front && judged.accepted()) return "accepted without its last byte";
      (void)serialize(judged.descriptor);
    }
  }
  return "";
}

}  // namespace plumbline::fuzz
