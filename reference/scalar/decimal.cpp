#include "decimal.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace plumbline {
namespace {

// A whole number that is not negative; 32 bits a limb, the least first, no leading zero limb.
class whole {
 public:
  void multiply_add(std::uint32_t factor, std::uint32_t term) {
    std::uint64_t carry = term;
    for (std::uint32_t& limb : limbs_) {
      carry += std::uint64_t{limb} * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
    trim();
  }
  void add(const whole& other) {
    limbs_.resize(std::max(limbs_.size(), other.limbs_.size()) + 1);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      carry += std::uint64_t{limbs_[i]} + (i < other.limbs_.size() ? other.limbs_[i] : 0);
      limbs_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    trim();
  }
  void shift_left(std::size_t bits) {
    if (limbs_.empty()) return;
    for (; bits >= 31; bits -= 31) multiply_add(std::uint32_t{1} << 31, 0);
    multiply_add(std::uint32_t{1} << bits, 0);
  }
  // Precondition: *this >= other.
  void subtract(const whole& other) {
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      std::int64_t difference = std::int64_t{limbs_[i]} - borrow;
      if (i < other.limbs_.size()) difference -= other.limbs_[i];
      borrow = difference < 0 ? 1 : 0;
      limbs_[i] = static_cast<std::uint32_t>(difference);
    }
    trim();
  }
  std::size_t bit_length() const {
    if (limbs_.empty()) return 0;
    std::size_t bits = (limbs_.size() - 1) * 32;
    for (std::uint32_t top = limbs_.back(); top != 0; top >>= 1) ++bits;
    return bits;
  }
  bool is_zero() const { return limbs_.empty(); }
  friend bool operator<(const whole& a, const whole& b) {
    if (a.limbs_.size() != b.limbs_.size()) return a.limbs_.size() < b.limbs_.size();
    return std::lexicographical_compare(a.limbs_.rbegin(), a.limbs_.rend(), b.limbs_.rbegin(),
                                        b.limbs_.rend());
  }

 private:
  void trim() {
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  }
  std::vector<std::uint32_t> limbs_;
};

// A double as sign, whole number and exponent of two.
struct nearest_double {
  std::uint64_t significand = 0;  // at most 2^53
  int exponent = 0;
  double value() const { return std::ldexp(static_cast<double>(significand), exponent); }
};

// The double nearest to numerator / denominator, ties to even; inf by way of value() where too
// large.
nearest_double nearest(whole numerator, whole denominator) {
  if (numerator.is_zero()) return {};
  // The quotient lies in 2^(exponent + 52) .. 2^(exponent + 54), or below that at the last
  // exponent.
  const int ratio =
      static_cast<int>(numerator.bit_length()) - static_cast<int>(denominator.bit_length());
  int exponent = std::max(ratio - 53, -1074);
  if (exponent >= 0) {
    denominator.shift_left(static_cast<std::size_t>(exponent));
  } else {
    numerator.shift_left(static_cast<std::size_t>(-exponent));
  }
  // Division bit by bit, from the 55th bit of the quotient down.
  std::uint64_t quotient = 0;
  for (int bit = 55; bit >= 0; --bit) {
    whole part = denominator;
    part.shift_left(static_cast<std::size_t>(bit));
    if (numerator < part) continue;
    numerator.subtract(part);
    quotient |= std::uint64_t{1} << bit;
  }
  bool sticky = !numerator.is_zero();
  std::uint64_t dropped_bit = 0;
  if (quotient >> 53 != 0) {  // 54 bits: one to round away
    dropped_bit = quotient & 1;
    quotient >>= 1;
    ++exponent;
  } else {  // 53 bits or fewer: the remainder decides, compared with half the denominator
    whole twice = numerator;
    twice.shift_left(1);
    dropped_bit = twice < denominator ? 0 : 1;
    sticky = dropped_bit == 1 && denominator < twice;
  }
  if (dropped_bit == 1 && (sticky || (quotient & 1) == 1)) ++quotient;
  return {quotient, exponent};
}

// value = digits * 10^exponent, the digits without leading zeros.
struct decimal_parts {
  bool negative = false;
  std::string digits;
  std::int64_t exponent = 0;
};

decimal_parts split(std::string_view literal) {
  constexpr std::int64_t far = 1'000'000'000;  // an exponent beyond every length of text
  decimal_parts parts;
  bool point = false;
  std::size_t i = 0;
  for (; i < literal.size() && literal[i] != 'e' && literal[i] != 'E'; ++i) {
    const char c = literal[i];
    if (c == '-') parts.negative = true;
    if (c == '.') point = true;
    if (c < '0' || c > '9') continue;
    if (c != '0' || !parts.digits.empty()) parts.digits.push_back(c);
    if (point) --parts.exponent;
  }
  if (i < literal.size()) {
    const bool down = literal[i + 1] == '-';
    std::int64_t e = 0;
    for (++i; i < literal.size(); ++i) {
      if (literal[i] >= '0' && literal[i] <= '9')
        e = std::min(e * 10 + (literal[i] - '0'), far * 2);
    }
    parts.exponent += down ? -e : e;
  }
  // What decides between two neighbours has fewer than 1500 digits (a multiple of 2^-1075 below
  // 2^1024): a longer tail matters only by being there.
  constexpr std::size_t longest = 1500;
  if (parts.digits.size() > longest) {
    const bool tail = parts.digits.find_first_not_of('0', longest) != std::string::npos;
    parts.exponent += static_cast<std::int64_t>(parts.digits.size() - longest);
    parts.digits.resize(longest);
    if (tail) {
      parts.digits.push_back('1');
      --parts.exponent;
    }
  }
  return parts;
}

}  // namespace

