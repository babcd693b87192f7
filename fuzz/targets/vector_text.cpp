// The text of test vectors.
#include "conformance/vectors/text.h"

#include "../target.h"

namespace plumbline::fuzz {

std::string vector_text(ByteView input) {
  std::string text(input.begin(), input.end());
  try {
    vectors::text_file file = vectors::parse_text("input.vec", text);
    for (const vectors::text_vector& v : file.vectors) {
      if (v.id.empty()) return "a vector without an id";
      if (v.line <= 0) return "a vector without a line";
    }
  } catch (const vectors::text_error& error) {
    if (std::string(error.what()).rfind("input.vec:", 0) != 0) return "an error without file and line";
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  }
  return "";
}

}  // namespace plumbline::fuzz
