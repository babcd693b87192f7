// What must hold over all vectors, and which sides of which clauses they show.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "conformance/vectors/compile.h"
#include "conformance/vectors/vector.h"

namespace plumbline::vectors {

// A row of the clause table, read as data.
struct clause_row {
  std::string id, area, cls, sides, verdict, owner;
};
using clause_table = std::map<std::string, clause_row, std::less<>>;

clause_table load_clauses(const std::filesystem::path& tsv);  // throws load_error

// One line a fault; empty when all is well.
std::vector<std::string> check_vectors(const std::vector<compiled_file>& files,
                                       const clause_table& clauses);
// The committed .jsonl files against what the text gives.
std::vector<std::string> check_committed(const std::vector<compiled_file>& files,
                                         const std::filesystem::path& folder);

struct coverage_row {
  std::string clause;
  std::size_t accepts = 0, refuses = 0, values = 0;
  std::string lacks;  // "accept", "refuse", "accept refuse", "value"
};
// The owner clauses of areas 1, 2 and 5, those of the given groups ("HDR") or of all. A vector of a
// clause that another one owns counts for the owner.
std::vector<coverage_row> coverage(const std::vector<compiled_file>& files,
                                   const clause_table& clauses,
                                   const std::vector<std::string>& groups);

}  // namespace plumbline::vectors
