// Two adapters asked the same: mutated vectors, every disagreement minimised and grouped.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ask_both.h"
#include "conformance/vectors/vector.h"

namespace plumbline::program {

struct differ_settings {
  two_adapters who;
  std::uint64_t seed = 1;
  std::size_t count = 20000;       // mutated questions
  std::size_t minimising = 30000;  // questions, at most, to make the examples smaller
};

// One group of disagreements and its smallest example.
struct shown_disagreement {
  std::string about;     // "EXT-05", "EXT-05 (place)", "address (ROW-02)"
  std::string who;       // "A", "B": who is alone against the other and the reference; "both"
  std::size_t seen = 0;  // how many mutated questions showed it
  std::string a, b, reference;  // what the three said of the example
  std::string request;          // the example as a request
  std::string known;            // the vector that asks the same already
  std::string remark;           // why the example is not one fault in one vector; empty where it is
  std::string vector;           // the example as text of corpus/vectors
};
struct differ_result {
  std::vector<shown_disagreement> groups;
  std::size_t asked = 0, compared = 0;  // compared: both gave an answer
  std::size_t minimising = 0;           // questions asked to make the examples smaller
  std::string ops, modes;               // that were asked
  std::string cut_short, not_smallest;  // why the search, or the minimising, ended before its end
  std::string fault;                    // why an adapter could not be asked
};

differ_result differ(const std::vector<vectors::vector>& all, const differ_settings& settings);

}  // namespace plumbline::program
