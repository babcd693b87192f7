// Reports as they were written by --jsonl: read, merged, compared.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace plumbline::runner {

struct saved_report {
  nlohmann::ordered_json head;
  std::vector<nlohmann::ordered_json> cases;
  std::string id_of(std::size_t i) const { return cases[i]["id"].get<std::string>(); }
};

struct report_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws report_error where the text is no whole report.
saved_report parse_report(const std::string& name, const std::string& text);
saved_report load_report(const std::filesystem::path& file);
std::string text_of(const saved_report& report);

// All shards of one run as the run without shards. Throws report_error where one is missing, twice
// there, or of another run.
saved_report merged(const std::vector<saved_report>& parts);

// A case whose result is not what it was.
struct change {
  std::string id, before, after;  // in words; empty where there was no such case
};
struct comparison {
  std::vector<change> better, worse, other, added, gone;
};
comparison compared(const saved_report& older, const saved_report& newer);

// Whether the outcome breaks a run when no list expects it.
bool is_bad_case(const nlohmann::ordered_json& result);

}  // namespace plumbline::runner
