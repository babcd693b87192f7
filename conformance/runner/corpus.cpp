// Where the vectors are.
#include "conformance/runner/corpus.h"

#include <cstdlib>

#include "conformance/vectors/vector.h"

namespace plumbline::runner {

std::filesystem::path find_corpus(const std::string& given) {
  namespace fs = std::filesystem;
  if (!given.empty()) return given;
  if (const char* named = std::getenv("PLUMBLINE_VECTORS"); named && *named) return named;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path installed = program.parent_path().parent_path() / "share/plumbline/vectors";
    if (fs::is_directory(installed, error)) return installed;
  }
  const fs::path source = PLUMBLINE_CORPUS;
  if (fs::is_directory(source, error)) return source;
  throw vectors::load_error(
      "no vectors found: name their folder with --vectors or PLUMBLINE_VECTORS");
}

}  // namespace plumbline::runner
