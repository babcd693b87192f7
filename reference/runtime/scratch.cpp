#include "scratch.h"

#include <algorithm>

namespace plumbline {

std::shared_ptr<void> scratch_cache::take(const scratch_key& key, std::type_index type) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(
      resting_, [&](const entry& e) { return e.key == key && e.type == type; });
  if (found == resting_.end()) {
    ++misses_;
    return nullptr;
  }
  ++hits_;
  std::shared_ptr<void> workspace = std::move(found->workspace);
  resting_.erase(found);
  return workspace;
}

void scratch_cache::put(entry e) {
  const std::lock_guard lock(mutex_);
  resting_.push_front(std::move(e));
  if (resting_.size() > most_entries) resting_.pop_back();
}

cache_stats scratch_cache::stats() const {
  const std::lock_guard lock(mutex_);
  cache_stats stats{.entries = resting_.size(), .hits = hits_, .misses = misses_};
  for (const entry& e : resting_) stats.retained_bytes += e.bytes;
  return stats;
}

void scratch_cache::clear() {
  const std::lock_guard lock(mutex_);
  resting_.clear();
}

void scratch_cache::clear(std::string_view family) {
  const std::lock_guard lock(mutex_);
  resting_.remove_if([&](const entry& e) { return e.key.family == family; });
}

void scratch_cache::clear(std::string_view family, std::string_view name) {
  const std::lock_guard lock(mutex_);
  resting_.remove_if([&](const entry& e) { return e.key.family == family && e.key.name == name; });
}

}  // namespace plumbline
