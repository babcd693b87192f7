// The files that a run is to write, looked at before the work.
#pragma once

#include <string>
#include <vector>

namespace plumbline::runner {

// An option and the file that it names; an empty name is an option that was not given.
struct named_file {
  std::string option, file;
};

// Throws std::invalid_argument, with the path, where one of `written` cannot be written, is another
// one of them or is one of `read`. What stands in a file stays there, and none is left behind.
void check_output_files(const std::vector<named_file>& written,
                        const std::vector<named_file>& read);

}  // namespace plumbline::runner
