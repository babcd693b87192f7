// The only code that touches input bytes. A Reader hands out the next n bytes or refuses; nothing
// else in the project compares an offset plus a length with a size.
//
// All multi-byte integers are little-endian (metadata.md, Overall Descriptor Structure; clause HDR-01)
// and are assembled byte by byte, so the host's own byte order plays no part (HDR-02).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plumbline {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

class Reader {
 public:
  // Reads `window`; offsets are reported as `base` plus the place in the window.
  explicit Reader(ByteView window, std::size_t base = 0) : window_(window), base_(base) {}

  std::size_t offset() const { return base_ + position_; }
  std::size_t left() const { return window_.size() - position_; }

  // The next n bytes, or nothing when fewer are left; then the position stays where it was.
  std::optional<ByteView> take(std::uint64_t n) {
    if (n > left()) return std::nullopt;
    ByteView taken = window_.subspan(position_, static_cast<std::size_t>(n));
    position_ += static_cast<std::size_t>(n);
    return taken;
  }

 private:
  ByteView window_;
  std::size_t base_;
  std::size_t position_ = 0;
};

// The number held by 1 to 8 bytes, least significant byte first.
std::uint64_t little_endian(ByteView bytes);
// Appends the `width` least significant bytes of `value`, least significant first.
void append_little_endian(Bytes& to, std::uint64_t value, std::size_t width);

// An array of little-endian integers of `width` bytes inside a buffer that holds only whole entries
// of it; entry(i) is nothing when entry i is not wholly inside.
class Array {
 public:
  Array(ByteView bytes, std::size_t width) : bytes_(bytes), width_(width) {}
  std::uint64_t size() const { return bytes_.size() / width_; }
  std::optional<std::uint64_t> entry(std::uint64_t i) const {
    if (i >= size()) return std::nullopt;
    return little_endian(bytes_.subspan(static_cast<std::size_t>(i) * width_, width_));
  }

 private:
  ByteView bytes_;
  std::size_t width_;
};

std::string to_hex(ByteView bytes);
// Two hexadecimal digits a byte, upper or lower case; nothing when the text is anything else.
std::optional<Bytes> from_hex(std::string_view text);

}  // namespace plumbline
