// Questions that are wrong in a chosen way: edits of whole fields, entries of buffers, members and
// indices of a vector.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/vectors/vector.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::program {

// A question in the form of a vector; what the vector expects is of no interest here.
using question = vectors::vector;

// The descriptors of a question: one, or head and members.
std::size_t descriptors(const question& q);
vectors::bytes& descriptor(question& q, std::size_t k);
const vectors::bytes& descriptor(const question& q, std::size_t k);

// Replaces `removed` bytes of a descriptor or buffer, or words of the index or fields, by others.
struct edit {
  enum class place { descriptor, buffer, word, member };
  place in = place::descriptor;
  std::size_t part = 0;  // which descriptor or buffer
  std::size_t at = 0, removed = 0;
  vectors::bytes put;
  std::string word;  // of an edit of words: what is put, "" for nothing
  std::string key;   // of the field, where it is one value for another: the edit fits other bases
};

struct mutation {
  const vectors::vector* base = nullptr;
  std::string op, mode;
  std::string ask = {};  // an index, or fields, of a vector that had none
  std::vector<edit> edits = {};
  bool over_network = false, without_agreement = false;
  bool repair = true;  // descriptor_length follows what was put in or taken out

  question asked() const;
};

// Between the words of an index or of what is to be written.
char word_separator(const std::string& op);

std::string key_of(const Field& field);
vectors::bytes little_endian(std::uint64_t value, std::size_t size);
std::uint64_t number_at(const vectors::bytes& data, std::size_t at, std::size_t size);
// key=value of every field, as the protocol's fields and encode have them.
std::vector<std::pair<std::string, std::string>> named_fields(const std::vector<Field>& fields);
// The descriptor that these fields state; lengths, counts and flags follow anew. Nothing where they
// do not fit.
std::optional<vectors::bytes> bytes_of(FieldText text);

// The sections of a descriptor, as their keys begin.
inline constexpr const char* section_names[] = {"quantization.", "shard.", "statistics.",
                                                "extension.", "member."};

inline std::ptrdiff_t signed_of(std::size_t n) { return static_cast<std::ptrdiff_t>(n); }

// "buffer.3.alignment[2]" and "buffer.0.alignment" share their values.
std::string without_numbers(const std::string& key);

}  // namespace plumbline::program
