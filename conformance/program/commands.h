// The commands of the plumbline program. Each registers itself and leaves its exit code in `status`:
// 0 accepted or answered, 1 refused, 2 usage or unreadable input.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace plumbline::program {

enum Status { accepted = 0, refused = 1, unusable = 2 };

void add_check(CLI::App& app, int& status);
void add_inspect(CLI::App& app, int& status);
void add_size(CLI::App& app, int& status);
void add_address(CLI::App& app, int& status);
void add_run(CLI::App& app, int& status);      // conformance/runner/
void add_vectors(CLI::App& app, int& status);  // conformance/runner/
void add_adapter(CLI::App& app, int& status);  // conformance/adapter/

}  // namespace plumbline::program
