// Accounted scratch. An operation borrows its working memory from the owner's cache and gives it
// back when the lease ends, on every path: a refusal returns it too. What is at rest is counted by
// the bytes that it holds; what is on loan is not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>

#include "../algorithms/shape.h"

namespace plumbline {

// What an entry is found by: the family of its operation, its name there, and the shape it fits.
struct scratch_key {
  std::string family, name;
  shape_type shape;
  friend bool operator==(const scratch_key&, const scratch_key&) = default;
};

struct cache_stats {
  std::size_t entries = 0, retained_bytes = 0;
  std::uint64_t hits = 0, misses = 0;
};

// A workspace is default-constructible, and bytes() says what its buffers hold.
template <class Workspace>
class scratch_lease;

class scratch_cache {
 public:
  // Beyond this many entries the one that rested longest is released.
  static constexpr std::size_t most_entries = 256;

  template <class Workspace>
  scratch_lease<Workspace> borrow(scratch_key key);

  cache_stats stats() const;
  // Releases what is at rest; leases, and values computed with it, are untouched.
  void clear();
  void clear(std::string_view family);
  void clear(std::string_view family, std::string_view name);

 private:
  template <class Workspace>
  friend class scratch_lease;
  struct entry {
    scratch_key key;
    std::type_index type;
    std::shared_ptr<void> workspace;
    std::size_t bytes = 0;
  };

  std::shared_ptr<void> take(const scratch_key& key, std::type_index type);
  void put(entry e);

  mutable std::mutex mutex_;
  std::list<entry> resting_;  // the latest first
  std::uint64_t hits_ = 0, misses_ = 0;
};

template <class Workspace>
class scratch_lease {
 public:
  scratch_lease(scratch_cache& cache, scratch_key key)
      : cache_(cache),
        key_(std::move(key)),
        workspace_(std::static_pointer_cast<Workspace>(cache.take(key_, typeid(Workspace)))) {
    if (!workspace_) workspace_ = std::make_shared<Workspace>();
  }
  scratch_lease(const scratch_lease&) = delete;
  scratch_lease& operator=(const scratch_lease&) = delete;
  ~scratch_lease() {
    const std::size_t bytes = workspace_->bytes();
    cache_.put({std::move(key_), typeid(Workspace), std::move(workspace_), bytes});
  }
  Workspace& operator*() { return *workspace_; }
  Workspace* operator->() { return workspace_.get(); }

 private:
  scratch_cache& cache_;
  scratch_key key_;
  std::shared_ptr<Workspace> workspace_;
};

template <class Workspace>
scratch_lease<Workspace> scratch_cache::borrow(scratch_key key) {
  return scratch_lease<Workspace>(*this, std::move(key));
}

}  // namespace plumbline
