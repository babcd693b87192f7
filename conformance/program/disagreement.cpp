// Answers compared as far as both sides state them.
#include "disagreement.h"

#include <algorithm>

#include "conformance/adapter/adapter.h"
#include "conformance/runner/case.h"
#include "conformance/runner/values.h"
#include "reference/contents/contents.h"
#include "reference/descriptor/composite_set.h"

namespace plumbline::program {
namespace {

using runner::reply;
using form = reply::form;

bool has_mode(const question& q) {
  return q.op == "decode" || q.op == "fields" || q.op == "composite" || q.op == "contents";
}

Options options_of(const question& q) {
  Options out{.mode = parse_mode(q.mode).value_or(Mode::strict), .network_transport = q.transport == "network"};
  for (const std::string& text : q.agree) out.agreement.parse(text);
  if (!has_mode(q)) out = {.mode = q.op == "encode" ? Mode::strict : Mode::lenient, .agreement = Agreement::everything()};
  return out;
}

std::vector<Fault> faults_of(const question& q) {
  const Options options = options_of(q);
  if (q.op == "encode") {
    FieldText text;
    try {
      for (const auto& [key, value] : runner::parse_fields(q.ask)) text.emplace(key, value);
    } catch (const std::invalid_argument&) {
      return {};  // a key that stands twice: no fields to judge
    }
    const auto d = from_fields(text);
    return d ? judge(serialize(*d), options).faults : std::vector<Fault>{};
  }
  if (q.is_set()) return judge_set({q.set.begin(), q.set.end()}, options).faults;
  Judgement judged = judge(q.input, options);
  if (q.op != "contents" || !judged.accepted()) return judged.faults;
  const auto faults = judge_contents(judged.descriptor, Buffers(q.buffers.begin(), q.buffers.end()), options);
  return faults ? *faults : std::vector<Fault>{};
}

// The clause that a refusal is about; of one that names none, what the reference finds, or the base's.
std::string clause_of(const question& q, const reply& r, const reference_answer& reference) {
  if (!r.code.empty()) return r.code;
  return reference.faults.empty() ? q.clause + " (refused)" : reference.faults[0].clause;
}

std::string between_refusals(const question& q, const reply& a, const reply& b, const reference_answer& reference) {
  // "unsupported" is given only where nothing else is wrong: the other side saw what is.
  const bool states_kinds = a.verdict != "refused" && b.verdict != "refused";
  const bool a_lacks = a.verdict == "unsupported", b_lacks = b.verdict == "unsupported";
  if (a_lacks != b_lacks && states_kinds)
    return clause_of(q, a_lacks ? b : a, reference) + (a.code == b.code ? " (verdict)" : "");
  const std::uint64_t part_a = a.member.value_or(a.buffer.value_or(0)), part_b = b.member.value_or(b.buffer.value_or(0));
  if (!a.code.empty() && !b.code.empty() && a.code != b.code) {
    const auto order = [](const reply& r, std::uint64_t part) {
      return std::tuple(part, r.offset.value_or(0), clause_row(r.code));
    };
    return order(a, part_a) < order(b, part_b) ? a.code : b.code;
  }
  if (a.verdict != b.verdict && states_kinds) return clause_of(q, a, reference) + " (verdict)";
  const bool states_parts = (a.member && b.member) || (a.buffer && b.buffer);
  if ((a.offset && b.offset && *a.offset != *b.offset) || (states_parts && part_a != part_b))
    return clause_of(q, a, reference) + " (place)";
  return {};
}

// Values, errors and accepts, where neither side refuses.
std::string between_values(const question& q, const reply& a, const reply& b) {
  const std::string value = q.op + " (" + q.clause + ')';
  if (a.is != b.is) return value;
  if (a.is == form::accept) {
    if (a.extent != b.extent) return q.op + ": full or sized (" + q.clause + ')';
    const bool both_encode = a.rest != "-" && b.rest != "-";
    return both_encode && a.rest != b.rest ? q.op + ": the bytes encoded again (" + q.clause + ')' : "";
  }
  if (a.is == form::error) return a.rest == b.rest ? "" : value;
  try {
    if (q.op != "fields") return runner::same_value(q.op, a.rest, b.rest) ? "" : value;
    const std::string what = runner::difference(runner::parse_fields(a.rest), runner::parse_fields(b.rest), true);
    return what.empty() ? "" : value;
  } catch (const std::invalid_argument&) {
    return value;  // fields that cannot be read
  }
}

std::string difference(const question& q, const said& a, const said& b, const reference_answer& reference) {
  if (!a.compares() || !b.compares()) return {};
  if (!a.broken.empty() || !b.broken.empty())
    return a.broken == b.broken ? "" : q.op + ": " + (a.broken.empty() ? b.broken : a.broken);
  const bool a_refuses = a.r.is == form::reject, b_refuses = b.r.is == form::reject;
  // Of a question about values it matters alone that there is none: decode asks why.
  if (a_refuses && b_refuses) return has_mode(q) || q.op == "encode" ? between_refusals(q, a.r, b.r, reference) : "";
  if (a_refuses != b_refuses) return clause_of(q, a_refuses ? a.r : b.r, reference);
  return between_values(q, a.r, b.r);
}

// Values are put together by operation and page: one difference shows in the vectors of many clauses.
std::string group_of(const std::string& about) {
  const std::size_t bracket = about.rfind(" (");
  const bool is_value = bracket != std::string::npos && about[0] >= 'a' && about[0] <= 'z';
  return is_value ? about.substr(0, bracket + 5) : about;
}

}  // namespace

std::string request_of(const question& q) { return runner::request_of({&q, false}); }

reference_answer answer_of_reference(const question& q) {
  const std::string reply = adapter::reply_to("1 " + request_of(q));
  reference_answer out{said_of(q.op, reply.substr(2)), {}};
  const bool is_value = !has_mode(q) && q.op != "encode";
  if (is_value && !q.is_set()) out.is_clean = judge(q.input, {.agreement = Agreement::everything()}).accepted();
  if (out.answer.r.is == form::reject) out.faults = faults_of(q);
  return out;
}

disagreement compare(const question& q, const said& a, const said& b, const reference_answer& reference) {
  disagreement out;
  if (difference(q, a, b, reference).empty()) return out;
  const std::string of_a = difference(q, a, reference.answer, reference);
  const std::string of_b = difference(q, b, reference.answer, reference);
  if (of_a.empty() == of_b.empty()) {
    out.who = differing::both;
    out.about = of_a.empty() ? difference(q, a, b, reference) : of_a == of_b ? of_a : of_a + " and " + of_b;
    out.group = of_a.empty() ? group_of(out.about) : group_of(of_a) + '\t' + group_of(of_b);
    return out;
  }
  out.who = of_a.empty() ? differing::b : differing::a;
  out.about = of_a.empty() ? of_b : of_a;
  out.group = group_of(out.about);
  return out;
}

}  // namespace plumbline::program
