// plumbline targets. The one place of the suite that knows of the kernels: the program is built with
// them where they are, and judges nothing by them.
#include <iostream>
#include <string_view>

#include "commands.h"
#if PLUMBLINE_PROGRAM_HAS_KERNELS
#include "kernels/simd/targets.h"
#endif

namespace plumbline::program {
namespace {

int show_targets() {
#if PLUMBLINE_PROGRAM_HAS_KERNELS
  std::cout << kernels::target_report();
  const std::string_view fault = kernels::target_fault();
  if (fault.empty()) return accepted;
  std::cerr << "plumbline targets: " << fault << '\n';
  return refused;
#else
  std::cerr << "plumbline targets: this program was built without the kernels\n";
  return unusable;
#endif
}

}  // namespace

void add_targets(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "targets", "List the kernels' instruction sets: those in the program, on this machine, in use");
  command->footer(
      "PLUMBLINE_TARGET names the one to use; otherwise it is the best of this machine.\n\n"
      "Exit status: 0 listed, 1 PLUMBLINE_TARGET names none that this machine can run, 2 usage, or the\n"
      "program was built without the kernels.");
  command->callback([&status] { status = show_targets(); });
}

}  // namespace plumbline::program
