// The bytes of buffers (`data K ..`) and the edits of a descriptor (`cut`, `append`, `patch`).
#pragma once

#include <string_view>
#include <vector>

#include "conformance/vectors/vector.h"

namespace plumbline::vectors {

// "K HEX", "K -", or "K u64 0,2,3". Throws value_error.
void add_buffer(std::string_view text, std::vector<bytes>& buffers);

// Throws value_error.
void apply_edit(std::string_view word, std::string_view text, bytes& data);

}  // namespace plumbline::vectors
