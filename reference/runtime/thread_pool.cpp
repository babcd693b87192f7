#include "thread_pool.h"

#include <atomic>
#include <latch>

namespace plumbline {

namespace {
thread_local const thread_pool* pool_of_this_thread = nullptr;
}

std::unique_ptr<thread_pool> thread_pool::make(std::size_t threads,
                                               const std::function<bool()>& start) {
  std::unique_ptr<thread_pool> pool(new thread_pool);
  std::latch started(static_cast<std::ptrdiff_t>(threads));
  std::atomic<bool> sound = true;
  for (std::size_t k = 0; k < threads; ++k) {
    pool->threads_.emplace_back([&, p = pool.get()] {
      pool_of_this_thread = p;
      if (!start()) sound = false;
      started.count_down();
      p->work();
    });
  }
  started.wait();
  if (!sound) return nullptr;
  return pool;
}

thread_pool::~thread_pool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& t : threads_) t.join();
}

void thread_pool::post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

bool thread_pool::is_on_this_thread() const { return pool_of_this_thread == this; }

void thread_pool::work() {
  while (true) {
    std::function<void()> task;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopping_ || !tasks_.empty(); });
      if (tasks_.empty()) return;  // what was posted is done before the end
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace plumbline
