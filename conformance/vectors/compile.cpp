// The vector compiler.
#include "conformance/vectors/compile.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "conformance/vectors/answer.h"
#include "conformance/vectors/numeric.h"
#include "conformance/vectors/keys.h"
#include "conformance/vectors/payload.h"
#include "conformance/vectors/writer.h"

namespace plumbline::vectors {
namespace {

// Refused for want of an agreement: a writer, who has agreed on what it writes, is not refused.
bool wants_agreement(const expectation& e, const bytes& data) {
  for (const char* clause : {"EXT-18", "LAY-07", "BUF-24", "CMP-09", "D-022"}) {
    if (e.clause == clause) return true;
  }
  return e.clause == "QNT-06" && *e.offset < data.size() && data[*e.offset] >= 0xf0;
}

using base_map = std::map<std::string, field_map, std::less<>>;

class file_compiler {
 public:
  file_compiler(const text_file& file, const base_map& shared) : file_(file), bases_(shared) {}

  compiled_file run(base_map* export_bases) {
    for (const text_base& base : file_.bases) {
      if (bases_.contains(base.name))
        throw text_error(file_.name, base.line, "a second base " + base.name);
      bases_[base.name] = fields_of(base.from);
    }
    if (export_bases) *export_bases = bases_;
    compiled_file out{std::filesystem::path(file_.name).stem().string(), {}};
    for (const text_vector& v : file_.vectors) compile(v, out.vectors);
    return out;
  }

 private:
  // Runs a step and puts file and line before its complaint.
  template <typename Step>
  auto at_line(int line, Step step) const {
    try {
      return step();
    } catch (const value_error& e) {
      throw text_error(file_.name, line, e.what());
    }
  }
  [[noreturn]] void fail(int line, const std::string& what) const {
    throw text_error(file_.name, line, what);
  }

  field_map fields_of(const text_part& part) const {
    field_map fields;
    if (!part.base.empty()) {
      const auto it = bases_.find(part.base);
      if (it == bases_.end()) fail(part.line, "unknown base: " + part.base);
      fields = it->second;
    }
    for (const text_line& change : part.changes) {
      if (change.word == "drop") {
        const auto removed = std::erase_if(fields, [&](const auto& field) {
          return field.first == change.rest || field.first.starts_with(change.rest + ".");
        });
        if (removed == 0) fail(change.number, "nothing to drop: " + change.rest);
        continue;
      }
      const std::size_t equals = change.rest.find('=');
      if (equals == std::string::npos) fail(change.number, "KEY = VALUE");
      const std::string key(trim(std::string_view(change.rest).substr(0, equals)));
      const std::string value(trim(std::string_view(change.rest).substr(equals + 1)));
      const auto type = kind_of(key);
      if (!type) fail(change.number, "unknown key: " + key);
      if (value.empty()) fail(change.number, "no value for " + key);
      at_line(change.number, [&] { return canonical(*type, value); });
      fields[key] = value;
    }
    return fields;
  }

  struct input {
    bytes data;
    std::vector<written> parts;  // none when the bytes are spelled by hand without a base
    bool edited = false;         // the bytes are no longer what the fields say
  };

  input input_of(const text_vector& v) const {
    input in;
    if (v.parts.empty() && v.hex.empty()) fail(v.line, v.id + ": no base, no hex, no head");
    for (const text_part& part : v.parts) {
      in.parts.push_back(at_line(part.line, [&] { return write_descriptor(fields_of(part)); }));
    }
    for (const text_line& line : v.hex) {
      const auto part = from_hex(line.rest);
      if (!part) fail(line.number, "not hex: " + line.rest);
      in.data.insert(in.data.end(), part->begin(), part->end());
    }
    if (v.is_set) {
      if (!v.hex.empty()) fail(v.line, "a set is not spelled in hex");
      return in;
    }
    if (v.hex.empty())
      in.data = in.parts.front().data;
    else if (!in.parts.empty() && in.data != in.parts.front().data) {
      fail(v.line,
           v.id + ": the hex and the base differ; the base gives " + to_hex(in.parts.front().data));
    }
    for (const text_line& edit : v.edits) {
      in.edited = in.edited || edit.word != "append";
      at_line(edit.number, [&] {
        apply_edit(edit.word, edit.rest, in.data);
        return 0;
      });
    }
    return in;
  }

