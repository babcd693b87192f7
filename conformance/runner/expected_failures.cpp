// Known failures: read, applied to results, written again.
#include "conformance/runner/expected_failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <unordered_map>

#include "conformance/runner/read_text.h"

namespace plumbline::runner {
namespace {

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

std::vector<std::string> columns(std::string_view line) {
  std::vector<std::string> out;
  std::size_t at = 0;
  while (true) {
    const auto bar = line.find(" | ", at);
    out.push_back(trimmed(line.substr(at, bar - at)));
    if (bar == std::string_view::npos) return out;
    at = bar + 3;
  }
}

// A star alone would swallow the suite: the clause before the slash must be spelled out.
bool is_bounded(const std::string& pattern) {
  const auto slash = pattern.find('/');
  return slash != std::string::npos && slash > 0 && slash + 1 < pattern.size() &&
         pattern.find('*') > slash && pattern.find(' ') == std::string::npos;
}

// The parts between stars are found one after the other, each as early as it comes; the last is the
// end.
bool matches(std::string_view pattern, std::string_view text) {
  auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  text.remove_prefix(star);
  while (true) {
    pattern.remove_prefix(star + 1);
    star = pattern.find('*');
    if (star == std::string_view::npos) return text.ends_with(pattern);
    const auto at = text.find(pattern.substr(0, star));
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + star);
  }
}

// The clause, which ids and patterns spell out: a line is compared with the cases of its own alone.
std::string clause_of(const std::string& id) { return id.substr(0, id.find('/')); }

using ids_by_clause = std::unordered_map<std::string, std::vector<std::string>>;

ids_by_clause ids_of(const std::vector<test_case>& all) {
  ids_by_clause out;
  for (const test_case& c : all) out[clause_of(c.id())].push_back(c.id());
  return out;
}

template <typename Result>
using results_by_clause = std::unordered_map<std::string, std::vector<Result*>>;

template <typename Results>
auto results_of(Results& results) {
  results_by_clause<std::remove_reference_t<decltype(results[0])>> out;
  for (auto& r : results) out[clause_of(r.of.id())].push_back(&r);
  return out;
}

// How many cases there are that a line covers.
std::size_t count_of(const known_line& line, const ids_by_clause& ids) {
  const auto found = ids.find(clause_of(line.pattern));
  if (found == ids.end()) return 0;
  return static_cast<std::size_t>(
      std::ranges::count_if(found->second, [&](const std::string& id) { return line.covers(id); }));
}

// Those of the results that a line covers.
template <typename Result>
std::vector<Result*> covered_by(const known_line& line, const results_by_clause<Result>& results) {
  std::vector<Result*> out;
  const auto found = results.find(clause_of(line.pattern));
  if (found == results.end()) return out;
  std::ranges::copy_if(found->second, std::back_inserter(out),
                       [&](const Result* r) { return line.covers(r->of.id()); });
  return out;
}

std::string place(const known_failures& list, const known_line& line) {
  return fmt::format("{}:{}: {}", list.name, line.number, line.pattern);
}

void apply_list(run_result& run, const list_scope& scope, const known_failures& list,
                bool is_flaky, const std::string& today) {
  const ids_by_clause everywhere = ids_of(scope.everywhere), ids = ids_of(scope.of_profile);
  const auto results = results_of(run.results);
  for (const known_line& line : list.lines) {
    const std::size_t cases = count_of(line, ids);
    if (cases == 0 && count_of(line, everywhere) == 0) {
      run.list_faults.push_back(place(list, line) + " matches no case: remove or correct the line");
      continue;
    }
    if (!line.until.empty() && line.until < today) {
      run.list_faults.push_back(place(list, line) + " was to be mended by " + line.until);
      continue;  // what it covers counts again
    }
    const std::vector<result*> mine = covered_by(line, results);
    const std::size_t covered = mine.size();
    std::size_t failed = 0, waiting = 0;
    std::vector<result*> passed;
    for (result* one : mine) {
      result& r = *one;
      if (r.how == outcome::not_run) ++waiting;
      if (r.how == outcome::pass) passed.push_back(one);
      if (!is_bad(r.how)) continue;
      ++failed;
      if (!is_flaky && r.known == result::listing::flaky)
        run.list_faults.push_back(place(list, line) + " is known as flaky as well: " + r.of.id());
      r.known = is_flaky ? result::listing::flaky : result::listing::expected;
      r.known_reason = line.reason;
      if (line.link != "-") r.known_reason += " (" + line.link + ")";
    }
    if (is_flaky || covered == 0 || waiting == covered) continue;
    for (result* one : passed) {
      const std::string covers = line.is_wildcard() ? " covers " + one->of.id() + ", which" : "";
      one->unexpected_passes.push_back(place(list, line) + covers + " passed: an unexpected pass");
      run.list_faults.push_back(one->unexpected_passes.back());
    }
    const std::string idle = place(list, line) + " is not scored: skipped or open";
    if (failed == 0 && passed.empty())
      (covered < cases ? run.lists_idle : run.list_faults).push_back(idle);
    else if (covered < cases)
      run.lists_used.push_back(idle);
  }
}

}  // namespace

