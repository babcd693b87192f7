// A fixed number of threads that take tasks from one queue.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace plumbline {

class thread_pool {
 public:
  // `start` runs first on every thread. Nothing where it returned false on one of them.
  static std::unique_ptr<thread_pool> make(std::size_t threads, const std::function<bool()>& start);
  ~thread_pool();
  thread_pool(const thread_pool&) = delete;
  thread_pool& operator=(const thread_pool&) = delete;

  std::size_t size() const { return threads_.size(); }
  void post(std::function<void()> task);
  bool is_on_this_thread() const;  // whether the caller is one of the pool's threads

 private:
  thread_pool() = default;
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace plumbline
