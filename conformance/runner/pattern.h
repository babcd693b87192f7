// A regular expression whose matching takes time proportional to the text, whatever it says: what
// --filter takes. All alternatives are followed side by side, none is tried again.
//
//   .  [a-f0-9]  [^/]  \d \D \w \W \s \S  \ before a mark     one character
//   * + ?  and, no different here, *? +? ??                   of what stands before them
//   ( )  (?: )  |  ^  $                                       groups, alternatives, begin and end
//
// Counts in braces, references to groups, looking ahead and \b are refused.
#pragma once

#include <bitset>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace plumbline::runner {

struct pattern_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class pattern {
 public:
  static constexpr std::size_t longest =
      1000;  // characters; bounds the parser's depth and all work

  explicit pattern(std::string_view text);  // throws pattern_error

  // Whether it matches somewhere in the text.
  bool is_in(std::string_view text) const;

 private:
  friend class pattern_parser;
  using characters = std::bitset<256>;
  struct step {
    enum class kind { one_of, begin, end, fork, found } what;
    characters set{};                 // one_of
    std::size_t next = 0, other = 0;  // where it goes on; `other` of a fork alone
  };
  void follow(std::size_t from, bool at_begin, bool at_end, std::vector<std::size_t>& reached,
              std::vector<bool>& seen) const;

  std::vector<step> steps_;
  std::size_t first_ = 0;
};

}  // namespace plumbline::runner
