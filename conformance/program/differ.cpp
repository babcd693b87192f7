// The search for disagreements.
#include "differ.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "conformance/runner/process.h"
#include "conformance/runner/values.h"
#include "disagreement.h"
#include "mutator.h"
#include "shrink.h"
#include "vector_text.h"

namespace plumbline::program {
namespace {

using form = runner::reply::form;

constexpr std::size_t batch_size = 5000;
constexpr std::size_t candidates_at_once = 150;  // of one group
constexpr std::size_t candidates_around =
    600;  // other mutations, where the example holds two faults
constexpr std::size_t most_together = 100;

// A question that the two answer differently. `what` is how it was made, before it was made smaller
// in itself.
struct example {
  mutation what;
  question asked;
  disagreement d;
  said a, b;
  reference_answer reference;

  std::size_t faults() const {
    const auto& all = reference.faults;
    return !all.empty() && all[0].verdict == Verdict::unsupported ? 1 : all.size();
  }
  // One fault before all; one side taking it leaves nothing but the difference; then few edits.
  auto cost() const {
    const bool both_refuse = a.r.is == form::reject && b.r.is == form::reject;
    const bool judges = asked.op == "decode" || asked.op == "composite" || asked.op == "contents";
    return std::tuple(d.who == differing::both, faults() > 1, both_refuse, !judges,
                      !reference.is_clean, what.edits.size(), weight(asked));
  }
};

enum class stage { found, around, closer, smaller, done };

struct group {
  std::size_t seen = 0;
  example best;
  // Where its minimising stands: the candidates of a stage that are still to be asked, what they
  // started from, and those that were better.
  stage now = stage::found;
  std::vector<example> left = {}, better = {};
  question start = {};
  bool improved = false, combined = false;
};
using group_key = std::pair<std::string, differing>;

std::string joined(const std::set<std::string, std::less<>>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

class search {
 public:
  explicit search(const differ_settings& s) : settings_(s) {}

  std::map<group_key, group> groups;
  differ_result out;

  // What both declare; false when an adapter cannot be asked.
  bool greet(abilities& both) {
    const two_lists hello = ask_both(settings_.who, {}, left_);
    if (!hello.fault.empty()) return out.fault = hello.fault, false;
    for (const char* op : {"decode", "fields", "encode", "composite", "size", "address", "contents",
                           "lookup", "dequantise"})
      if (hello.hello_a.ops.contains(op) && hello.hello_b.ops.contains(op)) both.ops.insert(op);
    for (const char* mode : {"strict", "lenient", "permissive"})
      if (hello.hello_a.modes.contains(mode) && hello.hello_b.modes.contains(mode))
        both.modes.insert(mode);
    out.ops = joined(both.ops);
    out.modes = joined(both.modes);
    if (both.ops.empty()) out.fault = "the two declare no operation on descriptors in common";
    return out.fault.empty();
  }

  bool ask(std::vector<example> some, bool counted) {
    std::erase_if(some, [](const example& e) {
      return request_of(e.asked).size() + 24 > runner::session::largest_request;
    });
    std::vector<std::string> requests;
    for (const example& e : some) requests.push_back(request_of(e.asked));
    two_lists answers = ask_both(settings_.who, requests, left_);
    // What was answered before a signal counts.
    if (!answers.fault.empty() && !is_stopped()) return out.fault = answers.fault, false;
    for (std::size_t i = 0; i < some.size(); ++i) {
      example& e = some[i];
      if (!answers.a[i].was_asked || !answers.b[i].was_asked) continue;
      ++(counted ? out.asked : out.minimising);
      e.a = std::move(answers.a[i]);
      e.b = std::move(answers.b[i]);
      e.reference = answer_of_reference(e.asked);
      if (counted) out.compared += e.a.compares() && e.b.compares();
      e.d = compare(e.asked, e.a, e.b, e.reference);
      if (e.d.about.empty()) continue;
      // Making examples smaller brings clauses to light, but of one wrong value it makes many.
      const bool may_be_new = counted || !e.d.group.contains(" (");
      if (!may_be_new && !groups.contains({e.d.group, e.d.who})) continue;
      const auto [found, fresh] =
          groups.try_emplace({e.d.group, e.d.who}, group{.seen = 0, .best = e});
      if (counted) ++found->second.seen;
      group& g = found->second;
      if (fresh || !(e.cost() < g.best.cost())) continue;
      if (!counted && g.better.size() < most_together) g.better.push_back(e);
      g.improved = !counted;
      // What is left was made of something longer.
      if (!counted && g.now == stage::smaller && weight(e.asked).first < weight(g.best.asked).first)
        g.left.clear();
      if (g.now == stage::done) g.now = stage::found;
      g.best = std::move(e);
    }
    return true;
  }

  // All groups together, a few candidates of each at a time, until none gets smaller or enough was
  // asked.
  bool minimise(mutator& from) {
    left_ = {};
    while (true) {
      std::vector<example> some;
      for (auto& [key, g] : groups) {
        while (g.left.empty() && g.now != stage::done) advance(g, from);
        const std::size_t n = std::min(candidates_at_once, g.left.size());
        std::move(g.left.end() - static_cast<std::ptrdiff_t>(n), g.left.end(),
                  std::back_inserter(some));
        g.left.resize(g.left.size() - n);
      }
      if (some.empty()) return true;
      if (is_stopped())
        out.not_smallest = "the search was " + stopped();
      else if (out.minimising >= settings_.minimising)
        out.not_smallest = fmt::format("{} further questions were asked", out.minimising);
      else if (left_.is_over())
        out.not_smallest = silent();
      if (!out.not_smallest.empty()) return true;
      if (!ask(std::move(some), false)) return false;
    }
  }

  static bool is_stopped() { return runner::stop_signal() != 0; }
  static std::string stopped() {
    return "stopped by " + runner::name_of_signal(runner::stop_signal());
  }
  // Why the search ends here; empty where it goes on.
  std::string ends() const {
    return is_stopped() ? "it was " + stopped() : left_.is_over() ? silent() : "";
  }
  std::string silent() const {
    return fmt::format("{} left {} questions unanswered", left_.with_a == 0 ? "A" : "B",
                       patience().with_a);
  }

  // Two faults in one example, each of which is shown by an example of its own, are no third. Wrong
  // values of one side are shown where it has wrong values by itself, whatever the question.
  void drop_pairs() {
    const auto is_value = [](std::string_view about) { return about.contains(" ("); };
    const auto is_shown = [&](const std::string& about, differing who) {
      return groups.contains({about, who}) ||
             (is_value(about) && std::ranges::any_of(groups, [&](const auto& other) {
                return other.first.second == who && is_value(other.first.first);
              }));
    };
    std::erase_if(groups, [&](const auto& entry) {
      const auto& [about, who] = entry.first;
      const std::size_t tab = about.find('\t');
      return who == differing::both && tab != std::string::npos &&
             is_shown(about.substr(0, tab), differing::a) &&
             is_shown(about.substr(tab + 1), differing::b);
    });
  }

 private:
  // The next candidates of a group: other edits of the same vector while the example is not one
  // fault, then closer to the vectors until that ends, then smaller in itself until that ends.
  static void advance(group& g, mutator& from) {
    if (!g.improved) g.now = static_cast<stage>(static_cast<int>(g.now) + 1);
    if (g.improved && !g.combined) {
      if (auto all = together_of(g)) {
        g.left.push_back(std::move(*all));
        g.combined = true;
        return;
      }
    }
    g.improved = g.combined = false;
    g.better.clear();
    g.start = g.best.asked;
    const auto add = [&](mutation m) {
      question q = m.asked();
      g.left.push_back({std::move(m), std::move(q), {}, {}, {}, {}});
    };
    if (g.now == stage::around && (g.best.faults() > 1 || g.best.d.who == differing::both))
      for (mutation& m : from.around(g.best.what, g.best.d.about.substr(0, 6), candidates_around))
        add(std::move(m));
    if (g.now == stage::closer) {
      for (mutation& m : mutator::closer_to_base(g.best.what)) add(std::move(m));
      for (mutation& m : from.on_other_bases(g.best.what)) add(std::move(m));
    }
    if (g.now == stage::smaller)
      for (question& q : smaller(g.best.asked))
        g.left.push_back({g.best.what, std::move(q), {}, {}, {}, {}});
    const std::string own = request_of(g.best.asked);
    std::erase_if(g.left, [&](const example& e) { return request_of(e.asked) == own; });
    std::ranges::reverse(g.left);  // taken from behind
  }

  static std::optional<example> together_of(const group& g) {
    std::vector<question> steps;
    for (const example& e : g.better) steps.push_back(e.asked);
    auto all = g.now == stage::smaller ? together(g.start, steps) : std::nullopt;
    if (!all || request_of(*all) == request_of(g.best.asked)) return std::nullopt;
    return example{g.best.what, std::move(*all), {}, {}, {}, {}};
  }

  const differ_settings& settings_;
  patience left_;
};

// The keys of `fields` in which the two sides differ; none where all must be stated.
std::set<std::string> differing_keys(const example& e) {
  std::set<std::string> out;
  if (e.asked.op != "fields" || e.a.r.is != form::ok || e.b.r.is != form::ok) return out;
  try {
    const auto a = runner::parse_fields(e.a.r.rest), b = runner::parse_fields(e.b.r.rest);
    if (a.size() != b.size()) return out;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a[i].first == b[i].first && !runner::same_field(a[i].first, a[i].second, b[i].second))
        out.insert(a[i].first);
  } catch (const std::invalid_argument&) {
  }
  return out;
}

std::string remark_of(const example& e) {
  if (e.d.who == differing::both)
    return "A and B both differ from the reference here, and no question was found in which one of "
           "them does";
  if (e.faults() <= 1) return {};
  std::string out = "no example with one fault was found; the reference finds";
  for (const Fault& f : e.reference.faults) out += fmt::format(" {} at {}", f.clause, f.offset);
  return out;
}

shown_disagreement shown(const group& g, std::size_t number, std::uint64_t seed,
                         const std::map<std::string, std::string>& known) {
  const example& e = g.best;
  shown_disagreement out{e.d.about,
                         e.d.who == differing::a   ? "A"
                         : e.d.who == differing::b ? "B"
                                                   : "both",
                         g.seen,
                         e.a.words(),
                         e.b.words(),
                         e.reference.answer.words(),
                         request_of(e.asked),
                         "",
                         remark_of(e),
                         ""};
  if (const auto at = known.find(out.request); at != known.end()) out.known = at->second;
  const std::string why =
      fmt::format("A says {}, B says {}{}", out.a, out.b,
                  e.reference.faults.empty() ? "" : "; " + e.reference.faults[0].message());
  const vector_text text =
      as_vector(e.asked, e.reference, fmt::format("differ_{}_{}", seed, number), why,
                differing_keys(e));
  out.vector = text.text;
  if (text.text.empty())
    out.remark += (out.remark.empty() ? "" : "; ") + ("no vector: " + text.lacking);
  return out;
}

}  // namespace

differ_result differ(const std::vector<vectors::vector>& all, const differ_settings& settings) {
  search s(settings);
  abilities both;
  if (!s.greet(both)) return s.out;
  mutator from(all, both, settings.seed);
  if (from.empty()) {
    s.out.fault = "no vector asks what both adapters declare";
    return s.out;
  }
  for (std::size_t left = settings.count; left > 0;) {
    std::vector<example> batch;
    for (; left > 0 && batch.size() < batch_size; --left) {
      mutation m = from.next();
      question q = m.asked();
      batch.push_back({std::move(m), std::move(q), {}, {}, {}, {}});
    }
    if (!s.ask(std::move(batch), true)) return s.out;
    s.out.cut_short = s.ends();
    if (!s.out.cut_short.empty()) break;
  }
  if (!s.minimise(from)) return s.out;
  s.drop_pairs();
  std::map<std::string, std::string> known;
  for (const vectors::vector& v : all)
    if (!v.is_numeric()) known.emplace(request_of(v), v.id);
  for (const auto& [key, g] : s.groups)
    s.out.groups.push_back(shown(g, s.out.groups.size() + 1, settings.seed, known));
  return s.out;
}

}  // namespace plumbline::program
