#include "input.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>

namespace plumbline::program {

void JudgingOptions::add_to(CLI::App& command) {
  command.add_option("--mode", mode, "strict, lenient or permissive (default " + mode + ")")
      ->check(CLI::IsMember({"strict", "lenient", "permissive"}));
  command
      .add_option("--agree", agree,
                  "private tags whose meaning is agreed, as type=0xf2,layout=0xf0 "
                  "(keys: type, layout, scheme, rule, device, class)")
      ->delimiter(',')
      ->allow_extra_args(false)  // one word: what follows is a file
      ->check([](const std::string& text) {
        Agreement trial;
        return trial.parse(text) ? std::string()
                                 : text + " is not KEY=TAG with a private tag 0xf0 to 0xfe";
      });
  command.add_option("--transport", transport, "how the descriptor travelled: network")
      ->check(CLI::IsMember({"network"}));
  command
      .add_option("--max-bytes", max_bytes,
                  "the longest input that is read, bytes behind the descriptor included, or the longest "
                  "line of hexadecimal text (default 67108864)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
}

Options JudgingOptions::options() const {
  Options options;
  options.mode = *parse_mode(mode);
  for (const std::string& text : agree) options.agreement.parse(text);
  options.network_transport = transport == "network";
  return options;
}

std::expected<Bytes, std::string> read_input(const std::string& path, std::uint64_t most) {
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& in = path == "-" ? std::cin : file;
  Bytes bytes;
  char block[65536];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    bytes.insert(bytes.end(), block, block + in.gcount());
    if (bytes.size() > most) return std::unexpected(too_long(path, most));
  }
  // Only an end of file may have ended it: a missing file and a directory set other bits.
  if (in.bad() || !in.eof()) return std::unexpected("cannot read " + path);
  return bytes;
}

std::expected<Bytes, std::string> read_descriptor(const std::string& path, bool is_hex,
                                                  std::uint64_t most) {
  std::expected<Bytes, std::string> bytes = read_input(path, most);
  if (!bytes || !is_hex) return bytes;
  std::string digits;
  for (std::uint8_t c : *bytes)
    if (!std::isspace(c)) digits += static_cast<char>(c);
  std::optional<Bytes> decoded = from_hex(digits);
  if (!decoded) return std::unexpected(path + " is not hexadecimal text");
  return *decoded;
}

std::string too_long(const std::string& what, std::uint64_t most) {
  return fmt::format("{} has more than {} bytes; --max-bytes takes more", what, most);
}

bool read_line(std::istream& in, std::string& line, std::uint64_t most) {
  line.clear();
  for (int c = in.get(); in; c = in.get()) {
    if (c == '\n') return true;
    line += static_cast<char>(c);
    if (line.size() > most) return true;
  }
  return !line.empty();
}

bool use_colour() {
  static const bool colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  return colour;
}

namespace {
std::string paint(std::string text, const char* code) {
  return use_colour() ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}
}  // namespace

std::string red(std::string text) { return paint(std::move(text), "31"); }
std::string green(std::string text) { return paint(std::move(text), "32"); }
std::string bold(std::string text) { return paint(std::move(text), "1"); }

std::string describe(const Fault& fault) {
  return fmt::format("{} at byte {}: {}", fault.clause, fault.offset, fault.message());
}

}  // namespace plumbline::program
