// Builds sound descriptors as the bytes of an input choose, and puts single violations into them.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "reference/descriptor/sections.h"

namespace plumbline::fuzz {

// Decisions taken from the front of an input; zeros behind its end.
class Choices {
 public:
  explicit Choices(ByteView bytes) : bytes_(bytes) {}
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    std::uint8_t value = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return value;
  }
  // n is at most 256.
  std::uint64_t below(std::uint64_t n) { return n == 0 ? 0 : byte() % n; }
  bool one_in(std::uint64_t n) { return below(n) == n - 1; }
  std::uint64_t wide() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | byte();
    return value;
  }
  ByteView left() const { return bytes_; }

 private:
  ByteView bytes_;
};

// A descriptor that strict accepts when everything private is agreed on. `layout`: its tag, else the
// bytes choose.
Descriptor sound(Choices& choices, std::optional<std::uint8_t> layout = std::nullopt);
// Every layout that sound() builds.
inline constexpr std::uint8_t sound_layouts[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0x40, 0xF1};

// The header's flags, counts and lengths as the parts have them.
void settle(Descriptor& d);

// One way to break one clause.
struct Violation {
  std::string_view clause;  // what strict names
  // Breaks it; false where the descriptor has no place for it. `bytes` are the descriptor's own and
  // may be changed instead, after the struct is written.
  bool (*apply)(Descriptor& d, Choices& choices);
};
extern const std::vector<Violation> violations;

}  // namespace plumbline::fuzz