  offset_of finder(const input& in) const {
    return [&in](unsigned member, std::string_view key) -> std::uint64_t {
      if (member >= in.parts.size()) throw value_error("no fields to look up " + std::string(key));
      const auto it = in.parts[member].at.find(key);
      if (it == in.parts[member].at.end()) throw value_error("no such field: " + std::string(key));
      return it->second;
    };
  }

  void compile(const text_vector& text, std::vector<vector>& out) const {
    if (text.cls.empty()) fail(text.line, text.id + ": no class");
    if (text.why.empty()) fail(text.line, text.id + ": no why");
    if (text.questions.empty()) fail(text.line, text.id + ": no expect");
    if (numeric::is_operation(text.questions.front().op)) return compile_numeric(text, out);
    const input in = input_of(text);

    vector v;
    v.id = text.id;
    v.clause = text.id.substr(0, 6);
    v.cls = text.cls;
    v.points = text.points;
    v.mode = text.mode;
    v.agree = text.agree;
    v.transport = text.transport;
    v.why = text.why;
    if (text.is_set) {
      for (const written& part : in.parts) v.set.push_back(part.data);
    } else {
      v.input = in.data;
    }
    for (const written& part : in.parts) {
      for (const std::string& need : part.needs) {
        if (std::ranges::find(v.needs, need) == v.needs.end()) v.needs.push_back(need);
      }
    }
    for (const text_line& line : text.data) {
      at_line(line.number, [&] {
        add_buffer(line.rest, v.buffers);
        return 0;
      });
    }

    for (std::size_t i = 0; i < text.questions.size(); ++i) {
      const text_question& q = text.questions[i];
      vector asked = v;
      asked.op = text.is_set && q.op == "decode" ? "composite" : q.op;
      asked.ask = q.ask;
      if (i > 0) {
        asked.id += '+' + q.op + (q.ask.empty() ? "" : '@' + q.ask);
        asked.cls = q.readings.empty() ? "value" : "open";
        if (q.readings.empty()) asked.points.clear();
      }
      answer(q, in, asked);
      read_readings(q.readings, in, asked);
      judge_class(q.line, asked);
      out.push_back(std::move(asked));
    }
    for (const text_also& also : text.also) out.push_back(also_of(text, also, in, v));
  }

  void compile_numeric(const text_vector& text, std::vector<vector>& out) const {
    if (text.cls != "value") fail(text.line, text.id + ": a numeric question is of class value");
    if (!text.also.empty() || !text.edits.empty() || !text.data.empty())
      fail(text.line, text.id + ": a numeric question has no modes, bytes and buffers");
    for (std::size_t i = 0; i < text.questions.size(); ++i) {
      const text_question& q = text.questions[i];
      if (q.expects.size() != 1 || !q.readings.empty())
        fail(q.line, text.id + ": one expect a numeric question");
      vector v;
      v.id = text.id + (i > 0 ? '+' + q.op + '@' + std::to_string(i + 1) : "");
      v.clause = text.id.substr(0, 6);
      v.cls = text.cls;
      v.why = text.why;
      v.op = q.op;
      at_line(q.line, [&] { return v.ask = numeric_question(q.op, q.ask); });
      at_line(q.expects.front().number, [&] {
        v.expect = numeric_answer(v.op, v.ask, q.expects.front().rest);
        return 0;
      });
      const auto needs = numeric::needs_of(v.op, v.ask);
      v.needs.assign(needs.begin(), needs.end());
      out.push_back(std::move(v));
    }
  }

  void read_readings(const std::vector<std::pair<text_line, std::string>>& from, const input& in,
                     vector& v) const {
    for (const auto& [line, name] : from) {
      v.readings.push_back({name, at_line(line.number, [&] {
                              return parse_answer(v.op, line.rest, finder(in), false);
                            })});
    }
  }

