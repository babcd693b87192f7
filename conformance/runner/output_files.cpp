#include "conformance/runner/output_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace plumbline::runner {
namespace {

namespace fs = std::filesystem;

// Where a write to the name arrives: dots and links are gone, also a link whose file is not there
// yet.
fs::path place_of(fs::path file) {
  std::error_code error;
  file = fs::absolute(file, error);  // of a name that is not there yet the canonical form would stay relative
  for (int links = 0; links < 40 && fs::is_symlink(file, error); ++links)
    file = file.parent_path() / fs::read_symlink(file, error);
  const fs::path place = fs::weakly_canonical(file, error);
  return error ? file : place;
}

bool are_one_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) || place_of(a) == place_of(b);
}

// Nothing, or why the file cannot be written.
std::string obstacle(const std::string& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  // To open a pipe may wait for its reader.
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status))
    return ::access(file.c_str(), W_OK) == 0 ? "" : std::strerror(errno);
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return std::strerror(errno);
  ::close(fd);
  if (!fs::exists(status)) fs::remove(place_of(file), error);
  return "";
}

}  // namespace

void check_output_files(const std::vector<named_file>& written,
                        const std::vector<named_file>& read) {
  std::vector<named_file> others = read;
  for (const named_file& mine : written) {
    if (mine.file.empty()) continue;
    for (const named_file& other : others)
      if (!other.file.empty() && are_one_file(mine.file, other.file))
        throw std::invalid_argument(other.option + " and " + mine.option + " name the same file " +
                                    mine.file);
    if (const std::string why = obstacle(mine.file); !why.empty())
      throw std::invalid_argument(mine.option + ": cannot write " + mine.file + ": " + why);
    others.push_back(mine);
  }
}

}  // namespace plumbline::runner
