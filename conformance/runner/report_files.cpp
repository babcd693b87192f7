// JUnit XML and JSON lines.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

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

// What a CI shows of a result; nothing of a pass.
const char* element_of(const result& r) {
  if (!r.unexpected_passes.empty()) return "failure";
  if (r.how == outcome::pass) return "";
  if (r.known != result::listing::none) return "skipped";
  if (r.how == outcome::fail) return "failure";
  return is_bad(r.how) || r.how == outcome::not_run ? "error" : "skipped";
}

// Why the run fails although no case of its own says so.
std::vector<std::string> faults_of_run(const run_result& run) {
  std::set<std::string_view> of_cases;
  for (const result& r : run.results)
    of_cases.insert(r.unexpected_passes.begin(), r.unexpected_passes.end());
  std::vector<std::string> out;
  if (run.ended_early) out.push_back("the run ended early: the adapter " + run.start_fault);
  for (const std::string& fault : run.end_faults) out.push_back("the adapter " + fault);
  for (const std::string& fault : run.list_faults)
    if (!of_cases.contains(fault)) out.push_back(fault);
  return out;
}

std::string message_of(const result& r) {
  if (!r.unexpected_passes.empty()) return fmt::format("{}", fmt::join(r.unexpected_passes, "; "));
  return fmt::format("{}{}: {}",
                     r.known == result::listing::none ? "" : "known, " + r.known_reason + "; ",
                     name_of(r.how), r.detail);
}

void write_case(std::ostream& out, const result& r, const report_settings& how) {
  out << fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.4f}\"",
                     xml(r.of.vector->clause), xml(r.of.id()), r.seconds);
  const std::string element = element_of(r);
  if (element.empty()) {
    out << "/>\n";
    return;
  }
  out << fmt::format(">\n      <{} message=\"{}\"", element, xml(message_of(r)));
  if (element == "skipped") {
    out << "/>\n";
  } else {
    out << fmt::format(
        " type=\"{}\">{}\n{}</{}>\n",
        r.unexpected_passes.empty() ? name_of(r.how) : "unexpected-pass", xml(r.of.vector->why),
        xml(fmt::format(fmt::runtime(how.reproduce), quoted(r.of.id()))), element);
  }
  if (!r.complaints.empty()) out << "      <system-err>" << xml(r.complaints) << "</system-err>\n";
  out << "    </testcase>\n";
}

// A test case each: many readers of JUnit files take one error of a case.
void write_faults(std::ostream& out, const std::vector<std::string>& faults) {
  if (faults.empty()) return;
  out << fmt::format(
      "  <testsuite name=\"plumbline\" tests=\"{0}\" failures=\"0\" errors=\"{0}\" skipped=\"0\" "
      "time=\"0.000\">\n",
      faults.size());
  for (std::size_t i = 0; i < faults.size(); ++i)
    out << fmt::format(
        "    <testcase classname=\"plumbline\" name=\"plumbline.run{}\" time=\"0.0000\">\n"
        "      <error message=\"{}\" type=\"run\"/>\n    </testcase>\n",
        i == 0 ? "" : fmt::format(".{}", i + 1), xml(faults[i]));
  out << "  </testsuite>\n";
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
      const std::string element = element_of(r);
      c->failures += element == "failure";
      c->errors += element == "error";
      c->skipped += element == "skipped";
      c->seconds += r.seconds;
      c->results.push_back(&r);
    }
  }
  const std::vector<std::string> faults = faults_of_run(run);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out << fmt::format(
      "<testsuites name=\"plumbline {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n",
      specification_revision, run.results.size() + faults.size(), all.failures,
      all.errors + faults.size(), all.skipped, run.seconds);
  for (const auto& [name, c] : groups) {
    out << fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
        "time=\"{:.3f}\">\n",
        xml(name), c.results.size(), c.failures, c.errors, c.skipped, c.seconds);
    for (const result* r : c.results) write_case(out, *r, how);
    out << "  </testsuite>\n";
  }
  write_faults(out, faults);
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
