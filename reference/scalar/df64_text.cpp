#include "df64_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <ostream>

#include "decimal.h"

namespace plumbline {
namespace {

std::string shortest(double x) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), x).ptr;
  return std::string(text.data(), end);
}

}  // namespace

std::string to_text(df64 x) {
  if (std::isnan(x.hi)) return "nan";
  if (std::isinf(x.hi)) return shortest(x.hi);
  return shortest(x.hi) + (std::signbit(x.lo) ? "-" : "+") + shortest(std::fabs(x.lo));
}

std::expected<df64, numeric_error> parse_df64(std::string_view text) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (text == "inf" || text == "+inf") return infinity;
  if (text == "-inf") return -infinity;
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();

  const std::string_view first = text.substr(0, decimal_length(text));
  const std::string_view rest = text.substr(first.size());
  if (!first.empty() && rest.empty()) {
    const rounded value = read_decimal(first);
    return df64(value.result, value.error);
  }
  const bool signed_rest = !rest.empty() && (rest[0] == '+' || rest[0] == '-');
  if (!first.empty() && signed_rest && decimal_length(rest) == rest.size()) {
    return df64(read_decimal(first).result, read_decimal(rest).result);
  }
  return std::unexpected(numeric_error{numeric_error_kind::invalid_argument,
                                       "not a df64: \"" + std::string(text) + "\""});
}

std::ostream& operator<<(std::ostream& out, df64 x) { return out << to_text(x); }

}  // namespace plumbline
