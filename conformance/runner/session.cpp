// The life of an adapter: start, questions, faults, restarts, end.
#include "conformance/runner/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

namespace plumbline::runner {
namespace {

constexpr auto grace = std::chrono::seconds(2);  // between the last line and the end of the process
constexpr std::size_t largest_window = 4096;

std::string shown(std::string_view line) {
  std::string out;
  for (const char c : line.substr(0, 160)) out += c >= 0x20 && c < 0x7f ? c : '?';
  return line.size() > 160 ? out + ".." : out;
}

bool is_text(std::string_view line) {
  return std::ranges::all_of(line, [](char c) { return c >= 0x20 && c < 0x7f; });
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::set<std::string, std::less<>> set_of(std::string_view list) {
  std::set<std::string, std::less<>> out;
  for (const std::string_view item : split(list, ',')) {
    if (item != "-") out.emplace(item);
  }
  return out;
}

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<hello> parse_hello(std::string_view line, std::string& why) {
  const std::vector<std::string_view> words = split(line, ' ');
  if (!is_text(line) || words.size() < 3 || words[0] != "hello" || words[1] != "plumbline") {
    why = "said \"" + shown(line) + "\" instead of hello plumbline 1 ..";
    return std::nullopt;
  }
  if (words[2] != "1") {
    why = "speaks protocol version " + shown(words[2]) + ", not 1";
    return std::nullopt;
  }
  hello out;
  for (const std::string_view word : std::span(words).subspan(3)) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = word.substr(0, equals), value = word.substr(equals + 1);
    if (key == "name") out.name = value;
    if (key == "version") out.version = value;
    if (key == "ops") out.ops = set_of(value);
    if (key == "lacks") out.lacks = set_of(value);
    if (key == "modes") out.modes = set_of(value);
    if (key == "window") {
      const auto window = number_of<std::size_t>(value);
      if (!window || *window == 0) {
        why = "window=" + shown(value) + " is no number above 0";
        return std::nullopt;
      }
      out.window = std::min(*window, largest_window);
    }
  }
  if (out.ops.empty()) {
    why = "named no operation in ops=";
    return std::nullopt;
  }
  return out;
}

std::optional<std::string> session::next_line() {
  const std::size_t end = process_.output.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = process_.output.substr(0, end);
  process_.output.erase(0, end + 1);
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

bool session::start() {
  ++starts_;
  done_.clear();
  last_done_.reset();
  if (auto fault = process_.start(settings_.command)) {
    start_fault_ = *fault;
    return false;
  }
  process_.send("hello plumbline 1\n");
  const auto until = clock::now() + settings_.start_timeout;
  std::optional<std::string> line;
  while (!(line = next_line())) {
    process_.serve(until);
    const bool over = process_.output.size() > largest_reply;
    if (process_.output.find('\n') != std::string::npos) continue;
    if (process_.ended())
      start_fault_ = process_.ended()->text() + " before its hello";
    else if (over)
      start_fault_ = "sent an endless line instead of its hello";
    else if (clock::now() >= until)
      start_fault_ = fmt::format("sent no hello within {} ms", settings_.start_timeout.count());
    else
      continue;
    if (!process_.complaints().empty()) start_fault_ += ": " + shown(process_.complaints());
    process_.kill();
    return false;
  }
  std::string why;
  auto said = parse_hello(*line, why);
  if (said && !process_.output.empty()) {
    why = "said \"" + shown(process_.output) + "\" before it was asked";
    said.reset();
  }
  if (!said) {
    start_fault_ = why;
    process_.kill();
    return false;
  }
  hello_ = said;
  return true;
}

// Whether an adapter that answered nothing so far does not even say that it lacks an operation.
// One that hangs on what it was asked does.
bool session::is_deaf() {
  if (answered_any_ || unanswered_ < silence_allowed) return false;
  answered_any_ = true;  // asked once
  process_.send(fmt::format("{} hear\n", ++last_id_));
  const auto until = clock::now() + settings_.timeout;
  while (!next_line() && !process_.ended() && !process_.output_closed() && stop_signal() == 0) {
    process_.serve(until);
    if (process_.output.empty() && clock::now() >= until) {
      start_fault_ = fmt::format(
          "answered nothing at all, each time within {} ms: does it flush after every line?",
          settings_.timeout.count());
      return true;
    }
    if (clock::now() >= until) break;
  }
  process_.kill();  // for a fresh beginning
  return false;
}

bool session::run() {
  int failed = 0;
  while (true) {
    if (stop_signal() != 0) {
      process_.kill();
      start_fault_ = "was stopped by " + name_of_signal(stop_signal());
      return false;
    }
    if (!process_.running()) {
      if (!start()) {
        if (++failed < failed_starts_allowed || stop_signal() != 0) continue;
        start_fault_ += fmt::format("; {} starts in a row failed", failed_starts_allowed);
        return false;
      }
      failed = 0;
      if (is_deaf()) {
        process_.kill();
        return false;
      }
      if (!process_.running()) continue;
    }
    fill_window();
    if (!process_.running()) continue;  // something came before it was asked
    if (in_flight_.empty()) break;
    wait_for_answer();
  }
  end_input();
  return true;
}

std::optional<session::asked_question> session::next_question() {
  asked_question q;
  if (!again_.empty()) {
    q = std::move(again_.front());
    again_.pop_front();
  } else if (!follow_up_.empty()) {
    q.what = std::move(follow_up_.front());
    follow_up_.pop_front();
  } else if (auto fresh = asker_.next(*hello_)) {
    q.what = *std::move(fresh);
  } else {
    return std::nullopt;
  }
  return q;
}

void session::fill_window() {
  if (in_flight_.empty() && last_done_) {  // nothing was asked, so nothing may come
    process_.serve(clock::now());
    if (!process_.output.empty()) return unexpected_line(process_.output);
    const auto& how = process_.ended();
    if (stop_signal() == 0 && how && (how->by_signal || how->number != 0)) {
      asker_.spoiled(*last_done_, how->by_signal ? finish::crash : finish::exit,
                     how->text() + " after its reply");
      return restart_with_rest();
    }
  }
  while (true) {
    const bool alone = !again_.empty() || (!in_flight_.empty() && in_flight_.front().again);
    if (in_flight_.size() >= (alone ? 1 : hello_->window)) return;
    auto q = next_question();
    if (!q) return;
    last_id_ += 1 + random_() % 997;  // gaps, so that no reply can be guessed ahead
    q->id = last_id_;
    q->since = clock::now();
    process_.send(fmt::format("{} {}\n", q->id, q->what.text));
    in_flight_.push_back(*std::move(q));
  }
}

void session::wait_for_answer() {
  const auto until = in_flight_.front().since + settings_.timeout;
  if (auto line = next_line()) return take_line(*std::move(line));
  process_.serve(until);
  if (stop_signal() != 0 || process_.output.find('\n') != std::string::npos) return;
  if (process_.output.size() > largest_reply) {
    return fail_front(finish::oversized,
                      fmt::format("a reply of more than {} bytes", largest_reply));
  }
  if (process_.output_closed() || process_.ended()) return process_gone();
  if (clock::now() < until) return;
  if (process_.has_unsent()) {
    return fail_front(finish::blocked,
                      fmt::format("stopped reading: the request was not taken within {} ms",
                                  settings_.timeout.count()));
  }
  fail_front(finish::timeout, fmt::format("no reply within {} ms", settings_.timeout.count()));
}

void session::take_line(std::string line) {
  if (line.size() > largest_reply) {
    return fail_front(finish::oversized, fmt::format("a reply of {} bytes", line.size()));
  }
  const std::size_t blank = std::min(line.find(' '), line.size());
  const auto id = number_of<std::uint64_t>(std::string_view(line).substr(0, blank));
  if (!id || !is_text(line)) return fail_front(finish::garbage, "said \"" + shown(line) + "\"");
  if (*id != in_flight_.front().id) return unexpected_line(line);

  asked_question q = std::move(in_flight_.front());
  in_flight_.pop_front();
  answer a;
  a.how = finish::replied;
  a.text = line.substr(std::min(blank + 1, line.size()));
  deliver(q, std::move(a));
  if (q.suspect) asker_.spoiled(*q.suspect, finish::early_end, q.suspicion);
  last_done_ = question{q.what.tag, ""};
  done_.emplace(q.id, *last_done_);
  if (!in_flight_.empty()) in_flight_.front().since = clock::now();
}

// A line that is not the reply to the oldest request.
void session::unexpected_line(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  const auto id = number_of<std::uint64_t>(
      std::string_view(line).substr(0, std::min(line.find(' '), line.size())));
  const auto done = id ? done_.find(*id) : done_.end();
  const std::string said = "said \"" + shown(line) + "\"";
  if (done != done_.end()) {
    asker_.spoiled(done->second, finish::unasked, said + ", a second reply");
    return restart_with_rest();
  }
  if (in_flight_.empty()) {  // the process last worked on this one
    asker_.spoiled(*last_done_, id ? finish::unasked : finish::garbage,
                   said + " before the next request");
    return restart_with_rest();
  }
  const bool waiting =
      id && std::ranges::any_of(in_flight_, [&](const auto& q) { return q.id == *id; });
  fail_front(
      waiting ? finish::out_of_order : finish::unasked,
      said + (waiting ? " before its turn"
                      : fmt::format(", but request {} was to be answered", in_flight_.front().id)));
}

void session::process_gone() {
  const auto until = clock::now() + grace;
  process_.serve(until);
  if (process_.output.find('\n') != std::string::npos) return;
  const std::string partial = process_.output.empty()
                                  ? ""
                                  : " after the unfinished line \"" + shown(process_.output) + "\"";
  while (!process_.ended() && process_.output_closed() && clock::now() < until)
    process_.serve(until);
  if (stop_signal() != 0) return;
  const auto& how = process_.ended();
  const std::string detail =
      (how ? how->text() : std::string("closed its output and stayed")) + partial;
  if (how && how->by_signal) return fail_front(finish::crash, detail);
  if (how && how->number != 0) return fail_front(finish::exit, detail);

  // A clean end may be the doing of the question before: then this one, asked once more in a
  // process of its own, is answered.
  if (last_done_ && in_flight_.size() == 1) {
    in_flight_.front().suspect = last_done_;
    in_flight_.front().suspicion = detail + " after its reply, before the input ended";
    return restart_with_rest();
  }
  fail_front(finish::early_end, detail + " before the input ended");
}

// The oldest question is at fault. Where others waited behind it, a process that ended may have
// ended for one of them: then all are asked once more, one at a time.
void session::fail_front(finish how, std::string detail) {
  const bool process_ended =
      how == finish::crash || how == finish::exit || how == finish::early_end;
  if (process_ended && in_flight_.size() > 1) return restart_with_rest();
  asked_question q = std::move(in_flight_.front());
  in_flight_.pop_front();
  answer a;
  a.how = how;
  a.detail = std::move(detail);
  deliver(q, std::move(a));
  restart_with_rest();
}

void session::deliver(const asked_question& q, answer a) {
  const bool silent = a.how == finish::timeout || a.how == finish::blocked;
  if (silent)
    ++unanswered_;
  else
    answered_any_ = true;
  a.complaints = process_.complaints();
  a.seconds = std::chrono::duration<double>(clock::now() - q.since).count();
  process_.forget_complaints();
  if (auto more = asker_.answered(q.what, a)) follow_up_.push_back(*std::move(more));
}

void session::restart_with_rest() {
  process_.kill();
  for (auto q = in_flight_.rbegin(); q != in_flight_.rend(); ++q) {
    q->again = true;
    again_.push_front(std::move(*q));
  }
  in_flight_.clear();
  process_.output.clear();
}

void session::end_input() {
  process_.close_input();
  const auto until = clock::now() + std::max<clock::duration>(settings_.timeout, grace);
  while (!process_.ended() && clock::now() < until && process_.output.size() <= largest_reply)
    process_.serve(until);
  if (last_done_ && !process_.output.empty()) {
    asker_.spoiled(*last_done_, finish::unasked,
                   "said \"" + shown(process_.output) + "\" after the last request");
  }
  const auto& how = process_.ended();
  if (stop_signal() != 0)
    start_fault_ = "was stopped by " + name_of_signal(stop_signal());
  else if (!how)
    end_fault_ = "did not end when its input ended";
  else if (how->by_signal || how->number != 0)
    end_fault_ = how->text() + " when its input ended";
  process_.kill();
}

}  // namespace plumbline::runner
