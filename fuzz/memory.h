// Counts what the program has on the heap, by operators new and delete of its own.
#pragma once

#include <cstddef>

namespace plumbline::fuzz {

// The most bytes that were on the heap at once since the watch began, above those at its beginning.
class MemoryWatch {
 public:
  MemoryWatch();
  std::size_t peak() const;

 private:
  std::size_t start_;
};

}  // namespace plumbline::fuzz
