// The search for disagreements.
#include "differ.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <thread>
#include <tuple>

#include "conformance/runner/case.h"
#include "conformance/runner/reply.h"
#include "conformance/runner/report.h"
#include "conformance/runner/score.h"
#include "conformance/runner/session.h"
#include "mutation.h"

namespace plumbline::program {
namespace {

using runner::reply;

// A list of questions to one adapter; the answers in their order.
class list_asker : public runner::asker {
 public:
  explicit list_asker(const std::vector<std::string>& questions)
      : answers(questions.size()), questions_(questions) {}
  std::optional<runner::question> next(const runner::hello&) override {
    if (next_ == questions_.size()) return std::nullopt;
    const std::size_t tag = next_++;
    return runner::question{tag, questions_[tag]};
  }
  std::optional<runner::question> answered(const runner::question& q,
                                           const runner::answer& a) override {
    answers[q.tag] = a;
    return std::nullopt;
  }
  void spoiled(const runner::question& q, runner::finish how, const std::string& detail) override {
    answers[q.tag].how = how;
    answers[q.tag].detail = detail;
  }
  std::vector<runner::answer> answers;

 private:
  const std::vector<std::string>& questions_;
  std::size_t next_ = 0;
};

struct said {
  reply r;
  std::string broken;  // the outcome, where there is no reply
  std::string words() const { return broken.empty() ? runner::in_words(r) : broken; }
  bool compares() const {
    return !broken.empty() || r.is == reply::form::accept || r.is == reply::form::reject;
  }
};

said said_by(const runner::answer& a) {
  said out;
  if (a.how != runner::finish::replied) {
    out.broken = runner::name_of(runner::outcome_of(a.how));
    return out;
  }
  out.r = runner::parse_reply("decode", a.text);
  if (out.r.is == reply::form::unreadable) out.broken = "garbage";
  return out;
}

Judgement judged(const mutation& m, const vectors::bytes& data) {
  Options options;
  for (const std::string& text : m.base->agree) options.agreement.parse(text);
  options.network_transport = m.base->transport == "network";
  return judge(data, options);
}

// What two answers disagree about, empty where they do not: the clause of the fault that one of
// them sees first and the other does not.
std::string difference(const said& a, const said& b, const Judgement& reference) {
  if (!a.compares() || !b.compares()) return {};
  if (!a.broken.empty() || !b.broken.empty())
    return a.broken == b.broken ? "" : a.broken.empty() ? b.broken : a.broken;
  const auto clause = [&](const reply& r) {
    if (!r.code.empty()) return r.code;
    return reference.accepted() ? std::string("what the reference accepts")
                                : reference.faults[0].clause;
  };
  const bool a_takes = a.r.is == reply::form::accept, b_takes = b.r.is == reply::form::accept;
  if (a_takes && b_takes) {
    if (a.r.extent != b.r.extent) return "full or sized";
    return a.r.rest != b.r.rest && a.r.rest != "-" && b.r.rest != "-" ? "the bytes encoded again"
                                                                      : "";
  }
  if (a_takes != b_takes) return clause(a_takes ? b.r : a.r);
  // "unsupported" is given only where nothing else is wrong: the other side saw what is.
  const bool a_lacks = a.r.verdict == "unsupported", b_lacks = b.r.verdict == "unsupported";
  if (a_lacks != b_lacks && a.r.verdict != "refused" && b.r.verdict != "refused")
    return clause(a_lacks ? b.r : a.r) + (a.r.code == b.r.code ? " (verdict)" : "");
  if (!a.r.code.empty() && !b.r.code.empty() && a.r.code != b.r.code) {
    const auto order = [](const reply& r) {
      return std::pair(r.offset.value_or(0), clause_row(r.code));
    };
    return order(a.r) < order(b.r) ? a.r.code : b.r.code;
  }
  if (a.r.verdict != b.r.verdict && a.r.verdict != "refused" && b.r.verdict != "refused")
    return clause(a.r) + " (verdict)";
  if (a.r.offset && b.r.offset && *a.r.offset != *b.r.offset) return clause(a.r) + " (place)";
  return {};
}

struct example {
  mutation what;
  said a, b;
  std::size_t faults = 0, size = 0;
  // One side accepting leaves nothing but the difference; then few faults, few edits, few bytes.
  auto cost() const {
    const bool both_refuse = a.r.is == reply::form::reject && b.r.is == reply::form::reject;
    return std::tuple(faults > 1, both_refuse, what.edits.size(), size);
  }
};
struct group {
  std::size_t seen = 0;
  example best;
};

std::string command_text(const std::vector<std::string>& command) {
  std::string out;
  for (const std::string& word : command) out += (out.empty() ? "" : " ") + runner::quoted(word);
  return out;
}

class search {
 public:
  explicit search(const differ_settings& s) : settings_(s) {}

