// Every operation of the protocol by one call of the reference.
#include "conformance/adapter/adapter.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <istream>
#include <ostream>
#include <utility>

#include "conformance/adapter/atoms.h"
#include "conformance/adapter/elements.h"
#include "conformance/adapter/numbers.h"
#include "conformance/adapter/set_lookup.h"
#include "reference/addressing/address.h"
#include "reference/addressing/size.h"
#include "reference/contents/contents.h"
#include "reference/descriptor/composite_set.h"

namespace plumbline::adapter {
namespace {

constexpr std::size_t largest_request = std::size_t{1} << 20;
constexpr std::size_t largest_reply = std::size_t{4} << 20;

// Thrown where a request is answered with a refusal.
struct refused {
  std::string reply;
};

std::string reject(const Fault& fault, const char* place = nullptr) {
  std::string out = "reject " + std::string(to_string(fault.verdict)) + ' ' + fault.clause + ' ' +
                    std::to_string(fault.offset);
  if (place) out += std::string(" ") + place + '=' + std::to_string(fault.member);
  return out + ' ' + line_text(fault.message());
}

std::string error(const Refusal& refusal) {
  return "error " + refusal.kind + ' ' + line_text(refusal.text);
}

constexpr const char* not_a_head = "error head the first descriptor of a set is no composite head";

std::string extent(bool interpreted) { return interpreted ? "accept full " : "accept sized "; }

std::string last_bytes(std::string_view rest) {
  if (rest.find(' ') != std::string_view::npos)
    throw bad_request{"more words than the operation takes"};
  return std::string(rest);
}

Options without_mode(Asked what) { return {.agreement = Agreement::everything(), .asked = what}; }

// A descriptor for questions without a mode: it has no fault that every mode refuses.
Judgement admit(ByteView bytes, Asked what) {
  Judgement judged = judge(bytes, without_mode(what));
  if (!judged.accepted()) throw refused{reject(judged.faults.front())};
  return judged;
}

std::string decode_reply(std::string_view rest) {
  const Options options = parse_mode_atom(take_word(rest));
  const Bytes bytes = parse_bytes(last_bytes(rest));
  const Judgement judged = judge(bytes, options);
  if (!judged.accepted()) return reject(judged.faults.front());
  return extent(judged.interpreted) + bytes_text(serialize(judged.descriptor));
}

std::string fields_reply(std::string_view rest) {
  const Options options = parse_mode_atom(take_word(rest));
  const Bytes bytes = parse_bytes(last_bytes(rest));
  const Judgement judged = judge(bytes, options);
  if (!judged.accepted()) return reject(judged.faults.front());
  std::string out = "ok";
  for (const Field& field : list_fields(judged.descriptor)) {
    if (field.key == "magic") continue;
    out += field.index > 0 ? "," + field.value : " " + field.key + "=" + field.value;
  }
  return out;
}

std::string encode_reply(std::string_view rest) {
  FieldText text;
  while (!rest.empty()) {
    const std::string_view word = take_word(rest);
    if (word.empty()) continue;
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0) throw bad_request{"fields are key=value"};
    if (!text.emplace(word.substr(0, equals), word.substr(equals + 1)).second)
      throw bad_request{"a key stands twice"};
  }
  const auto d = from_fields(text);
  if (!d && d.error().is_unreadable) throw bad_request{d.error().text};
  if (!d) return "skip cannot be built: " + line_text(d.error().text);
  const auto bytes = encode(*d);
  return bytes ? "ok " + to_hex(*bytes) : reject(bytes.error());
}

std::string composite_reply(std::string_view rest) {
  const Options options = parse_mode_atom(take_word(rest));
  const std::vector<Bytes> parts = parse_parts(last_bytes(rest));
  const SetJudgement judged = judge_set(std::vector<ByteView>(parts.begin(), parts.end()), options);
  if (!judged.accepted()) return reject(judged.faults.front(), "member");
  if (!judged.members.front().descriptor.is_composite_head())
    return not_a_head;
  return extent(judged.interpreted) + "-";
}

std::string size_reply(std::string_view rest) {
  const Descriptor d = admit(parse_bytes(last_bytes(rest)), Asked::sizes).descriptor;
  const auto sizes = least_sizes(d);
  return sizes ? "ok " + list_text(*sizes) : error(sizes.error());
}

std::string address_reply(std::string_view rest) {
  const Bytes bytes = parse_bytes(take_word(rest));
  const Index index = parse_index(last_bytes(rest));
  const auto place = address(admit(bytes, Asked::elements).descriptor, index);
  if (!place) return error(place.error());
  return "ok " + std::to_string(place->buffer) + ' ' + std::to_string(place->byte) + ' ' +
         std::to_string(place->bit);
}

// Where the table is empty, `-` stands for no buffer; elsewhere for an empty one.
struct given_buffers {
  std::vector<Bytes> bytes;
  bool is_dash = false;

