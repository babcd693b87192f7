// Descriptors that are wrong in a chosen way: edits of whole fields, drawn from a seed.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "conformance/vectors/vector.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::program {

// Replaces `removed` bytes at an offset of the base by others.
struct edit {
  std::size_t at = 0, removed = 0;
  vectors::bytes put;
  std::string key;  // of the field, where it is one value for another: the edit fits other bases
};

struct mutation {
  const vectors::vector* base = nullptr;
  std::vector<edit> edits;
  bool repair = true;  // descriptor_length follows what was put in or taken out

  vectors::bytes bytes() const;
};

// The same values for the same seed on every machine.
class mutator {
 public:
  mutator(const std::vector<vectors::vector>& all, std::uint64_t seed);
  bool empty() const { return bases_.empty(); }
  mutation next();
  // The mutation with its one changed field on other, smaller bases that have that field.
  std::vector<mutation> on_smaller_bases(const mutation& m) const;

 private:
  struct base {
    const vectors::vector* vector;
    std::vector<Field> fields;
  };
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  edit change(const base& from);

  std::vector<base> bases_;
  std::mt19937_64 random_;
};

std::string key_of(const Field& field);

}  // namespace plumbline::program
