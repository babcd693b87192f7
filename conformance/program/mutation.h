// Questions that are wrong in a chosen way: edits of whole fields, entries of buffers, members and
// indices of the vectors, drawn from a seed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
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

// Which questions both adapters answer.
struct abilities {
  std::set<std::string, std::less<>> ops, modes;
};

// The same values for the same seed on every machine.
class mutator {
 public:
  mutator(const std::vector<vectors::vector>& all, const abilities& both, std::uint64_t seed);
  bool empty() const { return of_op_.empty(); }
  mutation next();
  // Other mutations of the same base and of the vectors of a clause, one edit each.
  std::vector<mutation> around(const mutation& m, const std::string& clause, std::size_t count);
  // The mutation with its one changed field on other bases that have that field, the smallest first.
  std::vector<mutation> on_other_bases(const mutation& m) const;
  // The mutation with one edit less, and with values closer to those of the base.
  static std::vector<mutation> closer_to_base(const mutation& m);

 private:
  struct base {
    const vectors::vector* vector;
    std::vector<std::vector<Field>> fields;  // of each descriptor
  };
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  void learn(const vectors::vector& v, bool is_base);
  std::uint64_t beside(std::uint64_t value, std::size_t size);
  edit change_field(const base& from);
  edit change_section(const base& from);
  edit change_buffer(const vectors::vector& v);
  edit change_word(const mutation& m);
  edit change(const base& from, const mutation& m);
  void add_edit(const base& from, mutation& m);
  std::string an_index(const base& from);
  std::string fields_of(const base& from) const;

  abilities both_;
  std::vector<std::string> modes_;
  std::vector<std::pair<std::string, std::vector<base>>> of_op_;  // by the vector's own operation
  std::vector<std::vector<const base*>> of_clause_;  // by operation and clause: each as often as another
  std::map<std::string, std::vector<vectors::bytes>> seen_;       // values of each key in the vectors
  std::map<std::string, std::vector<FieldText>> sections_;         // "shard." and the fields of some
  std::map<std::size_t, std::vector<vectors::bytes>> entries_;     // of buffers, by their width
  std::map<std::string, std::vector<std::string>> words_;         // key=value of encode questions
  std::mt19937_64 random_;
};

std::string key_of(const Field& field);
vectors::bytes little_endian(std::uint64_t value, std::size_t size);
std::uint64_t number_at(const vectors::bytes& data, std::size_t at, std::size_t size);
// key=value of every field, as the protocol's fields and encode have them.
std::vector<std::pair<std::string, std::string>> named_fields(const std::vector<Field>& fields);
// The descriptor that these fields state; lengths, counts and flags follow anew. Nothing where they do not fit.
std::optional<vectors::bytes> bytes_of(FieldText text);

}  // namespace plumbline::program
