// The rules of scoring, in the words of conformance/README.md.
#include "conformance/runner/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "conformance/runner/values.h"
#include "conformance/vectors/numeric.h"

namespace plumbline::runner {
namespace {

constexpr std::size_t kept_of_reply = 64 << 10;  // a reply is judged whole, and reported so far

using form = reply::form;

bool judges(std::string_view op) { return op == "decode" || op == "composite" || op == "contents"; }

std::string shortened(const std::string& text) {
  return text.size() <= 120 ? text : text.substr(0, 120) + "..";
}

// "encode" is scored by its bytes; a descriptor keeps what stands behind its length to itself.
std::string bytes_of_descriptor(const vectors::vector& v) {
  const auto length = std::ranges::find(v.expect.fields, "descriptor_length",
                                        &vectors::named_values::value_type::first);
  vectors::bytes data = v.input;
  if (length != v.expect.fields.end())
    data.resize(std::min(data.size(), std::size_t{std::stoul(length->second)}));
  return vectors::to_hex(data);
}

}  // namespace

std::string_view name_of(outcome o) {
  switch (o) {
    case outcome::pass:
      return "pass";
    case outcome::fail:
      return "fail";
    case outcome::skip:
      return "skip";
    case outcome::skip_declared:
      return "skip-declared";
    case outcome::unscored:
      return "unscored";
    case outcome::crash:
      return "crash";
    case outcome::exit:
      return "exit";
    case outcome::early_end:
      return "early-end";
    case outcome::timeout:
      return "timeout";
    case outcome::blocked:
      return "blocked";
    case outcome::garbage:
      return "garbage";
    case outcome::oversized:
      return "oversized";
    case outcome::out_of_order:
      return "out-of-order";
    case outcome::unasked:
      return "unasked";
    case outcome::not_run:
      return "not-run";
  }
  return "";
}

outcome outcome_of(finish how) {
  switch (how) {
    case finish::replied:
      return outcome::pass;
    case finish::crash:
      return outcome::crash;
    case finish::exit:
      return outcome::exit;
    case finish::early_end:
      return outcome::early_end;
    case finish::timeout:
      return outcome::timeout;
    case finish::blocked:
      return outcome::blocked;
    case finish::garbage:
      return outcome::garbage;
    case finish::oversized:
      return outcome::oversized;
    case finish::out_of_order:
      return outcome::out_of_order;
    case finish::unasked:
      return outcome::unasked;
    case finish::not_run:
      return outcome::not_run;
  }
  return outcome::not_run;
}

bool is_bad(outcome o) {
  return o != outcome::pass && o != outcome::skip && o != outcome::skip_declared &&
         o != outcome::unscored && o != outcome::not_run;
}

bool counts_as_bad(const result& r) { return is_bad(r.how) && r.known == result::listing::none; }

std::string in_words(const vectors::expectation& e) {
  if (e.is_accept()) return "accept " + e.extent;
  if (!e.error.empty()) return "error " + e.error;
  if (e.within > 0) return shortened(e.value) + fmt::format(" within {}", e.within);
  if (!e.value.empty()) return shortened(e.value);
  if (!e.is_refusal()) return "fields";
  std::string out = e.verdict;
  if (!e.clause.empty()) out += ' ' + e.clause;
  if (e.member) out += fmt::format(" member {}", *e.member);
  if (e.buffer) out += fmt::format(" buffer {}", *e.buffer);
  if (e.offset) out += fmt::format(" at {}", *e.offset);
  return out;
}

std::string in_words(const reply& r) {
  switch (r.is) {
    case form::accept:
      return "accept " + r.extent;
    case form::ok:
      return shortened(r.rest);
    case form::error:
      return "error " + r.rest;
    case form::skip:
      return "skip " + r.rest;
    case form::unreadable:
      return r.rest;
    case form::reject:
      break;
  }
  std::string out = r.verdict;
  if (!r.code.empty()) out += ' ' + r.code;
  if (r.member) out += fmt::format(" member {}", *r.member);
  if (r.buffer) out += fmt::format(" buffer {}", *r.buffer);
  if (r.offset) out += fmt::format(" at {}", *r.offset);
  return out;
}

bool agrees(const vectors::expectation& e, const reply& r, std::string_view op) {
  if (e.is_accept()) return r.is == form::accept && r.extent == e.extent;
  if (e.is_refusal()) return r.is == form::reject;
  if (!e.error.empty()) return r.is == form::error && r.rest == e.error;
  if (r.is != form::ok) return false;
  if (op == "fields") return difference(e.fields, parse_fields(r.rest), false).empty();
  return same_value(op, e.value, r.rest);
}

void scorer::finish_with(outcome how, std::string detail) {
  out_.how = how;
  out_.detail = std::move(detail);
}

bool scorer::is_scored() const {
  const vectors::vector& v = vector();
  if (out_.of.author) return true;
  if (v.cls == "open") return how_.rulings;
  if (how_.who.validator || v.op == "encode" || !v.expect.is_refusal()) return true;
  return v.cls != "refuse-W" &&
         v.op != "contents";  // looking into the buffers is a validator's task
}

std::optional<std::string> scorer::begin(const hello& about) {
  about_ = about;
  const vectors::vector& v = vector();
  const std::string op = out_.of.op();
  out_.expected = out_.of.author ? "a refusal, as " + in_words(v.expect) : in_words(v.expect);
  std::string why;
  std::string request = request_of(out_.of);
  const bool has_mode = judges(op) || op == "fields";
  if (v.is_numeric() && std::ranges::none_of(about.ops, numeric::is_operation))
    why = "no operation on numbers is declared";
  else if (!about.ops.contains(op))
    why = "operation " + op + " is not declared";
  else if (has_mode && !about.modes.contains(v.mode))
    why = "mode " + v.mode + " is not declared";
  else if (request.size() + 24 > session::largest_request)
    why = "the request is longer than the protocol allows";
  if (!why.empty()) {
    finish_with(outcome::skip, why);
    return std::nullopt;
  }
  out_.requests.push_back(request);
  return request;
}

std::optional<std::string> scorer::take(const answer& got) {
  out_.seconds += got.seconds;
  out_.complaints += got.complaints;
  if (got.how != finish::replied) {
    finish_with(outcome_of(got.how), got.detail);
    out_.got = got.detail;
    return std::nullopt;
  }
  out_.replies.push_back(
      got.text.size() <= kept_of_reply ? got.text : got.text.substr(0, kept_of_reply) + "..");
  const reply r = parse_reply(verifying_ ? "fields" : out_.of.op(), got.text);
  if (!verifying_) out_.got = in_words(r);
  if (r.is == form::unreadable) {
    finish_with(outcome::garbage, "said \"" + shortened(got.text) + "\": " + r.rest);
    return std::nullopt;
  }
  try {
    auto more = judge(r);
    if (more) out_.requests.push_back(*more);
    return more;
  } catch (const std::invalid_argument& e) {
    finish_with(outcome::garbage, e.what());
    return std::nullopt;
  }
}

void scorer::spoil(finish how, const std::string& detail) {
  finish_with(outcome_of(how), detail);
  out_.accepted = result::trust::none;
}

std::optional<std::string> scorer::judge(const reply& r) {
  const vectors::vector& v = vector();
  if (verifying_) {
    judge_fields(r, true);
    return std::nullopt;
  }
  if (lacks_excuse(r)) return std::nullopt;
  if (r.is == form::skip) {
    // A writer may have no way to say what is wrong; every other declared operation is a promise.
    finish_with(out_.of.author ? outcome::skip : outcome::skip_declared, r.rest);
    return std::nullopt;
  }
  if (out_.of.author) {
    judge_refusal(r);
    return std::nullopt;
  }
  if (!is_scored()) {
    finish_with(outcome::unscored,
                v.cls == "open" ? "an open point" : "binds writers and validators");
    if (v.cls == "open") judge_open(r);
    return std::nullopt;
  }
  if (v.expect.is_accept()) return judge_accept(r);
  if (v.expect.is_refusal())
    judge_refusal(r);
  else if (v.op == "fields")
    judge_fields(r, false);
  else
    judge_value(r);
  return std::nullopt;
}

// An optional part that the adapter lacks may be answered with "unsupported"; a reader without
// quantization must answer it so (QNT-01).
bool scorer::lacks_excuse(const reply& r) {
  const vectors::vector& v = vector();
  const auto need = std::ranges::find_if(v.needs, [&](const std::string& n) {
    return about_.lacks.contains(n) ||
           (n.starts_with("scheme:") && about_.lacks.contains("quantization"));
  });
  if (need == v.needs.end()) return false;
  const bool unsupported =
      r.is == form::reject && (r.verdict == "unsupported" || r.verdict == "refused");
  const bool quantized = about_.lacks.contains("quantization") &&
                         std::ranges::count(v.needs, "quantization") > 0 && v.op == "decode" &&
                         v.mode != "permissive";
  if (quantized && v.expect.is_accept()) {
    if (r.is == form::accept) {
      finish_with(outcome::fail,
                  "accepted, but quantization is declared as lacking: QNT-01 asks for unsupported");
      return true;
    }
    if (unsupported && v.clause == "QNT-01") {
      const bool right = !how_.codes || r.code == "QNT-01";
      finish_with(right ? outcome::pass : outcome::fail,
                  right ? "" : "the refusal does not name QNT-01");
      return true;
    }
  }
  if (!unsupported && r.is != form::skip && r.is != form::error) return false;
  finish_with(outcome::skip, "lacks " + *need);
  return true;
}

std::optional<std::string> scorer::judge_accept(const reply& r) {
  const vectors::vector& v = vector();
  const bool may_lack = v.cls == "unsupported-is-fine";
  if (r.is == form::reject && may_lack && (r.verdict == "unsupported" || r.verdict == "refused")) {
    finish_with(outcome::pass);
    return std::nullopt;
  }
  if (r.is != form::accept) {
    finish_with(outcome::fail, "expected " + out_.expected + ", got " + out_.got);
    return std::nullopt;
  }
  if (r.extent != v.expect.extent && !(may_lack && r.extent == "sized")) {
    finish_with(outcome::fail, "expected " + out_.expected + ", got " + out_.got);
    return std::nullopt;
  }
  if (v.op != "decode") {
    finish_with(outcome::pass);
    return std::nullopt;
  }
  if (r.rest != "-" && !same_value("encode", bytes_of_descriptor(v), r.rest)) {
    finish_with(outcome::fail, "accepted, but encoded again to other bytes");
    return std::nullopt;
  }
  if (!about_.ops.contains("fields")) {
    finish_with(outcome::pass);
    out_.accepted = result::trust::claimed;
    return std::nullopt;
  }
  verifying_ = true;
  return fields_request(out_.of);
}

void scorer::judge_refusal(const reply& r) {
  const vectors::vector& v = vector();
  if (r.is != form::reject) {
    const std::string what =
        r.is == form::ok && out_.of.op() == "encode" ? "wrote the descriptor" : "got " + out_.got;
    finish_with(outcome::fail, "expected " + out_.expected + ", " + what);
    return;
  }
  note_differences(r);
  if (r.verdict == "unsupported" && v.expect.verdict != "unsupported") {
    finish_with(outcome::fail, "expected " + out_.expected + ", got " + out_.got +
                                   ": unsupported hides the fault");
  } else if (how_.codes && r.code != v.expect.clause) {
    finish_with(outcome::fail,
                "expected " + out_.expected + ", got " + out_.got + ": another clause");
  } else {
    finish_with(outcome::pass);
  }
}

void scorer::note_differences(const reply& r) {
  const vectors::expectation& e = vector().expect;
  const auto note = [&](const char* what, bool same) {
    if (!same)
      out_.differs.push_back(
          fmt::format("{}: expected {}, got {}", what, in_words(e), in_words(r)));
  };
  note("kind", r.verdict == "refused" || r.verdict == e.verdict);
  note("clause", r.code.empty() || r.code == e.clause);
  if (out_.of.author) return;  // a writer has no bytes to point into
  note("place", (!r.offset || !e.offset || *r.offset == *e.offset) &&
                    (!r.member || !e.member || *r.member == *e.member) &&
                    (!r.buffer || !e.buffer || *r.buffer == *e.buffer));
}

// By the bound in the vector. A refusal counts whatever its kind, as one of a descriptor does.
void scorer::judge_number(const reply& r) {
  const vectors::vector& v = vector();
  const bool refused = r.is == form::error && numeric::is_refusal(r.rest);
  if (!v.expect.error.empty()) {
    const bool same = refused && r.rest == v.expect.error;
    if (refused && !same)
      out_.differs.push_back("kind: expected " + v.expect.error + ", got " + r.rest);
    if (refused && (same || !how_.codes)) return finish_with(outcome::pass);
    return finish_with(outcome::fail, "expected " + out_.expected + ", got " + out_.got);
  }
  if (r.is != form::ok)
    return finish_with(outcome::fail, "expected " + out_.expected + ", got " + out_.got);
  const auto judged = numeric::judge_answer(v.op, v.ask, vectors::bound_in(v.expect), r.rest);
  out_.error = judged.error;
  out_.unit = judged.unit;
  finish_with(judged.right ? outcome::pass : outcome::fail, judged.right ? "" : judged.fault);
}

void scorer::judge_value(const reply& r) {
  if (vector().is_numeric()) return judge_number(r);
  if (agrees(vector().expect, r, vector().op)) return finish_with(outcome::pass);
  finish_with(outcome::fail, "expected " + out_.expected + ", got " + out_.got);
}

void scorer::judge_fields(const reply& r, bool all_of_them) {
  if (verifying_ && r.is == form::skip) {
    finish_with(outcome::pass, "fields skipped: " + r.rest);
    out_.accepted = result::trust::claimed;
    return;
  }
  if (r.is != form::ok) {
    return finish_with(outcome::fail, (verifying_ ? "accepted, but asked for the fields: "
                                                  : "expected fields, got ") +
                                          in_words(r));
  }
  const std::string wrong = difference(vector().expect.fields, parse_fields(r.rest), all_of_them);
  if (!wrong.empty())
    return finish_with(outcome::fail, (verifying_ ? "accepted, but " : "") + wrong);
  finish_with(outcome::pass);
  if (verifying_) out_.accepted = result::trust::verified;
}

// The readings that the answer fits; of refusals those of its kind, and then of its clause, before
// others.
void scorer::judge_open(const reply& r) {
  const vectors::vector& v = vector();
  std::vector<const vectors::reading*> fit;
  const auto keep = [&](auto&& wanted) {
    std::vector<const vectors::reading*> some;
    std::ranges::copy_if(fit, std::back_inserter(some), wanted);
    if (!some.empty()) fit = some;
  };
  for (const vectors::reading& reading : v.readings) {
    if (agrees(reading.expect, r, v.op)) fit.push_back(&reading);
  }
  if (r.is == form::reject) {
    keep([&](const auto* reading) { return reading->expect.verdict == r.verdict; });
    keep([&](const auto* reading) { return reading->expect.clause == r.code; });
  }
  for (const auto* reading : fit)
    out_.following += (out_.following.empty() ? "" : ", ") + reading->name;
  if (fit.empty()) out_.following = "none";
}

}  // namespace plumbline::runner
