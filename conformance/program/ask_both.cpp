// A session with each of two adapters.
#include "ask_both.h"

#include <algorithm>
#include <thread>

#include "conformance/runner/report.h"
#include "conformance/runner/score.h"

namespace plumbline::program {
namespace {

using form = runner::reply::form;

// A list of questions to one adapter; the answers in their order.
class list_asker : public runner::asker {
 public:
  list_asker(const std::vector<std::string>& questions, std::size_t& patience)
      : answers(questions.size()), questions_(questions), patience_(patience) {}
  std::optional<runner::question> next(const runner::hello&) override {
    if (next_ == questions_.size() || patience_ == 0) return std::nullopt;
    const std::size_t tag = next_++;
    return runner::question{tag, questions_[tag]};
  }
  std::optional<runner::question> answered(const runner::question& q,
                                           const runner::answer& a) override {
    answers[q.tag] = a;
    // Also one that closes its output and stays: any fault that had to be waited for.
    const bool silent = a.how == runner::finish::timeout || a.how == runner::finish::blocked ||
                        (a.how != runner::finish::replied && a.seconds > 1);
    if (silent && patience_ > 0) --patience_;
    return std::nullopt;
  }
  void spoiled(const runner::question& q, runner::finish how, const std::string& detail) override {
    answers[q.tag].how = how;
    answers[q.tag].detail = detail;
  }
  std::vector<runner::answer> answers;

 private:
  const std::vector<std::string>& questions_;
  std::size_t& patience_;
  std::size_t next_ = 0;
};

std::string command_text(const std::vector<std::string>& command) {
  std::string out;
  for (const std::string& word : command) out += (out.empty() ? "" : " ") + runner::quoted(word);
  return out;
}

said said_in(const std::string& question, const runner::answer& a, const runner::hello& about) {
  said out;
  out.was_asked = a.how != runner::finish::not_run;
  if (a.how != runner::finish::replied) {
    out.broken = runner::name_of(runner::outcome_of(a.how));
    return out;
  }
  out = said_of(question.substr(0, question.find(' ')), a.text);
  out.is_lacking =
      !about.lacks.empty() &&
      ((out.r.is == form::reject && out.r.verdict == "unsupported") || out.r.rest == "type");
  return out;
}

}  // namespace

std::string said::words() const { return broken.empty() ? runner::in_words(r) : broken; }

bool said::compares() const { return !is_lacking && (!broken.empty() || r.is != form::skip); }

said said_of(std::string_view op, const std::string& reply) {
  said out;
  out.r = runner::parse_reply(op, reply);
  if (out.r.is == form::unreadable) out.broken = "garbage";
  return out;
}

two_lists ask_both(const two_adapters& who, const std::vector<std::string>& questions,
                   patience& left) {
  two_lists out;
  list_asker a(questions, left.with_a), b(questions, left.with_b);
  std::string faults[2];
  const auto run = [&](const std::vector<std::string>& command, list_asker& from,
                       runner::hello& about, std::string& fault) {
    runner::session s({command, who.timeout, who.start_timeout, 1}, from);
    if (!s.run()) fault = command_text(command) + ' ' + s.start_fault();
    if (s.introduction()) about = *s.introduction();
  };
  {
    std::jthread other([&] { run(who.b, b, out.hello_b, faults[1]); });
    run(who.a, a, out.hello_a, faults[0]);
  }
  for (const std::string& fault : faults)
    if (!fault.empty() && out.fault.empty()) out.fault = fault;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    out.a.push_back(said_in(questions[i], a.answers[i], out.hello_a));
    out.b.push_back(said_in(questions[i], b.answers[i], out.hello_b));
  }
  return out;
}

}  // namespace plumbline::program
