#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace plumbline::runner {

// The whole file; nothing where it is missing, a folder, or can't be read to its end.
std::optional<std::string> read_text(const std::filesystem::path& file);

}  // namespace plumbline::runner
