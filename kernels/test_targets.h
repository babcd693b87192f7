// What the kernels' tests share: every target of this machine in turn, operands, and the committed
// hash of each kernel's output (output_hashes.tsv), the same on every target and machine.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/bf16_dot/bf16_dot.h"
#include "kernels/simd/targets.h"
#include "reference/scalar/bf16.h"
#include "reference/scalar/test_operands.h"
#include "reference/scalar/traits.h"

namespace plumbline::kernels::test {

// What this machine should run, found without asking the kernels.
inline std::set<std::string> expected_targets() {
  std::set<std::string> expected{"reference"};
#if defined(__aarch64__)
  expected.insert("neon");
#elif defined(__x86_64__)
  std::ifstream cpu("/proc/cpuinfo");
  std::string line, vendor;
  while (std::getline(cpu, line)) {
    if (line.starts_with("vendor_id")) vendor = line.substr(line.find(": ") + 2);
    if (!line.starts_with("flags")) continue;
    std::istringstream words(line);
    const std::set<std::string> flags{std::istream_iterator<std::string>(words), {}};
    const bool avx2 = flags.contains("avx2") && flags.contains("fma");
    if (avx2) expected.insert("avx2");
    if (avx2 && flags.contains("avx512f") && flags.contains("avx512vl") &&
        flags.contains("avx512dq") && flags.contains("avx512bw") && flags.contains("avx512cd")) {
      expected.insert("avx512");
      // Another make's instruction may differ, and is then not used; the AMD ones were measured.
      const bool may_be_refused = vendor != "AuthenticAMD";
      if (flags.contains("avx512_bf16") &&
          !(may_be_refused && dot_instruction() == dot_support::refused)) {
        expected.insert("avx512_bf16");
      }
    }
    break;
  }
#endif
  return expected;
}

// Runs the body on every target, then asks whether that was all of them.
template <class Body>
void on_every_target(Body body) {
  const target before = current_target();
  std::set<std::string> exercised;
  for (const target t : available_targets()) {
    REQUIRE(force_target(t));
    CAPTURE(std::string(to_string(t)));
    body();
    REQUIRE(current_target() == t);
    exercised.insert(std::string(to_string(t)));
  }
  force_target(before);
  CHECK(exercised == expected_targets());
}

// FNV-1a over the bits, every computed NaN as one.
class output_hash {
 public:
  void take(std::uint64_t word) {
    for (int shift = 0; shift < 64; shift += 8) {
      state_ = (state_ ^ (word >> shift & 0xff)) * 0x100000001b3u;
    }
  }
  void take(df64 x) {
    take(bits_of(x.hi));
    take(bits_of(x.lo));
  }
  void take(bf16 x) { take(std::uint64_t{bits_of(x)}); }
  void take(float x) { take(std::uint64_t{bits_of(x)}); }
  template <class T>
  void take(const std::vector<T>& values) {
    for (const T& x : values) take(x);
  }
  std::string text() const {
    std::ostringstream out;
    out << std::hex << std::setw(16) << std::setfill('0') << state_;
    return out.str();
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

inline std::string committed_hash(const std::string& kernel) {
  std::ifstream file(PLUMBLINE_SOURCE_DIR "/kernels/output_hashes.tsv");
  std::string name, hash;
  while (file >> name >> hash) {
    if (name == kernel) return hash;
  }
  return "none committed";
}
inline void check_hash(const std::string& kernel, const output_hash& hash) {
  CAPTURE(kernel);
  CHECK(hash.text() == committed_hash(kernel));
}

template <class T>
std::size_t first_difference(const std::vector<T>& x, const std::vector<T>& y) {
  for (std::size_t i = 0; i < x.size() && i < y.size(); ++i) {
    if (!same_bits(x[i], y[i])) return i;
  }
  return std::min(x.size(), y.size());
}
template <class T>
void check_same_bits(const std::vector<T>& got, const std::vector<T>& expected) {
  REQUIRE(got.size() == expected.size());
  CHECK(first_difference(got, expected) == expected.size());
}

// Plain operands, operands of every size, and the corners of the range.
class kernel_operands {
 public:
  explicit kernel_operands(std::uint64_t seed)
      : stream_(seed), special_(plumbline::test::special_values()) {}

  df64 number() { return pair(stream_.between(-3, 3)); }
  df64 awkward() {
    switch (stream_.below(8)) {
      case 0:
        return special_[stream_.below(special_.size())];
      case 1:
        return pair(stream_.between(-1080, 1023));
      case 2:
        return 0.0;
      default:
        return number();
    }
  }
  bf16 number_bf16() {
    const auto exponent = static_cast<std::uint16_t>(120 + stream_.below(16));
    const auto rest = static_cast<std::uint16_t>(stream_.bits() & 0x807fu);
    return bf16::from_bits(static_cast<std::uint16_t>(exponent << 7 | rest));
  }
  bf16 awkward_bf16() {
    return bf16::from_bits(static_cast<std::uint16_t>(stream_.bits() & 0xffffu));
  }
  std::uint64_t bits() { return stream_.bits(); }
  std::size_t below(std::size_t n) { return stream_.below(n); }

  template <class Make>
  static auto many(std::size_t n, Make make) {
    std::vector<decltype(make())> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(make());
    return values;
  }

 private:
  // As operand_stream::pair, but in an order that no compiler may choose: the hashes depend on it.
  df64 pair(int exponent) {
    const int gap = stream_.below(4) == 0 ? stream_.between(53, 120) : stream_.between(53, 55);
    const double hi = stream_.number(exponent), lo = stream_.number(exponent - gap);
    return df64(hi, stream_.below(16) == 0 ? 0.0 : lo);
  }

  plumbline::test::operand_stream stream_;
  std::vector<df64> special_;
};

}  // namespace plumbline::kernels::test