  // The expectation of one question, and what it needs beside it.
  void answer(const text_question& q, const input& in, vector& v) const {
    if (q.expects.empty()) fail(q.line, v.id + ": no expect");
    const int line = q.expects.front().number;
    if (v.op == "address" || v.op == "lookup") {
      at_line(q.line, [&] { return v.ask = canonical(kind::u64_list, q.ask); });
    }
    if (v.op == "fields" && q.expects.front().rest.find('=') != std::string::npos) {
      for (const text_line& expect : q.expects) expected_field(expect, in, v);
      return;
    }
    if (q.expects.size() > 1) fail(q.expects[1].number, "a second expect");
    const std::string& text = q.expects.front().rest;
    if (v.op == "encode") {
      v.ask = in.parts.size() == 1 && !in.edited ? in.parts.front().given : "";
      if (v.ask.empty()) fail(q.line, v.id + ": a writer cannot be asked for these bytes");
      if (text == "bytes") {
        v.expect.value = to_hex(v.input);
        return;
      }
    }
    v.expect = at_line(line, [&] { return parse_answer(v.op, text, finder(in), true); });
    with_fields(line, in, v);
    check_buffers(line, in, v);
  }

  void expected_field(const text_line& expect, const input& in, vector& v) const {
    const std::size_t equals = expect.rest.find('=');
    if (equals == std::string::npos) fail(expect.number, "expect KEY = VALUE");
    const std::string key(trim(std::string_view(expect.rest).substr(0, equals)));
    const auto type = kind_of(key);
    if (!type) fail(expect.number, "unknown key: " + key);
    const std::string value = at_line(expect.number, [&] {
      return canonical(*type, trim(std::string_view(expect.rest).substr(equals + 1)));
    });
    if (in.parts.size() == 1 &&
        !in.edited) {  // then the text and the fields are two ways to say it
      const named_values& fields = in.parts.front().fields;
      const auto it = std::ranges::find(fields, key, &named_values::value_type::first);
      if (it == fields.end() || it->second != value) {
        fail(expect.number, key + " is " + (it == fields.end() ? "not there" : it->second));
      }
    }
    v.expect.fields.emplace_back(key, value);
  }

  // An accept is believed when the decoded fields agree, so every accept states them.
  void with_fields(int line, const input& in, vector& v) const {
    if (v.op == "decode" && v.expect.is_accept()) {
      if (in.parts.size() != 1 || in.edited) {
        fail(line,
             v.id + ": an accepted descriptor needs its fields (a base, and no cut or patch)");
      }
      v.expect.fields = in.parts.front().fields;
    } else if (v.op == "decode" && v.mode == "strict" && v.expect.is_refusal() && in.parts.size() == 1 &&
               !in.edited && v.transport.empty() && !wants_agreement(v.expect, v.input)) {
      v.given = in.parts.front().given;
    }
  }

  void check_buffers(int line, const input& in, const vector& v) const {
    const bool wanted = v.op == "contents" || v.op == "lookup" || v.op == "dequantise";
    if (!wanted || v.expect.error == "buffers" || in.edited) return;
    std::size_t k = 0;
    for (const written& part : in.parts) {
      for (const auto& [key, value] : part.fields) {
        if (!key.starts_with("buffer.") || !key.ends_with(".byte_size")) continue;
        const std::size_t have = k < v.buffers.size() ? v.buffers[k].size() : 0;
        if (std::to_string(have) != value) {
          fail(line, v.id + ": data " + std::to_string(k) + " has " + std::to_string(have) +
                         " bytes, the table says " + value);
        }
        ++k;
      }
    }
    if (!in.parts.empty() && v.buffers.size() > k) fail(line, v.id + ": more data than buffers");
  }

