#include "conformance/runner/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace plumbline::runner {

progress_line::progress_line(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0) {}

void progress_line::show(std::size_t done, std::size_t of, std::size_t bad) {
  if (quiet_ || of == 0) return;
  const std::size_t step = terminal_ ? done * 200 / of : done * 10 / of;
  if (step == shown_ && done != of) return;
  shown_ = step;
  const std::string text = fmt::format("{}/{}  {} failed", done, of, bad);
  if (terminal_)
    fmt::print(stderr, "\r\033[K{}", text);
  else
    fmt::print(stderr, "{}\n", text);
  std::fflush(stderr);
  dirty_ = terminal_;
}

void progress_line::finish() {
  if (dirty_) fmt::print(stderr, "\r\033[K");
  dirty_ = false;
}

}  // namespace plumbline::runner
