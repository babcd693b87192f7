// The reports of --jsonl: a line about the run, then a line a case.
#include "conformance/runner/saved_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "conformance/runner/case.h"
#include "conformance/runner/read_text.h"

namespace plumbline::runner {
namespace {

using json = nlohmann::ordered_json;

std::string word(const json& object, const char* key) {
  return object.contains(key) ? object[key].get<std::string>() : "";
}

// Passed and verified, passed, not scored or skipped, bad: better is more.
int rank(const json& c) {
  const std::string outcome = word(c, "outcome");
  if (outcome == "pass") return word(c, "accept") == "claimed" ? 2 : 3;
  return outcome == "skip" || outcome == "skip-declared" || outcome == "unscored" ? 1 : 0;
}

std::string in_words(const json& c) {
  std::string out = word(c, "outcome");
  if (c.contains("accept")) out += " (" + word(c, "accept") + ")";
  if (c.contains("detail")) out += ": " + word(c, "detail");
  return out;
}

void add_lines(const json& head, const char* key, std::set<std::string>& to) {
  if (!head.contains(key)) return;
  for (const json& line : head[key]) to.insert(line.get<std::string>());
}

void check_head(const std::string& name, const json& head, std::size_t cases) {
  for (const char* key : {"specification", "adapter", "settings"})
    if (!head.contains(key) || !head[key].is_string())
      throw report_error(name + ": no report: " + key + " is missing in its first line");
  if (head.value("plumbline", 0) != 1) throw report_error(name + ": a report of another version");
  if (!head.contains("cases") || head["cases"] != cases)
    throw report_error(
        fmt::format("{}: {} cases, and its first line speaks of another number", name, cases));
}

void check_case(const std::string& where, const json& c) {
  for (const char* key : {"id", "clause", "class", "op", "outcome", "expected", "got"})
    if (!c.is_object() || !c.contains(key) || !c[key].is_string())
      throw report_error(where + ": no result: " + key + " is missing");
  if (!c.contains("place") || !c["place"].is_number_unsigned())
    throw report_error(where + ": no result: place is missing");
}

}  // namespace

bool is_bad_case(const json& result) {
  return rank(result) == 0 && word(result, "outcome") != "not-run";
}

saved_report parse_report(const std::string& name, const std::string& text) {
  saved_report out;
  std::istringstream lines(text);
  std::string line;
  std::set<std::string> ids;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    const std::string where = fmt::format("{}:{}", name, number);
    json object = json::parse(line, nullptr, false);
    if (!object.is_object()) throw report_error(where + ": no JSON object");
    try {
      if (number == 1) {
        out.head = std::move(object);
        continue;
      }
      check_case(where, object);
      if (!ids.insert(object["id"].get<std::string>()).second)
        throw report_error(where + ": the same case once more");
    } catch (const json::exception& e) {
      throw report_error(where + ": " + e.what());
    }
    out.cases.push_back(std::move(object));
  }
  if (!out.head.is_object()) throw report_error(name + ": empty");
  try {
    check_head(name, out.head, out.cases.size());
  } catch (const json::exception& e) {
    throw report_error(name + ": " + e.what());
  }
  return out;
}

saved_report load_report(const std::filesystem::path& file) {
  const auto text = read_text(file);
  if (!text) throw report_error("cannot read " + file.string());
  return parse_report(file.string(), *text);
}

std::string text_of(const saved_report& report) {
  std::string out = report.head.dump(-1, ' ', true) + '\n';
  for (const json& c : report.cases) out += c.dump(-1, ' ', true) + '\n';
  return out;
}

