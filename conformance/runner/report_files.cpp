// JUnit XML and JSON lines.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "conformance/runner/report.h"

namespace plumbline::runner {
namespace {

// XML 1.0 has no form for control characters; a question mark stands for them.
std::string xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if ((c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t')
      out += c;
    else
      out += '?';
  }
  return out;
}

void write_case(std::ostream& out, const result& r, const report_settings& how) {
  out << fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.4f}\"",
                     xml(r.of.vector->clause), xml(r.of.id()), r.seconds);
  if (r.how == outcome::pass) {
    out << "/>\n";
    return;
  }
  out << ">\n";
  const char* element = r.known != result::listing::none             ? "skipped"
                        : r.how == outcome::fail                     ? "failure"
                        : is_bad(r.how) || r.how == outcome::not_run ? "error"
                                                                     : "skipped";
  out << fmt::format("      <{} message=\"{}\"", element,
                     xml(fmt::format("{}{}: {}",
                                 r.known == result::listing::none
                                     ? ""
                                     : "known, " + r.known_reason + "; ",
                                 name_of(r.how), r.detail)));
  if (std::string_view(element) == "skipped") {
    out << "/>\n";
  } else {
    out << fmt::format(" type=\"{}\">{}\n{}</{}>\n", name_of(r.how), xml(r.of.vector->why),
                       xml(fmt::format(fmt::runtime(how.reproduce), quoted(r.of.id()))), element);
  }
  if (!r.complaints.empty()) out << "      <system-err>" << xml(r.complaints) << "</system-err>\n";
  out << "    </testcase>\n";
}

}  // namespace

void write_junit(std::ostream& out, const run_result& run, const report_settings& how) {
  struct counts {
    std::size_t failures = 0, errors = 0, skipped = 0;
    double seconds = 0;
    std::vector<const result*> results;
  };
  std::map<std::string, counts> groups;
  counts all;
  for (const result& r : run.results) {
    for (counts* c : {&groups[r.of.group()], &all}) {
      if (r.known != result::listing::none)
        ++c->skipped;
      else if (r.how == outcome::fail)
        ++c->failures;
      else if (is_bad(r.how) || r.how == outcome::not_run)
        ++c->errors;
      else if (r.how != outcome::pass)
        ++c->skipped;
      c->seconds += r.seconds;
      c->results.push_back(&r);
    }
  }
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out << fmt::format(
      "<testsuites name=\"plumbline {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n",
      specification_revision, run.results.size(), all.failures, all.errors, all.skipped,
      run.seconds);
  for (const auto& [name, c] : groups) {
    out << fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
        "time=\"{:.3f}\">\n",
        xml(name), c.results.size(), c.failures, c.errors, c.skipped, c.seconds);
    for (const result* r : c.results) write_case(out, *r, how);
    out << "  </testsuite>\n";
  }
  out << "</testsuites>\n";
}

void write_json_lines(std::ostream& out, const run_result& run, const report_settings& how) {
  using json = nlohmann::ordered_json;
  const auto line = [&](const json& object) {
    out << object.dump(-1, ' ', true, json::error_handler_t::replace) << '\n';
  };
  json head = {
      {"plumbline", 1}, {"specification", specification_revision}, {"adapter", how.adapter}};
  if (run.about) head["name"] = run.about->name, head["version"] = run.about->version;
  head["settings"] = how.settings;
  if (!how.shard.empty()) head["shard"] = how.shard;
  head["cases"] = run.results.size();
  head["bad"] = run.bad();
  head["starts"] = run.starts;
  head["ended_early"] = run.ended_early;
  if (run.ended_early) head["start_fault"] = run.start_fault;
  if (!run.end_faults.empty()) head["end_faults"] = run.end_faults;
  if (!run.list_faults.empty()) head["list_faults"] = run.list_faults;
  if (!run.lists_idle.empty()) head["lists_idle"] = run.lists_idle;
  if (!run.lists_used.empty()) head["lists_used"] = run.lists_used;
  head["exit"] = run.exit_code();
  head["seconds"] = run.seconds;
  line(head);
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    const result& r = run.results[i];
    json o = {{"id", r.of.id()},
              {"place", how.places.empty() ? i : how.places[i]},
              {"clause", r.of.vector->clause},
              {"class", r.of.vector->cls},
              {"op", r.of.op()},
              {"mode", mode_of(*r.of.vector)},
              {"outcome", name_of(r.how)},
              {"expected", r.expected},
              {"got", r.got}};
    if (r.accepted != result::trust::none)
      o["accept"] = r.accepted == result::trust::verified ? "verified" : "claimed";
    if (r.error) o["error"] = *r.error, o["unit"] = r.unit;
    if (!r.detail.empty()) o["detail"] = r.detail;
    if (!r.following.empty()) o["reading"] = r.following;
    if (!r.of.vector->points.empty()) o["points"] = r.of.vector->points;
    if (!r.differs.empty()) o["differs"] = r.differs;
    if (r.known != result::listing::none) {
      o["known"] = r.known == result::listing::flaky ? "flaky" : "expected";
      o["known_reason"] = r.known_reason;
    }
    if (is_bad(r.how)) o["requests"] = r.requests, o["replies"] = r.replies;
    if (is_bad(r.how) && !r.complaints.empty()) o["stderr"] = r.complaints;
    o["seconds"] = r.seconds;
    line(o);
  }
}

}  // namespace plumbline::runner
