// Prints what the canary of the kernels finds on each target, and exits with 1 where it is
// anything. Built a second time with the flag that it exists for.
#include <cstdio>

#include "kernels/simd/canary.h"
#include "kernels/simd/targets.h"

int main() {
  using namespace plumbline::kernels;
  bool sound = true;
  for (const target t : available_targets()) {
    if (!force_target(t)) return 1;
    const std::string_view name = to_string(t);
    if (kernel_faults().empty())
      std::printf("%.*s: no faults\n", static_cast<int>(name.size()), name.data());
    for (const std::string_view fault : kernel_faults()) {
      sound = false;
      std::printf("%.*s: fault: %.*s\n", static_cast<int>(name.size()), name.data(),
                  static_cast<int>(fault.size()), fault.data());
    }
  }
  return sound ? 0 : 1;
}
