// Questions from vectors.
#include "conformance/runner/case.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <stdexcept>

#include "conformance/runner/pattern.h"
#include "conformance/vectors/keys.h"

namespace plumbline::runner {
namespace {

std::string hex_or_none(const vectors::bytes& data) {
  return data.empty() ? "-" : vectors::to_hex(data);
}

std::string joined(const std::vector<vectors::bytes>& parts) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) out += (i ? ";" : "") + hex_or_none(parts[i]);
  return out.empty() ? "-" : out;
}

// "HEX;" is a head with no member.
std::string set_of(const vectors::vector& v) {
  std::string out = hex_or_none(v.set.front()) + ";";
  for (std::size_t i = 1; i < v.set.size(); ++i) out += (i > 1 ? ";" : "") + hex_or_none(v.set[i]);
  return out;
}

bool concerns_private_types(const vectors::vector& v) {
  if (v.clause.starts_with("EXT-") || v.expect.clause.starts_with("EXT-")) return true;
  const auto is_extension = [](const auto& field) { return field.first.starts_with("extension."); };
  return std::ranges::any_of(v.expect.fields, is_extension) ||
         v.given.find("extension.") != std::string::npos ||
         (v.op == "encode" && v.ask.find("extension.") != std::string::npos);
}

// A writer can be asked for the faulty fields where what is wrong are the fields alone.
bool has_author_case(const vectors::vector& v) {
  return !v.given.empty() && v.cls.starts_with("refuse-") && v.transport.empty() &&
         v.op == "decode" && (v.expect.verdict == "malformed" || v.expect.verdict == "invalid");
}

}  // namespace

profile parse_profile(std::string_view text) {
  profile p;
  for (const std::string& word : vectors::split(text, ',')) {
    if (word == "reader")
      p.reader = true;
    else if (word == "writer")
      p.writer = true;
    else if (word == "scalar")
      p.scalar = true;
    else if (word == "validator")
      p.reader = p.writer = p.validator = true;
    else if (word == "extension-types")
      p.extension_types = true;
    else
      throw std::invalid_argument("no such profile: \"" + word +
                                  "\" (reader, writer, validator, extension-types, scalar)");
  }
  p.name = text;
  return p;
}

std::vector<test_case> cases_of(const std::vector<vectors::vector>& all, const profile& who) {
  std::vector<test_case> out;
  for (const vectors::vector& v : all) {
    if (v.is_numeric()) {
      if (who.numbers()) out.push_back({&v, false});
      continue;
    }
    const bool is_private = who.extension_types && concerns_private_types(v);
    const bool reads = who.reader || is_private, writes = who.writer || is_private;
    if (v.op == "encode" ? writes : reads) out.push_back({&v, false});
    if (writes && has_author_case(v)) out.push_back({&v, true});
  }
  return out;
}

std::string mode_of(const vectors::vector& v) {
  std::string out = v.mode;
  for (const std::string& agreement : v.agree) out += '+' + agreement;
  if (!v.transport.empty()) out += "+transport=" + v.transport;
  return out;
}

std::string request_of(const test_case& c) {
  const vectors::vector& v = *c.vector;
  const std::string bytes = v.is_set() ? set_of(v) : hex_or_none(v.input);
  if (v.is_numeric()) return v.op + ' ' + v.ask;
  if (c.author) return "encode " + v.given;
  if (v.op == "encode") return "encode " + v.ask;
  if (v.op == "decode" || v.op == "fields" || v.op == "composite")
    return v.op + ' ' + mode_of(v) + ' ' + bytes;
  if (v.op == "size") return "size " + bytes;
  if (v.op == "address") return "address " + bytes + ' ' + v.ask;
  if (v.op == "contents") return "contents " + mode_of(v) + ' ' + bytes + ' ' + joined(v.buffers);
  if (v.op == "lookup") return "lookup " + bytes + ' ' + joined(v.buffers) + ' ' + v.ask;
  if (v.op == "dequantise") return "dequantise " + bytes + ' ' + joined(v.buffers);
  throw std::invalid_argument(v.id + ": no request for " + v.op);
}

std::string fields_request(const test_case& c) {
  return "fields " + mode_of(*c.vector) + ' ' + hex_or_none(c.vector->input);
}

std::vector<test_case> filtered(const std::vector<test_case>& cases, const std::string& filter) {
  std::vector<test_case> out;
  if (filter.empty()) return cases;
  std::ranges::copy_if(cases, std::back_inserter(out),
                       [&](const auto& c) { return c.id() == filter; });
  if (!out.empty()) return out;
  const pattern wanted(filter);
  std::ranges::copy_if(cases, std::back_inserter(out),
                       [&](const auto& c) { return wanted.is_in(c.id()); });
  return out;
}

shard parse_shard(std::string_view text) {
  const auto number = [](std::string_view digits, unsigned& out) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  shard out;
  const auto slash = text.find('/');
  if (slash == std::string_view::npos || !number(text.substr(0, slash), out.part) ||
      !number(text.substr(slash + 1), out.of) || out.part < 1 || out.part > out.of)
    throw std::invalid_argument("--shard takes I/N with I from 1 to N, not " + std::string(text));
  return out;
}

bool shard::has(const test_case& c) const {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char letter : c.id())
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return (hash ^ hash >> 32) % of == part - 1;
}

std::vector<vectors::vector> load_folder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".jsonl") continue;
    if (!entry.is_regular_file(error))
      throw vectors::load_error(entry.path().string() + " is no file");
    paths.push_back(entry.path());
  }
  if (error) throw vectors::load_error("cannot read " + folder.string() + ": " + error.message());
  std::ranges::sort(paths);
  std::vector<vectors::vector> out;
  for (const auto& path : paths) std::ranges::move(vectors::load(path), std::back_inserter(out));
  if (out.empty()) throw vectors::load_error("no vectors in " + folder.string());
  return out;
}

}  // namespace plumbline::runner
