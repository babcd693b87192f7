// plumbline explain, differ and spec-diff.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>

#include "commands.h"
#include "conformance/runner/case.h"
#include "conformance/runner/corpus.h"
#include "conformance/runner/option_checks.h"
#include "conformance/runner/process.h"
#include "differ.h"
#include "explain.h"
#include "spec_diff.h"

namespace plumbline::program {
namespace {

// Runs an action; what it throws is said in one line.
template <typename Action>
auto guarded(const char* name, int& status, Action action) {
  return [name, &status, action] {
    try {
      status = action();
    } catch (const std::exception& e) {
      std::cerr << "plumbline " << name << ": " << e.what() << '\n';
      status = unusable;
    }
  };
}

void print_disagreements(const differ_result& r, std::uint64_t seed) {
  for (const shown_disagreement& d : r.groups) {
    fmt::print(
        "# {}: {}; {} mutated questions\n", d.about,
        d.who == "both" ? "both differ from the reference" : d.who + " differs from the reference",
        d.seen);
    fmt::print("#   A: {}\n#   B: {}\n#   reference: {}\n", d.a, d.b, d.reference);
    if (!d.known.empty()) fmt::print("#   {} asks this already\n", d.known);
    if (!d.remark.empty()) fmt::print("#   {}\n", d.remark);
    if (d.vector.empty()) fmt::print("#   asked: {}\n", d.request);
    fmt::print("{}\n", d.vector);
  }
  fmt::print(
      "# seed {}: {} asked, {} compared, {} kinds of disagreement; {} more to make them small\n",
      seed, r.asked, r.compared, r.groups.size(), r.minimising);
  fmt::print("# operations {}; modes {}\n", r.ops, r.modes);
  if (!r.cut_short.empty()) fmt::print("# the search ended early: {}\n", r.cut_short);
  if (!r.not_smallest.empty())
    fmt::print("# examples may be larger than need be: {}\n", r.not_smallest);
}

}  // namespace

void add_explain(CLI::App& app, int& status) {
  struct options {
    std::string id, folder;
  };
  auto o = std::make_shared<options>();
  CLI::App* command = app.add_subcommand(
      "explain", "Explain a vector, a clause, a group of clauses or an open point");
  command->add_option("ID", o->id, "EXT-05/d, EXT-05, EXT or D-120")->required();
  command->add_option("--vectors", o->folder, "the folder of the vectors")
      ->check(runner::is_named());
  command->footer(
      "Examples:\n  plumbline explain EXT-05/d\n  plumbline explain HDR-06\n  plumbline explain "
      "D-001");
  command->callback(guarded("explain", status, [o] {
    const auto text = explain(o->id, runner::load_folder(runner::find_corpus(o->folder)));
    if (!text) {
      std::cerr << "plumbline explain: no vector, clause, group of clauses or open point is called "
                << o->id << '\n';
      return static_cast<int>(unusable);
    }
    std::cout << *text;
    return 0;
  }));
}

void add_differ(CLI::App& app, int& status) {
  struct options {
    std::uint64_t seed = 1;
    std::size_t count = 20000, minimising = 30000;
    double timeout = 10, start_timeout = 10;
    std::string folder;
    std::vector<std::string> commands;
  };
  auto o = std::make_shared<options>();
  CLI::App* command =
      app.add_subcommand("differ", "Ask two adapters the same and show where they disagree");
  command->add_option("--seed", o->seed, "what the mutations are drawn from (default 1)")
      ->check(runner::is_whole_number());
  command->add_option("--count", o->count, "mutated questions (default 20000)")
      ->check(CLI::Range(1, 10000000));
  command
      ->add_option("--minimise", o->minimising,
                   "questions, at most, to make the examples smaller (default 30000)")
      ->check(CLI::Range(0, 10000000));
  command->add_option("--timeout", o->timeout, "seconds for one reply (default 10)")
      ->check(runner::is_seconds());
  command
      ->add_option("--start-timeout", o->start_timeout,
                   "seconds from the start of an adapter to its hello (default 10)")
      ->check(runner::is_seconds());
  command->add_option("--vectors", o->folder, "the folder of the vectors")
      ->check(runner::is_named());
  command->add_option("ADAPTERS", o->commands, "both adapters' commands, each behind --")
      ->required();
  command->footer(
      "Examples:\n"
      "  plumbline differ -- plumbline adapter -- python3 my_adapter.py\n"
      "  plumbline differ --seed 7 --count 100000 -- ./a -- ./b > new.vec\n\n"
      "Exit status: 0 no disagreement, 1 some, 2 usage, 3 an adapter could not be asked. The "
      "first\n"
      "SIGINT or SIGTERM ends the search: what was found is shown before the program ends by it.");
  command->callback(guarded("differ", status, [o] {
    const auto bar = std::ranges::find(o->commands, "--");
    differ_settings settings;
    settings.who.a.assign(o->commands.begin(), bar);
    if (bar != o->commands.end()) settings.who.b.assign(bar + 1, o->commands.end());
    const bool is_third = std::ranges::count(o->commands, "--") > 1;
    if (settings.who.a.empty() || settings.who.b.empty() || is_third) {
      std::cerr << "plumbline differ: two commands, as in: differ -- ./a -- ./b\n";
      return static_cast<int>(unusable);
    }
    settings.seed = o->seed;
    settings.count = o->count;
    settings.minimising = o->minimising;
    settings.who.timeout = runner::milliseconds(o->timeout);
    settings.who.start_timeout = runner::milliseconds(o->start_timeout);
    const auto all = runner::load_folder(runner::find_corpus(o->folder));
    runner::stop_on_signal();
    const differ_result r = differ(all, settings);
    if (r.fault.empty())
      print_disagreements(r, o->seed);
    else
      std::cerr << "plumbline differ: " << r.fault << '\n';
    if (runner::stop_signal() != 0) {
      std::fflush(stdout);
      ::raise(runner::stop_signal());
    }
    if (!r.fault.empty()) return 3;
    return r.groups.empty() ? 0 : 1;
  }));
}

void add_spec_diff(CLI::App& app, int& status) {
  struct options {
    std::string older, newer;
  };
  auto o = std::make_shared<options>();
  CLI::App* command = app.add_subcommand(
      "spec-diff",
      "Name the clauses whose lines changed between two checkouts of the specification");
  command->add_option("OLD", o->older, "a checkout of the audited revision")->required();
  command->add_option("NEW", o->newer, "another checkout")->required();
  command->footer(
      "Examples:\n  plumbline spec-diff hurray-2a2db96 hurray\n\n"
      "Exit status: 0 no clause is touched, 1 some are, or lines are new, 2 usage or no such "
      "checkout.");
  command->callback(guarded("spec-diff", status, [o] {
    const spec_difference d = spec_diff(o->older, o->newer, clauses());
    std::cout << d.text;
    return d.changed + d.added == 0 ? 0 : 1;
  }));
}

}  // namespace plumbline::program
