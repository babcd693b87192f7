// A descriptor that was refused, as far as it was read: every question about it is answered or refused,
// and stays inside its buffers.
#include "../pieces.h"
#include "../questions.h"
#include "../target.h"

namespace plumbline::fuzz {

std::string refused(ByteView input) {
  std::size_t front = front_length(input);
  Judgement judged = judge(input.first(front), {.mode = Mode::strict, .agreement = Agreement::everything()});
  if (judged.accepted()) return "";
  if (std::optional<Buffers> buffers = guarded_buffers(judged.descriptor, input.subspan(front)))
    ask_everything(judged.descriptor, *buffers);
  return "";
}

}  // namespace plumbline::fuzz
