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

// Writes a page or a badge from a report's JSON lines to a file; the vectors are looked for in a
// folder, as --vectors. The exit code.
using page_writer = int (*)(const std::string& report, const std::string& file,
                            const std::string& folder);
struct page_writers {
  page_writer html = nullptr, badge = nullptr;
};
page_writers browser_pages();
void add_run(CLI::App& app, int& status, const page_writers& pages);  // conformance/runner/
void add_vectors(CLI::App& app, int& status);  // conformance/runner/
void add_report(CLI::App& app, int& status);
void add_explain(CLI::App& app, int& status);
void add_differ(CLI::App& app, int& status);
void add_spec_diff(CLI::App& app, int& status);
void add_targets(CLI::App& app, int& status);
void add_adapter(CLI::App& app, int& status);  // conformance/adapter/

}  // namespace plumbline::program
