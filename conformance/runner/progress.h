// How far a run is, on standard error.
#pragma once

#include <cstddef>
#include <functional>

namespace plumbline::runner {

// A line that is rewritten on a terminal, a line every tenth elsewhere.
class progress_line {
 public:
  explicit progress_line(bool quiet);
  ~progress_line() { finish(); }
  void show(std::size_t done, std::size_t of, std::size_t bad);
  void finish();  // leaves the line clean

 private:
  bool quiet_, terminal_, dirty_ = false;
  std::size_t shown_ = 0;
};

}  // namespace plumbline::runner
