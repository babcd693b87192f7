// Bases by their fields, or bytes as hex lines; the expected answer in the words of FORMAT.md.
#include "vector_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/runner/values.h"
#include "conformance/vectors/compile.h"
#include "reference/clauses.h"

namespace plumbline::program {
namespace {

using form = runner::reply::form;
using vectors::bytes;

Judgement read(const bytes& data) { return judge(data, {.agreement = Agreement::everything()}); }

// How the bytes of a descriptor are stated: by fields, those that follow from others too, or by hex.
enum class by { fields, all_fields, hex };

// What a base need not say.
bool is_default(const std::string& key, const std::string& value) {
  if (key == "version_major") return value == "1";
  if (key == "version_minor" || key == "byte_offset") return value == "0";
  return key.ends_with("reserved") && value.find_first_not_of('0') == std::string::npos;
}

std::string base_of(const bytes& data, const std::string& name, by how) {
  std::string out = "base " + name + '\n';
  for (const auto& [key, value] : named_fields(list_fields(read(data).descriptor))) {
    const bool follows = key == "descriptor_length" || key == "flags" || key == "rank" || key == "buffer_count";
    if (how == by::all_fields || !(follows || is_default(key, value))) out += fmt::format("  {} = {}\n", key, value);
  }
  return out;
}

// What a writer is asked to write.
std::string base_of(const std::string& given, const std::string& name) {
  std::string out = "base " + name + '\n';
  for (const auto& [key, value] : runner::parse_fields(given)) out += fmt::format("  {} = {}\n", key, value);
  return out;
}

std::string tail_of(const bytes& data) {
  const std::uint64_t length = number_at(data, 6, 4);
  if (data.size() <= length) return {};
  return "  append " + vectors::to_hex(bytes(data.begin() + static_cast<std::ptrdiff_t>(length), data.end())) + '\n';
}

std::string hex_lines(const bytes& data) {
  std::string out;
  const auto hex = [&](std::size_t from, std::size_t to, const std::string& comment) {
    for (; from < to; from += 16) {
      const auto begin = data.begin() + static_cast<std::ptrdiff_t>(from);
      const auto end = data.begin() + static_cast<std::ptrdiff_t>(std::min(to, from + 16));
      out += fmt::format("  hex {}{}\n", vectors::to_hex(bytes(begin, end)), comment.empty() ? "" : "  # " + comment);
    }
  };
  std::size_t end = 0;
  const Judgement j = read(data);
  for (const Field& f : list_fields(j.descriptor)) {
    const std::size_t field_end = f.offset + f.size;
    if (field_end > j.read_end || field_end > data.size() || f.size == 0 || f.offset < end) continue;
    hex(end, f.offset, end == 0 ? "magic" : "");
    hex(f.offset, field_end, f.size <= 16 ? key_of(f) + " = " + f.value : key_of(f));
    end = field_end;
  }
  hex(end, data.size(), "");
  return out;
}

std::string refusal_of(const runner::reply& r) {
  std::string out = r.verdict + ' ' + r.code;
  if (r.member) out += " member " + std::to_string(*r.member);
  if (r.buffer) out += " buffer " + std::to_string(*r.buffer);
  return out + " at " + std::to_string(r.offset.value_or(0));
}

// The lines from `ask` on.
std::string answer_lines(const question& q, const runner::reply& r, const std::set<std::string>& keys) {
  std::string out;
  const bool judges = q.op == "decode" || q.op == "composite";
  if (!judges) out += "  ask " + q.op + (q.ask.empty() || q.op == "encode" ? "" : ' ' + q.ask) + '\n';
  if (r.is == form::accept) return out + "  expect accept" + (r.extent == "sized" ? " sized\n" : "\n");
  if (r.is == form::error) return out + "  expect error " + r.rest + '\n';
  if (r.is == form::ok && q.op == "encode") return out + "  expect bytes\n";
  if (r.is == form::ok && q.op == "fields") {
    for (const auto& [key, value] : runner::parse_fields(r.rest))
      if (keys.empty() || keys.contains(key)) out += fmt::format("  expect {} = {}\n", key, value);
    return out;
  }
  if (r.is == form::ok) return out + "  expect " + r.rest + '\n';
  out += "  expect " + refusal_of(r) + '\n';
  if (r.code.starts_with("D-")) out += "  reading A: accept\n  reading B: " + refusal_of(r) + '\n';
  return out;
}

std::string class_of(const runner::reply& r) {
  if (r.is == form::accept) return "accept";
  if (r.is != form::reject) return "value";
  const Clause* row = find_clause(r.code);
  return r.code.starts_with("D-") ? "open " + r.code : "refuse-" + (row ? row->class_letter : "R");
}

std::string text_of(const question& q, const runner::reply& r, const std::string& id, const std::string& name,
                    const std::string& why, const std::set<std::string>& keys, by how) {
  std::string bases, body;
  if (q.op == "encode") {
    bases = base_of(q.ask, name);
    body = "  base " + name + '\n';
  } else if (how == by::hex) {
    body = hex_lines(q.input);
  } else {
    for (std::size_t k = 0; k < descriptors(q); ++k) {
      std::size_t first = 0;  // members with the same bytes share a base
      while (descriptor(q, first) != descriptor(q, k)) ++first;
      const std::string base = q.is_set() ? fmt::format("{}_{}", name, first) : name;
      if (first == k) bases += base_of(descriptor(q, k), base, how);
      body += std::string("  ") + (!q.is_set() ? "base " : k == 0 ? "head " : "member ") + base + '\n';
    }
    if (!q.is_set()) body += tail_of(q.input);
  }
  const bool judged = q.op != "size" && q.op != "address" && q.op != "lookup" && q.op != "dequantise" && q.op != "encode";
  if (judged && q.mode != "strict") body += "  mode " + q.mode + '\n';
  std::string agreed;
  for (const std::string& tag : q.agree) agreed += (agreed.empty() ? "" : ",") + tag;
  if (judged && !agreed.empty()) body += "  agree " + agreed + '\n';
  if (judged && !q.transport.empty()) body += "  transport " + q.transport + '\n';
  for (std::size_t k = 0; k < q.buffers.size(); ++k)
    body += fmt::format("  data {} {}\n", k, q.buffers[k].empty() ? "-" : vectors::to_hex(q.buffers[k]));
  return fmt::format("{}# `ids.py . assign` gives the letters (FORMAT.md)\nvector {}\n  class {}\n{}{}  why {}\n", bases, id, class_of(r), body, answer_lines(q, r, keys), why);
}

// Why the text is no vector that asks the question; empty where it is.
std::string fault_of(const std::string& text, const question& q) {
  try {
    std::string lettered = text;  // as with the letters that it will have
    const std::size_t letters = lettered.find("/?\n", lettered.find("\nvector "));
    if (letters != std::string::npos) lettered[letters + 1] = 'a';
    const auto files = vectors::compile({vectors::parse_text("new.vec", lettered)});
    const vectors::vector& v = files.at(0).vectors.at(0);
    if (q.op == "encode")
      return runner::difference(runner::parse_fields(q.ask), runner::parse_fields(v.ask), false);
    return request_of(v) == request_of(q) ? "" : "it has no form in FORMAT.md that gives these bytes";
  } catch (const std::exception& e) {
    return e.what();
  }
}

}  // namespace

vector_text as_vector(const question& q, const reference_answer& reference, const std::string& name,
                      const std::string& why, const std::set<std::string>& keys) {
  const runner::reply& r = reference.answer.r;
  const bool names_clause = r.is == form::reject && !r.code.starts_with("D-");
  const std::string id = (names_clause ? r.code : q.clause) + "/?";
  vector_text out;
  std::vector<by> ways = {by::fields, by::all_fields};
  if (!q.is_set()) ways.insert(r.is == form::reject ? ways.begin() : ways.end(), by::hex);
  for (const by how : ways) {
    const std::string text = text_of(q, r, id, name, why, keys, how);
    out.lacking = fault_of(text, q);
    if (!out.lacking.empty()) continue;
    out.text = text;
    break;
  }
  return out;
}

}  // namespace plumbline::program
