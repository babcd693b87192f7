// plumbline report merge|diff|html|badge: what becomes of the JSON lines of runs.
#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "commands.h"
#include "conformance/runner/case.h"
#include "conformance/runner/corpus.h"
#include "conformance/runner/option_checks.h"
#include "conformance/runner/output_files.h"
#include "conformance/runner/saved_report.h"
#include "report_page.h"

namespace plumbline::program {
namespace {

using namespace plumbline::runner;

struct report_options {
  std::vector<std::string> files;
  std::string output, folder;
  std::size_t shown = 20;
};

// To the file, or to standard output without one.
int write_out(const std::string& text, const std::string& file) {
  if (file.empty()) {
    std::cout << text;
    return 0;
  }
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (out.flush()) return 0;
  std::cerr << "plumbline: cannot write " << file << '\n';
  return unusable;
}

int merge(const report_options& o) {
  std::vector<saved_report> parts;
  for (const std::string& file : o.files) parts.push_back(load_report(file));
  const saved_report whole = merged(parts);
  const int written = write_out(text_of(whole), o.output);
  return written != 0 ? written : whole.head["exit"].get<int>();
}

void print_changes(const char* title, const std::vector<change>& changes, std::size_t shown) {
  if (changes.empty()) return;
  fmt::print("{} ({}):\n", title, changes.size());
  for (std::size_t i = 0; i < std::min(changes.size(), shown); ++i) {
    const change& c = changes[i];
    const bool both = !c.before.empty() && !c.after.empty();
    fmt::print("  {}  {}{}{}\n", c.id, c.before, both ? "  ->  " : "", c.after);
  }
  if (changes.size() > shown) fmt::print("  .. and {} more\n", changes.size() - shown);
}

int diff(const report_options& o) {
  if (o.files.size() != 2) {
    std::cerr << "plumbline report diff: two reports, the older first\n";
    return unusable;
  }
  const saved_report older = load_report(o.files[0]), newer = load_report(o.files[1]);
  for (const char* key : {"specification", "settings"})
    if (older.head[key] != newer.head[key])
      fmt::print("they differ in {}: {} and {}\n", key, older.head[key].get<std::string>(),
                 newer.head[key].get<std::string>());
  const comparison c = compared(older, newer);
  print_changes("worse", c.worse, o.shown);
  print_changes("better", c.better, o.shown);
  print_changes("as good as before, but otherwise", c.other, o.shown);
  print_changes("new", c.added, o.shown);
  print_changes("no longer there", c.gone, o.shown);
  fmt::print(
      "{} worse, {} better, {} otherwise, {} new, {} gone, {} the same\n", c.worse.size(),
      c.better.size(), c.other.size(), c.added.size(), c.gone.size(),
      newer.cases.size() - c.worse.size() - c.better.size() - c.other.size() - c.added.size());
  return c.worse.empty() ? 0 : 1;
}

saved_report only_report(const report_options& o) {
  if (o.files.size() != 1) throw report_error("one report is to be named");
  return load_report(o.files[0]);
}

int html(const report_options& o) {
  return write_out(page_of(only_report(o), load_folder(find_corpus(o.folder))), o.output);
}

int badge(const report_options& o) { return write_out(badge_of(only_report(o)), o.output); }

int run_to_html(const std::string& report, const std::string& file, const std::string& folder) {
  return write_out(page_of(parse_report("the run", report), load_folder(find_corpus(folder))),
                   file);
}

int run_to_badge(const std::string& report, const std::string& file, const std::string&) {
  return write_out(badge_of(parse_report("the run", report)), file);
}

}  // namespace

page_writers browser_pages() { return {run_to_html, run_to_badge}; }

void add_report(CLI::App& app, int& status) {
  auto o = std::make_shared<report_options>();
  CLI::App* command =
      app.add_subcommand("report", "Merge, compare and show the JSON lines of runs");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* help, int (*action)(const report_options&)) {
    CLI::App* sub = command->add_subcommand(name, help);
    sub->add_option("REPORT", o->files, "what `plumbline run --jsonl` wrote")->required();
    sub->callback([o, action, &status] {
      try {
        std::vector<named_file> read;
        for (const std::string& file : o->files) read.push_back({"REPORT", file});
        check_output_files({{"--output", o->output}}, read);
        status = action(*o);
      } catch (const std::exception& e) {
        std::cerr << "plumbline report: " << e.what() << '\n';
        status = unusable;
      }
    });
    return sub;
  };
  const auto to_file = [o](CLI::App* sub) {
    sub->add_option("-o,--output", o->output, "the file to write (default: standard output)")
        ->check(is_output());
    return sub;
  };
  to_file(add("merge", "the shards of a run as the whole run", merge));
  add("diff", "what is worse and what better since an earlier run: OLD NEW", diff)
      ->add_option("--show", o->shown, "lines of each kind (default 20)")
      ->check(is_whole_number());
  to_file(add("html", "one self-contained page", html))
      ->add_option("--vectors", o->folder, "the folder of the vectors");
  to_file(add("badge", "the JSON of a badge", badge));
  command->footer(
      "Examples:\n"
      "  plumbline run --shard 1/2 --jsonl 1.jsonl -- ./my_adapter   (and 2/2)\n"
      "  plumbline report merge -o all.jsonl 1.jsonl 2.jsonl\n"
      "  plumbline report diff yesterday.jsonl all.jsonl\n"
      "  plumbline report html -o report.html all.jsonl\n\n"
      "Exit status: merge as the whole run; diff 1 when something is worse; 2 usage or unreadable "
      "input.");
}

}  // namespace plumbline::program
