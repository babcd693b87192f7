// What the commands share: options of judging, input files, colour.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <expected>
#include <istream>
#include <string>
#include <vector>

#include "reference/bytes.h"
#include "reference/descriptor/fault.h"

namespace plumbline::program {

// Input is read up to here: what never ends (a device, a pipe) is refused and not waited for. No
// sound descriptor comes near it; data behind one may, and --max-bytes takes more.
inline constexpr std::uint64_t default_max_bytes = std::uint64_t{64} << 20;

// --mode, --agree, --transport, --max-bytes
struct JudgingOptions {
  std::string mode = "strict";
  std::vector<std::string> agree;
  std::string transport;
  std::uint64_t max_bytes = default_max_bytes;

  void add_to(CLI::App& command);
  Options options() const;
};

// The bytes of a file, or of standard input for "-", where they are at most `most`; else the text says
// why they can't be read.
std::expected<Bytes, std::string> read_input(const std::string& path, std::uint64_t most);
// As read_input; with `is_hex` the input is hexadecimal text, blanks and line ends between bytes.
std::expected<Bytes, std::string> read_descriptor(const std::string& path, bool is_hex,
                                                  std::uint64_t most);
// As std::getline, for lines of at most `most` bytes: a longer one is not read to its end, and its text
// has `most` + 1 bytes.
bool read_line(std::istream& in, std::string& line, std::uint64_t most);
std::string too_long(const std::string& what, std::uint64_t most);

// Colour only where a person looks: standard output is a terminal and NO_COLOR is unset.
bool use_colour();
std::string red(std::string text), green(std::string text), bold(std::string text);

// "EXT-05 (metadata.md ..) at byte 57: found .., expected .."
std::string describe(const Fault& fault);

}  // namespace plumbline::program
