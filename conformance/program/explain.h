// What a vector, a clause or an open point says, for people.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/vectors/vector.h"

namespace plumbline::program {

// "EXT-05/b", "EXT-05/b+author", "EXT-05", "EXT" or "D-120"; nothing where there is no such id.
std::optional<std::string> explain(const std::string& id, const std::vector<vectors::vector>& all);

}  // namespace plumbline::program
