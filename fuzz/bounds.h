// What a call may take: heap above what was there when it began, and the thread's own time. Both are linear in
// the bytes that it is given.
#pragma once

#include <ctime>
#include <string>

#include "memory.h"

namespace plumbline::fuzz {

// The thread's own time.
inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

class Bounds {
 public:
  // Empty, or what was too much for a call given `input` bytes.
  std::string broken(const std::string& call, std::size_t input, std::size_t least_bytes,
                     std::size_t bytes_a_byte) const {
    std::string given = " for " + std::to_string(input) + " bytes";
    if (watch_.peak() > least_bytes + bytes_a_byte * input)
      return call + " takes " + std::to_string(watch_.peak()) + " bytes" + given;
    // A hundredth of this is usual, also under a sanitizer.
    double spent = processor_seconds() - start_;
    if (spent > 0.1 + 5e-6 * static_cast<double>(input))
      return call + " takes " + std::to_string(spent) + " seconds" + given;
    return "";
  }

 private:
  MemoryWatch watch_;
  double start_ = processor_seconds();
};

}  // namespace plumbline::fuzz