bool known_line::covers(const std::string& id) const { return matches(pattern, id); }

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  int parts[3] = {0, 0, 0};
  std::size_t part = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == 4 || i == 7) {
      ++part;
      continue;
    }
    if (text[i] < '0' || text[i] > '9') return false;
    parts[part] = parts[part] * 10 + (text[i] - '0');
  }
  return std::chrono::year_month_day(std::chrono::year(parts[0]),
                                     std::chrono::month(static_cast<unsigned>(parts[1])),
                                     std::chrono::day(static_cast<unsigned>(parts[2])))
      .ok();
}

std::string date_of_today() {
  const std::chrono::year_month_day day(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

known_failures parse_known_failures(const std::string& name, std::string_view text) {
  known_failures out;
  out.name = name;
  std::set<std::string> seen;
  std::istringstream lines{std::string(text)};
  std::string line;
  while (std::getline(lines, line)) {
    out.text.push_back(line);
    const std::string content = trimmed(line);
    if (content.empty() || content.starts_with('#')) continue;
    const auto refuse = [&](const std::string& what) {
      throw known_failures_error(fmt::format("{}:{}: {}", name, out.text.size(), what));
    };
    const std::vector<std::string> parts = columns(content);
    if (parts.size() < 3 || parts.size() > 4)
      refuse("a line is \"ID | reason | link\" and, if it ends some day, \" | 2027-01-31\"");
    known_line l{out.text.size(), parts[0], parts[1], parts[2], parts.size() == 4 ? parts[3] : ""};
    if (l.pattern.find('/') == std::string::npos || (l.is_wildcard() && !is_bounded(l.pattern)))
      refuse("\"" + l.pattern + "\" is neither an id nor a wildcard within one clause (EXT-05/*)");
    if (l.reason.empty()) refuse("no reason");
    if (l.link.empty()) refuse("no link: write - where there is none");
    if (parts.size() == 4 && !is_date(l.until)) refuse("\"" + l.until + "\" is no day: 2027-01-31");
    if (!seen.insert(l.pattern).second) refuse(l.pattern + " stands twice");
    out.lines.push_back(std::move(l));
  }
  return out;
}

known_failures load_known_failures(const std::filesystem::path& file) {
  const auto text = read_text(file, std::size_t{64} << 20);
  if (!text) throw known_failures_error("cannot read " + file.string());
  return parse_known_failures(file.string(), *text);
}

void apply_known_failures(run_result& run, const list_scope& scope, const known_failures& expected,
                          const known_failures& flaky, const std::string& today) {
  apply_list(run, scope, flaky, true, today);
  apply_list(run, scope, expected, false, today);
  for (auto* list : {&run.list_faults, &run.lists_idle, &run.lists_used}) {
    std::ranges::sort(*list);
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
}

std::string updated(const known_failures& expected, const known_failures& flaky,
                    const run_result& run, const list_scope& scope) {
  const ids_by_clause ids = ids_of(scope.everywhere);
  const auto results = results_of(run.results);
  std::set<std::size_t> gone;
  std::map<std::size_t, std::string> instead;  // of a wildcard's line
  std::set<std::string> listed, spelled_out;
  for (const known_line& line : expected.lines)
    if (!line.is_wildcard()) spelled_out.insert(line.pattern);
  for (const known_line& line : expected.lines) {
    std::map<std::string, outcome> asked;
    bool fails = false, passes = false;
    for (const result* r : covered_by(line, results)) {
      asked[r->of.id()] = r->how;
      if (is_bad(r->how)) listed.insert(r->of.id());
      fails = fails || is_bad(r->how);
      passes = passes || r->how == outcome::pass;
    }
    if (asked.empty() && count_of(line, ids) > 0) continue;  // not asked this time
    if (fails && !passes) continue;                          // holds as it stands
    gone.insert(line.number);
    if (asked.empty()) continue;
    // What fails, and what was not asked, of which nothing is known.
    for (const std::string& id : ids.at(clause_of(line.pattern))) {
      if (!line.covers(id)) continue;
      const auto found = asked.find(id);
      if (found != asked.end() && !is_bad(found->second)) continue;
      if (!spelled_out.insert(id).second) continue;
      instead[line.number] += fmt::format("{} | {} | {}{}\n", id, line.reason, line.link,
                                          line.until.empty() ? "" : " | " + line.until);
    }
  }
  for (const known_line& line : flaky.lines)
    for (const result* r : covered_by(line, results)) listed.insert(r->of.id());
  std::string out;
  for (std::size_t i = 0; i < expected.text.size(); ++i) {
    if (!gone.contains(i + 1)) out += expected.text[i] + '\n';
    if (const auto found = instead.find(i + 1); found != instead.end()) out += found->second;
  }
  for (const result& r : run.results) {
    if (!is_bad(r.how) || listed.contains(r.of.id())) continue;
    std::string detail = r.detail;
    std::ranges::replace(detail, '|', '/');
    std::ranges::replace(detail, '\n', ' ');
    out += fmt::format("{} | TODO, say why: {} {} | -\n", r.of.id(), name_of(r.how), detail);
  }
  return out;
}

void replace_file(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path fresh = file.string() + ".new";
  std::ofstream out(fresh, std::ios::binary);
  out << text;
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(fresh, file, error);
  if (!out || error) throw known_failures_error("cannot write " + file.string());
}

}  // namespace plumbline::runner
