// The byte form of the scalars in a tensor's buffer: little-endian; of a df64, hi at the lower
// address and lo eight bytes behind it. Every pattern survives a load and a store.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "bf16.h"
#include "df64.h"

namespace plumbline {

inline constexpr std::size_t df64_bytes = 16;
inline constexpr std::size_t bf16_bytes = 2;

template <class Bits, std::size_t size = sizeof(Bits)>
Bits load_little_endian(std::span<const std::uint8_t, size> bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
  return static_cast<Bits>(value);
}
template <class Bits, std::size_t size = sizeof(Bits)>
void store_little_endian(std::span<std::uint8_t, size> bytes, Bits value) {
  for (std::size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<std::uint8_t>(std::uint64_t{value} >> (8 * i));
  }
}

inline double load_double(std::span<const std::uint8_t, 8> bytes) {
  return std::bit_cast<double>(load_little_endian<std::uint64_t>(bytes));
}
inline void store_double(std::span<std::uint8_t, 8> bytes, double x) {
  store_little_endian(bytes, std::bit_cast<std::uint64_t>(x));
}
inline float load_float(std::span<const std::uint8_t, 4> bytes) {
  return std::bit_cast<float>(load_little_endian<std::uint32_t>(bytes));
}
inline void store_float(std::span<std::uint8_t, 4> bytes, float x) {
  store_little_endian(bytes, std::bit_cast<std::uint32_t>(x));
}

inline df64 load_df64(std::span<const std::uint8_t, df64_bytes> bytes) {
  return df64::raw(load_double(bytes.first<8>()), load_double(bytes.last<8>()));
}
inline void store_df64(std::span<std::uint8_t, df64_bytes> bytes, df64 x) {
  store_double(bytes.first<8>(), x.hi);
  store_double(bytes.last<8>(), x.lo);
}
inline bf16 load_bf16(std::span<const std::uint8_t, bf16_bytes> bytes) {
  return bf16::from_bits(load_little_endian<std::uint16_t>(bytes));
}
inline void store_bf16(std::span<std::uint8_t, bf16_bytes> bytes, bf16 x) {
  store_little_endian(bytes, x.bits);
}

}  // namespace plumbline
