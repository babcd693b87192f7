// plumbline check: the verdict of files, or of hexadecimal lines.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "input.h"
#include "line.h"
#include "reference/descriptor/composite_set.h"

namespace plumbline::program {

using nlohmann::ordered_json;

namespace {

ordered_json fault_json(const Fault& fault) {
  return {{"verdict", to_string(fault.verdict)}, {"clause", fault.clause}, {"offset", fault.offset},
          {"message", fault.message()}};
}

ordered_json answer(const std::vector<Fault>& faults, bool interpreted, std::size_t rest, bool all) {
  ordered_json out;
  if (faults.empty()) {
    out = {{"verdict", "accept"}, {"clause", nullptr}, {"offset", nullptr}, {"message", ""}};
  } else {
    out = fault_json(faults.front());
  }
  out["interpreted"] = faults.empty() && interpreted;
  out["rest"] = rest;
  if (all) {
    out["faults"] = ordered_json::array();
    for (const Fault& fault : faults) out["faults"].push_back(fault_json(fault));
  }
  return out;
}

// The line could not be judged: no hexadecimal text, or a set without a head.
LineAnswer error(std::string message, bool is_set) {
  ordered_json out = {{"verdict", "error"}, {"clause", nullptr}, {"offset", nullptr},
                      {"message", std::move(message)}, {"interpreted", false}, {"rest", 0}};
  if (is_set) out["member"] = nullptr;
  return {out.dump(), unusable};
}

Status status_of(bool is_accepted) { return is_accepted ? accepted : refused; }

}  // namespace

LineAnswer answer_line(std::string line, const Options& options, bool all) {
  if (line.ends_with('\r')) line.pop_back();
  std::vector<Bytes> parts;
  bool is_set = line.contains(';');
  for (std::size_t begin = 0; begin <= line.size();) {
    std::size_t end = std::min(line.find(';', begin), line.size());
    std::optional<Bytes> bytes = from_hex(std::string_view(line).substr(begin, end - begin));
    if (!bytes) return error("not hexadecimal text, two digits a byte", is_set);
    parts.push_back(std::move(*bytes));
    begin = end + 1;
    if (is_set && begin == line.size()) break;  // "HEX;": nothing behind the last separator
  }
  if (!is_set) {
    Judgement judged = judge(parts[0], options);
    return {answer(judged.faults, judged.interpreted, judged.rest, all).dump(),
            status_of(judged.accepted())};
  }
  std::vector<ByteView> set(parts.begin(), parts.end());
  SetJudgement judged = judge_set(set, options);
  if (judged.accepted() && !judged.members[0].descriptor.is_composite_head())
    return error("the first descriptor of a set is not a composite head", true);
  ordered_json out = answer(judged.faults, judged.interpreted, judged.rest, all);
  out["member"] = judged.faults.empty() ? ordered_json(nullptr) : ordered_json(judged.faults[0].member);
  if (all)
    for (std::size_t i = 0; i < judged.faults.size(); ++i)
      out["faults"][i]["member"] = judged.faults[i].member;
  return {out.dump(), status_of(judged.accepted())};
}

void add_check(CLI::App& app, int& status) {
  struct Settings {
    JudgingOptions judging;
    bool all = false, hex = false, hex_lines = false;
    std::vector<std::string> files;
  };
  auto settings = std::make_shared<Settings>();
  CLI::App* command = app.add_subcommand("check", "Judge descriptors clause by clause");
  settings->judging.add_to(*command);
  command->add_flag("--all", settings->all, "name every fault, not just the first");
  command->add_flag("--hex", settings->hex, "the input is hexadecimal text");
  command->add_flag("--hex-lines", settings->hex_lines,
                    "read standard input: a descriptor a line in hex, or HEAD;MEMBER;.. for a "
                    "composite; answer with one JSON object a line (verdict error: not hex, or a set without "
                    "a head)");
  command->add_option("FILE", settings->files, "descriptors; - is standard input");
  command->footer(
      "Examples:\n"
      "  plumbline check tensor.bin\n"
      "  plumbline check --all --mode lenient *.bin\n"
      "  plumbline check --agree type=0xf2 private.bin\n"
      "  xxd -p tensor.bin | plumbline check --hex -\n"
      "  printf '48525259\\n' | plumbline check --hex-lines\n\n"
      "Exit status: 0 all accepted, 1 a file or a line refused, 2 usage, or a file or a line that "
      "could "
      "not be judged.");
  command->callback([settings, &status] {
    Options options = settings->judging.options();
    if (settings->hex_lines) {
      if (!settings->files.empty() || settings->hex) {
        std::cerr
            << "plumbline check: --hex-lines reads standard input and takes no file and no --hex\n";
        status = unusable;
        return;
      }
      const std::uint64_t most = settings->judging.max_bytes;
      for (std::string line; read_line(std::cin, line, most);) {
        if (line.size() > most) {
          std::cerr << "plumbline check: " << too_long("a line", most) << '\n';
          status = unusable;
          return;
        }
        const LineAnswer answer = answer_line(std::move(line), options, settings->all);
        status = std::max(status, int{answer.status});
        std::cout << answer.json << '\n';
        if (std::cin.rdbuf()->in_avail() <= 0) std::cout.flush();
      }
      if (std::cin.bad()) {
        std::cerr << "plumbline check: cannot read standard input\n";
        status = unusable;
      }
      return;
    }
    if (settings->files.empty()) {
      std::cerr << "plumbline check: name a FILE, - or --hex-lines\n";
      status = unusable;
      return;
    }
    for (const std::string& path : settings->files) {
      std::expected<Bytes, std::string> bytes =
          read_descriptor(path, settings->hex, settings->judging.max_bytes);
      if (!bytes) {
        std::cerr << "plumbline check: " << bytes.error() << '\n';
        status = std::max(status, int{unusable});
        continue;
      }
      Judgement judged = judge(*bytes, options);
      if (judged.accepted()) {
        std::cout << path << ": " << green("accept") << (judged.interpreted ? "" : " (sized, not interpreted)");
        if (judged.rest > 0) std::cout << ", " << judged.rest << " bytes behind the descriptor";
        std::cout << '\n';
        continue;
      }
      status = std::max(status, int{refused});
      for (const Fault& fault : judged.faults) {
        std::cout << path << ": " << red(std::string(to_string(fault.verdict))) << ' '
                  << describe(fault) << '\n';
        if (!settings->all) break;
      }
    }
  });
}

}  // namespace plumbline::program
