// The summary on a terminal.
#include "conformance/runner/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>

namespace plumbline::runner {
namespace {

struct tally {
  std::size_t passed = 0, failed = 0, skipped = 0, unscored = 0, not_run = 0, known = 0;
  void add(const result& r) {
    const outcome o = r.how;
    if (o == outcome::pass)
      ++passed;
    else if (counts_as_bad(r))
      ++failed;
    else if (is_bad(o))
      ++known;
    else if (o == outcome::unscored)
      ++unscored;
    else if (o == outcome::not_run)
      ++not_run;
    else
      ++skipped;
  }
};

std::string paint(const report_settings& how, std::string text, const char* code) {
  return how.colour ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

void write_groups(std::ostream& out, const run_result& run, const report_settings& how) {
  std::map<std::string, tally> groups;
  for (const result& r : run.results) groups[r.of.group()].add(r);
  out << fmt::format("{:<8}{:>8}{:>8}{:>9}{:>10}\n", "clauses", "passed", "failed", "skipped",
                     "unscored");
  for (const auto& [name, t] : groups) {
    const std::string line =
        fmt::format("{:<8}{:>8}{:>8}{:>9}{:>10}", name, t.passed, t.failed, t.skipped, t.unscored);
    out << (t.failed ? paint(how, line, "31") : line);
    if (t.known) out << fmt::format("   {} known failures", t.known);
    if (t.not_run) out << fmt::format("   {} not run", t.not_run);
    out << '\n';
  }
}

void write_failures(std::ostream& out, const run_result& run, const report_settings& how) {
  std::size_t shown = 0;
  for (const result& r : run.results) {
    if (!counts_as_bad(r)) continue;
    if (shown++ == how.failures_shown) {
      out << fmt::format("  .. and {} more\n", run.bad() - how.failures_shown);
      break;
    }
    if (shown == 1) out << '\n';
    out << paint(how, fmt::format("{} {}", name_of(r.how), r.of.id()), "1;31");
    const std::string mode = mode_of(*r.of.vector);
    out << fmt::format("  {}{}\n", r.of.op(),
                       r.of.op() == "encode" || mode.empty() ? "" : " " + mode);
    out << "  " << r.detail << '\n';
    out << "  why: " << r.of.vector->why << '\n';
    if (!r.complaints.empty()) {
      std::string last = r.complaints.substr(0, r.complaints.find_last_not_of('\n') + 1);
      last = last.substr(last.rfind('\n') + 1).substr(0, 200);
      // No adapter sends a terminal its commands.
      std::ranges::replace_if(
          last, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
      out << "  standard error: " << last << '\n';
    }
    out << "  " << fmt::format(fmt::runtime(how.reproduce), quoted(r.of.id())) << '\n';
  }
  if (shown > 0) out << "plumbline explain ID says what a case asks, and why\n";
}

void write_counted(std::ostream& out, const char* title,
                   const std::map<std::string, std::size_t>& counts) {
  if (counts.empty()) return;
  out << '\n' << title << '\n';
  for (const auto& [what, n] : counts) out << fmt::format("  {:>6}  {}\n", n, what);
}

// Skips by reason, the readings that are followed, and right refusals that differ in something.
void write_notes(std::ostream& out, const run_result& run) {
  std::map<std::string, std::size_t> skips, unscored, known;
  std::map<std::string, std::string> readings;
  std::vector<std::string> differences;
  for (const result& r : run.results) {
    if (r.how == outcome::skip) ++skips[r.detail];
    if (r.known != result::listing::none)
      ++known[(r.known == result::listing::flaky ? "flaky: " : "") + r.known_reason];
    if (r.how == outcome::skip_declared)
      ++skips["declared, but skipped: " + r.of.op() + ": " + r.detail];
    if (r.how == outcome::pass && !r.detail.empty())
      ++skips["declared, but behind an accept " + r.detail];  // the case passes all the same
    if (r.how == outcome::unscored) ++unscored[r.detail];
    if (r.how == outcome::unscored && !r.following.empty()) readings[r.of.id()] = r.following;
    for (const std::string& d : r.differs) differences.push_back(r.of.id() + "  " + d);
  }
  write_counted(out, "failures that are known:", known);
  write_counted(out, "skipped:", skips);
  write_counted(out, "asked and not scored:", unscored);
  if (!readings.empty()) out << "\nopen points, and the reading that the answer follows:\n";
  for (const auto& [id, reading] : readings) out << fmt::format("  {:<32} {}\n", id, reading);
  if (differences.empty()) return;
  out << fmt::format("\nrefused as expected, but for another kind, clause or place ({}):\n",
                     differences.size());
  for (std::size_t i = 0; i < std::min<std::size_t>(differences.size(), 10); ++i)
    out << "  " << differences[i] << '\n';
  if (differences.size() > 10)
    out << fmt::format("  .. and {} more (all in --jsonl)\n", differences.size() - 10);
}

// The largest error of the right answers, an operation a line.
void write_errors(std::ostream& out, const run_result& run) {
  struct largest {
    double error = 0, allowed = 0;
    std::size_t answers = 0;
    std::string id;
  };
  std::map<std::string, largest> operations;
  for (const result& r : run.results) {
    if (!r.error || r.how != outcome::pass) continue;
    largest& l = operations[r.of.op() + " in " + r.unit];
    ++l.answers;
    if (*r.error < l.error) continue;
    l.error = *r.error;
    l.allowed = r.of.vector->expect.within;
    l.id = r.of.id();
  }
  if (operations.empty()) return;
  out << "\nlargest errors of right answers (allowed there):\n";
  for (const auto& [op, l] : operations) {
    const std::string allowed = op.ends_with("ulp") ? "" : fmt::format(" ({:.5g})", l.allowed);
    out << fmt::format("  {:<24}{:>12.4g}{}  {} of {} answers\n", op, l.error, allowed, l.id,
                       l.answers);
  }
}

}  // namespace

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-+=/.,:@%") == std::string::npos;
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void write_summary(std::ostream& out, const run_result& run, const report_settings& how) {
  write_groups(out, run, how);
  write_failures(out, run, how);
  write_notes(out, run);
  write_errors(out, run);
  tally all;
  std::size_t verified = 0, claimed = 0;
  for (const result& r : run.results) {
    all.add(r);
    if (r.accepted == result::trust::verified) ++verified;
    if (r.accepted == result::trust::claimed) ++claimed;
  }
  out << '\n';
  if (run.about) out << fmt::format("adapter       {} {}\n", run.about->name, run.about->version);
  out << fmt::format("specification {}\n", specification_revision);
  out << fmt::format("accepts       {} verified by their fields, {} claimed\n", verified, claimed);
  if (run.starts > 1) out << fmt::format("processes     {} started\n", run.starts);
  for (const std::string& fault : run.end_faults)
    out << paint(how, "the adapter " + fault, "31") << '\n';
  for (const std::string& fault : run.list_faults) out << paint(how, fault, "31") << '\n';
  if (run.ended_early) {
    out << paint(how, fmt::format("the run ended early: the adapter {}", run.start_fault), "31")
        << '\n';
  }
  const bool well = run.exit_code() == 0;
  out << paint(
             how,
             fmt::format("{}: {} passed, {} failed, {}{} skipped, {} not scored, {} not run, of {} "
                         "in {:.1f} s",
                         well ? "as expected" : "NOT as expected", all.passed, all.failed,
                         all.known ? fmt::format("{} known failures, ", all.known) : "",
                         all.skipped, all.unscored, all.not_run, run.results.size(), run.seconds),
             well ? "32" : "1;31")
      << '\n';
}

}  // namespace plumbline::runner
