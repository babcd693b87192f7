// Deliberately broken adapters (broken/adapter.py): each fault is an outcome of its own, charged to
// the case that caused it; every other case keeps its result, and nothing hangs.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>

#include "conformance/runner/run.h"

using namespace plumbline::runner;
namespace vectors = plumbline::vectors;

namespace {

using std::chrono::milliseconds;

constexpr std::size_t case_count = 9, trigger = 4;

// "How many bytes?", nine times; the fifth begins with the byte that the adapters break at.
const std::vector<vectors::vector>& corpus() {
  static const std::vector<vectors::vector> all = [] {
    std::vector<vectors::vector> out;
    for (std::size_t i = 0; i < case_count; ++i) {
      vectors::vector v;
      v.id = "ROW-01/" + std::string(1, static_cast<char>('a' + i));
      v.clause = "ROW-01";
      v.cls = "value";
      v.op = "size";
      v.mode = "strict";
      v.input.assign(i == trigger ? 200000 : i + 1, i == trigger ? 0x66 : 0x01);
      v.expect.value = std::to_string(v.input.size());
      out.push_back(v);
    }
    return out;
  }();
  return all;
}

std::filesystem::path scratch() {
  static int number = 0;
  const auto path =
      std::filesystem::temp_directory_path() /
      ("plumbline_broken_" + std::to_string(::getpid()) + "_" + std::to_string(number++));
  std::filesystem::remove(path);
  return path;
}

run_result run_broken(const std::string& fault, unsigned jobs = 1,
                      milliseconds start_time = milliseconds(30000)) {
  const auto file = scratch();
  run_settings settings;
  settings.command = {PLUMBLINE_PYTHON,
                      "-I",
                      "-S",
                      PLUMBLINE_SOURCE_DIR "/conformance/runner/broken/adapter.py",
                      fault,
                      file};
  settings.how.who = parse_profile("validator");
  settings.timeout = milliseconds(std::min(start_time, milliseconds(2000)));
  settings.start_timeout = start_time;
  settings.jobs = jobs;
  const run_result out = run(cases_of(corpus(), settings.how.who), settings);
  std::filesystem::remove(file);
  CHECK(out.seconds < 90);
  return out;
}

// The outcome of the trigger; all others must have passed.
outcome only_trigger_fails(const run_result& r) {
  REQUIRE(r.results.size() == case_count);
  for (std::size_t i = 0; i < case_count; ++i) {
    INFO(r.results[i].of.id() << ": " << name_of(r.results[i].how) << " " << r.results[i].detail);
    if (i != trigger) CHECK(r.results[i].how == outcome::pass);
  }
  CHECK_FALSE(r.ended_early);
  return r.results[trigger].how;
}

void all_not_run(const std::string& fault, const std::string& why,
                 milliseconds start_time = milliseconds(30000)) {
  INFO(fault);
  const run_result r = run_broken(fault, 1, start_time);
  CHECK(r.count(outcome::not_run) == case_count);
  CHECK(r.starts == 3);
  CHECK(r.exit_code() == 3);
  INFO(r.start_fault);
  CHECK(r.start_fault.find(why) != std::string::npos);
}

}  // namespace

TEST_CASE("an honest adapter passes, whatever it says on standard error") {
  for (const char* name : {"honest", "carriage_returns", "flood_error"}) {
    INFO(name);
    const run_result r = run_broken(name);
    CHECK(only_trigger_fails(r) == outcome::pass);
    CHECK(r.exit_code() == 0);
    CHECK(r.starts == 1);
  }
}

