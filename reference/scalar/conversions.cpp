#include "conversions.h"

#include <string>

#include "storage.h"

namespace plumbline {

std::string_view to_string(scalar_type type) {
  switch (type) {
    case scalar_type::f32:
      return "f32";
    case scalar_type::f64:
      return "f64";
    case scalar_type::bf16:
      return "bf16";
    case scalar_type::df64:
      return "df64";
  }
  return "";
}

std::size_t byte_width(scalar_type type) {
  switch (type) {
    case scalar_type::f32:
      return 4;
    case scalar_type::f64:
      return 8;
    case scalar_type::bf16:
      return bf16_bytes;
    case scalar_type::df64:
      return df64_bytes;
  }
  return 0;
}

namespace {

// Applies `element` to each pair of fixed-size windows onto the source and the target.
template <std::size_t source_width, std::size_t target_width, class Element>
std::vector<std::uint8_t> each(std::span<const std::uint8_t> source, Element element) {
  const std::size_t count = source.size() / source_width;
  std::vector<std::uint8_t> target(count * target_width);
  const std::span<std::uint8_t> written = target;
  for (std::size_t i = 0; i < count; ++i) {
    element(source.subspan(i * source_width).first<source_width>(),
            written.subspan(i * target_width).first<target_width>());
  }
  return target;
}

}  // namespace

std::expected<std::vector<std::uint8_t>, numeric_error> convert(
    scalar_type source, scalar_type target, std::span<const std::uint8_t> elements) {
  using enum scalar_type;
  if (elements.size() % byte_width(source) != 0) {
    return std::unexpected(numeric_error{numeric_error_kind::shape_mismatch,
                                         std::to_string(elements.size()) +
                                             " bytes are no whole number of " +
                                             std::string(to_string(source)) + " elements"});
  }
  if (source == f64 && target == df64) {
    return each<8, 16>(elements,
                       [](auto from, auto to) { store_df64(to, widen(load_double(from))); });
  }
  if (source == df64 && target == f64) {
    return each<16, 8>(elements,
                       [](auto from, auto to) { store_double(to, narrow(load_df64(from))); });
  }
  if (source == bf16 && target == f32) {
    return each<2, 4>(elements,
                      [](auto from, auto to) { store_float(to, widen(load_bf16(from))); });
  }
  if (source == f32 && target == bf16) {
    return each<4, 2>(elements,
                      [](auto from, auto to) { store_bf16(to, narrow(load_float(from))); });
  }
  return std::unexpected(numeric_error{numeric_error_kind::unsupported_type,
                                       "no conversion from " + std::string(to_string(source)) +
                                           " to " + std::string(to_string(target)) +
                                           ": f64 and df64, f32 and bf16 convert into each other"});
}

}  // namespace plumbline
