// The table of this program: one target of fuzz/, and one that is broken on purpose.
#include "fuzz/target.h"

namespace plumbline::fuzz {

namespace {

std::string planted(ByteView input) {
  return input.size() > 5 && input[5] != 0 ? "a minor version that is not 0" : "";
}

constexpr Target table[] = {
    {"reencode", Format::descriptor, reencode, "what is accepted is written again byte for byte"},
    {"planted", Format::descriptor, planted, "every minor version is 0"},
};

}  // namespace

std::span<const Target> targets() { return table; }

const Target* find_target(std::string_view name) {
  for (const Target& target : table)
    if (target.name == name) return &target;
  return nullptr;
}

}  // namespace plumbline::fuzz