  vector also_of(const text_vector& text, const text_also& also, const input& in, vector v) const {
    const text_question& first = text.questions.front();
    v.op = text.is_set && first.op == "decode" ? "composite" : first.op;
    if (v.op != "decode" && v.op != "composite" && v.op != "contents") {
      fail(also.line, "also asks the first question in another mode; it has none here");
    }
    const auto words = split(also.mode, '+');
    if (!is_mode(words.front())) fail(also.line, "unknown mode: " + words.front());
    v.mode = words.front();
    v.agree.clear();
    v.transport.clear();
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (words[i] == "transport=network")
        v.transport = "network";
      else if (is_agreement(words[i]))
        v.agree.push_back(words[i]);
      else
        fail(also.line, "unknown agreement: " + words[i]);
    }
    v.id += '+' + also.mode;
    v.expect =
        at_line(also.line, [&] { return parse_answer(v.op, also.answer, finder(in), true); });
    with_fields(also.line, in, v);
    v.given.clear();
    if (!also.cls.empty()) {
      v.cls = also.cls;
      v.points = also.points;
    } else if (v.expect.is_accept() && v.cls.starts_with("refuse-")) {
      v.cls = "accept";
    } else if (v.expect.is_refusal() && !v.cls.starts_with("refuse-") && v.cls != "open") {
      fail(also.line, "state the class: also MODE class CLASS: ANSWER");
    }
    read_readings(also.readings, in, v);
    if (v.cls == "open" && v.readings.empty()) {
      // Where the ruling says the same, the mode touches nothing, and the readings are the vector's.
      const expectation strict = at_line(first.expects.front().number, [&] {
        return parse_answer(v.op, first.expects.front().rest, finder(in), true);
      });
      if (!same_answer(strict, v.expect)) {
        fail(also.line, v.id + ": the answer is not that of the vector: state the readings in this "
                               "mode, or the class where they agree");
      }
      read_readings(first.readings, in, v);
    }
    judge_class(also.line, v);
    return v;
  }

  void judge_class(int line, const vector& v) const {
    const expectation& e = v.expect;
    if ((v.cls == "accept" || v.cls == "unsupported-is-fine") && !e.is_accept())
      fail(line, v.id + ": the class says accept");
    if (v.cls.starts_with("refuse-") && !e.is_refusal())
      fail(line, v.id + ": the class says refuse");
    if (v.cls == "value" && e.is_accept()) fail(line, v.id + ": the class says value");
    if (v.cls != "open" && !v.readings.empty())
      fail(line, v.id + ": only an open vector has readings");
    if (v.cls != "open") return;
    if (v.readings.size() < 2) fail(line, v.id + ": an open vector states two readings or more");
    const auto agrees = [&](const reading& r) { return same_answer(r.expect, e); };
    if (std::ranges::none_of(v.readings, agrees))
      fail(line, v.id + ": expect is none of the readings");
    if (std::ranges::all_of(v.readings, agrees)) fail(line, v.id + ": the readings do not differ");
  }

  const text_file& file_;
  base_map bases_;
};

}  // namespace

std::vector<compiled_file> compile(const std::vector<text_file>& files) {
  base_map shared;
  std::vector<compiled_file> out;
  for (const text_file& file : files) {
    if (file.name == "base.vec") file_compiler(file, {}).run(&shared);
  }
  for (const text_file& file : files) {
    if (file.name == "base.vec") {
      if (!file.vectors.empty())
        throw text_error(file.name, file.vectors.front().line, "base.vec holds bases alone");
      continue;
    }
    out.push_back(file_compiler(file, shared).run(nullptr));
  }
  return out;
}

std::vector<text_file> read_folder(const std::filesystem::path& folder,
                                   const std::vector<std::string>& names) {
  const auto fail = [&](const std::string& found) {
    throw load_error("cannot read " + folder.string() + ": found " + found +
                     ", expected a folder of vectors (NAME.vec)");
  };
  std::vector<std::filesystem::path> paths;
  if (names.empty()) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".vec") paths.push_back(entry.path());
    }
    if (error) fail(error.message());
    if (paths.empty()) fail("no .vec file");
  } else {
    paths.push_back(folder / "base.vec");
    for (const std::string& name : names) paths.push_back(folder / (name + ".vec"));
  }
  std::ranges::sort(paths);
  std::vector<text_file> out;
  for (const auto& path : paths) {
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) throw load_error("cannot read " + path.string());
    out.push_back(parse_text(path.filename().string(), text.str()));
  }
  return out;
}

std::string to_json_lines(const compiled_file& file) {
  std::string out;
  for (const vector& v : file.vectors) out += to_json_line(v) + '\n';
  return out;
}

}  // namespace plumbline::vectors
