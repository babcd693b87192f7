// plumbline-conformance: the golden files, then the whole suite against both readers.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <thread>

#include "conformance/runner/corpus.h"
#include "conformance/runner/progress.h"
#include "conformance/runner/report.h"
#include "conformance/suite/golden.h"

namespace plumbline {
extern const char golden_tsv[];
extern const std::size_t golden_tsv_size;
extern const char golden_fields[];
extern const std::size_t golden_fields_size;
}  // namespace plumbline

namespace {

using namespace plumbline;
using namespace plumbline::runner;
namespace fs = std::filesystem;

constexpr const char* reference_name = "reference";

struct summary {
  std::size_t failures = 0;
  std::vector<std::string> lines, skips;
  double seconds_of_reference = 0;
};

// A folder that goes when the run is over.
class temporary_folder {
 public:
  temporary_folder() {
    std::string name = (fs::temp_directory_path() / "plumbline-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~temporary_folder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void golden_files(summary& all) {
  const char* folder = std::getenv("PLUMBLINE_GOLDEN");
  const bool given = folder && *folder;
  const suite::golden_counts counts = suite::check_golden(
      {golden_tsv, golden_tsv_size}, {golden_fields, golden_fields_size}, given ? folder : "");
  for (const std::string& fault : counts.faults) std::cout << "golden  " << fault << '\n';
  all.failures += counts.faults.size();
  all.lines.push_back(
      fmt::format("golden        {} descriptors rebuilt from their fields, {} files accepted and "
                  "encoded again, {} faults",
                  counts.rebuilt, counts.files, counts.faults.size()));
  if (!given) all.skips.push_back("golden files: PLUMBLINE_GOLDEN is not set");
}

// `again` is the command of an adapter that is still there when the run is over.
void suite_against(const std::string& name, const std::vector<std::string>& command,
                   const std::vector<std::string>& again, const std::vector<test_case>& cases,
                   const scoring& how, unsigned jobs, summary& all) {
  std::cout << "\n== " << name << " ==\n" << std::flush;
  run_settings settings;
  settings.command = command;
  settings.how = how;
  settings.jobs = jobs;
  settings.timeout = settings.start_timeout = std::chrono::seconds(30);
  progress_line line(false);
  settings.progress = [&](std::size_t done, std::size_t of, std::size_t bad) {
    line.show(done, of, bad);
  };
  const run_result result = run(cases, settings);
  line.finish();

  report_settings report;
  report.colour = ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  report.reproduce = "plumbline run --profile validator --codes --rulings --filter {} --";
  for (const std::string& word : again) report.reproduce += ' ' + quoted(word);
  write_summary(std::cout, result, report);

  std::map<std::string, std::size_t> skips;
  for (const auto& r : result.results) {
    if (r.how == outcome::skip || r.how == outcome::skip_declared || r.how == outcome::unscored)
      ++skips[r.detail];
  }
  std::size_t skipped = 0;
  for (const auto& [why, n] : skips) {
    all.skips.push_back(fmt::format("{}: {} ({} cases)", name, why, n));
    skipped += n;
  }
  const std::size_t not_run = result.count(outcome::not_run);
  all.failures += result.bad() + not_run + result.end_faults.size();
  if (name == reference_name) all.seconds_of_reference = result.seconds;
  all.lines.push_back(
      fmt::format("{:<13} {} passed, {} failed, {} skipped, {} not run, in {:.1f} s", name,
                  result.count(outcome::pass), result.bad(), skipped, not_run, result.seconds));
  for (const std::string& fault : result.end_faults)
    all.lines.push_back("              the adapter " + fault);
}

// The Python reader alone in an empty folder, as somebody else would have it.
std::vector<std::string> copied_python_reader(const fs::path& from, const fs::path& to) {
  for (const auto& file : fs::directory_iterator(from)) {
    const std::string name = file.path().filename().string();
    if (file.path().extension() == ".py" && !name.starts_with("test_"))
      fs::copy_file(file.path(), to / name);
  }
  return {"python3", "-I", (to / "adapter.py").string()};
}

int run_all(const std::string& folder, const std::string& python_reader, unsigned jobs,
            double limit) {
  summary all;
  golden_files(all);

  const auto vectors = load_folder(find_corpus(folder));
  const scoring how{parse_profile("validator"), true, true};
  const auto cases = cases_of(vectors, how.who);
  std::set<std::string> clauses, ids;
  for (const auto& v : vectors) {
    clauses.insert(v.clause);
    ids.insert(v.id.substr(0, v.id.find('+')));
  }
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  const std::vector<std::string> reference = {(here / "plumbline").string(), "adapter"};
  suite_against(reference_name, reference, reference, cases, how, jobs, all);
  const temporary_folder alone;
  suite_against("python reader", copied_python_reader(python_reader, alone.path()),
                {"python3", "-I", (fs::path(python_reader) / "adapter.py").string()}, cases, how,
                jobs, all);

  std::cout << fmt::format(
      "\nconformance   {} vectors, {} questions, {} clauses, {} cases a reader, specification {}\n",
      ids.size(), vectors.size(), clauses.size(), cases.size(), specification_revision);
  for (const std::string& line : all.lines) std::cout << line << '\n';
  const bool in_time = all.seconds_of_reference <= limit;
  if (!in_time) ++all.failures;
  std::cout << fmt::format("time          {:.1f} s for the suite against the reference, of {} s at most{}\n",
                           all.seconds_of_reference, limit, in_time ? "" : ": TOO LONG");
  for (const std::string& skip : all.skips) std::cout << "skipped       " << skip << '\n';
  std::cout << (all.failures == 0 ? "conformance: no failure"
                                  : fmt::format("conformance: FAILED ({})", all.failures))
            << '\n';
  return all.failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"The golden files and the whole suite against the reference and the Python reader",
               "plumbline-conformance"};
  std::string folder, python_reader = PLUMBLINE_PYTHON_READER;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  app.add_option("--vectors", folder, "the folder of the vectors");
  app.add_option("--python-reader", python_reader, "the folder of the Python reader");
  app.add_option("--jobs", jobs, "processes side by side")->check(CLI::Range(1, 256));
  double limit = 120;
  app.add_option("--limit", limit, "seconds that the suite may take against the reference (default 120)")
      ->check(CLI::PositiveNumber);
  app.footer(
      "PLUMBLINE_GOLDEN names the folder of the golden files.\nExit status: 0 no failure, 1 a "
      "failure, 2 usage.");
  try {
    app.parse(argc, argv);
    return run_all(folder, python_reader, jobs, limit);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::cerr << "plumbline-conformance: " << error.what() << '\n';
    return 1;
  }
}
