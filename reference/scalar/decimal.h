// Decimal numbers, read exactly: the double nearest to a decimal, and the double nearest to what is
// then left. Whole-number arithmetic throughout, so halfway cases are decided, not guessed.
#pragma once

#include <cstddef>
#include <string_view>

#include "error_free.h"

namespace plumbline {

// A decimal literal: an optional sign, digits with at most one point among them (and at least one
// digit), an optional exponent of ten. Returns how many characters of `text` it takes, 0 for none.
std::size_t decimal_length(std::string_view text);

// result = RN(value) and error = RN(value - result), which may reach half a unit of an odd result
// and so be no canonical pair yet. inf where the value rounds beyond the largest double; a value at
// or below eta / 2 is zero. The sign is kept, of a zero too. Precondition: decimal_length(literal)
// == literal.size() > 0.
rounded read_decimal(std::string_view literal);

}  // namespace plumbline
