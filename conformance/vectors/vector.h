// A compiled test vector: one question about one input, its expected answer and why.
// The file format is described in corpus/vectors/FORMAT.md, the operations in
// conformance/PROTOCOL.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumbline::vectors {

using bytes = std::vector<std::uint8_t>;
using named_values = std::vector<std::pair<std::string, std::string>>;

// What an answer must be. Exactly one of verdict, error, value and fields_only says what kind it
// is.
struct expectation {
  std::string
      verdict;         // "accept", "malformed", "invalid", "unsupported"; empty for the other kinds
  std::string extent;  // of an accept: "full" (interpreted) or "sized"
  std::string clause;  // of a refusal: the clause or the open point (D-nnn) that it names
  std::optional<std::uint64_t> offset;  // of a refusal
  std::optional<unsigned> member;       // of a refusal of a set; 0 is the head
  std::optional<unsigned> buffer;       // of a refusal of contents
  std::string error;                    // the kind of a typed error ("range")
  std::string value;    // size, address, lookup, dequantise, encode, numeric questions
  std::string scale;    // of a numeric value, with what is allowed (conformance/numeric/exact.h)
  double within = 0, absolute = 0;
  named_values fields;  // of an accept: every field in wire order; of `fields`: those to compare

  bool is_accept() const { return verdict == "accept"; }
  bool is_refusal() const { return !verdict.empty() && !is_accept(); }
  bool operator==(const expectation&) const = default;
};

// The same answer, wherever each sees the fault and whatever fields it states.
bool same_answer(const expectation& a, const expectation& b);

// One way to read an open point, and the answer under it.
struct reading {
  std::string name;
  expectation expect;
  bool operator==(const reading&) const = default;
};

struct vector {
  std::string id;      // "EXT-05/b", further questions "EXT-05/b+permissive"
  std::string clause;  // the clause that it probes
  std::string cls;     // accept, refuse-R, refuse-N, refuse-W, unsupported-is-fine, value, open
  std::string op;  // decode, fields, encode, composite, size, address, contents, lookup, dequantise,
                   // or a numeric one: df64.add, qr, ..
  std::string mode;                // strict, lenient, permissive; empty for numeric questions
  std::vector<std::string> agree;  // "type=0xf2"
  std::string transport;           // "" or "network"
  bytes input;                     // the descriptor; empty for sets
  std::vector<bytes> set;          // head, members in pre-order
  std::vector<bytes> buffers;
  std::string ask;  // an index, the `key=value ..` of an encode question, the operands of a numeric one
  expectation expect;
  std::string why;
  std::vector<std::string> points;  // of an open vector: "D-120"
  std::vector<reading> readings;
  std::string given;  // the fields as `key=value ..`, where a writer can be asked for them
  std::vector<std::string>
      needs;  // optional parts that it uses: "type:0x46", "layout:0x40", "quantization", "scalar:bf16"

  bool is_set() const { return !set.empty(); }
  bool is_numeric() const { return mode.empty(); }
  bool operator==(const vector&) const = default;
};

struct load_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string to_hex(const bytes& data);  // "" for none
// Hex digits, blanks between them allowed; nullopt for anything else.
std::optional<bytes> from_hex(std::string_view text);

std::string to_json_line(const vector& v);
vector from_json_line(std::string_view line);  // throws load_error
std::vector<vector> load(const std::filesystem::path& jsonl);

}  // namespace plumbline::vectors
