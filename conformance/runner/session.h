// One adapter and the questions put to it: conformance/PROTOCOL.md, Framing and Hello. Whatever the
// adapter does, every question gets exactly one answer and nothing waits for ever.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "conformance/runner/process.h"

namespace plumbline::runner {

// What the adapter said of itself.
struct hello {
  std::string name, version;
  std::set<std::string, std::less<>> ops, lacks;
  std::set<std::string, std::less<>> modes = {"strict"};
  std::size_t window = 1;
};
// Nothing when the line is no hello; `why` then says what is wrong.
std::optional<hello> parse_hello(std::string_view line, std::string& why);

// How a question ended.
enum class finish {
  replied,
  crash,         // ended by a signal
  exit,          // ended with a status other than 0
  early_end,     // ended with status 0, or closed its output, with input still to come
  timeout,       // no reply in time
  blocked,       // stopped reading: the request did not fit into the pipe in time
  garbage,       // a line that is no reply
  oversized,     // a reply beyond the limit
  out_of_order,  // a reply to a request whose turn it was not
  unasked,       // a reply to no request: before it was asked, or once more
  not_run,
};

struct question {
  std::size_t tag = 0;  // the asker's own
  std::string text;     // "decode strict 4852.."
};

struct answer {
  finish how = finish::not_run;
  std::string text;        // of a reply: what follows the id
  std::string detail;      // of every other finish
  std::string complaints;  // the last words on standard error
  double seconds = 0;
};

// Where questions come from and answers go. The calls come from the session's thread.
class asker {
 public:
  virtual ~asker() = default;
  // The next question for an adapter that said this hello.
  virtual std::optional<question> next(const hello& about) = 0;
  // Takes the answer; a question that follows from it is asked next.
  virtual std::optional<question> answered(const question& asked, const answer& got) = 0;
  // A fault that showed after the answer and is charged to it.
  virtual void spoiled(const question& asked, finish how, const std::string& detail) = 0;
};

struct session_settings {
  std::vector<std::string> command;
  std::chrono::milliseconds timeout{10000};
  std::chrono::milliseconds start_timeout{10000};  // from the start of a process to its hello
  std::uint64_t seed = 0;
};

class session {
 public:
  session(session_settings settings, asker& from)
      : settings_(std::move(settings)), asker_(from), random_(settings_.seed) {}

  // Asks until there are no questions left. False when three starts in a row failed, when nothing
  // is ever answered, and when a signal stopped the runner.
  bool run();

  const std::optional<hello>& introduction() const { return hello_; }
  // Why run() gave up, as said of the adapter.
  const std::string& start_fault() const { return start_fault_; }
  std::size_t starts() const { return starts_; }
  // What was wrong when the input ended: a status other than 0, or no end at all.
  const std::string& end_fault() const { return end_fault_; }

  static constexpr std::size_t largest_request = std::size_t{1} << 20;
  static constexpr std::size_t largest_reply = std::size_t{4} << 20;
  static constexpr int failed_starts_allowed = 3;
  static constexpr int silence_allowed = 3;  // questions, of an adapter that never answered any

 private:
  struct asked_question {
    question what;
    std::uint64_t id = 0;
    clock::time_point since;  // when its turn to be answered came
    bool again = false;       // asked once more, alone, after a fault that may be another's
    // The question before, at fault if this one is answered: the process ended cleanly between
    // them.
    std::optional<question> suspect;
    std::string suspicion;
  };

  bool start();
  bool is_deaf();
  void fill_window();
  void wait_for_answer();
  void take_line(std::string line);
  void unexpected_line(const std::string& line);
  void process_gone();
  void fail_front(finish how, std::string detail);
  void deliver(const asked_question& q, answer a);
  void restart_with_rest();
  std::optional<asked_question> next_question();
  void end_input();
  std::optional<std::string> next_line();

  session_settings settings_;
  asker& asker_;
  std::mt19937_64 random_;
  process process_;
  std::optional<hello> hello_;
  std::string start_fault_, end_fault_;
  std::size_t starts_ = 0;
  std::uint64_t last_id_ = 0;
  bool answered_any_ = false;
  int unanswered_ = 0;

  std::deque<asked_question> in_flight_;
  std::deque<asked_question> again_;  // one at a time, before all others
  std::deque<question> follow_up_;    // before new questions
  // The questions of this process that were answered, to name the one that a late line belongs to.
  std::map<std::uint64_t, question> done_;
  std::optional<question> last_done_;
};

}  // namespace plumbline::runner
