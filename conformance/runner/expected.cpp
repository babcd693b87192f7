#include "conformance/runner/expected.h"

#include <fstream>
#include <stdexcept>

namespace plumbline::runner {

std::set<std::string> read_expected_failures(const std::filesystem::path& file,
                                             const std::vector<vectors::vector>& all) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  std::set<std::string> known;
  for (const vectors::vector& v : all) {
    known.insert(test_case{&v, false}.id());
    known.insert(test_case{&v, true}.id());
  }
  std::set<std::string> out;
  for (std::string line; std::getline(in, line);) {
    line = line.substr(0, line.find('#'));
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    line.erase(0, line.find_first_not_of(" \t"));
    if (line.empty()) continue;
    if (!known.contains(line))
      throw std::runtime_error(file.string() + ": no case has the id " + line);
    out.insert(line);
  }
  return out;
}

void expect_failures(run_result& run, const std::set<std::string>& ids) {
  for (result& r : run.results) r.expected_failure = ids.contains(r.of.id());
}

}  // namespace plumbline::runner