TEST_CASE("each fault is an outcome of its own and costs no other case its result") {
  const std::map<std::string, outcome> faults = {{"crash", outcome::crash},
                                                 {"crash_and_leave_a_child", outcome::crash},
                                                 {"crash_in_mid_line", outcome::crash},
                                                 {"exit_3", outcome::exit},
                                                 {"exit_0", outcome::early_end},
                                                 {"close_output", outcome::early_end},
                                                 {"hang", outcome::timeout},
                                                 {"drip", outcome::timeout},
                                                 {"flood_error_for_ever", outcome::timeout},
                                                 {"stop_reading", outcome::blocked},
                                                 {"debug_line", outcome::garbage},
                                                 {"binary_line", outcome::garbage},
                                                 {"unknown_reply", outcome::garbage},
                                                 {"oversized", outcome::oversized},
                                                 {"endless", outcome::oversized},
                                                 {"wrong_id", outcome::unasked},
                                                 {"twice", outcome::unasked},
                                                 {"twice_but_later", outcome::unasked},
                                                 {"ahead", outcome::unasked},
                                                 {"wrong_value", outcome::fail},
                                                 {"typed_error", outcome::fail},
                                                 {"skip", outcome::skip_declared},
                                                 {"crash_in_window", outcome::crash}};
  for (const auto& [name, expected] : faults) {
    INFO(name);
    const run_result r = run_broken(name);
    INFO(r.results[trigger].detail);
    CHECK(name_of(only_trigger_fails(r)) == name_of(expected));
    CHECK(r.exit_code() == (expected == outcome::skip_declared ? 0 : 1));
  }
}

TEST_CASE("several processes side by side lose nothing either") {
  CHECK(only_trigger_fails(run_broken("crash", 3)) == outcome::crash);
  CHECK(only_trigger_fails(run_broken("hang", 3)) == outcome::timeout);
}

TEST_CASE("a case that crashed alone is not asked again") {
  const run_result r = run_broken("crash");
  CHECK(r.starts == 2);
  CHECK(r.results[trigger].requests.size() == 1);
}

TEST_CASE("replies in another order than the requests") {
  const run_result r = run_broken("swapped_in_window");
  CHECK(r.count(outcome::out_of_order) == 1);
  CHECK(r.count(outcome::pass) == case_count - 1);
  CHECK_FALSE(r.ended_early);
}

TEST_CASE("an adapter that ends after each reply is found out, and every case is answered") {
  const run_result r = run_broken("one_reply_each");
  CHECK(r.count(outcome::early_end) == case_count - 1);
  CHECK(r.results.back().how == outcome::pass);  // here the input does end
}

TEST_CASE("three failed starts end the run, and the rest counts as not run") {
  all_not_run("banner", "instead of hello");
  all_not_run("early_reply", "before it was asked");
  all_not_run("silent", "no hello within 500 ms", milliseconds(500));
  all_not_run("endless_hello", "endless line");
  all_not_run("exit_at_start", "exited with status 9 before its hello: no such library");
  all_not_run("other_version", "version 2");
  all_not_run("no_operations", "no operation");

  run_settings settings;
  settings.command = {"/nowhere/no-such-adapter"};
  settings.how.who = parse_profile("validator");
  const run_result r = run(cases_of(corpus(), settings.how.who), settings);
  CHECK(r.exit_code() == 3);
  CHECK(r.count(outcome::not_run) == case_count);
}

TEST_CASE("an adapter that never answers ends the run, one that begins with hanging does not") {
  const run_result r = run_broken("deaf");
  CHECK(r.count(outcome::timeout) == session::silence_allowed);
  CHECK(r.count(outcome::not_run) == case_count - session::silence_allowed);
  CHECK(r.start_fault.find("answered nothing at all") == 0);
  CHECK(r.exit_code() == 3);

  const run_result awake = run_broken("awake_after_three");
  CHECK(awake.count(outcome::timeout) == 3);
  CHECK(awake.count(outcome::pass) == case_count - 3);
  CHECK(awake.exit_code() == 1);
}

TEST_CASE("results before the end of a run are kept") {
  const run_result r = run_broken("dies_and_stays_dead");
  CHECK(r.count(outcome::pass) == trigger);
  CHECK(r.results[trigger].how == outcome::crash);
  CHECK(r.count(outcome::not_run) == case_count - trigger - 1);
  CHECK(r.exit_code() == 3);
}

TEST_CASE("two failed starts are forgiven") {
  const run_result r = run_broken("third_time_lucky");
  CHECK(only_trigger_fails(r) == outcome::pass);
  CHECK(r.starts == 3);
}

TEST_CASE("the end of the input is part of the protocol") {
  for (const char* name : {"stays_after_the_end", "status_5_at_the_end"}) {
    INFO(name);
    const run_result r = run_broken(name);
    CHECK(only_trigger_fails(r) == outcome::pass);
    CHECK(r.end_faults.size() == 1);
    CHECK(r.exit_code() == 1);
  }
  const run_result r = run_broken("last_word");
  CHECK(r.results.back().how == outcome::unasked);
  CHECK(r.exit_code() == 1);
}
