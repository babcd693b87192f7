// Answers compared as values: 0x0b and 11 agree, and every NaN is the same NaN.
#pragma once

#include <string>
#include <string_view>

#include "conformance/vectors/vector.h"

namespace plumbline::runner {

// Of size, address, lookup, dequantise, encode. An answer that cannot be read is no equal value.
bool same_value(std::string_view op, const std::string& expected, const std::string& got);
bool same_field(std::string_view key, const std::string& expected, const std::string& got);

// "key=value key=value"; throws std::invalid_argument.
vectors::named_values parse_fields(std::string_view text);
// The first difference in words, empty for none. With `all`, nothing may stand beside what is
// expected.
std::string difference(const vectors::named_values& expected, const vectors::named_values& got,
                       bool all);

}  // namespace plumbline::runner
