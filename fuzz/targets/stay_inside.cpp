// Whatever any mode accepts: fields, size, corners, contents, lookup and dequantise, with buffers that
// end right before pages that may not be read.
#include "../pieces.h"
#include "../questions.h"
#include "../target.h"

namespace plumbline::fuzz {

std::string stay_inside(ByteView input) {
  std::size_t front = front_length(input);
  for (Mode mode : {Mode::lenient, Mode::permissive}) {
    std::expected<Descriptor, Fault> d =
        decode(input.first(front), {.mode = mode, .agreement = Agreement::everything()});
    if (!d) continue;
    if (std::optional<Buffers> buffers = guarded_buffers(*d, input.subspan(front))) ask_everything(*d, *buffers);
    break;
  }
  return "";
}

}  // namespace plumbline::fuzz
