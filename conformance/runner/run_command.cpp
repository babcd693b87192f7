// plumbline run: the suite against an adapter.
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "conformance/program/commands.h"
#include "conformance/runner/corpus.h"
#include "conformance/runner/expected_failures.h"
#include "conformance/runner/option_checks.h"
#include "conformance/runner/output_files.h"
#include "conformance/runner/pattern.h"
#include "conformance/runner/progress.h"
#include "conformance/runner/report.h"
#include "conformance/runner/run.h"

namespace plumbline::program {

namespace {

using namespace plumbline::runner;

struct run_options {
  std::string filter, profile_name = "reader,writer", folder, junit, jsonl, html, badge;
  std::string shard_text, expected, flaky, today;
  bool codes = false, rulings = false, quiet = false, update = false;
  double timeout = 10, start_timeout = 10;
  unsigned jobs = 1;
  std::uint64_t seed = 0;
  bool has_seed = false;
  std::vector<std::string> command;
};

// The command that asks one case again, with {} for its id.
std::string reproduction(const run_options& o) {
  std::string out = "plumbline run --profile " + o.profile_name;
  if (o.codes) out += " --codes";
  if (o.rulings) out += " --rulings";
  if (o.timeout != 10) out += fmt::format(" --timeout {}", o.timeout);
  if (o.start_timeout != 10) out += fmt::format(" --start-timeout {}", o.start_timeout);
  if (!o.folder.empty()) out += " --vectors " + quoted(o.folder);
  out += " --filter \1 --";
  for (const std::string& word : o.command) out += ' ' + quoted(word);
  std::string braced;  // braces of the words themselves are no place for the id
  for (const char c : out)
    braced += c == '{' ? "{{" : c == '}' ? "}}" : c == '\1' ? "{}" : std::string(1, c);
  return braced;
}

int write_file(const std::string& path,
               void (*write)(std::ostream&, const run_result&, const report_settings&),
               const run_result& run, const report_settings& how) {
  if (path.empty()) return 0;
  std::ofstream out(path, std::ios::binary);
  write(out, run, how);
  if (out.flush()) return 0;
  std::cerr << "plumbline run: cannot write " << path << '\n';
  return unusable;
}

// A file that --update-expected is to make need not be there before.
bool has_expected(const run_options& o) {
  return !o.expected.empty() && (!o.update || std::filesystem::exists(o.expected));
}

// The lists of known failures, applied to the results. A run that ended early tells nothing of what
// it did not ask, so it makes no list.
void apply_lists(const run_options& o, run_result& result, const list_scope& scope) {
  if (o.expected.empty() && o.flaky.empty()) return;
  known_failures expected, flaky;
  if (!o.flaky.empty()) flaky = load_known_failures(o.flaky);
  if (has_expected(o)) expected = load_known_failures(o.expected);
  expected.name = o.expected;
  const bool is_whole = !result.ended_early && stop_signal() == 0;
  if (o.update && !is_whole)
    std::cerr << "plumbline run: the run ended early: --update-expected leaves " << o.expected
              << " as it is\n";
  if (o.update && is_whole) {
    const std::string text = updated(expected, flaky, result, scope);
    replace_file(o.expected, text);
    expected = parse_known_failures(o.expected, text);
  }
  apply_known_failures(result, scope, expected, flaky, o.today.empty() ? date_of_today() : o.today);
}

// What is named wrongly is said before the work, not after it.
void check_files(const run_options& o) {
  std::vector<named_file> written = {
      {"--junit", o.junit}, {"--jsonl", o.jsonl}, {"--html", o.html}, {"--badge", o.badge}};
  std::vector<named_file> read = {{"--known-flaky", o.flaky}};
  (o.update ? written : read).push_back({"--expected-failures", o.expected});
  check_output_files(written, read);
  if (has_expected(o)) load_known_failures(o.expected);
  if (!o.flaky.empty()) load_known_failures(o.flaky);
}

int run_suite(const run_options& o, const page_writers& pages) {
  run_settings settings;
  settings.how = {parse_profile(o.profile_name), o.codes, o.rulings};
  settings.command = o.command;
  settings.timeout = milliseconds(o.timeout);
  settings.start_timeout = milliseconds(o.start_timeout);
  settings.jobs = o.jobs;
  if (o.has_seed) settings.seed = o.seed;

  const std::vector<vectors::vector> all = load_folder(find_corpus(o.folder));
  const std::vector<test_case> of_profile = cases_of(all, settings.how.who);
  std::vector<test_case> cases = filtered(of_profile, o.filter);
  if (cases.empty()) {
    std::cerr << "plumbline run: no case of this profile matches " << o.filter << '\n';
    return unusable;
  }
  report_settings report;
  if (!o.shard_text.empty()) {
    const shard part = parse_shard(o.shard_text);
    report.shard = o.shard_text;
    std::vector<test_case> mine;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (!part.has(cases[i])) continue;
      mine.push_back(cases[i]);
      report.places.push_back(i);
    }
    cases = std::move(mine);
  }
  check_files(o);
  progress_line line(o.quiet);
  settings.progress = [&](std::size_t done, std::size_t of, std::size_t bad) {
    line.show(done, of, bad);
  };
  stop_on_signal();
  run_result result = run(cases, settings);
  line.finish();
  apply_lists(o, result, {of_profile, cases_of(all, parse_profile("reader,writer"))});