  std::map<std::string, group> groups;
  differ_result out;

  // False when an adapter cannot be asked.
  bool ask(const std::vector<mutation>& some, bool counted) {
    std::vector<std::string> questions;
    std::vector<vectors::bytes> data;
    for (const mutation& m : some) {
      data.push_back(m.bytes());
      questions.push_back("decode " + runner::mode_of(*m.base) + ' ' +
                          (data.back().empty() ? "-" : vectors::to_hex(data.back())));
    }
    list_asker a(questions), b(questions);
    std::string faults[2];
    const auto run = [&](const std::vector<std::string>& command, list_asker& from,
                         std::string& fault) {
      runner::session s({command, settings_.timeout, settings_.start_timeout, 1}, from);
      if (!s.run()) fault = command_text(command) + ' ' + s.start_fault();
      if (s.introduction() && !s.introduction()->ops.contains("decode"))
        fault = command_text(command) + " does not declare decode";
    };
    {
      std::jthread other([&] { run(settings_.b, b, faults[1]); });
      run(settings_.a, a, faults[0]);
    }
    for (const std::string& fault : faults)
      if (!fault.empty()) return out.fault = fault, false;
    for (std::size_t i = 0; i < some.size(); ++i) {
      const Judgement reference = judged(some[i], data[i]);
      example e{some[i], said_by(a.answers[i]), said_by(b.answers[i]), reference.faults.size(),
                data[i].size()};
      if (counted) ++out.asked, out.compared += e.a.compares() && e.b.compares();
      const std::string about = difference(e.a, e.b, reference);
      if (about.empty()) continue;
      const auto [found, fresh] = groups.try_emplace(about, group{0, e});
      if (counted) ++found->second.seen;
      if (!fresh && e.cost() < found->second.best.cost()) found->second.best = e;
    }
    return true;
  }

  // Fewer edits, then smaller bases, for all groups together, until nothing gets smaller.
  bool minimise(const mutator& from) {
    for (int round = 0; round < 8; ++round) {
      std::vector<mutation> smaller;
      std::map<std::string, decltype(example().cost())> before;
      for (const auto& [about, g] : groups) {
        before[about] = g.best.cost();
        const mutation& m = g.best.what;
        for (std::size_t i = 0; m.edits.size() > 1 && i < m.edits.size(); ++i) {
          smaller.push_back(m);
          smaller.back().edits.erase(smaller.back().edits.begin() + static_cast<std::ptrdiff_t>(i));
        }
        std::ranges::move(from.on_smaller_bases(m), std::back_inserter(smaller));
      }
      if (smaller.empty()) return true;
      if (!ask(smaller, false)) return false;
      const bool better = std::ranges::any_of(groups, [&](const auto& entry) {
        return !before.contains(entry.first) || entry.second.best.cost() < before[entry.first];
      });
      if (!better) return true;
    }
    return true;
  }

