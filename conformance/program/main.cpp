// The plumbline program.
#include "commands.h"

#include <cstdio>
#include <exception>
#include <iostream>

namespace {

// The first word that stands where a command is expected and is none; CLI11 would name no word.
const char* unknown_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* at = &app;
  for (int i = 1; i < argc && !at->get_subcommands({}).empty(); ++i) {
    if (argv[i][0] == '-') return nullptr;  // its options are checked by the parser
    const auto named = at->get_subcommands([&](const CLI::App* one) { return one->check_name(argv[i]); });
    if (named.empty()) return argv[i];
    at = named.front();
  }
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  CLI::App app{"Plumbline: the reference for the Hurray tensor descriptor", "plumbline"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "plumbline 0.1.0");
  app.footer(
      "Examples:\n"
      "  plumbline inspect tensor.bin\n"
      "  plumbline check --all tensor.bin\n"
      "  plumbline size tensor.bin\n\n"
      "Exit status: 0 accepted, 1 refused, 2 usage or unreadable input.");
  int status = 0;
  plumbline::program::add_inspect(app, status);
  plumbline::program::add_check(app, status);
  plumbline::program::add_size(app, status);
  plumbline::program::add_address(app, status);
  plumbline::program::add_run(app, status, plumbline::program::browser_pages());
  plumbline::program::add_report(app, status);
  plumbline::program::add_explain(app, status);
  plumbline::program::add_differ(app, status);
  plumbline::program::add_spec_diff(app, status);
  plumbline::program::add_vectors(app, status);
  plumbline::program::add_adapter(app, status);
  plumbline::program::add_targets(app, status);
  if (const char* word = unknown_command(app, argc, argv)) {
    std::cerr << "plumbline: there is no command \"" << word << "\"; see plumbline --help\n";
    return plumbline::program::unusable;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : plumbline::program::unusable;
  } catch (const std::exception& error) {
    std::cerr << "plumbline: " << error.what() << '\n';
    return plumbline::program::unusable;
  }
  // An answer that could not be written was not given.
  if (!std::cout.flush() || std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::cerr << "plumbline: cannot write to standard output\n";
    return plumbline::program::unusable;
  }
  return status;
}
