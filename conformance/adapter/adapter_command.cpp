// plumbline adapter: the reference behind the protocol.
#include <iostream>

#include "conformance/adapter/adapter.h"
#ifdef PLUMBLINE_MUTANTS
#include "conformance/mutants/mutant_adapter.h"
#endif
#include "conformance/program/commands.h"

namespace plumbline::program {

void add_adapter(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("adapter", "Answer the adapter protocol on standard input and output");
  command->footer(
      "Examples:\n"
      "  plumbline run -- plumbline adapter\n"
      "  printf 'hello plumbline 1\\n1 decode strict 48525259\\n' | plumbline adapter");
#ifdef PLUMBLINE_MUTANTS
  return mutants::add_options(*command, status);
#endif
  command->callback([&status] {
    adapter::serve(std::cin, std::cout);
    status = accepted;
  });
}

}  // namespace plumbline::program
