// plumbline-vectors: compiles the text of vectors, checks the committed files, prints coverage.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "conformance/vectors/check.h"
#include "conformance/vectors/compile.h"
#include "conformance/vectors/keys.h"

namespace {

using namespace plumbline::vectors;

constexpr const char* usage =
    "plumbline-vectors: compiles test vectors from text (corpus/vectors/FORMAT.md)\n"
    "\n"
    "  plumbline-vectors compile FOLDER [NAME,..]    writes NAME.jsonl beside every NAME.vec, or "
    "these\n"
    "  plumbline-vectors check FOLDER CLAUSES.tsv    is the text sound, and are the files what it "
    "gives?\n"
    "  plumbline-vectors coverage FOLDER CLAUSES.tsv [GROUP,..]\n"
    "                                                counts per clause, and the sides that are "
    "missing\n"
    "\n"
    "Exit: 0 all is well, 1 a fault or a missing side, 2 usage or an unreadable file.\n"
    "\n"
    "  plumbline-vectors check corpus/vectors reference/clauses.tsv\n"
    "  plumbline-vectors coverage corpus/vectors reference/clauses.tsv HDR,FLG\n";

std::vector<std::string> listed(const std::string& words) {
  return words.empty() ? std::vector<std::string>{} : split(words, ',');
}

int compile_folder(const std::string& folder, const std::string& names) {
  std::size_t count = 0;
  const auto files = compile(read_folder(folder, listed(names)));
  for (const compiled_file& f : files) {
    const std::filesystem::path path = std::filesystem::path(folder) / (f.name + ".jsonl");
    std::ofstream out(path, std::ios::binary);
    out << to_json_lines(f);
    if (!out.flush()) {
      std::fprintf(stderr, "plumbline-vectors: cannot write %s\n", path.c_str());
      return 2;
    }
    count += f.vectors.size();
  }
  std::printf("compiled %zu questions from %zu files\n", count, files.size());
  return 0;
}

int check_folder(const std::string& folder, const std::string& table) {
  const auto files = compile(read_folder(folder));
  auto faults = check_vectors(files, load_clauses(table));
  for (std::string& fault : check_committed(files, folder)) faults.push_back(std::move(fault));
  for (const std::string& fault : faults) std::printf("%s\n", fault.c_str());
  std::size_t count = 0;
  for (const compiled_file& f : files) count += f.vectors.size();
  std::printf("%zu questions, %zu faults\n", count, faults.size());
  return faults.empty() ? 0 : 1;
}

int show_coverage(const std::string& folder, const std::string& table, const std::string& groups) {
  const auto files = compile(read_folder(folder));
  const auto rows = coverage(files, load_clauses(table), listed(groups));
  std::size_t missing = 0, questions = 0, vectors = 0;
  for (const compiled_file& f : files) {
    questions += f.vectors.size();
    vectors += static_cast<std::size_t>(std::ranges::count_if(
        f.vectors, [](const vector& v) { return v.id.find('+') == std::string::npos; }));
  }
  std::printf("%-8s %8s %8s %8s  %s\n", "clause", "accepts", "refuses", "values", "lacks");
  for (const coverage_row& row : rows) {
    if (!row.lacks.empty()) ++missing;
    std::printf("%-8s %8zu %8zu %8zu  %s\n", row.clause.c_str(), row.accepts, row.refuses,
                row.values, row.lacks.c_str());
  }
  std::printf("%zu vectors, %zu questions, %zu of %zu owner clauses lack a side\n", vectors,
              questions, missing, rows.size());
  return missing == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  try {
    if (args.size() == 1 && args[0] == "--help") {
      std::fputs(usage, stdout);
      return 0;
    }
    if ((args.size() == 2 || args.size() == 3) && args[0] == "compile") {
      return compile_folder(args[1], args.size() == 3 ? args[2] : "");
    }
    if (args.size() == 3 && args[0] == "check") return check_folder(args[1], args[2]);
    if ((args.size() == 3 || args.size() == 4) && args[0] == "coverage") {
      return show_coverage(args[1], args[2], args.size() == 4 ? args[3] : "");
    }
  } catch (const text_error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "plumbline-vectors: %s\n", e.what());
    return 2;
  }
  std::fputs(usage, stderr);
  return 2;
}
