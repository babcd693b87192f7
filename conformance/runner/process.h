// A child process between pipes. Its three streams are served together, so that neither a full pipe
// nor a flood on standard error can stop the runner.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::runner {

using clock = std::chrono::steady_clock;

// How a process ended.
struct ending {
  bool by_signal = false;
  int number = 0;  // the signal, or the exit status
  std::string text() const;
};

class process {
 public:
  process() = default;
  ~process() { kill(); }
  process(const process&) = delete;
  process& operator=(const process&) = delete;

  // Nothing on success, otherwise why the program cannot be run. The program ends with the thread
  // that started it, and with a runner that a signal ends.
  std::optional<std::string> start(const std::vector<std::string>& command);
  bool running() const { return pid_ > 0; }

  void send(std::string_view text) { unsent_ += text; }
  bool has_unsent() const { return !unsent_.empty(); }
  void close_input();

  // Serves the streams until something happens or `until` is reached.
  void serve(clock::time_point until);

  // What the program wrote to standard output and nobody took yet.
  std::string output;
  bool output_closed() const { return out_ < 0; }
  // The last bytes of standard error.
  const std::string& complaints() const { return complaints_; }
  void forget_complaints() { complaints_.clear(); }

  // The ending, once the process ended by itself and its output was read.
  const std::optional<ending>& ended() const { return ended_; }

  // Ends the process and what it started.
  void kill();

 private:
  bool write_some();
  bool read_some(int& fd, bool is_error);
  void reap();
  void drain();

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  std::string unsent_, complaints_;
  std::optional<ending> ended_;
};

// From here on the first SIGINT or SIGTERM ends the adapters alone, so that the runner can write
// what it has; the next ends it, too.
void stop_on_signal();
// The signal that came, or 0.
int stop_signal();
std::string name_of_signal(int number);

}  // namespace plumbline::runner
