// The long run: ten million operands for every df64 operation, all 2^32 floats into bf16, a million
// bf16 operands an operation. Prints the table of largest errors, which must be the one that
// ERRORS.md keeps; exits with 1 on any fault. oracle_long [operands an operation]
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "conformance/oracle/bf16_oracle.h"
#include "conformance/oracle/kept_errors.h"
#include "conformance/oracle/operands.h"
#include "conformance/oracle/reference_under_study.h"
#include "conformance/oracle/study.h"
#include "reference/scalar/bf16.h"
#include "reference/scalar/environment.h"

using namespace plumbline;

namespace {

int faults = 0;

void fault(const std::string& text) {
  std::printf("FAULT %s\n", text.c_str());
  ++faults;
}

constexpr std::size_t long_run = 10'000'000;

void study_df64(std::size_t operands) {
  const std::string folder = PLUMBLINE_SOURCE_DIR "/conformance/oracle/";
  const auto results = oracle::study_reference(operands, 1, operands >= long_run,
                                               oracle::read_hard_cases(folder + "hard/df64.txt"));
  for (const oracle::study_result& r : results) {
    for (const std::string& text : r.faults) fault(text);
    if (r.largest_generated < r.floor) {
      fault("the generator is too weak for " + std::string(to_string(r.op)) + " of " +
            std::string(r.bound.source));
    }
  }
  const std::string found = oracle::table(results);
  std::printf("%s", found.c_str());
  if (operands == long_run &&
      found != oracle::kept_table(folder + "ERRORS.md", "## Ten million operands an operation")) {
    fault("ERRORS.md keeps another table than this one");
  }
}

// Every float against the nearest bfloat16 by distance in doubles, where all distances are exact.
void round_every_float() {
  std::uint64_t checked = 0;
  const auto value = [](std::uint32_t bits) -> double { return std::bit_cast<float>(bits << 16); };
  for (std::uint32_t upper = 0; upper <= 0xffffu; ++upper) {
    const bool nan = (upper & 0x7f80u) == 0x7f80u;
    const std::uint32_t next = upper + 1;  // away from zero
    // 2^128 stands for inf as the neighbour of the largest.
    const double down = nan ? 0 : value(upper);
    const double up = nan                           ? 0
                      : (next & 0x7fffu) == 0x7f80u ? (upper & 0x8000u ? -0x1p128 : 0x1p128)
                                                    : value(next);
    for (std::uint32_t lower = 0; lower <= 0xffffu; ++lower) {
      const std::uint32_t bits = upper << 16 | lower;
      const float x = std::bit_cast<float>(bits);
      const std::uint16_t z = bf16(x).bits;
      bool right = false;
      if (nan) {
        const bool is_inf = (bits & 0x7fffffffu) == 0x7f800000u;
        right = is_inf ? z == upper : (z & 0x7fffu) > 0x7f80u && (z & 0x8000u) == (upper & 0x8000u);
      } else {
        const double to_down = std::fabs(double{x} - down), to_up = std::fabs(up - double{x});
        const bool rounds_up = to_up < to_down || (to_up == to_down && upper % 2 == 1);
        right = z == (rounds_up ? next : upper);
      }
      if (!right) {
        char text[80];
        std::snprintf(text, sizeof text, "bf16 of the float %08x is %04x", bits, unsigned{z});
        fault(text);
        if (faults > 20) return;
      }
      ++checked;
    }
  }
  std::printf("bf16: %llu floats rounded to the nearest\n",
              static_cast<unsigned long long>(checked));
}

void judge_bf16_operations(int operands) {
  using oracle::bf16_operation;
  oracle::operand_source source(7);
  for (int i = 0; i < operands; ++i) {
    const auto a = static_cast<std::uint16_t>(source.bits()),
               b = static_cast<std::uint16_t>(source.bits());
    const bf16 x = bf16::from_bits(a), y = bf16::from_bits(b);
    const bool right = judge_bf16(bf16_operation::add, a, b, (x + y).bits) &&
                       judge_bf16(bf16_operation::sub, a, b, (x - y).bits) &&
                       judge_bf16(bf16_operation::mul, a, b, (x * y).bits) &&
                       judge_bf16(bf16_operation::div, a, b, (x / y).bits);
    if (!right) fault("bf16 operation on " + std::to_string(a) + " " + std::to_string(b));
    if (faults > 20) return;
  }
  std::printf("bf16: %d operands an operation within the contract\n", operands);
}

}  // namespace

int main(int argc, char** argv) {
  for (const auto name : environment_faults()) fault(std::string(name));
  study_df64(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : long_run);
  round_every_float();
  judge_bf16_operations(1'000'000);
  std::printf("%d faults\n", faults);
  return faults == 0 ? 0 : 1;
}
