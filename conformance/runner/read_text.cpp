#include "conformance/runner/read_text.h"

#include <fstream>
#include <stdexcept>

namespace plumbline::runner {

std::optional<std::string> read_text(const std::filesystem::path& file, std::size_t limit) {
  std::ifstream in(file, std::ios::binary);
  std::string text;
  char block[65536];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(in.gcount()));
    if (text.size() > limit)
      throw std::length_error(file.string() + " has more than " + std::to_string(limit) + " bytes");
  }
  // Only an end of file may have ended it: a missing file and a folder set other bits.
  if (in.bad() || !in.eof()) return std::nullopt;
  return text;
}

}  // namespace plumbline::runner
