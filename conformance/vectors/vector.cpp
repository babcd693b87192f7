// Vectors as JSON lines.
#include "conformance/vectors/vector.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace plumbline::vectors {
namespace {

using json = nlohmann::ordered_json;

json write_expectation(const expectation& e) {
  json out = json::object();
  if (!e.verdict.empty()) out["verdict"] = e.verdict;
  if (!e.extent.empty()) out["extent"] = e.extent;
  if (!e.clause.empty()) out["clause"] = e.clause;
  if (e.member) out["member"] = *e.member;
  if (e.buffer) out["buffer"] = *e.buffer;
  if (e.offset) out["offset"] = *e.offset;
  if (!e.error.empty()) out["error"] = e.error;
  if (!e.value.empty()) out["value"] = e.value;
  if (!e.scale.empty()) out["scale"] = e.scale;
  if (e.within > 0) out["within"] = e.within;
  if (e.absolute > 0) out["absolute"] = e.absolute;
  if (!e.fields.empty()) {
    json& fields = out["fields"] = json::object();
    for (const auto& [key, value] : e.fields) fields[key] = value;
  }
  return out;
}

expectation read_expectation(const json& in) {
  expectation e;
  for (const auto& [key, value] : in.items()) {
    if (key == "verdict")
      e.verdict = value.get<std::string>();
    else if (key == "extent")
      e.extent = value.get<std::string>();
    else if (key == "clause")
      e.clause = value.get<std::string>();
    else if (key == "member")
      e.member = value.get<unsigned>();
    else if (key == "buffer")
      e.buffer = value.get<unsigned>();
    else if (key == "offset")
      e.offset = value.get<std::uint64_t>();
    else if (key == "error")
      e.error = value.get<std::string>();
    else if (key == "value")
      e.value = value.get<std::string>();
    else if (key == "scale")
      e.scale = value.get<std::string>();
    else if (key == "within")
      e.within = value.get<double>();
    else if (key == "absolute")
      e.absolute = value.get<double>();
    else if (key == "fields") {
      for (const auto& [name, text] : value.items())
        e.fields.emplace_back(name, text.get<std::string>());
    } else {
      throw load_error("unknown key in an expectation: " + key);
    }
  }
  return e;
}

bytes read_bytes(const json& in) {
  auto data = from_hex(in.get<std::string>());
  if (!data) throw load_error("not hex");
  return *std::move(data);
}

std::vector<bytes> read_list(const json& in) {
  std::vector<bytes> out;
  for (const json& part : in) out.push_back(read_bytes(part));
  return out;
}

json write_list(const std::vector<bytes>& in) {
  json out = json::array();
  for (const bytes& part : in) out.push_back(to_hex(part));
  return out;
}

}  // namespace

bool same_answer(const expectation& a, const expectation& b) {
  return a.verdict == b.verdict && a.extent == b.extent && a.clause == b.clause &&
         a.error == b.error && a.value == b.value;
}

std::string to_hex(const bytes& data) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(2 * data.size());
  for (std::uint8_t b : data) {
    out += digits[b >> 4];
    out += digits[b & 15];
  }
  return out;
}

std::optional<bytes> from_hex(std::string_view text) {
  bytes out;
  int high = -1;
  for (char c : text) {
    int digit = 0;
    if (c >= '0' && c <= '9')
      digit = c - '0';
    else if (c >= 'a' && c <= 'f')
      digit = c - 'a' + 10;
    else if (c >= 'A' && c <= 'F')
      digit = c - 'A' + 10;
    else if (c == ' ' && high < 0)
      continue;  // a blank never splits a byte
    else
      return std::nullopt;
    if (high < 0) {
      high = digit;
    } else {
      out.push_back(static_cast<std::uint8_t>(high * 16 + digit));
      high = -1;
    }
  }
  if (high >= 0) return std::nullopt;
  return out;
}

std::string to_json_line(const vector& v) {
  json out;
  out["id"] = v.id;
  out["clause"] = v.clause;
  out["class"] = v.cls;
  out["op"] = v.op;
  if (!v.is_numeric()) out["mode"] = v.mode;
  if (!v.agree.empty()) out["agree"] = v.agree;
  if (!v.transport.empty()) out["transport"] = v.transport;
  if (v.is_set())
    out["set"] = write_list(v.set);
  else if (!v.is_numeric())
    out["bytes"] = to_hex(v.input);
  if (!v.buffers.empty()) out["buffers"] = write_list(v.buffers);
  if (!v.ask.empty()) out["ask"] = v.ask;
  out["expect"] = write_expectation(v.expect);
  if (!v.points.empty()) {
    json& open = out["open"];
    open["points"] = v.points;
    open["readings"] = json::array();
    for (const reading& r : v.readings) {
      open["readings"].push_back(json{{"name", r.name}, {"expect", write_expectation(r.expect)}});
    }
  }
  if (!v.needs.empty()) out["needs"] = v.needs;
  if (!v.given.empty()) out["given"] = v.given;
  out["why"] = v.why;
  return out.dump(-1, ' ', true);
}

vector from_json_line(std::string_view line) {
  try {
    const json in = json::parse(line);
    vector v;
    for (const auto& [key, value] : in.items()) {
      if (key == "id")
        v.id = value.get<std::string>();
      else if (key == "clause")
        v.clause = value.get<std::string>();
      else if (key == "class")
        v.cls = value.get<std::string>();
      else if (key == "op")
        v.op = value.get<std::string>();
      else if (key == "mode")
        v.mode = value.get<std::string>();
      else if (key == "agree")
        v.agree = value.get<std::vector<std::string>>();
      else if (key == "transport")
        v.transport = value.get<std::string>();
      else if (key == "set")
        v.set = read_list(value);
      else if (key == "bytes")
        v.input = read_bytes(value);
      else if (key == "buffers")
        v.buffers = read_list(value);
      else if (key == "ask")
        v.ask = value.get<std::string>();
      else if (key == "expect")
        v.expect = read_expectation(value);
      else if (key == "needs")
        v.needs = value.get<std::vector<std::string>>();
      else if (key == "given")
        v.given = value.get<std::string>();
      else if (key == "why")
        v.why = value.get<std::string>();
      else if (key == "open") {
        v.points = value.at("points").get<std::vector<std::string>>();
        for (const json& r : value.at("readings")) {
          v.readings.push_back({r.at("name").get<std::string>(), read_expectation(r.at("expect"))});
        }
      } else {
        throw load_error("unknown key: " + key);
      }
    }
    if (v.id.empty() || v.clause.empty() || v.op.empty())
      throw load_error("id, clause and op are needed");
    return v;
  } catch (const json::exception& e) {
    throw load_error(e.what());
  }
}

std::vector<vector> load(const std::filesystem::path& jsonl) {
  std::ifstream in(jsonl);
  if (!in) throw load_error("cannot read " + jsonl.string());
  std::vector<vector> out;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    try {
      out.push_back(from_json_line(line));
    } catch (const load_error& e) {
      throw load_error(jsonl.string() + ":" + std::to_string(number) + ": " + e.what());
    }
  }
  return out;
}

}  // namespace plumbline::vectors
