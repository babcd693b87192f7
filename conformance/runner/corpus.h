// Where the vectors are.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace plumbline::runner {

// --vectors, then the variable PLUMBLINE_VECTORS, then the installed share folder beside the
// program, then the source tree that it was built from. Throws vectors::load_error when none is
// there.
std::filesystem::path find_corpus(const std::string& given);

}  // namespace plumbline::runner
