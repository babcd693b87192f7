// Exact counts and sizes. The specification's products (element counts, buffer sizes) have no upper
// limit in the text, so they are computed here without wrapping: a number is either exact or known
// to be beyond everything that a 64-bit byte_size could hold (open point D-034).
#pragma once

#include <cstdint>
#include <limits>

namespace plumbline {

__extension__ using u128 = unsigned __int128;
__extension__ using i128 = __int128;

class Exact {
 public:
  constexpr Exact(u128 value = 0) : value_(value) {}
  static constexpr Exact beyond() {
    Exact e;
    e.beyond_ = true;
    return e;
  }

  constexpr bool is_beyond() const { return beyond_; }
  constexpr bool is_zero() const { return !beyond_ && value_ == 0; }
  constexpr u128 value() const { return value_; }
  // Whether the number is at most `limit`.
  constexpr bool at_most(u128 limit) const { return !beyond_ && value_ <= limit; }
  constexpr bool fits_u64() const { return at_most(std::numeric_limits<std::uint64_t>::max()); }

  // A zero factor gives zero, however large the others are.
  friend constexpr Exact operator*(Exact a, Exact b) {
    if (a.is_zero() || b.is_zero()) return Exact(0);
    if (a.beyond_ || b.beyond_ || a.value_ > ~u128{0} / b.value_) return beyond();
    return Exact(a.value_ * b.value_);
  }
  friend constexpr Exact operator+(Exact a, Exact b) {
    if (a.beyond_ || b.beyond_ || a.value_ > ~u128{0} - b.value_) return beyond();
    return Exact(a.value_ + b.value_);
  }
  friend constexpr bool operator==(Exact a, Exact b) {
    return a.beyond_ == b.beyond_ && (a.beyond_ || a.value_ == b.value_);
  }

 private:
  u128 value_ = 0;
  bool beyond_ = false;
};

constexpr Exact ceil_divide(Exact a, std::uint64_t divisor) {
  if (a.is_beyond()) return a;
  return Exact(a.value() / divisor + (a.value() % divisor != 0 ? 1 : 0));
}

constexpr Exact power_of_two(std::uint64_t exponent) {
  return exponent < 128 ? Exact(u128{1} << exponent) : Exact::beyond();
}

constexpr Exact larger(Exact a, Exact b) {
  if (a.is_beyond() || b.is_beyond()) return Exact::beyond();
  return a.value() < b.value() ? b : a;
}

// floor(a / b) and its modulus for negative a, as the specification's floor asks (open point D-043).
constexpr i128 floor_divide(i128 a, i128 b) { return a / b - (a % b < 0 ? 1 : 0); }
constexpr i128 floor_modulus(i128 a, i128 b) { return a - floor_divide(a, b) * b; }

}  // namespace plumbline