 private:
  const differ_settings& settings_;
};

// CLAUSE/letters that no vector has: a .. z, aa .. zz.
std::string free_id(const std::string& clause, std::set<std::string>& taken) {
  for (std::size_t n = 0;; ++n) {
    std::string letters(1, static_cast<char>('a' + n % 26));
    for (std::size_t rest = n / 26; rest > 0; rest = (rest - 1) / 26)
      letters.insert(letters.begin(), static_cast<char>('a' + (rest - 1) % 26));
    if (taken.insert(clause + '/' + letters).second) return clause + '/' + letters;
  }
}

// As FORMAT.md asks: a refused descriptor as hex lines, an accepted one as a base of its fields.
std::string as_vector(const example& e, std::set<std::string>& taken, std::uint64_t seed,
                      std::size_t number) {
  const vectors::bytes data = e.what.bytes();
  const Judgement j = judged(e.what, data);
  const std::string sides = fmt::format("A says {}, B says {}", e.a.words(), e.b.words());
  std::string out, body;
  const std::vector<Field> fields = list_fields(j.descriptor);
  std::string clause = j.accepted() ? e.what.base->clause : j.faults[0].clause;
  if (j.accepted() && j.rest == 0) {
    const std::string name = fmt::format("differ_{}_{}", seed, number);
    out += "base " + name + '\n';
    std::map<std::string, std::string> lists;
    for (const Field& f : fields)
      if (f.index >= 0) lists[f.key] += (lists[f.key].empty() ? "" : ",") + f.value;
    std::set<std::string> done;
    for (const Field& f : fields)
      if (done.insert(f.key).second)
        out += fmt::format("  {} = {}\n", f.key, f.index >= 0 ? lists[f.key] : f.value);
    body = "  base " + name + '\n';
  } else {
    std::size_t end = 0;
    const auto hex = [&](std::size_t from, std::size_t to, const std::string& comment) {
      for (; from < to; from += 16)
        body +=
            fmt::format("  hex {}{}\n",
                        vectors::to_hex(vectors::bytes(
                            data.begin() + static_cast<std::ptrdiff_t>(from),
                            data.begin() + static_cast<std::ptrdiff_t>(std::min(to, from + 16)))),
                        comment.empty() ? "" : "  # " + comment);
    };
    for (const Field& f : fields) {
      if (f.offset + f.size > j.read_end || f.offset + f.size > data.size() || f.size == 0 ||
          f.offset < end)
        continue;
      hex(end, f.offset, end == 0 ? "magic" : "");
      hex(f.offset, f.offset + f.size, f.size <= 16 ? key_of(f) + " = " + f.value : key_of(f));
      end = f.offset + f.size;
    }
    hex(end, data.size(), "");
  }
  const Fault* fault = j.accepted() ? nullptr : &j.faults[0];
  const bool is_open = fault && fault->clause.starts_with("D-");
  const Clause* row = fault ? find_clause(fault->clause) : nullptr;
  if (is_open) clause = e.what.base->clause;
  const std::string expected =
      fault ? fmt::format("{} {} at {}", to_string(fault->verdict), fault->clause, fault->offset)
      : j.interpreted ? "accept"
                      : "accept sized";
  out += fmt::format("vector {}\n  class {}\n", free_id(clause, taken),
                     !fault    ? "accept"
                     : is_open ? "open " + fault->clause
                               : "refuse-" + (row ? row->class_letter : "R"));
  out += body;
  if (!e.what.base->agree.empty()) {
    std::string agreed;
    for (const std::string& tag : e.what.base->agree) agreed += (agreed.empty() ? "" : ",") + tag;
    out += "  agree " + agreed + '\n';
  }
  if (!e.what.base->transport.empty()) out += "  transport " + e.what.base->transport + '\n';
  out += "  expect " + expected + '\n';
  if (is_open) out += "  reading A: accept\n  reading B: " + expected + '\n';
  return out + fmt::format("  why {}{}\n", sides, fault ? "; " + fault->message() : "");
}

}  // namespace

differ_result differ(const std::vector<vectors::vector>& all, const differ_settings& settings) {
  mutator from(all, settings.seed);
  search s(settings);
  if (from.empty()) {
    s.out.fault = "no accepted descriptor among the vectors";
    return s.out;
  }
  for (std::size_t left = settings.count; left > 0;) {
    std::vector<mutation> batch;
    for (; left > 0 && batch.size() < 5000; --left) batch.push_back(from.next());
    if (!s.ask(batch, true)) return s.out;
  }
  if (!s.minimise(from)) return s.out;
  std::set<std::string> taken;
  for (const vectors::vector& v : all) taken.insert(v.id);
  std::size_t number = 0;
  for (const auto& [about, g] : s.groups)
    s.out.groups.push_back({about, g.seen, g.best.a.words(), g.best.b.words(), g.best.faults,
                            as_vector(g.best, taken, settings.seed, ++number)});
  return s.out;
}

}  // namespace plumbline::program
