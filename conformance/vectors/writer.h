// Fields to descriptor bytes: the vector compiler's own writer, written from the tables of
// docs/spec/metadata.md and the layout and scheme pages. It judges nothing, so that a vector can be
// wrong in any way, and it remembers where every field went.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "conformance/vectors/vector.h"

namespace plumbline::vectors {

using field_map = std::map<std::string, std::string, std::less<>>;

struct written {
  bytes data;
  named_values fields;  // every field in wire order, in canonical form
  std::map<std::string, std::size_t, std::less<>>
      at;             // KEY, and KEY[i] of a list, to its first byte
  std::string given;  // the fields that were set, as an encode question; "" where none can be asked
  std::vector<std::string> needs;  // optional parts of the specification that the descriptor uses
};

// Throws value_error for an unknown key, a value that does not fit, a missing or an unused field.
written write_descriptor(const field_map& fields);

}  // namespace plumbline::vectors
