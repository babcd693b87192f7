// What the commands share: options of judging, input files, colour.
#pragma once

#include <CLI/CLI.hpp>
#include <expected>
#include <string>
#include <vector>

#include "reference/bytes.h"
#include "reference/descriptor/fault.h"

namespace plumbline::program {

// --mode, --agree, --transport
struct JudgingOptions {
  std::string mode = "strict";
  std::vector<std::string> agree;
  std::string transport;

  void add_to(CLI::App& command);
  Options options() const;
};

// The bytes of a file, or of standard input for "-"; the text says why it can't be read.
std::expected<Bytes, std::string> read_input(const std::string& path);
// As read_input; with `is_hex` the input is hexadecimal text, blanks and line ends between bytes.
std::expected<Bytes, std::string> read_descriptor(const std::string& path, bool is_hex);

// Colour only where a person looks: standard output is a terminal and NO_COLOR is unset.
bool use_colour();
std::string red(std::string text), green(std::string text), bold(std::string text);

// "EXT-05 (metadata.md ..) at byte 57: found .., expected .."
std::string describe(const Fault& fault);

}  // namespace plumbline::program
