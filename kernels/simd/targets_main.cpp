// plumbline-targets: what `plumbline targets` says, in a program that needs nothing but the kernels.
#include <cstdio>

#include "kernels/simd/targets.h"

int main() {
  using namespace plumbline::kernels;
  std::fputs(target_report().c_str(), stdout);
  const std::string_view fault = target_fault();
  if (fault.empty()) return 0;
  std::fprintf(stderr, "plumbline-targets: %.*s\n", static_cast<int>(fault.size()), fault.data());
  return 1;
}
