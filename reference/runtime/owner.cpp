#include "owner.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <future>
#include <mutex>

#include "thread_pool.h"

namespace plumbline {

using enum runtime_error_kind;

owner::owner(owner_options options, std::unique_ptr<thread_pool> pool)
    : options_(std::move(options)), pool_(std::move(pool)) {}
owner::~owner() = default;

std::size_t owner::thread_count() const { return pool_->size(); }

void owner::run(const std::function<void()>& body) {
  if (pool_->is_on_this_thread()) return body();
  const auto task = std::make_shared<std::packaged_task<void()>>(body);  // outlives either side
  auto done = task->get_future();
  pool_->post([task] { (*task)(); });
  done.get();
}

void owner::parallel_for(std::size_t count,
                         const std::function<void(std::size_t, std::size_t)>& body) {
  const std::size_t parts = std::min(count, pool_->size());
  if (parts <= 1) {
    if (count > 0) body(0, count);
    return;
  }
  // The parts are taken one after the other by whoever is free. The caller takes parts too, so
  // helpers that find none, or start late, are not waited for.
  struct shared_state {
    std::atomic<std::size_t> next = 0, done = 0;
    std::mutex mutex;
    std::condition_variable finished;
    std::exception_ptr fault;
  };
  const auto state = std::make_shared<shared_state>();
  const auto* const work = &body;
  const auto take_parts = [state, parts, count, work] {
    while (true) {
      const std::size_t part = state->next++;
      if (part >= parts) return;
      try {
        (*work)(count / parts * part + std::min(part, count % parts),
                count / parts * (part + 1) + std::min(part + 1, count % parts));
      } catch (...) {
        const std::lock_guard lock(state->mutex);
        state->fault = std::current_exception();
      }
      const std::lock_guard lock(state->mutex);
      if (++state->done == parts) state->finished.notify_all();
    }
  };
  for (std::size_t helper = 1; helper < parts; ++helper) pool_->post(take_parts);
  take_parts();
  std::unique_lock lock(state->mutex);
  state->finished.wait(lock, [&] { return state->done == parts; });
  if (state->fault) std::rethrow_exception(state->fault);
}

outcome<owner*> runtime::add_owner(owner_options options) {
  if (options.identity.empty() || options.device.empty()) {
    return fail(invalid_argument, "an owner states its identity and its device");
  }
  if (options.threads == 0) {
    return fail(invalid_argument, options.identity + " has a budget of no thread");
  }
  if (!options.cpus.empty() && options.threads > options.cpus.size()) {
    return fail(invalid_argument, options.identity + " has more threads than CPUs");
  }
  if (!options.cpus.empty() && !options.bind) {
    return fail(invalid_argument, options.identity + " states CPUs and nothing that binds to them");
  }
  for (const auto& other : owners_) {
    const owner_options& o = other->options();
    if (o.identity == options.identity) {
      return fail(duplicate_owner, "the identity " + o.identity + " is taken");
    }
    if (o.device == options.device) {
      return fail(duplicate_owner, o.device + " belongs to " + o.identity);
    }
    for (const int cpu : options.cpus) {
      if (std::ranges::find(o.cpus, cpu) != o.cpus.end()) {
        return fail(overlapping_cpus, "CPU " + std::to_string(cpu) + " belongs to " + o.identity);
      }
    }
  }
  auto pool = thread_pool::make(options.threads, [&options] {
    return options.cpus.empty() || options.bind(options.cpus);
  });
  if (!pool) return fail(cpu_unavailable, options.identity + " cannot be bound to its CPUs");
  owners_.emplace_back(new owner(std::move(options), std::move(pool)));
  return owners_.back().get();
}

owner* runtime::find(std::string_view identity) const {
  for (const auto& o : owners_) {
    if (o->options().identity == identity) return o.get();
  }
  return nullptr;
}

cache_stats runtime::stats() const {
  cache_stats total;
  for (const auto& o : owners_) {
    const cache_stats s = o->scratch().stats();
    total.entries += s.entries;
    total.retained_bytes += s.retained_bytes;
    total.hits += s.hits;
    total.misses += s.misses;
  }
  return total;
}

void runtime::clear_caches() {
  for (const auto& o : owners_) o->scratch().clear();
}

outcome<erased_tensor> hand_over(const erased_tensor& value, const owner& from, const owner& to) {
  if (value.owner() != from.options().identity) {
    return fail(foreign_value, "the value is held by " +
                                   (value.owner().empty() ? std::string("nobody") : value.owner()) +
                                   ", not by " + from.options().identity);
  }
  return value.held_by(to.options().identity);
}

}  // namespace plumbline
