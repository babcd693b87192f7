// From the text of vectors to vectors: bases are resolved, bytes written, offsets looked up.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/vectors/text.h"
#include "conformance/vectors/vector.h"

namespace plumbline::vectors {

struct compiled_file {
  std::string name;  // "ext" for ext.vec
  std::vector<vector> vectors;
};

// The bases of base.vec are seen by every file, those of another file by itself alone.
// Throws text_error.
std::vector<compiled_file> compile(const std::vector<text_file>& files);

// The .vec files of a folder, parsed, in the order of their names: all, or base.vec and the named
// ones. Throws text_error or load_error.
std::vector<text_file> read_folder(const std::filesystem::path& folder,
                                   const std::vector<std::string>& names = {});

// The compiled form of one file.
std::string to_json_lines(const compiled_file& file);

}  // namespace plumbline::vectors
