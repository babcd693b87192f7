#include "element_type.h"

#include <array>

#include "../mutation.h"

namespace plumbline {

namespace {

using enum NumberKind;

constexpr std::array<ElementType, 26> table = {{
    // tag, name, tier, bit width, kind, alignment
    {0x01, "float16", 1, 16, floating, 2},
    {0x02, "bfloat16", 1, 16, floating, 2},
    {0x03, "float32", 1, 32, floating, 4},
    {0x04, "float64", 1, 64, floating, 8},
    {0x10, "int8", 1, 8, signed_integer, 1},
    {0x11, "uint8", 1, 8, unsigned_integer, 1},
    {0x12, "int16", 1, 16, signed_integer, 2},
    {0x13, "uint16", 1, 16, unsigned_integer, 2},
    {0x14, "int32", 1, 32, signed_integer, 4},
    {0x15, "uint32", 1, 32, unsigned_integer, 4},
    {0x16, "int64", 1, 64, signed_integer, 8},
    {0x17, "uint64", 1, 64, unsigned_integer, 8},
    {0x20, "bool", 1, 1, boolean, 1},
    {0x40, "float8_e4m3", 2, 8, floating, 1},
    {0x41, "float8_e5m2", 2, 8, floating, 1},
    {0x42, "float8_e8m0", 2, 8, floating, 1},
    {0x43, "float4_e2m1", 2, 4, floating, 1},
    {0x44, "float6_e2m3", 2, 6, floating, 1},
    {0x45, "float6_e3m2", 2, 6, floating, 1},
    {0x46, "float128", 2, 128, floating, 16},
    {0x48, "int4", 2, 4, signed_integer, 1},
    {0x49, "uint4", 2, 4, unsigned_integer, 1},
    {0x4A, "int2", 2, 2, signed_integer, 1},
    {0x4B, "uint2", 2, 2, unsigned_integer, 1},
    {0x50, "complex64", 2, 64, complex, 4},
    {0x51, "complex128", 2, 128, complex, 8},
}};

}  // namespace

const ElementType* find_element_type(std::uint8_t tag) {
  for (const ElementType& type : table)
    if (type.tag == tag) return &type;
  return nullptr;
}

const ElementType* find_element_type(std::string_view name) {
  for (const ElementType& type : table)
    if (type.name == name) return &type;
  return nullptr;
}

Exact bytes_for_elements(std::uint32_t bit_width, Exact count) {
  if (bit_width == 6 && mutant("wrong:", "6-bit elements in a byte each")) return count;
  if (bit_width == 6 && mutant("wrong:", "6-bit groups not whole"))
    return ceil_divide(count * Exact(6), 8);
  if (bit_width < 8 && bit_width != 6 && mutant("wrong:", "narrow elements in a byte each"))
    return count;
  if (bit_width == 6) return ceil_divide(count, 4) * Exact(3);
  if (bit_width < 8) return ceil_divide(count, packing_factor(bit_width));
  return count * Exact(bit_width / 8);
}

}  // namespace plumbline
