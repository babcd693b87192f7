// plumbline adapter --mutant NAME: the reference with one deliberate fault. In a build with
// PLUMBLINE_MUTANTS alone.
#pragma once

#include <CLI/CLI.hpp>

namespace plumbline::mutants {

// --mutant NAME, --list-mutants; takes the place of the adapter's own callback.
void add_options(CLI::App& command, int& status);

}  // namespace plumbline::mutants
