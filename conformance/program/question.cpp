// plumbline size, plumbline address: where the elements of an accepted descriptor lie.
#include <fmt/format.h>

#include <iostream>

#include "commands.h"
#include "input.h"
#include "reference/addressing/address.h"
#include "reference/addressing/size.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::program {

namespace {

struct Settings {
  JudgingOptions judging;
  bool hex = false;
  std::string file, index;
};

// The descriptor of the file; an empty answer has set `status` and said why.
std::optional<Descriptor> accepted_descriptor(const Settings& settings, const char* command, int& status,
                                              Asked asked = Asked::acceptance) {
  std::expected<Bytes, std::string> bytes = read_descriptor(settings.file, settings.hex, settings.judging.max_bytes);
  if (!bytes) {
    std::cerr << "plumbline " << command << ": " << bytes.error() << '\n';
    status = unusable;
    return std::nullopt;
  }
  Options options = settings.judging.options();
  if (options.mode == Mode::permissive) options.asked = asked;
  std::expected<Descriptor, Fault> d = decode(*bytes, options);
  if (!d) {
    std::cerr << to_string(d.error().verdict) << ' ' << describe(d.error()) << '\n';
    status = refused;
    return std::nullopt;
  }
  return *d;
}

void refuse(const Refusal& refusal, int& status) {
  std::cerr << refusal.kind << ": " << refusal.text << '\n';
  status = refused;
}

CLI::App* add_question(CLI::App& app, const char* name, const char* help, Settings& settings) {
  CLI::App* command = app.add_subcommand(name, help);
  settings.judging.mode = "permissive";  // sizes and places may be asked of what is not interpreted
  settings.judging.add_to(*command);
  command->add_flag("--hex", settings.hex, "the input is hexadecimal text");
  command->add_option("FILE", settings.file, "a descriptor; - is standard input")->required();
  return command;
}

}  // namespace

void add_size(CLI::App& app, int& status) {
  auto settings = std::make_shared<Settings>();
  CLI::App* command =
      add_question(app, "size", "The least bytes of every buffer of a descriptor", *settings);
  command->footer(
      "Example:\n  plumbline size tensor.bin\n\nThe default mode is permissive; in it a listed buffer may be smaller "
      "than its contents need.");
  command->callback([settings, &status] {
    std::optional<Descriptor> d = accepted_descriptor(*settings, "size", status, Asked::sizes);
    if (!d) return;
    std::expected<std::vector<std::uint64_t>, Refusal> sizes = least_sizes(*d);
    if (!sizes) return refuse(sizes.error(), status);
    for (std::size_t k = 0; k < sizes->size(); ++k)
      fmt::print("buffer {}: {} bytes ({} listed)\n", k, (*sizes)[k], d->buffers.handles[k].byte_size);
  });
}

void add_address(CLI::App& app, int& status) {
  auto settings = std::make_shared<Settings>();
  CLI::App* command =
      add_question(app, "address", "Where one element lies: buffer, byte, bit", *settings);
  command->add_option("INDEX", settings->index, "the logical index, as 1,2; - for a scalar")->required();
  command->footer("Example:\n  plumbline address tensor.bin 1,2\n\nThe default mode is permissive.");
  command->callback([settings, &status] {
    std::vector<std::uint64_t> index;
    for (const std::string& member : split_list(settings->index)) {
      std::optional<std::uint64_t> value = parse_integer(member, 8, false);
      if (!value) {
        std::cerr << "plumbline address: " << settings->index << " is no index\n";
        status = unusable;
        return;
      }
      index.push_back(*value);
    }
    std::optional<Descriptor> d = accepted_descriptor(*settings, "address", status);
    if (!d) return;
    std::expected<Address, Refusal> place = address(*d, index);
    if (!place) return refuse(place.error(), status);
    fmt::print("buffer {} byte {} bit {}\n", place->buffer, place->byte, place->bit);
  });
}

}  // namespace plumbline::program
