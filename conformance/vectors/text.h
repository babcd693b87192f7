// The text of vectors as it stands in a .vec file (corpus/vectors/FORMAT.md). Every unknown word is
// an error with file and line; nothing is resolved here.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumbline::vectors {

struct text_error : std::runtime_error {
  text_error(const std::string& file, int line, const std::string& what)
      : std::runtime_error(file + ":" + std::to_string(line) + ": " + what) {}
};

struct text_line {
  int number = 0;
  std::string word;  // the keyword
  std::string rest;  // what follows it
};

// `set`, `drop` and the base that they change.
struct text_part {
  int line = 0;
  std::string base;
  std::vector<text_line> changes;
};

struct text_base {
  int line = 0;
  std::string name;
  text_part from;  // the parent, if any, and the base's own keys as `set` lines
};

struct text_question {
  int line = 0;
  std::string op = "decode";
  std::string ask;  // what follows the operation
  std::vector<text_line> expects;
  std::vector<std::pair<text_line, std::string>> readings;  // line, name
};

struct text_also {
  int line = 0;
  std::string mode;
  std::string cls;
  std::vector<std::string> points;
  std::string answer;
  std::vector<std::pair<text_line, std::string>> readings;  // those of this mode, where they differ
};

struct text_vector {
  int line = 0;
  std::string id;
  std::string cls;
  std::vector<std::string> points;
  std::string mode = "strict";
  std::vector<std::string> agree;
  std::string transport;
  std::vector<text_part> parts;  // one, or head and members
  bool is_set = false;
  std::vector<text_line> hex;
  std::vector<text_line> edits;  // cut, append, patch
  std::vector<text_line> data;
  std::vector<text_question> questions;
  std::vector<text_also> also;
  std::string why;
};

struct text_file {
  std::string name;
  std::vector<text_base> bases;
  std::vector<text_vector> vectors;
};

text_file parse_text(const std::string& file_name, std::string_view text);

// The classes of FORMAT.md.
bool is_class(std::string_view word);
bool is_mode(std::string_view word);
// "type=0xf2": one of the six keys and a tag.
bool is_agreement(std::string_view word);
// "D-120" or "D-1200".
bool is_point(std::string_view word);

}  // namespace plumbline::vectors
