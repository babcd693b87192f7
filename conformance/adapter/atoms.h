// The atoms of the protocol: conformance/PROTOCOL.md, Atoms.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/bytes.h"
#include "reference/descriptor/fault.h"

namespace plumbline::adapter {

// Thrown where a request cannot be read; answered with `error request TEXT`.
struct bad_request {
  std::string text;
};

// Thrown where an operand can be read and is outside the domain of all operations; answered with
// `error argument TEXT`.
struct bad_argument {
  std::string text;
};

std::string_view take_word(std::string_view& text);  // up to the next blank

Bytes parse_bytes(std::string_view text);
// "HEX;HEX"; "HEX;" is one part and nothing behind it.
std::vector<Bytes> parse_parts(std::string_view text);
std::vector<std::uint64_t> parse_index(std::string_view text);
Options parse_mode_atom(std::string_view text);

std::string bytes_text(ByteView bytes);                           // hex, or -
std::string list_text(const std::vector<std::uint64_t>& values);  // a,b, or -
std::string line_text(std::string_view text);                     // printable ASCII on one line

}  // namespace plumbline::adapter
