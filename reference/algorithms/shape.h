// Shapes, and how the algorithms refuse. Names no scalar.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../scalar/error.h"

namespace plumbline {

using shape_type = std::vector<std::size_t>;

// The number of elements, or nothing where it exceeds what an index can count.
inline std::optional<std::size_t> element_count(const shape_type& shape) {
  std::size_t count = 1;
  for (const std::size_t extent : shape) {
    if (extent == 0) return 0;
  }
  for (const std::size_t extent : shape) {
    if (__builtin_mul_overflow(count, extent, &count)) return std::nullopt;
  }
  return count;
}

template <class T>
using result = std::expected<T, numeric_error>;

inline std::unexpected<numeric_error> refuse(numeric_error_kind kind, std::string text) {
  return std::unexpected(numeric_error{kind, std::move(text)});
}

inline std::string shape_text(const shape_type& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ",") + std::to_string(shape[i]);
  }
  return text + "]";
}

}  // namespace plumbline
