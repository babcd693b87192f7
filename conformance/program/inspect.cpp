// plumbline inspect: the fields of a descriptor with their bytes and meaning, the fault in its place.
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "input.h"
#include "meaning.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::program {

namespace {

std::string label(const Field& field) {
  return field.index < 0 ? field.key : fmt::format("{}[{}]", field.key, field.index);
}

// The fields that were read, each with the faults that lie at it.
std::vector<Field> fields_read(const Judgement& judged) {
  std::vector<Field> fields = list_fields(judged.descriptor);
  std::erase_if(fields, [&](const Field& f) { return f.offset + f.size > judged.read_end; });
  return fields;
}

std::string bytes_of(const Field& field, ByteView input) {
  ByteView bytes = input.subspan(field.offset, field.size);
  if (bytes.size() <= 8) return to_hex(bytes);
  return to_hex(bytes.first(6)) + fmt::format(".. ({} bytes)", bytes.size());
}

std::string value_of(const Field& field) {
  bool is_long = field.value.size() > 24;
  return is_long ? field.value.substr(0, 20) + ".." : field.value;
}

void print_table(const Judgement& judged, ByteView input) {
  fmt::print("{}\n", bold(fmt::format("{:>6}  {:<24}  {:<38}  {:<24}  {}", "offset", "bytes", "field",
                                      "value", "meaning")));
  std::size_t shown = 0;
  auto show_faults = [&](std::size_t before) {
    for (; shown < judged.faults.size() && judged.faults[shown].offset < before; ++shown)
      fmt::print("{}\n", red(fmt::format("{:>6}  ^ {} {}: {}", judged.faults[shown].offset,
                                         to_string(judged.faults[shown].verdict),
                                         judged.faults[shown].clause,
                                         judged.faults[shown].message())));
  };
  for (const Field& field : fields_read(judged)) {
    show_faults(field.offset);
    fmt::print("{:>6}  {:<24}  {:<38}  {:<24}  {}\n", field.offset, bytes_of(field, input), label(field),
               value_of(field), meaning(judged.descriptor, field));
  }
  show_faults(static_cast<std::size_t>(-1));
  if (judged.accepted())
    fmt::print("\n{}{}\n", green("accept"), judged.interpreted ? "" : " (sized, not interpreted)");
  else
    fmt::print("\n{} {}\n", red(std::string(to_string(judged.verdict()))), describe(judged.faults[0]));
  if (judged.rest > 0) fmt::print("{} bytes behind the descriptor\n", judged.rest);
}

void print_json(const Judgement& judged, ByteView input) {
  nlohmann::ordered_json out;
  out["verdict"] = to_string(judged.verdict());
  out["interpreted"] = judged.accepted() && judged.interpreted;
  out["rest"] = judged.rest;
  out["fields"] = nlohmann::ordered_json::array();
  for (const Field& field : fields_read(judged))
    out["fields"].push_back({{"offset", field.offset},
                             {"size", field.size},
                             {"bytes", to_hex(input.subspan(field.offset, field.size))},
                             {"key", label(field)},
                             {"value", field.value},
                             {"meaning", meaning(judged.descriptor, field)}});
  out["faults"] = nlohmann::ordered_json::array();
  for (const Fault& fault : judged.faults) {
    const Clause* clause = find_clause(fault.clause);
    out["faults"].push_back({{"verdict", to_string(fault.verdict)},
                             {"clause", fault.clause},
                             {"offset", fault.offset},
                             {"found", fault.found},
                             {"expected", fault.expected},
                             {"source", clause ? clause->source : ""},
                             {"paraphrase", clause ? clause->paraphrase : ""}});
  }
  std::cout << out.dump(2) << '\n';
}

}  // namespace

void add_inspect(CLI::App& app, int& status) {
  struct Settings {
    JudgingOptions judging;
    bool json = false, hex = false;
    std::string file;
  };
  auto settings = std::make_shared<Settings>();
  CLI::App* command = app.add_subcommand("inspect", "Show every field of a descriptor");
  settings->judging.add_to(*command);
  command->add_flag("--json", settings->json, "as JSON");
  command->add_flag("--hex", settings->hex, "the input is hexadecimal text");
  command->add_option("FILE", settings->file, "a descriptor; - is standard input")->required();
  command->footer(
      "Examples:\n"
      "  plumbline inspect tensor.bin\n"
      "  xxd -p tensor.bin | plumbline inspect --hex -");
  command->callback([settings, &status] {
    std::expected<Bytes, std::string> bytes = read_descriptor(settings->file, settings->hex, settings->judging.max_bytes);
    if (!bytes) {
      std::cerr << "plumbline inspect: " << bytes.error() << '\n';
      status = unusable;
      return;
    }
    Judgement judged = judge(*bytes, settings->judging.options());
    settings->json ? print_json(judged, *bytes) : print_table(judged, *bytes);
    status = judged.accepted() ? accepted : refused;
  });
}

}  // namespace plumbline::program
