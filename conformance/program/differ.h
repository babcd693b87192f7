// Two adapters asked the same: mutated vectors, every disagreement minimised and grouped.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/vectors/vector.h"

namespace plumbline::program {

struct differ_settings {
  std::vector<std::string> a, b;  // the adapters' commands
  std::uint64_t seed = 1;
  std::size_t count = 20000;  // mutated descriptors
  std::chrono::milliseconds timeout{10000}, start_timeout{10000};
};

// One group of disagreements and its smallest example.
struct disagreement {
  std::string about;       // "EXT-05", "EXT-05 (place)", "an answer"
  std::size_t seen = 0;    // how many mutated descriptors showed it
  std::string a, b;        // what the two said of the example
  std::size_t faults = 0;  // that the reference finds in the example
  std::string vector;      // the example as text of corpus/vectors
};
struct differ_result {
  std::vector<disagreement> groups;
  std::size_t asked = 0, compared = 0;  // compared: both gave an answer
  std::string fault;                    // why an adapter could not be asked
};

differ_result differ(const std::vector<vectors::vector>& all, const differ_settings& settings);

}  // namespace plumbline::program