  explicit given_buffers(std::string_view text) : bytes(parse_parts(text)), is_dash(text == "-") {}
  Buffers of(const Descriptor& d) const {
    if (is_dash && d.buffers.handles.empty()) return {};
    return {bytes.begin(), bytes.end()};
  }
};

std::string contents_reply(std::string_view rest) {
  const Options options = parse_mode_atom(take_word(rest));
  const Bytes bytes = parse_bytes(take_word(rest));
  const given_buffers buffers(last_bytes(rest));
  const Judgement judged = judge(bytes, options);
  if (!judged.accepted()) return reject(judged.faults.front());
  const auto faults = judge_contents(judged.descriptor, buffers.of(judged.descriptor), options);
  if (!faults) return error(faults.error());
  return faults->empty() ? "accept full -" : reject(faults->front(), "buffer");
}

// `-` is no buffer at all: a set without any.
std::string lookup_in_set(const std::vector<Bytes>& parts, std::string_view rest) {
  const std::string_view text = take_word(rest);
  const std::vector<Bytes> buffers = text == "-" ? std::vector<Bytes>{} : parse_parts(text);
  const Index index = parse_index(last_bytes(rest));
  const SetJudgement judged =
      judge_set(std::vector<ByteView>(parts.begin(), parts.end()), without_mode(Asked::elements));
  if (!judged.accepted()) return reject(judged.faults.front(), "member");
  if (!judged.members.front().descriptor.is_composite_head()) return not_a_head;
  const auto element = lookup_set(judged, buffers, index);
  if (!element) return error(element.error());
  return *element ? "ok stored " + bytes_text(**element) : "ok zero";
}

std::string lookup_reply(std::string_view rest) {
  const std::string_view text = take_word(rest);
  if (text.contains(';')) return lookup_in_set(parse_parts(text), rest);
  const Bytes bytes = parse_bytes(text);
  const given_buffers buffers(take_word(rest));
  const Index index = parse_index(last_bytes(rest));
  const Judgement judged = admit(bytes, Asked::elements);
  const auto element = lookup_judged(judged, buffers.of(judged.descriptor), index);
  if (!element) return error(element.error());
  return *element ? "ok stored " + bytes_text(**element) : "ok zero";
}

std::string float_text(float value) {
  static constexpr char digits[] = "0123456789abcdef";
  const auto bits = std::bit_cast<std::uint32_t>(value);
  std::string out = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) out += digits[bits >> shift & 15];
  return out;
}

std::string dequantise_reply(std::string_view rest) {
  const Bytes bytes = parse_bytes(take_word(rest));
  const given_buffers buffers(last_bytes(rest));
  const Judgement judged = admit(bytes, Asked::elements);
  const auto values =
      dequantise_judged(judged, buffers.of(judged.descriptor), largest_reply / 11 - 16);
  if (!values) return error(values.error());
  std::string out;
  for (const float value : *values) out += (out.empty() ? "" : ",") + float_text(value);
  return "ok " + (out.empty() ? "-" : out);
}

