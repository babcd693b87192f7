// plumbline-targets: the instruction sets that the kernels were compiled for, one a line, with what
// this machine can do with them. Exits with 1 where PLUMBLINE_TARGET names none that it can run.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "kernels/bf16_dot/bf16_dot.h"
#include "kernels/simd/targets.h"

int main() {
  using namespace plumbline::kernels;
  const std::vector<target> available = available_targets();
  for (const target t : compiled_targets()) {
    const bool runs = std::ranges::find(available, t) != available.end();
    const std::string_view name = to_string(t);
    const bool refused = t == target::avx512_bf16 && dot_instruction() == dot_support::refused;
    std::printf("%-13.*s%s\n", static_cast<int>(name.size()), name.data(),
                t == current_target() ? "in use"
                : runs                ? "available"
                : refused             ? "refused: the dot instruction differs from the measured one"
                                      : "not on this machine");
  }
  const std::string_view fault = target_fault();
  if (fault.empty()) return 0;
  std::fprintf(stderr, "plumbline-targets: %.*s\n", static_cast<int>(fault.size()), fault.data());
  return 1;
}