saved_report merged(const std::vector<saved_report>& parts) {
  if (parts.empty()) throw report_error("nothing to merge");
  saved_report out;
  out.head = parts[0].head;
  std::set<unsigned> seen;
  std::set<std::string> end_faults, list_faults, idle, used;
  std::size_t starts = 0, bad = 0;
  unsigned of = 0;
  double seconds = 0;
  bool ended_early = false, failed = false;
  for (const saved_report& part : parts) {
    const std::string text = word(part.head, "shard");
    if (text.empty()) throw report_error("a report of a run without --shard cannot be merged");
    shard s;
    try {
      s = parse_shard(text);
    } catch (const std::invalid_argument& e) {
      throw report_error(e.what());
    }
    if (of != 0 && s.of != of) throw report_error(fmt::format("shards of {} and of {}", of, s.of));
    of = s.of;
    if (!seen.insert(s.part).second) throw report_error("shard " + text + " is there twice");
    for (const char* key : {"specification", "settings", "adapter", "name", "version"})
      if (word(part.head, key) != word(out.head, key))
        throw report_error(fmt::format("shard {} is of another run: its {} is \"{}\", not \"{}\"",
                                       text, key, word(part.head, key), word(out.head, key)));
    starts += part.head.value("starts", std::size_t{0});
    seconds += part.head.value("seconds", 0.0);
    bad += part.head.value("bad", std::size_t{0});
    ended_early = ended_early || part.head.value("ended_early", false);
    if (part.head.contains("start_fault")) out.head["start_fault"] = part.head["start_fault"];
    failed = failed || part.head.value("exit", 3) != 0;
    add_lines(part.head, "end_faults", end_faults);
    add_lines(part.head, "list_faults", list_faults);
    add_lines(part.head, "lists_idle", idle);
    add_lines(part.head, "lists_used", used);
    out.cases.insert(out.cases.end(), part.cases.begin(), part.cases.end());
  }
  if (seen.size() != of)
    throw report_error(fmt::format("{} of {} shards: the others are missing", seen.size(), of));
  std::ranges::copy_if(idle, std::inserter(list_faults, list_faults.end()),
                       [&](const std::string& line) { return !used.contains(line); });
  std::ranges::sort(out.cases, {}, [](const json& c) { return c["place"].get<std::size_t>(); });
  for (std::size_t i = 0; i < out.cases.size(); ++i)
    if (out.cases[i]["place"] != i)
      throw report_error(
          fmt::format("no shard has case number {}: they are of different corpora", i));

  for (const char* key : {"shard", "lists_idle", "lists_used", "end_faults", "list_faults"})
    out.head.erase(key);
  out.head["cases"] = out.cases.size();
  out.head["bad"] = bad;
  out.head["starts"] = starts;
  out.head["ended_early"] = ended_early;
  out.head.erase("exit");
  out.head.erase("seconds");
  if (!end_faults.empty()) out.head["end_faults"] = end_faults;
  if (!list_faults.empty()) out.head["list_faults"] = list_faults;
  out.head["exit"] = ended_early ? 3 : failed || !list_faults.empty() ? 1 : 0;
  out.head["seconds"] = seconds;
  return out;
}

comparison compared(const saved_report& older, const saved_report& newer) {
  comparison out;
  std::map<std::string, const json*> before;
  for (std::size_t i = 0; i < older.cases.size(); ++i) before[older.id_of(i)] = &older.cases[i];
  for (std::size_t i = 0; i < newer.cases.size(); ++i) {
    const json& now = newer.cases[i];
    const auto found = before.find(newer.id_of(i));
    if (found == before.end()) {
      out.added.push_back({newer.id_of(i), "", in_words(now)});
      continue;
    }
    const json& then = *found->second;
    before.erase(found);
    const change c{newer.id_of(i), in_words(then), in_words(now)};
    if (rank(now) > rank(then))
      out.better.push_back(c);
    else if (rank(now) < rank(then))
      out.worse.push_back(c);
    else if (c.before != c.after)
      out.other.push_back(c);
  }
  for (std::size_t i = 0; i < older.cases.size(); ++i)
    if (before.contains(older.id_of(i)))
      out.gone.push_back({older.id_of(i), in_words(older.cases[i]), ""});
  return out;
}

}  // namespace plumbline::runner
