// Explanations: the bytes with their fields, the clause, the reading, what the reference answers.
#include "explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "conformance/adapter/adapter.h"
#include "conformance/runner/case.h"
#include "conformance/runner/reply.h"
#include "conformance/runner/report.h"
#include "conformance/runner/score.h"
#include "meaning.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline {
extern const char register_md[];
extern const std::size_t register_md_size;
}  // namespace plumbline

namespace plumbline::program {
namespace {

std::string about_class(const std::string& cls) {
  if (cls == "accept") return "everybody accepts";
  if (cls == "refuse-R") return "the text orders the reader to refuse";
  if (cls == "refuse-N")
    return "a reader that accepts would later leave a buffer or lose its place";
  if (cls == "refuse-W")
    return "only the writer is bound: validators refuse, readers are not scored";
  if (cls == "unsupported-is-fine") return "accept, or unsupported";
  if (cls == "value") return "the value itself, or the typed error";
  if (cls == "open") return "the text allows several readings; scored with --rulings alone";
  return "";
}

// The entry of the register: from its heading to the next.
std::string register_entry(const std::string& point) {
  const std::string_view text(register_md, register_md_size);
  const auto begin = text.find("#### " + point + " ");
  if (begin == std::string_view::npos) return {};
  const auto end = text.find("\n#", begin + 1);
  std::string entry(text.substr(begin, end == std::string_view::npos ? end : end - begin));
  entry.erase(0, 5);
  while (!entry.empty() && (entry.back() == '\n' || entry.back() == '-')) entry.pop_back();
  return entry + '\n';
}

std::string clause_lines(const Clause& c) {
  std::string out = fmt::format("{}  {}\n  {}\n", c.id, c.source, c.paraphrase);
  out += fmt::format("  binds {}", c.binds);
  if (c.class_letter != "-") out += fmt::format("; class {}", c.class_letter);
  if (c.verdict != "-") out += fmt::format("; a violation is {}", c.verdict);
  if (c.owner != c.id) out += fmt::format("; the check belongs to {}", c.owner);
  out += '\n';
  if (!c.open_points.empty()) out += fmt::format("  open points: {}\n", c.open_points);
  if (!c.note.empty()) out += fmt::format("  note: {}\n", c.note);
  return out;
}

std::string byte_lines(const vectors::bytes& data, const vectors::vector& v,
                       std::optional<std::uint64_t> at) {
  Options options;
  options.mode = parse_mode(v.mode).value_or(Mode::strict);
  for (const std::string& text : v.agree) options.agreement.parse(text);
  options.network_transport = v.transport == "network";
  const Judgement judged = judge(data, options);
  std::string out;
  bool marked = !at;
  const auto line = [&](std::size_t from, std::size_t size, const std::string& key,
                        const std::string& value, const std::string& meaning) {
    const ByteView part = ByteView(data).subspan(from, size);
    const std::string hex = size <= 8 ? to_hex(part) : to_hex(part.first(6)) + "..";
    const bool here = at && *at >= from && *at < from + size;
    marked = marked || here;
    out += fmt::format("{}{:>6}  {:<16}  {:<36}  {:<20}  {}", here ? "=>" : "  ", from, hex, key,
                       value.size() > 20 ? value.substr(0, 18) + ".." : value, meaning);
    while (out.back() == ' ') out.pop_back();
    out += '\n';
  };
  std::size_t end = 0;
  for (const Field& f : list_fields(judged.descriptor)) {
    if (f.offset + f.size > judged.read_end) continue;
    if (f.offset > end) line(end, f.offset - end, end == 0 ? "magic" : "", "", "");
    line(f.offset, f.size, f.index < 0 ? f.key : fmt::format("{}[{}]", f.key, f.index), f.value,
         meaning(judged.descriptor, f));
    end = f.offset + f.size;
  }
  if (end < data.size())
    line(end, data.size() - end,
         end == 0 ? "" : fmt::format("{} bytes that no field has", data.size() - end), "", "");
  if (!marked) out += fmt::format("=>{:>6}  the end of the input\n", *at);
  return out;
}

std::string explain_vector(const runner::test_case& c) {
  const vectors::vector& v = *c.vector;
  std::string out =
      fmt::format("{}  {} {}\n", c.id(), c.op(), c.op() == "encode" ? "" : runner::mode_of(v));
  out += fmt::format("  {}\n  class {}: {}\n\n", v.why, v.cls, about_class(v.cls));
  if (const Clause* clause = find_clause(v.clause)) out += clause_lines(*clause);
  if (!v.expect.clause.empty() && v.expect.clause != v.clause)
    if (const Clause* other = find_clause(v.expect.clause))
      out += "\nthe refusal names\n" + clause_lines(*other);
  out += '\n';

  const unsigned faulty = v.expect.member.value_or(0);
  const std::optional<std::uint64_t> at = v.expect.buffer ? std::nullopt : v.expect.offset;
  for (unsigned i = 0; i < v.set.size(); ++i)
    out += fmt::format("{}\n", i == 0 ? "head" : fmt::format("member {}", i)) +
           byte_lines(v.set[i], v, i == faulty ? at : std::nullopt);
  if (!v.is_set() && (!v.input.empty() || at)) out += byte_lines(v.input, v, at);
  for (std::size_t i = 0; i < v.buffers.size(); ++i) {
    const std::string hex = vectors::to_hex(v.buffers[i]);
    const bool here = v.expect.buffer == i && v.expect.offset;
    out += fmt::format("{}buffer {}: {}{}{}\n", here ? "=>" : "  ", i, hex.substr(0, 128),
                       hex.size() > 128 ? ".." : "",
                       here ? fmt::format("  at byte {}", *v.expect.offset) : "");
  }
  if (!v.ask.empty()) out += fmt::format("  asked: {}\n", v.ask);

  out += fmt::format("\nexpected   {}{}\n", c.author ? "a refusal to write it, as " : "",
                     runner::in_words(v.expect));
  for (const auto& [key, value] : v.op == "fields" ? v.expect.fields : vectors::named_values())
    out += fmt::format("           {} = {}\n", key, value);
  for (const vectors::reading& r : v.readings)
    out += fmt::format("reading    {}: {}\n", r.name, runner::in_words(r.expect));
  const std::string answer = adapter::reply_to("1 " + runner::request_of(c));
  out += fmt::format("reference  {}\n", runner::in_words(runner::parse_reply(
                                            c.op(), answer.substr(answer.find(' ') + 1))));
  for (const std::string& point : v.points) out += '\n' + register_entry(point);
  out +=
      fmt::format("\nask it again:  plumbline run --profile validator{} --filter {} -- ADAPTER\n",
                  v.cls == "open" ? " --rulings" : "", runner::quoted(c.id()));
  return out;
}

std::string vector_list(const std::vector<const vectors::vector*>& some) {
  std::string out = fmt::format("\n{} vectors\n", some.size());
  for (const vectors::vector* v : some)
    out += fmt::format("  {:<28} {:<20} {}\n", v->id, runner::in_words(v->expect).substr(0, 40),
                       v->why);
  return out;
}

std::vector<const vectors::vector*> those(const std::vector<vectors::vector>& all, auto&& wanted) {
  std::vector<const vectors::vector*> out;
  for (const vectors::vector& v : all)
    if (wanted(v)) out.push_back(&v);
  return out;
}

// The clauses of a group ("HDR"), and how many vectors each has; nothing where there is no such group.
std::string explain_group(const std::string& group, const std::vector<vectors::vector>& all) {
  std::string out;
  std::size_t count = 0;
  for (const Clause& c : clauses()) {
    if (c.id.substr(0, c.id.find('-')) != group) continue;
    const auto own = std::ranges::count(all, c.id, &vectors::vector::clause);
    out += fmt::format("  {:<8} {:>4} vectors  {}\n", c.id, own, c.paraphrase);
    ++count;
  }
  if (out.empty()) return out;
  return fmt::format("{}  {} clauses; plumbline explain {}-.. tells of each\n\n", group, count, group) + out;
}

}  // namespace

std::optional<std::string> explain(const std::string& id, const std::vector<vectors::vector>& all) {
  const runner::profile everyone = runner::parse_profile("validator");
  for (const runner::test_case& c : runner::cases_of(all, everyone))
    if (c.id() == id) return explain_vector(c);
  if (const Clause* clause = find_clause(id)) {
    std::string out = clause_lines(*clause);
    return out + vector_list(those(
                     all, [&](const auto& v) { return v.clause == id || v.expect.clause == id; }));
  }
  if (std::string group = explain_group(id, all); !group.empty()) return group;
  const std::string entry = register_entry(id);
  if (entry.empty()) return std::nullopt;
  std::string out = entry;
  for (const Clause& c : clauses())
    if (c.open_points.find(id) != std::string::npos) out += '\n' + clause_lines(c);
  return out + vector_list(
                   those(all, [&](const auto& v) { return std::ranges::count(v.points, id) > 0; }));
}

}  // namespace plumbline::program