  report.settings =
      fmt::format("profile={}{}{}{}", o.profile_name, o.codes ? " codes" : "",
                  o.rulings ? " rulings" : "", o.filter.empty() ? "" : " filter=" + o.filter);
  for (const std::string& word : o.command)
    report.adapter += (report.adapter.empty() ? "" : " ") + quoted(word);
  report.reproduce = reproduction(o);
  report.colour = ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  if (!o.quiet) write_summary(std::cout, result, report);
  int written = std::max(write_file(o.junit, write_junit, result, report),
                         write_file(o.jsonl, write_json_lines, result, report));
  if (!o.html.empty() || !o.badge.empty()) {
    std::ostringstream lines;
    write_json_lines(lines, result, report);
    if (!o.html.empty()) written = std::max(written, pages.html(lines.str(), o.html, o.folder));
    if (!o.badge.empty()) written = std::max(written, pages.badge(lines.str(), o.badge, o.folder));
  }
  if (stop_signal() != 0) {
    std::cout.flush();
    ::raise(stop_signal());
  }
  return written != 0 ? written : result.exit_code();
}

}  // namespace

void add_run(CLI::App& app, int& status, const page_writers& pages) {
  auto o = std::make_shared<run_options>();
  CLI::App* command = app.add_subcommand("run", "Run the conformance suite against an adapter");
  command->add_option(
      "--filter", o->filter,
      "the case of this id, or those in whose ids this regular expression is found");
  command->add_option(
      "--profile", o->profile_name,
      "what is measured: reader, writer, validator (also what binds writers alone, and "
      "contents), extension-types, scalar (numeric operations alone); several with commas. "
      "Default: reader,writer");
  command->add_flag("--codes", o->codes, "a refusal must name the clause");
  command->add_flag("--rulings", o->rulings, "score open points by this project's rulings");
  command->add_option("--timeout", o->timeout, "seconds for one reply (default 10)")
      ->check(is_seconds());
  command
      ->add_option("--start-timeout", o->start_timeout,
                   "seconds from the start of the adapter to its hello (default 10)")
      ->check(is_seconds());
  command->add_option("--jobs", o->jobs, "adapter processes side by side (default 1)")
      ->check(CLI::Range(1, 256));
  command->add_option("--seed", o->seed, "ask in an order drawn from this number")
      ->check(is_whole_number())
      ->each([o](const std::string&) { o->has_seed = true; });
  command->add_option("--vectors", o->folder, "the folder of the vectors")->check(is_named());
  command
      ->add_option("--shard", o->shard_text,
                   "I/N: the part I of N of the cases; plumbline report merge puts parts together")
      ->check(is_named());
  CLI::Option* expected =
      command
          ->add_option("--expected-failures", o->expected, "the list of failures that you know of")
          ->check(is_named());
  command->add_flag("--update-expected", o->update, "write that list anew, reasons kept")
      ->needs(expected);
  command->add_option("--known-flaky", o->flaky, "the list of cases that fail now and then")
      ->check(is_named());
  command->add_option("--today", o->today, "the day by which those lists are judged (2027-01-31)")
      ->check([](const std::string& day) { return is_date(day) ? "" : day + " is no day"; });
  command->add_option("--junit", o->junit, "write JUnit XML to this file")->check(is_output());
  command->add_option("--jsonl", o->jsonl, "write one JSON object a case to this file")
      ->check(is_output());
  command->add_option("--html", o->html, "write one self-contained page to this file")
      ->check(is_output());
  command->add_option("--badge", o->badge, "write the JSON of a badge to this file")
      ->check(is_output());
  command->add_flag("--quiet", o->quiet, "no progress and no summary: the exit status alone");
  command->add_option("ADAPTER", o->command, "the adapter's command, behind --")->required();
  command->footer(
      "Examples:\n"
      "  plumbline run -- plumbline adapter\n"
      "  plumbline run --profile validator --codes --rulings -- python3 my_adapter.py\n"
      "  plumbline run --filter 'EXT-' --junit report.xml -- ./my_adapter\n\n"
      "Exit status: 0 as expected, 1 a failure, crash or timeout, 2 usage, 3 the adapter could not "
      "be\n"
      "started or the run ended early.");
  command->callback([o, &status, pages] {
    try {
      status = run_suite(*o, pages);
    } catch (const pattern_error& e) {
      std::cerr << "plumbline run: --filter is no pattern: " << e.what() << '\n';
      status = unusable;
    } catch (const std::exception& e) {
      std::cerr << "plumbline run: " << e.what() << '\n';
      status = unusable;
    }
  });
}

}  // namespace plumbline::program
