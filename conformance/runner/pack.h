// The vectors for others: plain files, and one gzip pack of JSON lines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/vectors/vector.h"

namespace plumbline::runner {

// JSON lines: a header with the revision of the specification, then a vector a line.
std::string pack_text(const std::vector<vectors::vector>& all);
void write_pack(const std::filesystem::path& file,
                const std::vector<vectors::vector>& all);                   // throws load_error
std::vector<vectors::vector> read_pack(const std::filesystem::path& file);  // throws load_error

// A folder with schema.json, index.json and, a vector, CLAUSE/NAME.json with CLAUSE/NAME.bin (sets:
// NAME.0.bin ..; buffers: NAME.buffer0.bin ..). Throws load_error.
void write_files(const std::filesystem::path& folder, const std::vector<vectors::vector>& all);
std::vector<vectors::vector> read_files(const std::filesystem::path& folder);

}  // namespace plumbline::runner
