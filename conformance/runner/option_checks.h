// Checks of option values that CLI11's own let through: NaN in a range, and "-1" or nothing at all
// as an unsigned number.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>

namespace plumbline::runner {

CLI::Validator is_seconds();                             // 0.001 .. 86400
std::chrono::milliseconds milliseconds(double seconds);  // of what is_seconds takes
CLI::Validator is_whole_number();                        // decimal digits, below 2^64
// A name, not the nothing that a variable of a shell leaves when it is not set.
CLI::Validator is_named();
// The same of a file to be written; of that, - is a name that nobody means.
CLI::Validator is_output();

}  // namespace plumbline::runner
