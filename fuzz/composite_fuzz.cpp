// Any set of tensors keeps every promise of conformance/robustness/survive.h. The input is cut where each
// descriptor's own length says, as a stream would be.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "conformance/robustness/survive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  plumbline::ByteView input(data, size);
  std::vector<plumbline::ByteView> set;
  while (!input.empty() && set.size() < 1000) {
    std::uint64_t length = input.size() < 10 ? input.size() : plumbline::little_endian(input.subspan(6, 4));
    length = std::clamp<std::uint64_t>(length, 1, input.size());
    set.push_back(input.first(static_cast<std::size_t>(length)));
    input = input.subspan(static_cast<std::size_t>(length));
  }
  std::string broken = plumbline::robustness::broken_promise_of_set(set);
  if (broken.empty()) return 0;
  std::fprintf(stderr, "%s\n", broken.c_str());
  std::abort();
}
