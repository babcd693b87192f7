// The text form of a df64: "hi+lo" or "hi-lo", both doubles in their shortest form that reads back
// (std::to_chars): 0.1+0, 0.3333333333333333+1.850371707708594e-17. Where hi is not finite it
// stands alone: inf, -inf, nan. Reading back gives the same bits (a NaN: the quiet one).
#pragma once

#include <expected>
#include <iosfwd>
#include <string>
#include <string_view>

#include "df64.h"
#include "error.h"

namespace plumbline {

std::string to_text(df64 x);

// Reads that form, and a plain decimal: one number means itself and is rounded to df64 correctly
// (decimal.h), so "0.1" is not the double 0.1; of two, each is rounded to the nearest double and
// the pair is normalised. Refuses everything else, spaces included, with invalid_argument.
std::expected<df64, numeric_error> parse_df64(std::string_view text);

std::ostream& operator<<(std::ostream& out, df64 x);

}  // namespace plumbline
