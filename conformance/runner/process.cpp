// A child process between pipes.
#include "conformance/runner/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

extern char** environ;

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

}  // namespace

std::string ending::text() const {
  if (!by_signal) return fmt::format("exited with status {}", number);
  const char* name = ::sigabbrev_np(number);
  return name ? fmt::format("killed by signal {} (SIG{})", number, name)
              : fmt::format("killed by signal {}", number);
}

void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

std::optional<std::string> process::start(const std::vector<std::string>& command) {
  kill();
  output.clear();
  unsent_.clear();
  complaints_.clear();
  ended_.reset();

  pipe_pair in, out, err;
  if (!in.open() || !out.open() || !err.open()) {
    in.close(), out.close(), err.close();
    return std::string("no pipes: ") + std::strerror(errno);
  }
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.read, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out.write, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.write, STDERR_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t defaults;
  ::sigemptyset(&defaults);
  ::sigaddset(&defaults, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setpgroup(&attributes,
                              0);  // a group of its own: kill() reaches its children too
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, words[0], &actions, &attributes, words.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  close_fd(in.read), close_fd(out.write), close_fd(err.write);
  if (error != 0) {
    in.close(), out.close(), err.close();
    return fmt::format("cannot run {}: {}", command[0], std::strerror(error));
  }
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
  }
  pid_ = -1;
  close_fd(in_), close_fd(out_), close_fd(err_);
}

}  // namespace plumbline::runner
