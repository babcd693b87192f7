// The parser of .vec files.
#include "conformance/vectors/text.h"

#include <algorithm>
#include <array>

#include "conformance/numeric/question.h"
#include "conformance/vectors/keys.h"

namespace plumbline::vectors {
namespace {

template <std::size_t N>
bool any_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 7> classes = {
    "accept", "refuse-R", "refuse-N", "refuse-W", "unsupported-is-fine", "value", "open"};
constexpr std::array<std::string_view, 3> modes = {"strict", "lenient", "permissive"};
constexpr std::array<std::string_view, 6> agreements = {"type", "layout", "scheme",
                                                        "rule", "device", "class"};
constexpr std::array<std::string_view, 8> questions = {
    "fields", "encode", "size", "address", "contents", "lookup", "dequantise", "decode"};

std::string_view without_comment(std::string_view line) {
  if (trim(line).starts_with('#')) return {};
  const std::size_t at = line.find("  #");
  return at == std::string_view::npos ? line : line.substr(0, at);
}

bool is_name(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// "EXT-05/b": three capitals, two digits, one or more small letters.
bool is_id(std::string_view id) {
  const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  return id.size() >= 8 && std::ranges::all_of(id.substr(0, 3), capital) && id[3] == '-' &&
         std::ranges::all_of(id.substr(4, 2), digit) && id[6] == '/' &&
         std::ranges::all_of(id.substr(7), small);
}

class parser {
 public:
  explicit parser(const std::string& file) { file_.name = file; }

  text_file run(std::string_view text) {
    int number = 0;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      line(++number, text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return std::move(file_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw text_error(file_.name, now_.number, what);
  }

  void line(int number, std::string_view raw) {
    now_ = {number, "", ""};
    if (raw.find_first_of("\t\r") != std::string_view::npos)
      fail("tabs and carriage returns have no place here");
    const std::string_view content = without_comment(raw);
    const std::string_view body = trim(content);
    if (body.empty()) return;
    const std::size_t space = body.find(' ');
    now_.word = std::string(body.substr(0, space));
    now_.rest = space == std::string_view::npos ? "" : std::string(trim(body.substr(space)));
    if (content.front() != ' ')
      top();
    else if (state_ == state::in_base)
      base_line();
    else if (state_ == state::in_vector)
      vector_line(body);
    else
      fail("an indented line belongs to a base or a vector, and there is none yet");
  }

  void top() {
    if (now_.word == "base") {
      text_base base{now_.number, "", {now_.number, "", {}}};
      const auto names = split(now_.rest, ':');
      base.name = names.front();
      if (names.size() > 2 || !is_name(base.name)) fail("base NAME, or base NAME : PARENT");
      if (names.size() == 2) {
        if (!is_name(names[1])) fail("not a name: " + names[1]);
        base.from.base = names[1];
      }
      file_.bases.push_back(std::move(base));
      state_ = state::in_base;
    } else if (now_.word == "vector") {
      if (now_.rest.ends_with("/?"))
        fail(now_.rest + " has no letters yet: conformance/vectors/ids.py . assign gives them");
      if (!is_id(now_.rest))
        fail("an id is a clause, a slash and small letters (EXT-05/b): " + now_.rest);
      file_.vectors.emplace_back();
      file_.vectors.back().line = now_.number;
      file_.vectors.back().id = now_.rest;
      state_ = state::in_vector;
      behind_also_ = false;
    } else {
      fail("unknown word at the start of a line: " + now_.word);
    }
  }

  void base_line() {
    text_part& part = file_.bases.back().from;
    if (now_.word == "drop")
      part.changes.push_back(now_);
    else
      part.changes.push_back({now_.number, "set", now_.word + " " + now_.rest});
  }

  text_question& question() {
    auto& list = file_.vectors.back().questions;
    if (list.empty()) {
      list.emplace_back();
      list.back().line = now_.number;
    }
    return list.back();
  }

  void vector_line(std::string_view body) {
    text_vector& v = file_.vectors.back();
    const std::string& word = now_.word;
    const auto needs_rest = [&] {
      if (now_.rest.empty()) fail(word + " needs a value");
    };
    const auto once = [&](const std::string& slot) {
      if (!slot.empty()) fail("a second " + word);
    };
    const auto before_questions = [&] {
      if (!v.questions.empty() || !v.also.empty()) fail(word + " stands before the questions");
    };
    if (word == "class") {
      once(v.cls);
      read_class(now_.rest, v.cls, v.points);
    } else if (word == "base") {
      if (!v.parts.empty()) fail("a second base");
      add_part(v);
    } else if (word == "head") {
      if (!v.parts.empty()) fail("head stands first");
      v.is_set = true;
      add_part(v);
    } else if (word == "member") {
      if (!v.is_set) fail("member without head");
      add_part(v);
    } else if (word == "set" || word == "drop") {
      needs_rest();
      if (v.parts.empty()) fail(word + " without base");
      v.parts.back().changes.push_back(now_);
    } else if (word == "cut" || word == "append" || word == "patch") {
      needs_rest();
      if (v.is_set) fail(word + " has no place in a set");
      v.edits.push_back(now_);
    } else if (word == "hex") {
      needs_rest();
      v.hex.push_back(now_);
    } else if (word == "data") {
      needs_rest();
      v.data.push_back(now_);
    } else if (word == "mode") {
      before_questions();
      if (!is_mode(now_.rest)) fail("unknown mode: " + now_.rest);
      v.mode = now_.rest;
    } else if (word == "agree") {
      before_questions();
      for (const std::string& a : split(now_.rest, ',')) {
        if (!is_agreement(a)) fail("unknown agreement: " + a);
        v.agree.push_back(a);
      }
    } else if (word == "transport") {
      before_questions();
      if (now_.rest != "network") fail("unknown transport: " + now_.rest);
      v.transport = now_.rest;
    } else if (word == "ask") {
      read_ask(v);
    } else if (word == "expect") {
      needs_rest();
      question().expects.push_back(now_);
    } else if (word == "reading") {
      needs_rest();
      const std::size_t colon = now_.rest.find(':');
      if (colon == std::string::npos) fail("reading NAME: ANSWER");
      const std::string name(trim(std::string_view(now_.rest).substr(0, colon)));
      const std::string answer(trim(std::string_view(now_.rest).substr(colon + 1)));
      if (name.empty() || answer.empty()) fail("reading NAME: ANSWER");
      auto& readings = behind_also_ ? v.also.back().readings : question().readings;
      readings.emplace_back(text_line{now_.number, "reading", answer}, name);
    } else if (word == "also") {
      read_also(v);
    } else if (word == "why") {
      needs_rest();
      if (!v.why.empty()) v.why += ' ';
      v.why += now_.rest;
    } else {
      fail("unknown word: " + std::string(body));
    }
  }

  void add_part(text_vector& v) {
    if (!is_name(now_.rest)) fail(now_.word + " NAME");
    v.parts.push_back({now_.number, now_.rest, {}});
  }

  void read_class(const std::string& text, std::string& cls, std::vector<std::string>& points) {
    const auto words = split(text, ' ');
    cls = words.front();
    if (!is_class(cls)) fail("unknown class: " + cls);
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (words[i].empty()) continue;
      if (!is_point(words[i])) fail("not an open point: " + words[i]);
      points.push_back(words[i]);
    }
    if ((cls == "open") == points.empty()) fail("class open, and it alone, names open points");
  }

  void read_ask(text_vector& v) {
    behind_also_ = false;
    const std::size_t space = now_.rest.find(' ');
    text_question q;
    q.line = now_.number;
    q.op = now_.rest.substr(0, space);
    if (space != std::string::npos)
      q.ask = std::string(trim(std::string_view(now_.rest).substr(space)));
    if (!any_of(questions, q.op) && !numeric::is_operation(q.op)) fail("unknown question: " + q.op);
    if (numeric::is_operation(q.op)) {
      if (!v.parts.empty() || !v.hex.empty()) fail("a numeric question has no descriptor");
      if (q.ask.empty()) fail(q.op + " needs its operands");
      v.questions.push_back(std::move(q));
      return;
    }
    if ((q.op == "address" || q.op == "lookup") == q.ask.empty())
      fail("address and lookup, and they alone, take an index");
    if (!v.questions.empty() && v.questions.back().expects.empty())
      fail("the question before has no expect");
    v.questions.push_back(std::move(q));
  }

  void read_also(text_vector& v) {
    const std::size_t colon = now_.rest.find(':');
    if (colon == std::string::npos) fail("also MODE: ANSWER");
    text_also also;
    also.line = now_.number;
    const std::string head(trim(std::string_view(now_.rest).substr(0, colon)));
    also.answer = std::string(trim(std::string_view(now_.rest).substr(colon + 1)));
    const std::size_t space = head.find(' ');
    also.mode = head.substr(0, space);
    if (space != std::string::npos) {
      const std::string_view more = trim(std::string_view(head).substr(space));
      if (!more.starts_with("class ")) fail("also MODE class CLASS: ANSWER");
      read_class(std::string(trim(more.substr(6))), also.cls, also.points);
    }
    if (also.answer.empty()) fail("also MODE: ANSWER");
    v.also.push_back(std::move(also));
    behind_also_ = true;
  }

  enum class state { none, in_base, in_vector };
  text_file file_;
  text_line now_;
  state state_ = state::none;
  bool behind_also_ = false;  // a reading belongs to the question, or to the mode, that stands last
};

}  // namespace

text_file parse_text(const std::string& file_name, std::string_view text) {
  return parser(file_name).run(text);
}

bool is_class(std::string_view word) { return any_of(classes, word); }
bool is_mode(std::string_view word) { return any_of(modes, word); }

bool is_agreement(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || !any_of(agreements, word.substr(0, equals))) return false;
  const auto tag = parse_unsigned(word.substr(equals + 1));
  return tag && *tag <= 0xff && word.size() == equals + 5 && word.substr(equals + 1, 2) == "0x";
}

bool is_point(std::string_view word) {
  return word.size() >= 5 && word.starts_with("D-") &&
         std::ranges::all_of(word.substr(2), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace plumbline::vectors
