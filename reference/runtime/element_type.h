// What the runtime knows of an element type: a record per type, found by its address. The core
// describes the standard types here; whoever contributes an external scalar specialises
// scalar_traits for it beside the scalar (see the README, "Adding your own scalar").
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "../scalar/domain.h"

namespace plumbline {

// The order of promotion: a truth value yields to an integer, an integer to a floating type. An
// external scalar takes no part in it.
enum class scalar_kind : std::uint8_t { truth_value, integer, floating, external };

struct element_type {
  std::string_view name;
  scalar_kind kind = scalar_kind::external;
  scalar_domain domain = scalar_domain::field;
  std::size_t size = 0, alignment = 0;  // in bytes

  bool is_external() const { return kind == scalar_kind::external; }
};

// One byte, so that a buffer of truth values can be lent as a span.
enum class truth : std::uint8_t { no, yes };

template <class T>
struct scalar_traits;  // name, kind, domain

template <>
struct scalar_traits<truth> {
  static constexpr std::string_view name = "bool";
  static constexpr scalar_kind kind = scalar_kind::truth_value;
  static constexpr scalar_domain domain = scalar_domain::truth_value;
};
template <>
struct scalar_traits<std::int32_t> {
  static constexpr std::string_view name = "i32";
  static constexpr scalar_kind kind = scalar_kind::integer;
  static constexpr scalar_domain domain = scalar_domain::ordered_ring;
};
template <>
struct scalar_traits<std::int64_t> {
  static constexpr std::string_view name = "i64";
  static constexpr scalar_kind kind = scalar_kind::integer;
  static constexpr scalar_domain domain = scalar_domain::ordered_ring;
};
template <>
struct scalar_traits<float> {
  static constexpr std::string_view name = "f32";
  static constexpr scalar_kind kind = scalar_kind::floating;
  static constexpr scalar_domain domain = scalar_domain::field;
};
template <>
struct scalar_traits<double> {
  static constexpr std::string_view name = "f64";
  static constexpr scalar_kind kind = scalar_kind::floating;
  static constexpr scalar_domain domain = scalar_domain::field;
};

template <class T>
concept scalar = std::is_trivially_copyable_v<T> && requires {
  { scalar_traits<T>::name } -> std::convertible_to<std::string_view>;
  { scalar_traits<T>::kind } -> std::convertible_to<scalar_kind>;
  { scalar_traits<T>::domain } -> std::convertible_to<scalar_domain>;
};

template <scalar T>
inline constexpr element_type element_record{scalar_traits<T>::name, scalar_traits<T>::kind,
                                             scalar_traits<T>::domain, sizeof(T), alignof(T)};

template <scalar T>
const element_type& type_of() {
  return element_record<T>;
}

inline bool operator==(const element_type& a, const element_type& b) { return &a == &b; }

}  // namespace plumbline
