// Operands of the kernels as an input chooses them, and the comparison with the reference on every
// instruction set of this machine.
#pragma once

#include <bit>
#include <string>
#include <vector>

#include "build.h"
#include "kernels/simd/targets.h"
#include "random.h"
#include "reference/scalar/test_operands.h"
#include "reference/scalar/traits.h"

namespace plumbline::fuzz {

// Numbers from the input's own bits while there are any, then from a stream that it seeds. `mix` of
// 0: all of them near 1, so that every digit counts; 1: now and then one that is not finite,
// subnormal or of any bits; 2: mostly such.
class Operands {
 public:
  explicit Operands(Choices& choices)
      : choices_(choices), mix_(choices.below(3)), stream_(choices.wide()), special_(test::special_values()) {}

  void fill(df64& x) {
    if (!is_awkward()) {
      x = stream_.near_one();
    } else if (std::uint64_t kind = byte() % 4; kind == 0) {
      double hi = std::bit_cast<double>(wide()), lo = std::bit_cast<double>(wide());
      x = df64(hi, lo);  // canonical, whatever the bits
    } else {
      x = kind == 1 ? stream_.anywhere() : special_[byte() % special_.size()];
    }
  }
  void fill(bf16& x) {
    std::uint64_t bits = is_awkward() ? byte() << 8 | byte() : 0x3c00 + stream_.below(0x400);
    x = bf16::from_bits(static_cast<std::uint16_t>(bits ^ (stream_.below(2) << 15)));
  }
  void fill(float& x) {
    // Half of them at the middle of two bf16, or next to it.
    std::uint64_t low = byte() % 2 == 0 ? 0x7fff + byte() % 3 : byte() << 8 | byte();
    x = std::bit_cast<float>(static_cast<std::uint32_t>((byte() << 8 | byte()) << 16 | low));
  }
  template <class T>
  std::vector<T> many(std::size_t n) {
    std::vector<T> values(n);
    for (T& x : values) fill(x);
    return values;
  }

 private:
  bool is_awkward() { return mix_ != 0 && (mix_ == 1 ? stream_.below(12) == 0 : stream_.below(8) != 0); }
  std::uint64_t byte() { return choices_.left().empty() ? stream_.bits() & 0xff : choices_.byte(); }
  std::uint64_t wide() { return choices_.left().empty() ? stream_.bits() : choices_.wide(); }

  Choices& choices_;
  std::uint64_t mix_;
  test::operand_stream stream_;
  std::vector<df64> special_;
};

// The place of the first difference; nothing where there is none. NaNs are one value, as the
// kernels promise.
template <class T>
std::string difference(const std::vector<T>& got, const std::vector<T>& expected) {
  if (got.size() != expected.size()) return "another number of elements";
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!same_bits(got[i], expected[i])) return "element " + std::to_string(i) + " differs";
  return "";
}

// What `broken` says on the first target where it says something; the one that was in use (the best,
// or that of PLUMBLINE_TARGET) is in use again afterwards.
template <class Broken>
std::string on_every_target(Broken broken) {
  static const std::vector<kernels::target> targets = kernels::available_targets();
  static const kernels::target usual = kernels::current_target();
  std::string said;
  for (kernels::target t : targets) {
    kernels::force_target(t);
    said = broken();
    if (!said.empty()) said = std::string(kernels::to_string(t)) + ": " + said;
    if (!said.empty()) break;
  }
  kernels::force_target(usual);
  return said;
}

}  // namespace plumbline::fuzz
