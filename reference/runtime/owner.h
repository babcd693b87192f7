// An owner: a device with one pool of threads, whose number and CPUs are stated at construction,
// and one accounted scratch cache. Owners of one process have distinct identities and devices, and
// no CPU in common. A value belongs to the owner that computed it until it is handed over.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "operation.h"

namespace plumbline {

// Binds the calling thread to CPUs; false where it cannot. The standard library knows no CPUs, so
// whoever states some brings it (kernels/cpu_affinity has one).
using cpu_binder = std::function<bool(const std::vector<int>&)>;

struct owner_options {
  std::string identity;  // "plumbline.cpu.standard.v1"
  std::string device;    // "cpu:0"
  std::size_t threads = 1;
  std::vector<int> cpus = {};  // that its threads are bound to; none: wherever the system puts them
  cpu_binder bind = {};        // called first on every thread of an owner that states CPUs
};

class thread_pool;

class owner : public execution {
 public:
  ~owner() override;
  owner(const owner&) = delete;
  owner& operator=(const owner&) = delete;

  const owner_options& options() const { return options_; }
  std::size_t thread_count() const;
  // Runs the body on a thread of the pool and waits for it; an exception comes back to the caller.
  void run(const std::function<void()>& body);

  scratch_cache& scratch() override { return scratch_; }
  void parallel_for(std::size_t count,
                    const std::function<void(std::size_t, std::size_t)>& body) override;

 private:
  friend class runtime;
  owner(owner_options options, std::unique_ptr<thread_pool> pool);
  owner_options options_;
  scratch_cache scratch_;
  std::unique_ptr<thread_pool> pool_;
};

// The owners of a process. Values outlive it.
class runtime {
 public:
  // Refuses: duplicate_owner (of one device or identity), overlapping_cpus, cpu_unavailable,
  // invalid_argument (no identity, no device, no thread, more threads than CPUs, CPUs and no binder).
  outcome<owner*> add_owner(owner_options options);
  owner* find(std::string_view identity) const;

  cache_stats stats() const;  // of all owners
  void clear_caches();

 private:
  std::vector<std::unique_ptr<owner>> owners_;
};

// The same value, held by `to` from now on: the payload is shared, not copied. foreign_value where
// `from` does not hold it.
outcome<erased_tensor> hand_over(const erased_tensor& value, const owner& from, const owner& to);

}  // namespace plumbline