bool is_decimal(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

struct operation {
  std::string_view name;
  std::string (*reply)(std::string_view rest);
};
constexpr operation operations[] = {
    {"decode", decode_reply},       {"fields", fields_reply}, {"encode", encode_reply},
    {"composite", composite_reply}, {"size", size_reply},     {"address", address_reply},
    {"contents", contents_reply},   {"lookup", lookup_reply}, {"dequantise", dequantise_reply}};

std::string introduction() {
  std::string ops;
  for (const operation& op : operations) ops += (ops.empty() ? "" : ",") + std::string(op.name);
  for (const std::string_view op : numeric_operations()) ops += ',' + std::string(op);
  return "hello plumbline 1 name=plumbline-reference version=0.1.0 ops=" + ops +
         " modes=strict,lenient,permissive window=8";
}

std::string within_reply(std::string reply) {
  return reply.size() <= largest_reply - 32 ? reply : "error large the answer does not fit into a reply";
}

std::string answer(std::string_view request) {
  const std::string_view name = take_word(request);
  const auto found = std::ranges::find(operations, name, &operation::name);
  const bool is_numeric = std::ranges::find(numeric_operations(), name) != numeric_operations().end();
  if (found == std::end(operations) && !is_numeric) return "skip unknown";
  try {
    return is_numeric ? within_reply(numeric_reply(name, request)) : found->reply(request);
  } catch (const refused& r) {
    return r.reply;
  } catch (const bad_argument& bad) {
    return "error argument " + line_text(bad.text);
  } catch (const bad_request& bad) {
    return "error request " + line_text(bad.text);
  }
}

// "hello plumbline N ..", with a version that is not below ours.
bool is_hello(std::string_view line) {
  if (take_word(line) != "hello" || take_word(line) != "plumbline") return false;
  const std::string_view version = take_word(line);
  return is_decimal(version) && version.find_first_not_of('0') != std::string_view::npos;
}

// Decimal, from 1 and below 2^64.
bool is_id(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return is_decimal(word) && error == std::errc() && end == word.data() + word.size() && value > 0;
}

// What PROTOCOL.md, Framing, says of the words of a line; nothing where it is kept.
const char* fault_of_words(std::string_view line) {
  if (!std::ranges::all_of(line, [](char c) { return c >= 0x20 && c < 0x7f; }))
    return "a line is printable ASCII";
  if (line.ends_with(' ') || line.find("  ") != std::string_view::npos)
    return "words are separated by one blank";
  return nullptr;
}

}  // namespace

std::string reply_to(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (is_hello(line)) return introduction();
  std::string_view rest = line;
  const std::string_view id = take_word(rest);
  if (!is_id(id)) return "0 error request a request begins with its id";
  if (line.size() > largest_request) return std::string(id) + " error request longer than 1 MiB";
  if (const char* fault = fault_of_words(line)) return std::string(id) + " error request " + fault;
  return std::string(id) + ' ' + answer(rest);
}

std::string session::reply_to(std::string_view line) {
  const bool is_first = std::exchange(is_first_, false);
  if (!line.starts_with("hello") || is_first) return adapter::reply_to(line);
  return "0 error request the hello is the first line, and no other";
}

bool read_line(std::istream& in, std::string& line) {
  line.clear();
  std::streambuf& from = *in.rdbuf();
  constexpr int end = std::char_traits<char>::eof();
  for (int c = from.sbumpc(); c != '\n'; c = from.sbumpc()) {
    if (c == end) {
      in.setstate(std::ios::eofbit);
      return !line.empty();
    }
    // One more than a request may have, and the \r that is not counted.
    if (line.size() < largest_request + 2) line += static_cast<char>(c);
  }
  return true;
}

void serve(std::istream& in, std::ostream& out) {
  session conversation;
  for (std::string line; read_line(in, line);)
    out << conversation.reply_to(line) << '\n' << std::flush;
}

}  // namespace plumbline::adapter
