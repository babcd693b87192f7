// A child process between pipes.
#include "conformance/runner/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <mutex>

namespace plumbline::runner {
namespace {

constexpr std::size_t kept_complaints = 4096;
constexpr std::size_t bytes_at_once = 65536;
constexpr int reads_at_once = 16;  // so that a flood on one stream leaves the others their turn
constexpr int slice_milliseconds =
    50;  // how soon an ending is seen whose pipes a grandchild keeps open

void close_fd(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

struct pipe_pair {
  int read = -1, write = -1;
  bool open() {
    std::array<int, 2> fds{};
    if (::pipe2(fds.data(), O_CLOEXEC) != 0) return false;
    read = fds[0];
    write = fds[1];
    return true;
  }
  void close() {
    close_fd(read);
    close_fd(write);
  }
};

void set_nonblocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

// The groups of the processes that run, for a runner that is ended by a signal: none may outlive
// it.
std::array<std::atomic<pid_t>, 1024> groups{};
static_assert(std::atomic<pid_t>::is_always_lock_free);  // a handler of signals reads them

void announce(pid_t group) {
  for (auto& place : groups) {
    pid_t none = 0;
    if (place.compare_exchange_strong(none, group)) return;
  }
}

void retract(pid_t group) {
  for (auto& place : groups) {
    pid_t same = group;
    if (place.compare_exchange_strong(same, 0)) return;
  }
}

std::atomic<bool> stops{false};
std::atomic<int> stopped_by{0};

// The handler is gone when it is called; the signal that it raises ends the runner.
void end_all(int signal) {
  int none = 0;
  const bool stay = stops && (signal == SIGINT || signal == SIGTERM) &&
                    stopped_by.compare_exchange_strong(none, signal);
  for (const auto& place : groups)
    if (const pid_t group = place.load(); group > 0) ::kill(-group, SIGKILL);
  if (!stay) ::raise(signal);
}

// A writer on a closed pipe gets an error. What somebody else ignores or handles stays so.
void prepare_signals() {
  static std::once_flag once;
  std::call_once(once, [] {
    std::signal(SIGPIPE, SIG_IGN);
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) {
      struct sigaction before {
      }, ours{};
      ours.sa_handler = end_all;
      ours.sa_flags = static_cast<int>(SA_RESETHAND);
      if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
        ::sigaction(signal, &ours, nullptr);
    }
  });
}

// The child's part of a start: the program, or the reason why not, written to `fault`. Between fork
// and exec nothing may allocate or lock.
[[noreturn]] void become(const std::array<int, 3>& streams, int fault, char* const* words,
                         [[maybe_unused]] pid_t parent) {
  ::setpgid(0, 0);  // a group of its own: kill() reaches its children too
#ifdef __linux__
  // A runner that is killed cannot say so. The system does, unless that came first.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
#endif
  for (int fd = 0; fd < 3; ++fd) ::dup2(streams[static_cast<std::size_t>(fd)], fd);
  std::signal(SIGPIPE, SIG_DFL);
  ::execvp(words[0], words);
  const int error = errno;
  [[maybe_unused]] const ssize_t told = ::write(fault, &error, sizeof error);
  ::_exit(127);
}

}  // namespace

void stop_on_signal() { stops = true; }
int stop_signal() { return stopped_by; }

std::string name_of_signal(int number) {
  const char* name = ::sigabbrev_np(number);
  return name ? fmt::format("signal {} (SIG{})", number, name) : fmt::format("signal {}", number);
}

std::string ending::text() const {
  if (!by_signal) return fmt::format("exited with status {}", number);
  return "killed by " + name_of_signal(number);
}

std::optional<std::string> process::start(const std::vector<std::string>& command) {
  kill();
  output.clear();
  unsent_.clear();
  complaints_.clear();
  ended_.reset();

  prepare_signals();
  pipe_pair in, out, err, fault;
  if (!in.open() || !out.open() || !err.open() || !fault.open()) {
    in.close(), out.close(), err.close(), fault.close();
    return std::string("no pipes: ") + std::strerror(errno);
  }
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t parent = ::getpid(), pid = ::fork();
  if (pid == 0) become({in.read, out.write, err.write}, fault.write, words.data(), parent);
  const int no_process = errno;
  close_fd(in.read), close_fd(out.write), close_fd(err.write), close_fd(fault.write);
  int error = pid < 0 ? no_process : 0;
  if (pid > 0) {
    ::setpgid(pid, pid);  // in both, so that neither has to wait for the other
    // Nothing arrives where the program runs: its end of the pipe is closed then.
    while (::read(fault.read, &error, sizeof error) < 0 && errno == EINTR) {
    }
  }
  close_fd(fault.read);
  if (error != 0) {
    if (pid > 0) ::waitpid(pid, nullptr, 0);
    in.close(), out.close(), err.close();
    return fmt::format("cannot run {}: {}", command[0], std::strerror(error));
  }
  announce(pid);
  pid_ = pid;
  in_ = in.write, out_ = out.read, err_ = err.read;
  for (const int fd : {in_, out_, err_}) set_nonblocking(fd);
  return std::nullopt;
}

void process::close_input() {
  unsent_.clear();
  close_fd(in_);
}

bool process::write_some() {
  const ssize_t n = ::write(in_, unsent_.data(), std::min(unsent_.size(), bytes_at_once));
  if (n > 0) {
    unsent_.erase(0, static_cast<std::size_t>(n));
    return true;
  }
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  close_fd(in_);  // nobody reads any more; what was not sent stays unsent
  return false;
}

bool process::read_some(int& fd, bool is_error) {
  std::array<char, bytes_at_once> buffer;
  bool any = false;
  for (int i = 0; i < reads_at_once && fd >= 0; ++i) {
    const ssize_t n = ::read(fd, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n <= 0) {
      close_fd(fd);
      return true;
    }
    any = true;
    const std::string_view text(buffer.data(), static_cast<std::size_t>(n));
    if (!is_error) {
      output += text;
      continue;
    }
    complaints_ += text;
    if (complaints_.size() > kept_complaints)
      complaints_.erase(0, complaints_.size() - kept_complaints);
  }
  return any;
}

void process::reap() {
  if (pid_ <= 0 || ended_) return;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return;
  ending how;
  how.by_signal = WIFSIGNALED(status);
  how.number = how.by_signal ? WTERMSIG(status) : WEXITSTATUS(status);
  drain();
  ended_ = how;
}

// What the process left in the pipes. A grandchild may hold them open, so their end is not waited
// for.
void process::drain() {
  if (out_ >= 0) read_some(out_, false);
  if (err_ >= 0) read_some(err_, true);
}

void process::serve(clock::time_point until) {
  while (!ended_) {
    std::array<pollfd, 3> fds{};
    nfds_t count = 0;
    const auto watch = [&](int fd, short events) {
      if (fd >= 0) fds[count++] = {fd, events, 0};
    };
    watch(out_, POLLIN);
    watch(err_, POLLIN);
    if (has_unsent()) watch(in_, POLLOUT);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock::now()).count();
    const int wait = static_cast<int>(std::clamp<long long>(left, 0, slice_milliseconds));
    ::poll(fds.data(), count, wait);

    bool something = false;
    for (nfds_t i = 0; i < count; ++i) {
      if (fds[i].revents == 0) continue;
      if (fds[i].fd == out_)
        something = read_some(out_, false) || something;
      else if (fds[i].fd == err_)
        read_some(err_, true);
      else if (fds[i].fd == in_)
        write_some();
    }
    reap();
    if (something || clock::now() >= until) return;
  }
}

void process::kill() {
  if (pid_ > 0) {
    ::kill(-pid_, SIGKILL);
    if (!ended_) {
      int status = 0;
      while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
      }
    }
    retract(pid_);
  }
  pid_ = -1;
  close_fd(in_), close_fd(out_), close_fd(err_);
}

}  // namespace plumbline::runner
