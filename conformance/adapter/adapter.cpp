// Every operation of the protocol by one call of the reference.
#include "conformance/adapter/adapter.h"

#include <algorithm>
#include <bit>
#include <istream>
#include <limits>
#include <ostream>
#include <set>
#include <vector>

#include "conformance/adapter/atoms.h"
#include "conformance/adapter/numbers.h"
#include "conformance/adapter/set_lookup.h"
#include "reference/addressing/address.h"
#include "reference/addressing/lookup.h"
#include "reference/addressing/size.h"
#include "reference/contents/contents.h"
#include "reference/descriptor/composite_set.h"
#include "reference/descriptor/judge.h"
#include "reference/types/dequantise.h"

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

std::string extent(bool interpreted) { return interpreted ? "accept full " : "accept sized "; }

std::string last_bytes(std::string_view rest) {
  if (rest.find(' ') != std::string_view::npos)
    throw bad_request{"more words than the operation takes"};
  return std::string(rest);
}

// A descriptor for questions without a mode: it must be one that some mode accepts, every private
// tag agreed. `sizing` also takes one whose buffers are too small: what would be enough is the
// question.
Descriptor admit(ByteView bytes, bool sizing = false) {
  Judgement judged = judge(bytes, {.mode = Mode::lenient, .agreement = Agreement::everything()});
  std::set<std::string, std::less<>> about_sizes = {"OFF-05"};
  if (sizing)
    for (const Need& need : all_needs(judged.descriptor)) about_sizes.insert(need.clause);
  const auto kept = std::ranges::find_if(judged.faults, [&](const Fault& f) {
    return !waived_when_permissive(f.clause) && !(sizing && about_sizes.contains(f.clause));
  });
  if (kept != judged.faults.end()) throw refused{reject(*kept)};
  return std::move(judged.descriptor);
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
    if (equals == std::string_view::npos) throw bad_request{"fields are key=value"};
    if (!text.emplace(word.substr(0, equals), word.substr(equals + 1)).second)
      throw bad_request{"a key stands twice"};
  }
  const auto d = from_fields(text);
  if (!d) return "skip cannot be built: " + line_text(d.error());
  const auto bytes = encode(*d);
  return bytes ? "ok " + to_hex(*bytes) : reject(bytes.error());
}

std::string composite_reply(std::string_view rest) {
  const Options options = parse_mode_atom(take_word(rest));
  const std::vector<Bytes> parts = parse_parts(last_bytes(rest));
  const SetJudgement judged = judge_set(std::vector<ByteView>(parts.begin(), parts.end()), options);
  if (!judged.accepted()) return reject(judged.faults.front(), "member");
  if (!judged.members.front().descriptor.is_composite_head())
    return "error head the first descriptor of a set is no composite head";
  return extent(judged.interpreted) + "-";
}

std::string size_reply(std::string_view rest) {
  const Descriptor d = admit(parse_bytes(last_bytes(rest)), true);
  const auto sizes = least_sizes(d);
  return sizes ? "ok " + list_text(*sizes) : error(sizes.error());
}

std::string address_reply(std::string_view rest) {
  const Descriptor d = admit(parse_bytes(take_word(rest)));
  const auto place = address(d, parse_index(last_bytes(rest)));
  if (!place) return error(place.error());
  return "ok " + std::to_string(place->buffer) + ' ' + std::to_string(place->byte) + ' ' +
         std::to_string(place->bit);
}

// Where the table is empty, `-` stands for no buffer; elsewhere for an empty one.
struct given_buffers {
  std::vector<Bytes> bytes;
  Buffers views;
  given_buffers(std::string_view text, const Descriptor& d) : bytes(parse_parts(text)) {
    if (text == "-" && d.buffers.handles.empty()) bytes.clear();
    views.assign(bytes.begin(), bytes.end());
  }
};

std::string contents_reply(std::string_view rest) {
  const Options options = parse_mode_atom(take_word(rest));
  const Bytes bytes = parse_bytes(take_word(rest));
  const Judgement judged = judge(bytes, options);
  if (!judged.accepted()) return reject(judged.faults.front());
  const given_buffers buffers(last_bytes(rest), judged.descriptor);
  const auto faults = judge_contents(judged.descriptor, buffers.views, options);
  if (!faults) return error(faults.error());
  return faults->empty() ? "accept full -" : reject(faults->front(), "buffer");
}

// `-` is no buffer at all: a set without any.
std::string lookup_in_set(const std::vector<Bytes>& parts, std::string_view rest) {
  const std::string_view text = take_word(rest);
  const std::vector<Bytes> buffers = text == "-" ? std::vector<Bytes>{} : parse_parts(text);
  const SetJudgement judged =
      judge_set(std::vector<ByteView>(parts.begin(), parts.end()),
                {.mode = Mode::lenient, .agreement = Agreement::everything()});
  const auto kept = std::ranges::find_if(
      judged.faults, [](const Fault& f) { return !waived_when_permissive(f.clause); });
  if (kept != judged.faults.end()) return reject(*kept, "member");
  const auto element = lookup_set(judged, buffers, parse_index(last_bytes(rest)));
  if (!element) return error(element.error());
  return *element ? "ok stored " + bytes_text(**element) : "ok zero";
}

std::string lookup_reply(std::string_view rest) {
  const std::string_view bytes = take_word(rest);
  if (bytes.contains(';')) return lookup_in_set(parse_parts(bytes), rest);
  const Descriptor d = admit(parse_bytes(bytes));
  const given_buffers buffers(take_word(rest), d);
  const auto element = lookup(d, buffers.views, parse_index(last_bytes(rest)));
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
  const Descriptor d = admit(parse_bytes(take_word(rest)));
  const given_buffers buffers(last_bytes(rest), d);
  const auto values = dequantise(d, buffers.views);
  if (!values) return error(values.error());
  if (values->size() > largest_reply / 11 - 16)
    return "error large the values do not fit into a reply";
  std::string out;
  for (const float value : *values) out += (out.empty() ? "" : ",") + float_text(value);
  return "ok " + (out.empty() ? "-" : out);
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
  } catch (const bad_request& bad) {
    return "error request " + line_text(bad.text);
  }
}

}  // namespace

std::string reply_to(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.starts_with("hello ")) return introduction();
  if (line.size() > largest_request) return "0 error request longer than 1 MiB";
  const std::string_view id = take_word(line);
  const bool is_id = !id.empty() && id.size() <= 20 &&
                     std::ranges::all_of(id, [](char c) { return c >= '0' && c <= '9'; });
  return std::string(is_id ? id : "0") + ' ' +
         (is_id ? answer(line) : "error request a request begins with its id");
}

namespace {
// The next line; of one that is too long as much as shows it: its end may never come.
bool next_request(std::istream& in, std::vector<char>& room, std::string_view& line) {
  in.getline(room.data(), static_cast<std::streamsize>(room.size()));
  const auto taken = static_cast<std::size_t>(in.gcount());
  const bool is_too_long = in.fail() && taken == room.size() - 1;
  const bool has_end = in.good();
  if (in.fail() && !is_too_long) return false;
  line = {room.data(), has_end ? taken - 1 : taken};
  if (is_too_long) {
    in.clear();
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return true;
}
}  // namespace

void serve(std::istream& in, std::ostream& out) {
  std::vector<char> room(largest_request + 3);  // a return before the end of the line; and one too many
  for (std::string_view line; next_request(in, room, line);)
    out << reply_to(line) << '\n' << std::flush;
}

}  // namespace plumbline::adapter
