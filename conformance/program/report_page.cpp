// The data of the page: report_page.html shows it.
#include "report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "conformance/runner/case.h"
#include "conformance/runner/reply.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline {
extern const char report_page_html[];
extern const std::size_t report_page_html_size;
}  // namespace plumbline

namespace plumbline::program {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t longest_shown = 640;

// The fields of a descriptor that overlap the window, as [offset, size, key, value].
json fields_within(const vectors::bytes& data, const vectors::vector& v, std::size_t begin,
                   std::size_t end) {
  Options options;
  options.mode = parse_mode(v.mode).value_or(Mode::strict);
  for (const std::string& text : v.agree) options.agreement.parse(text);
  const Judgement judged = judge(data, options);
  json out = json::array();
  for (const Field& f : list_fields(judged.descriptor)) {
    if (f.offset + f.size > judged.read_end || f.offset + f.size <= begin || f.offset >= end)
      continue;
    const std::string key = f.index < 0 ? f.key : fmt::format("{}[{}]", f.key, f.index);
    out.push_back({f.offset, f.size, key, f.value.substr(0, 80)});
  }
  return out;
}

// The bytes of a failed case, where the fault lies, and where the adapter says that it lies.
json bytes_of(const vectors::vector& v, const json& result) {
  const vectors::bytes* data = &v.input;
  json out = json::object();
  bool is_descriptor = true;
  if (v.is_set()) {
    const std::size_t member = v.expect.member.value_or(0);
    data = &v.set.at(std::min(member, v.set.size() - 1));
    out["of"] = member == 0 ? "the head" : fmt::format("member {}", member);
  } else if (v.expect.buffer && *v.expect.buffer < v.buffers.size()) {
    data = &v.buffers[*v.expect.buffer];
    out["of"] = fmt::format("buffer {}", *v.expect.buffer);
    is_descriptor = false;
  }
  const std::optional<std::uint64_t> at = v.expect.offset;
  std::size_t begin = 0, end = data->size();
  if (end > longest_shown) {
    const std::size_t middle = std::min<std::size_t>(at.value_or(0), data->size());
    begin = (middle > longest_shown / 2 ? middle - longest_shown / 2 : 0) / 16 * 16;
    end = std::min(data->size(), begin + longest_shown);
  }
  out["begin"] = begin;
  out["size"] = data->size();
  out["hex"] = vectors::to_hex(vectors::bytes(data->begin() + static_cast<std::ptrdiff_t>(begin),
                                              data->begin() + static_cast<std::ptrdiff_t>(end)));
  if (is_descriptor) out["fields"] = fields_within(*data, v, begin, end);
  if (at) out["at"] = *at;
  if (result.contains("replies") && !result["replies"].empty()) {
    const auto reply = runner::parse_reply(result["op"].get<std::string>(),
                                           result["replies"][0].get<std::string>());
    const bool same_bytes =
        reply.member.value_or(0) == v.expect.member.value_or(0) && reply.buffer == v.expect.buffer;
    if (reply.is == runner::reply::form::reject && reply.offset && same_bytes)
      out["said"] = *reply.offset;
  }
  return out;
}

std::string vector_of(const std::string& case_id) {
  const std::string author = "+author";
  return case_id.ends_with(author) ? case_id.substr(0, case_id.size() - author.size()) : case_id;
}

// What the page shows of a case: little where it passed.
json shown(const json& result, const std::map<std::string, const vectors::vector*>& by_id) {
  json out = {{"id", result["id"]},
              {"op", result["op"]},
              {"mode", result.value("mode", "")},
              {"outcome", result["outcome"]}};
  for (const char* key : {"accept", "detail", "reading", "differs", "known", "known_reason"})
    if (result.contains(key)) out[key] = result[key];
  if (!runner::is_bad_case(result)) return out;
  out["expected"] = result["expected"];
  out["got"] = result["got"];
  for (const char* key : {"requests", "replies", "stderr"})
    if (result.contains(key)) out[key] = result[key];
  for (const char* key : {"requests", "replies"})
    if (out.contains(key))
      for (json& text : out[key])
        if (const auto t = text.get<std::string>(); t.size() > 4096)
          text = t.substr(0, 4096) + "..";
  const auto found = by_id.find(vector_of(result["id"].get<std::string>()));
  if (found == by_id.end()) return out;  // the vectors at hand are others
  out["why"] = found->second->why;
  out["bytes"] = bytes_of(*found->second, result);
  return out;
}

struct totals {
  std::size_t passed = 0, failed = 0, known = 0, skipped = 0, claimed = 0, not_run = 0;
};
totals count(const runner::saved_report& report) {
  totals t;
  for (const json& c : report.cases) {
    const auto outcome = c["outcome"].get<std::string>();
    if (outcome == "pass") ++t.passed;
    if (outcome == "skip" || outcome == "skip-declared") ++t.skipped;
    if (outcome == "not-run") ++t.not_run;
    if (runner::is_bad_case(c)) ++(c.contains("known") ? t.known : t.failed);
    if (c.value("accept", "") == "claimed") ++t.claimed;
  }
  return t;
}

}  // namespace

std::string page_of(const runner::saved_report& report, const std::vector<vectors::vector>& all) {
  std::map<std::string, const vectors::vector*> by_id;
  for (const vectors::vector& v : all) by_id[v.id] = &v;
  json data = {{"run", report.head}, {"clauses", json::object()}, {"cases", json::object()}};
  for (const json& c : report.cases) {
    const auto clause = c["clause"].get<std::string>();
    data["cases"][clause].push_back(shown(c, by_id));
    if (const Clause* found = find_clause(clause); found && !data["clauses"].contains(clause))
      data["clauses"][clause] = {{"asks", found->paraphrase}, {"source", found->source}};
  }
  std::string text;  // no "</script>" inside
  for (const char c : data.dump(-1, ' ', true, json::error_handler_t::replace))
    text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  std::string page(report_page_html, report_page_html_size);
  const std::string mark = "@DATA@";
  return page.replace(page.find(mark), mark.size(), text);
}

std::string badge_of(const runner::saved_report& report) {
  const totals t = count(report);
  const bool well = report.head.value("exit", 3) == 0;
  std::string message = fmt::format("{} passed, {} failed", t.passed, t.failed + t.known);
  if (t.skipped) message += fmt::format(", {} skipped", t.skipped);
  if (t.not_run) message += fmt::format(", {} not run", t.not_run);
  const char* colour = !well                                 ? "red"
                       : t.passed == 0                       ? "lightgrey"
                       : t.known + t.skipped + t.claimed > 0 ? "yellow"
                                                             : "brightgreen";
  const json badge = {{"schemaVersion", 1},
                      {"label", "Hurray descriptor"},
                      {"message", message},
                      {"color", colour}};
  return badge.dump() + "\n";
}

}  // namespace plumbline::program
