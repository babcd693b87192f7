// What a kernel may use, given by its caller: threads, and bytes of scratch beside operands and
// result. Afterwards `scratch_peak` tells how many bytes were in use at most. No kernel starts a
// thread or takes scratch outside it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "reference/algorithms/shape.h"

namespace plumbline::kernels {

struct workspace {
  unsigned threads = 1;
  std::size_t scratch_limit = std::numeric_limits<std::size_t>::max();
  std::size_t scratch_peak = 0;
};

// Counts `bytes` in use at once, or refuses them; `need` begins the sentence: "QR needs".
inline result<void> take_scratch(std::size_t bytes, const std::string& need, workspace& work) {
  if (bytes > work.scratch_limit) {
    return refuse(numeric_error_kind::invalid_argument,
                  need + " " + std::to_string(bytes) + " bytes of scratch, more than " +
                      std::to_string(work.scratch_limit));
  }
  work.scratch_peak = std::max(work.scratch_peak, bytes);
  return {};
}

// Runs task(worker, i) for every i < count, on `workers` threads (the caller's is one of them). The
// tasks are independent; which worker takes which is left open.
template <class Task>
void run_tasks(std::size_t workers, std::size_t count, Task task) {
  std::atomic<std::size_t> next{0};
  const auto work = [&](std::size_t worker) {
    for (std::size_t i = next++; i < count; i = next++) task(worker, i);
  };
  std::vector<std::jthread> others;
  for (std::size_t worker = 1; worker < workers && worker < count; ++worker) {
    others.emplace_back(work, worker);
  }
  work(0);
}

}  // namespace plumbline::kernels
