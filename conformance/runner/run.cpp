// Hands cases to sessions and gathers results.
#include "conformance/runner/run.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>

namespace plumbline::runner {
namespace {

// Shared by the sessions; every call is under the lock.
class board : public asker {
 public:
  board(const std::vector<test_case>& cases, const run_settings& settings)
      : settings_(settings), order_(cases.size()) {
    for (const test_case& c : cases) scorers_.emplace_back(c, settings.how);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (settings.seed) std::shuffle(order_.begin(), order_.end(), std::mt19937_64(*settings.seed));
  }

  std::optional<question> next(const hello& about) override {
    const std::lock_guard lock(mutex_);
    while (next_ < order_.size()) {
      const std::size_t tag = order_[next_++];
      if (auto request = scorers_[tag].begin(about)) return question{tag, *std::move(request)};
      finished(tag);
    }
    return std::nullopt;
  }

  std::optional<question> answered(const question& asked, const answer& got) override {
    const std::lock_guard lock(mutex_);
    if (auto request = scorers_[asked.tag].take(got))
      return question{asked.tag, *std::move(request)};
    finished(asked.tag);
    return std::nullopt;
  }

  void spoiled(const question& asked, finish how, const std::string& detail) override {
    const std::lock_guard lock(mutex_);
    if (!is_bad(scorers_[asked.tag].so_far().how)) ++bad_;
    scorers_[asked.tag].spoil(how, detail);
  }

  std::vector<result> results() const {
    std::vector<result> out;
    for (const scorer& s : scorers_) out.push_back(s.so_far());
    return out;
  }

 private:
  void finished(std::size_t tag) {
    ++done_;
    if (is_bad(scorers_[tag].so_far().how)) ++bad_;
    if (settings_.progress) settings_.progress(done_, scorers_.size(), bad_);
  }

  const run_settings& settings_;
  std::mutex mutex_;
  std::vector<scorer> scorers_;
  std::vector<std::size_t> order_;
  std::size_t next_ = 0, done_ = 0, bad_ = 0;
};

}  // namespace

std::size_t run_result::count(outcome o) const {
  return static_cast<std::size_t>(std::ranges::count(results, o, &result::how));
}

std::size_t run_result::bad() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(results, counts_as_bad));
}

int run_result::exit_code() const {
  if (ended_early) return 3;
  return bad() == 0 && end_faults.empty() && list_faults.empty() ? 0 : 1;
}

run_result run(const std::vector<test_case>& cases, const run_settings& settings) {
  const auto begin = clock::now();
  board shared(cases, settings);
  std::deque<session> sessions;  // a session stays where it is
  // A process that no case is left for would be started and ended for nothing.
  const std::size_t jobs = std::clamp<std::size_t>(settings.jobs, 1, std::max<std::size_t>(1, cases.size()));
  for (std::size_t i = 0; i < jobs; ++i) {
    sessions.emplace_back(
        session_settings{settings.command, settings.timeout, settings.start_timeout,
                         settings.seed.value_or(0) + i},
        shared);
  }
  {
    std::vector<std::jthread> threads;
    for (session& s : sessions) threads.emplace_back([&s] { s.run(); });
  }
  run_result out;
  out.results = shared.results();
  for (const session& s : sessions) {
    out.starts += s.starts();
    if (s.introduction() && !out.about) out.about = s.introduction();
    if (!s.start_fault().empty()) out.start_fault = s.start_fault();
    if (!s.end_fault().empty()) out.end_faults.push_back(s.end_fault());
  }
  // Where one of several sessions gave up, the others did its work.
  out.ended_early = !out.about || out.count(outcome::not_run) > 0;
  out.seconds = std::chrono::duration<double>(clock::now() - begin).count();
  return out;
}

}  // namespace plumbline::runner
