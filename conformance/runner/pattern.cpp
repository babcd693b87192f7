// Parsing into steps, and following them.
#include "conformance/runner/pattern.h"

#include <fmt/format.h>

#include <cctype>
#include <utility>

namespace plumbline::runner {

// Recursive descent: alternatives, sequence, repetition, atom. Each part is built from behind:
// given the step that follows it, it returns the step that it begins with, so parts are kept as
// trees first.
class pattern_parser {
 public:
  pattern_parser(std::string_view text, pattern& out) : text_(text), out_(out) {}

  void parse() {
    const std::size_t whole = alternatives();
    if (at_ < text_.size()) fail("a ) without its (");
    const std::size_t found = add(pattern::step::kind::found);
    out_.first_ = build(whole, found);
  }

 private:
  using characters = pattern::characters;
  using kind = pattern::step::kind;
  enum class shape { nothing, one_of, begin, end, sequence, either, optional, star, plus };
  struct node {
    shape is = shape::nothing;
    characters set{};
    std::size_t left = 0, right = 0;
  };

  [[noreturn]] void fail(std::string_view why) const {
    throw pattern_error(fmt::format("{} (at character {})", why, at_ + 1));
  }
  bool at(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool take(char c) { return at(c) ? (++at_, true) : false; }

  std::size_t make(node n) {
    nodes_.push_back(n);
    return nodes_.size() - 1;
  }

  std::size_t alternatives() {
    std::size_t left = sequence();
    while (take('|')) {
      const std::size_t right = sequence();
      left = make({shape::either, {}, left, right});
    }
    return left;
  }

  std::size_t sequence() {
    std::size_t left = make({});
    while (at_ < text_.size() && !at('|') && !at(')')) {
      const std::size_t right = repetition();
      left = make({shape::sequence, {}, left, right});
    }
    return left;
  }

  std::size_t repetition() {
    const std::size_t inner = atom();
    if (!at('*') && !at('+') && !at('?')) return inner;
    if (nodes_[inner].is == shape::begin || nodes_[inner].is == shape::end)
      fail("^ and $ cannot be repeated");
    const char mark = text_[at_++];
    take('?');  // as few as will do: the same texts match
    return make({mark == '*'   ? shape::star
                 : mark == '+' ? shape::plus
                               : shape::optional,
                 {},
                 inner});
  }

  std::size_t atom() {
    const char c = text_[at_];
    if (c == '*' || c == '+' || c == '?') fail("nothing to repeat");
    if (c == '{' || c == '}') fail("counts in braces are not known: write the part out, or \\{");
    if (c == ']') fail("a ] without its [");
    ++at_;
    if (c == '^') return make({shape::begin});
    if (c == '$') return make({shape::end});
    if (c == '(') return group();
    characters set;
    if (c == '.')
      set.set();
    else if (c == '[')
      set = bracket();
    else if (c == '\\')
      set = escaped();
    else
      set.set(static_cast<unsigned char>(c));
    return make({shape::one_of, set});
  }

  std::size_t group() {
    if (take('?') && !take(':')) fail("of the groups with ? only (?: is known");
    const std::size_t inner = alternatives();
    if (!take(')')) fail("a ( without its )");
    return inner;
  }

  static characters those(int (*is)(int)) {
    characters set;
    for (int c = 0; c < 128; ++c) set[static_cast<std::size_t>(c)] = is(c) != 0;
    return set;
  }

  // Behind a backslash: a class, or the mark itself.
  characters escaped() {
    if (at_ == text_.size()) fail("nothing behind \\");
    const char c = text_[at_++];
    if (c == 'd') return those(std::isdigit);
    if (c == 'D') return ~those(std::isdigit);
    if (c == 's') return those(std::isspace);
    if (c == 'S') return ~those(std::isspace);
    if (c == 'w' || c == 'W') {
      const characters word = those(std::isalnum).set('_');
      return c == 'w' ? word : ~word;
    }
    if (std::isalnum(static_cast<unsigned char>(c))) {
      --at_;
      fail("of letters and digits behind \\ only d, D, w, W, s and S are known");
    }
    return characters().set(static_cast<unsigned char>(c));
  }

  // One character of a bracket, or a class.
  characters member() {
    const char c = text_[at_++];
    return c == '\\' ? escaped() : characters().set(static_cast<unsigned char>(c));
  }

  characters bracket() {
    characters set;
    const bool without = take('^');
    if (at(']')) fail("no character in [ ]");
    while (!at(']')) {
      if (at_ == text_.size()) fail("a [ without its ]");
      const characters from = member();
      set |= from;
      const bool is_range = at('-') && at_ + 1 < text_.size() && text_[at_ + 1] != ']';
      if (!is_range) continue;
      ++at_;
      const characters to = member();
      if (from.count() != 1 || to.count() != 1) fail("a range goes from a character to another");
      std::size_t c = 0;
      while (!from[c]) ++c;
      for (; !to[c]; set.set(++c))
        if (c + 1 == to.size()) fail("a range goes upwards");
    }
    ++at_;
    return without ? ~set : set;
  }

  std::size_t add(kind what, std::size_t next = 0, std::size_t other = 0, characters set = {}) {
    out_.steps_.push_back({what, set, next, other});
    return out_.steps_.size() - 1;
  }

  // The step that the part begins with, when `next` follows it.
  std::size_t build(std::size_t part, std::size_t next) {
    const node& n = nodes_[part];
    switch (n.is) {
      case shape::nothing:
        return next;
      case shape::one_of:
        return add(kind::one_of, next, 0, n.set);
      case shape::begin:
        return add(kind::begin, next);
      case shape::end:
        return add(kind::end, next);
      case shape::sequence:
        return build(n.left, build(n.right, next));
      case shape::either: {
        const std::size_t left = build(n.left, next);
        return add(kind::fork, left, build(n.right, next));
      }
      case shape::optional:
        return add(kind::fork, build(n.left, next), next);
      case shape::star:
      case shape::plus: {
        const std::size_t loop = add(kind::fork, 0, next);
        const std::size_t inner = build(n.left, loop);
        out_.steps_[loop].next = inner;
        return n.is == shape::star ? loop : inner;
      }
    }
    std::unreachable();
  }

  std::string_view text_;
  pattern& out_;
  std::size_t at_ = 0;
  std::vector<node> nodes_;
};

pattern::pattern(std::string_view text) {
  if (text.size() > longest)
    throw pattern_error(fmt::format("{} characters, of {} at most", text.size(), longest));
  pattern_parser(text, *this).parse();
}

// The steps that wait for a character, or have found, reached from one without a character.
void pattern::follow(std::size_t from, bool at_begin, bool at_end,
                     std::vector<std::size_t>& reached, std::vector<bool>& seen) const {
  std::vector<std::size_t> open = {from};
  while (!open.empty()) {
    const std::size_t here = open.back();
    open.pop_back();
    if (seen[here]) continue;
    seen[here] = true;
    const step& s = steps_[here];
    switch (s.what) {
      case step::kind::one_of:
      case step::kind::found:
        reached.push_back(here);
        break;
      case step::kind::begin:
        if (at_begin) open.push_back(s.next);
        break;
      case step::kind::end:
        if (at_end) open.push_back(s.next);
        break;
      case step::kind::fork:
        open.push_back(s.next);
        open.push_back(s.other);
        break;
    }
  }
}

bool pattern::is_in(std::string_view text) const {
  std::vector<std::size_t> here, next;
  std::vector<bool> seen(steps_.size());
  for (std::size_t at = 0;; ++at) {
    const bool at_end = at == text.size();
    follow(first_, at == 0, at_end, here, seen);  // a match may begin anywhere
    for (const std::size_t i : here)
      if (steps_[i].what == step::kind::found) return true;
    if (at_end) return false;
    next.clear();
    seen.assign(steps_.size(), false);
    for (const std::size_t i : here)
      if (steps_[i].set[static_cast<unsigned char>(text[at])])
        follow(steps_[i].next, false, at + 1 == text.size(), next, seen);
    here.swap(next);
  }
}

}  // namespace plumbline::runner