std::size_t decimal_length(std::string_view text) {
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  const auto is_sign = [&](std::size_t i) {
    return i < text.size() && (text[i] == '+' || text[i] == '-');
  };
  std::size_t i = is_sign(0) ? 1 : 0;
  std::size_t digits = 0;
  for (; is_digit(i); ++i) ++digits;
  if (i < text.size() && text[i] == '.') {
    for (++i; is_digit(i); ++i) ++digits;
  }
  if (digits == 0) return 0;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t end = is_sign(i + 1) ? i + 2 : i + 1;
    if (is_digit(end)) {
      while (is_digit(end)) ++end;
      i = end;
    }
  }
  return i;
}

rounded read_decimal(std::string_view literal) {
  const decimal_parts parts = split(literal);
  const double sign = parts.negative ? -1.0 : 1.0;
  const auto magnitude = static_cast<std::int64_t>(parts.digits.size()) + parts.exponent;
  if (parts.digits.empty() || magnitude < -400) return {sign * 0.0, 0};
  if (magnitude > 400) return {sign * HUGE_VAL, 0};

  whole numerator, denominator;
  denominator.multiply_add(0, 1);
  for (const char c : parts.digits) numerator.multiply_add(10, static_cast<std::uint32_t>(c - '0'));
  for (std::int64_t e = parts.exponent; e > 0; --e) numerator.multiply_add(10, 0);
  for (std::int64_t e = parts.exponent; e < 0; ++e) denominator.multiply_add(10, 0);

  const nearest_double hi = nearest(numerator, denominator);
  if (std::isinf(hi.value())) return {sign * hi.value(), 0};

  // numerator / denominator - significand * 2^exponent over the same denominator, times 2^-exponent
  // where that is a whole number.
  constexpr unsigned half = 27;
  whole taken = denominator, lower = denominator;
  taken.multiply_add(static_cast<std::uint32_t>(hi.significand >> half), 0);
  taken.shift_left(half);
  lower.multiply_add(static_cast<std::uint32_t>(hi.significand & ((1u << half) - 1)), 0);
  taken.add(lower);
  if (hi.exponent >= 0) {
    taken.shift_left(static_cast<std::size_t>(hi.exponent));
  } else {
    numerator.shift_left(static_cast<std::size_t>(-hi.exponent));
    denominator.shift_left(static_cast<std::size_t>(-hi.exponent));
  }
  const bool above = taken < numerator;
  if (above) {
    numerator.subtract(taken);
  } else {
    taken.subtract(numerator);
    numerator = taken;
  }
  const double lo = nearest(numerator, denominator).value();
  return {sign * hi.value(), above ? sign * lo : -sign * lo};
}

}  // namespace plumbline
