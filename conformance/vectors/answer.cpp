// Answers from text.
#include "conformance/vectors/answer.h"

#include <algorithm>
#include <array>

#include "conformance/vectors/keys.h"

namespace plumbline::vectors {
namespace {

constexpr std::array<std::string_view, 3> refusals = {"malformed", "invalid", "unsupported"};
constexpr std::array<std::string_view, 6> errors = {"overflow", "dynamic", "opaque",
                                                    "range",    "sparse",  "virtual"};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  for (std::string& word : split(text, ' ')) {
    if (!word.empty()) out.push_back(std::move(word));
  }
  return out;
}

// Of buffers, and of what is asked alone.
bool is_error_of(std::string_view op, std::string_view kind) {
  const bool reads = op == "lookup" || op == "dequantise";
  if (kind == "buffers") return reads || op == "contents";
  if (kind == "contents") return reads;
  if (kind == "unquantized") return op == "dequantise";
  if (kind == "head") return op == "composite" || op == "lookup";
  return op != "decode" && op != "composite" && std::ranges::find(errors, kind) != errors.end();
}

bool is_code(std::string_view word) {
  if (word.starts_with("D-")) return word.size() >= 5;
  return word.size() == 6 && word[3] == '-';
}

unsigned small_number(std::string_view text) {
  const auto value = parse_unsigned(text);
  if (!value || *value > 65535) throw value_error("not a small number: " + std::string(text));
  return static_cast<unsigned>(*value);
}

// VERDICT CODE [member K | buffer K] at WHERE
expectation refusal(std::string_view op, const std::vector<std::string>& words,
                    const offset_of& where, bool need_offset) {
  expectation e;
  e.verdict = words[0];
  std::size_t i = 1;
  if (i >= words.size() || !is_code(words[i]))
    throw value_error("a refusal names its clause or open point");
  e.clause = words[i++];
  if (i + 1 < words.size() && words[i] == "member" && (op == "composite" || op == "lookup")) {
    e.member = small_number(words[i + 1]);
    i += 2;
  }
  if (i + 1 < words.size() && words[i] == "buffer" && op == "contents") {
    e.buffer = small_number(words[i + 1]);
    i += 2;
  }
  if (i + 1 < words.size() && words[i] == "at") {
    const auto number = parse_unsigned(words[i + 1]);
    if (number) {
      e.offset = *number;
    } else if (e.buffer) {
      throw value_error("the offset in a buffer is a number");
    } else {
      e.offset = where(e.member.value_or(0), words[i + 1]);
    }
    i += 2;
  }
  if (i != words.size()) throw value_error("cannot read the refusal at: " + words[i]);
  if (!need_offset) return e;
  if (!e.offset) throw value_error("a refusal states its offset: at KEY, or at N");
  if (op == "composite" && !e.member) throw value_error("a refusal of a set states its member");
  return e;
}

std::string value_of(std::string_view op, const std::vector<std::string>& words) {
  const auto fail = [&] { throw value_error("not an answer to " + std::string(op)); };
  if (op == "size" && words.size() == 1) return canonical(kind::u64_list, words[0]);
  if (op == "address" && words.size() == 3) {
    return canonical(kind::u64, words[0]) + ' ' + canonical(kind::u64, words[1]) + ' ' +
           canonical(kind::u64, words[2]);
  }
  if (op == "lookup" && words.size() == 1 && words[0] == "zero") return "zero";
  if (op == "lookup" && words.size() == 2 && words[0] == "stored")
    return "stored " + canonical(kind::hex, words[1]);
  if (op == "dequantise" && words.size() == 1) {
    if (words[0] == "-") return "-";
    std::string out;
    for (const std::string& item : split(words[0], ',')) {
      if (!out.empty()) out += ',';
      out += canonical(kind::f32, item);
    }
    return out;
  }
  fail();
  return {};
}

}  // namespace

expectation parse_answer(std::string_view op, std::string_view text, const offset_of& where,
                         bool need_offset) {
  const std::vector<std::string> words = words_of(text);
  if (words.empty()) throw value_error("an empty answer");
  const bool judges = op == "decode" || op == "composite" || op == "contents";
  if (std::ranges::find(refusals, words[0]) != refusals.end())
    return refusal(op, words, where, need_offset);
  expectation e;
  if (words[0] == "accept") {
    if (!judges) throw value_error("accept is no answer to " + std::string(op));
    e.verdict = "accept";
    e.extent = "full";
    if (words.size() == 2 && words[1] == "sized" && op != "contents")
      e.extent = "sized";
    else if (words.size() != 1)
      throw value_error("accept, or accept sized");
    return e;
  }
  if (words[0] == "error") {
    if (words.size() != 2 || !is_error_of(op, words[1]))
      throw value_error("unknown error: " + std::string(text));
    e.error = words[1];
    return e;
  }
  e.value = value_of(op, words);
  return e;
}

}  // namespace plumbline::vectors
