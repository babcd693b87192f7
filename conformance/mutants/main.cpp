// plumbline adapter, and no other command.
#include <iostream>

#include "conformance/program/commands.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  CLI::App app{"The reference with a deliberate fault, to prove that the suite can fail", "plumbline"};
  app.require_subcommand(1);
  int status = 0;
  plumbline::program::add_adapter(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : plumbline::program::unusable;
  }
  return status;
}
