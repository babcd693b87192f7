#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace plumbline::runner {

// The whole file; nothing where it is missing, a folder, or can't be read to its end. Throws
// std::length_error where it has more than `limit` bytes: some files have no end.
std::optional<std::string> read_text(const std::filesystem::path& file,
                                     std::size_t limit = std::size_t{1} << 30);

}  // namespace plumbline::runner
