#include "kernels/simd/targets.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>

#include "kernels/bf16_dot/bf16_dot.h"
#include "kernels/simd/select.h"

namespace plumbline::kernels {
namespace {

bool machine_runs(target t) {
#if defined(__x86_64__)
  if (t == target::avx512_bf16) {
    return machine_runs(target::avx512) && dot_instruction() == dot_support::sound;
  }
  if (t == target::avx2 || t == target::avx512) {
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                      __builtin_cpu_supports("f16c");
    if (t == target::avx2) return avx2;
    return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd");
  }
#endif
  return true;  // NEON is part of every AArch64
}

struct choice {
  std::atomic<target> chosen{target::reference};
  std::string fault;

  choice() {
    const std::vector<target> available = available_targets();
    chosen = available.front();
    const char* name = std::getenv("PLUMBLINE_TARGET");
    if (name == nullptr || *name == '\0') return;
    const std::optional<target> wanted = parse_target(name);
    const bool runs = wanted && std::ranges::find(available, *wanted) != available.end();
    chosen = runs ? *wanted : target::reference;
    if (!runs) {
      fault = std::string("PLUMBLINE_TARGET=") + name +
              (wanted ? ": not available here" : ": no such target") + "; the reference is used";
    }
  }
};

choice& process_choice() {
  static choice c;
  return c;
}

}  // namespace

std::string_view to_string(target t) {
  switch (t) {
    case target::reference:
      return "reference";
    case target::neon:
      return "neon";
    case target::avx2:
      return "avx2";
    case target::avx512:
      return "avx512";
    case target::avx512_bf16:
      return "avx512_bf16";
  }
  return "";
}

std::optional<target> parse_target(std::string_view name) {
  using enum target;
  for (const target t : {reference, neon, avx2, avx512, avx512_bf16}) {
    if (to_string(t) == name) return t;
  }
  return std::nullopt;
}

std::vector<target> compiled_targets() {
  std::vector<target> targets;
#if PLUMBLINE_HAS_AVX512
  targets.push_back(target::avx512_bf16);
  targets.push_back(target::avx512);
#endif
#if PLUMBLINE_HAS_AVX2
  targets.push_back(target::avx2);
#endif
#if PLUMBLINE_HAS_NEON
  targets.push_back(target::neon);
#endif
  targets.push_back(target::reference);
  return targets;
}

std::vector<target> available_targets() {
  std::vector<target> targets = compiled_targets();
  std::erase_if(targets, [](target t) { return !machine_runs(t); });
  return targets;
}

target current_target() { return process_choice().chosen; }
std::string_view target_fault() { return process_choice().fault; }

std::string target_report() {
  const std::vector<target> available = available_targets();
  std::string report;
  for (const target t : compiled_targets()) {
    const bool runs = std::ranges::find(available, t) != available.end();
    const bool refused = t == target::avx512_bf16 && dot_instruction() == dot_support::refused;
    std::string line(to_string(t));
    line.resize(13, ' ');
    line += t == current_target() ? "in use"
            : runs                ? "available"
            : refused             ? "refused: the dot instruction differs from the measured one"
                                  : "not on this machine";
    report += line + '\n';
  }
  return report;
}

bool force_target(target t) {
  const std::vector<target> available = available_targets();
  if (std::ranges::find(available, t) == available.end()) return false;
  process_choice().chosen = t;
  return true;
}

}  // namespace plumbline::kernels
