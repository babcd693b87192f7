// The instruction sets that the kernels are compiled for, and which of them is in use.
//
// The best one of this machine is taken, unless the environment variable PLUMBLINE_TARGET or
// force_target names another. `reference` is always there: it runs the reference's own code, and is
// what a machine without fused multiply-add gets. Every target returns the same bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::kernels {

// avx512_bf16 is avx512 with the bf16 dot instruction under einsum (kernels/bf16_dot).
enum class target : std::uint8_t { reference, neon, avx2, avx512, avx512_bf16 };

std::string_view to_string(target t);
std::optional<target> parse_target(std::string_view name);

// Those that this build has code for, and those of them that this machine can run; the best first.
std::vector<target> compiled_targets();
std::vector<target> available_targets();

// The one in use. An unknown or unavailable name in PLUMBLINE_TARGET is not guessed at: the
// reference is used, and target_fault says what was wrong.
target current_target();
std::string_view target_fault();

// Those that this build has code for, one a line, with what this machine can do with them.
std::string target_report();

// For the whole process, until the next call. False, and nothing changes, where this machine cannot
// run it.
bool force_target(target t);

}  // namespace plumbline::kernels
