// Atoms from text and back.
#include "conformance/adapter/atoms.h"

#include <algorithm>

#include "reference/descriptor/fields.h"

namespace plumbline::adapter {

namespace {

// An agreement on a tag that is not private binds nobody: type=0x00.
bool is_void_agreement(std::string_view text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  Agreement trial;
  return trial.parse(std::string(text.substr(0, equals)) + "=0xf0") &&
         parse_integer(text.substr(std::min(equals + 1, text.size())), 1, false).has_value();
}

}  // namespace

std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

Bytes parse_bytes(std::string_view text) {
  if (text == "-") return {};
  auto bytes = from_hex(text);
  if (text.empty() || !bytes) throw bad_request{"bytes are hexadecimal digits, two a byte, or -"};
  return *std::move(bytes);
}

std::vector<Bytes> parse_parts(std::string_view text) {
  if (text.empty()) throw bad_request{"bytes joined by ; are missing"};
  std::vector<Bytes> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    out.push_back(parse_bytes(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::vector<std::uint64_t> parse_index(std::string_view text) {
  if (text.empty()) throw bad_request{"an index is integers joined by commas, or -"};
  std::vector<std::uint64_t> out;
  for (const std::string& member : split_list(text)) {
    const auto value = parse_integer(member, 8, false);
    if (!value) throw bad_request{"an index is integers joined by commas, or -"};
    out.push_back(*value);
  }
  return out;
}

Options parse_mode_atom(std::string_view text) {
  Options out;
  const std::vector<std::string> words = split_list(text, '+');
  const auto mode = words.empty() ? std::nullopt : parse_mode(words[0]);
  if (!mode) throw bad_request{"a mode is strict, lenient or permissive"};
  out.mode = *mode;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "transport=network")
      out.network_transport = true;
    else if (!out.agreement.parse(words[i]) && !is_void_agreement(words[i]))
      throw bad_request{"no agreement: " + words[i]};
  }
  return out;
}

std::string bytes_text(ByteView bytes) { return bytes.empty() ? "-" : to_hex(bytes); }

std::string list_text(const std::vector<std::uint64_t>& values) {
  std::string out;
  for (const std::uint64_t value : values) out += (out.empty() ? "" : ",") + std::to_string(value);
  return out.empty() ? "-" : out;
}

std::string line_text(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(
      out, [](char c) { return c < 0x20 || c > 0x7e; }, '?');
  return out;
}

}  // namespace plumbline::adapter
