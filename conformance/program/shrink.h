// Smaller questions than a given one.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "mutation.h"

namespace plumbline::program {

// Each one step smaller: a section, dimension, buffer or member less, a field or entry nearer to
// zero, an index nearer to the origin, a mode or agreement less.
std::vector<question> smaller(const question& q);

// Several steps from the same question at once; nothing where fewer than two can be.
std::optional<question> together(const question& from, const std::vector<question>& steps);

// What smaller makes smaller: bytes first, then the digits of all values.
std::pair<std::size_t, std::size_t> weight(const question& q);

}  // namespace plumbline::program
