// Any bytes keep every promise of conformance/robustness/survive.h.
#include <cstdio>
#include <cstdlib>

#include "conformance/robustness/survive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string broken = plumbline::robustness::broken_promise({data, size});
  if (broken.empty()) return 0;
  std::fprintf(stderr, "%s\n", broken.c_str());
  std::abort();
}
