#include "conformance/mutants/mutant_adapter.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <set>
#include <string>

#include "conformance/adapter/adapter.h"
#include "conformance/adapter/atoms.h"
#include "conformance/program/commands.h"
#include "reference/clauses.h"
#include "reference/mutation.h"

namespace plumbline {
extern const char mutants_tsv[];
extern const std::size_t mutants_tsv_size;
}  // namespace plumbline

namespace plumbline::mutants {

namespace {

// The clauses whose checks can be switched off: owners that refuse, in the areas that are covered.
bool has_check(const Clause& c) {
  bool covered = c.area == "1-descriptor" || c.area == "2-contents";
  return covered && c.owner == c.id &&
         (c.class_letter == "R" || c.class_letter == "N" || c.class_letter == "W");
}

// Name, kind and clause of every mutant, a tab between them.
std::vector<std::string> all_mutants() {
  std::vector<std::string> out;
  for (const Clause& c : clauses())
    if (has_check(c)) out.push_back("off:" + c.id + "\toff\t" + c.id);
  std::string_view text(mutants_tsv, mutants_tsv_size);
  for (bool first = true; !text.empty(); first = false) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (first || line.empty()) continue;  // the first line names the columns
    std::size_t third_tab = line.find('\t', line.find('\t', line.find('\t') + 1) + 1);
    out.emplace_back(line.substr(0, third_tab));
  }
  return out;
}

// A reader without quantization (clause QNT-01): says so, and finds every descriptor with the section
// unsupported where nothing else is wrong. As a mutant it says so and takes the descriptor after all.
constexpr std::string_view without_quantization = "sound:without-quantization";

bool has_quantization(std::string_view descriptors) {
  while (!descriptors.empty()) {
    std::string_view one = descriptors.substr(0, descriptors.find(';'));
    descriptors.remove_prefix(std::min(one.size() + 1, descriptors.size()));
    const bool is_descriptor = one.size() > 22 && one.starts_with("48525259");  // numbers have no flags
    const auto flags = is_descriptor ? from_hex(one.substr(20, 2)) : std::nullopt;
    if (flags && ((*flags)[0] & 1) != 0) return true;
  }
  return false;
}

std::string reply_without_quantization(const std::string& line, bool refuses) {
  std::string reply = adapter::reply_to(line);
  if (line.starts_with("hello ")) return reply + " lacks=quantization";
  std::string_view rest = line;
  const std::string_view id = adapter::take_word(rest), op = adapter::take_word(rest);
  if (op == "encode" || !refuses) return reply;
  const bool has_mode = op == "decode" || op == "fields" || op == "composite" || op == "contents";
  if (has_mode && adapter::take_word(rest).starts_with("permissive")) return reply;
  // Another reason to refuse stands.
  if (reply.find(" reject ") != std::string::npos) return reply;
  if (!has_quantization(adapter::take_word(rest))) return reply;
  return std::string(id) + " reject unsupported QNT-01 10";
}

int serve(const std::string& name) {
  const bool is_sound = name.empty() || name == without_quantization;
  const auto all = all_mutants();
  if (!is_sound && !std::ranges::any_of(all, [&](const std::string& row) {
        return row.starts_with(name + "\t");
      })) {
    std::cerr << "plumbline adapter: there is no mutant " << name << '\n';
    return program::unusable;
  }
  set_mutant(name);
  if (name != without_quantization && name != "off:QNT-01") {
    adapter::serve(std::cin, std::cout);
    return program::accepted;
  }
  for (std::string line; adapter::read_line(std::cin, line);)
    std::cout << reply_without_quantization(line, name == without_quantization) << '\n' << std::flush;
  return program::accepted;
}

}  // namespace

void add_options(CLI::App& command, int& status) {
  auto name = std::make_shared<std::string>();
  auto list = std::make_shared<bool>(false);
  command.add_option("--mutant", *name, "answer with this deliberate fault");
  command.add_flag("--list-mutants", *list, "print name, kind and clause of every mutant");
  command.callback([name, list, &status] {
    if (!*list) {
      status = serve(*name);
      return;
    }
    for (const std::string& row : all_mutants()) std::cout << row << '\n';
    status = program::accepted;
  });
}

}  // namespace plumbline::mutants
