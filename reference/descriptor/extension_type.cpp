// metadata.md, Extension Type Section; ADR-001. The section lets a reader that has never heard of a
// private type size its buffers.
#include "judge.h"

namespace plumbline {

void ExtensionType::visit(Fields& f) {
  at = f.offset();
  f.prefix("extension.");
  f.u32("bit_width", bit_width);
  f.u8("packing_factor", packing_factor);
  f.u8("is_float", is_float);
  f.u8("is_signed", is_signed);
  f.u8("sign_bits", sign_bits);
  f.u8("exponent_bits", exponent_bits);
  f.u8("mantissa_bits", mantissa_bits);
  f.bytes("reserved", reserved, 2);
  f.u32("exponent_bias", exponent_bias);
  f.u8("has_nan", has_nan);
  f.u8("has_inf", has_inf);
  f.bytes("reserved2", reserved2, 2);
}

namespace {
bool is_sub_byte_width(std::uint32_t width) { return width == 1 || width == 2 || width == 4; }
}  // namespace

bool ExtensionType::is_sizeable() const {
  if (bit_width < 8) return is_sub_byte_width(bit_width) && packing_factor == 8 / bit_width;
  return bit_width % 8 == 0 && packing_factor == 1;
}

void judge_extension_type(const Descriptor& d, Faults& faults) {
  const ExtensionType& e = *d.extension_type;
  std::string width = "bit_width " + std::to_string(e.bit_width);
  std::string packing = "packing_factor " + std::to_string(e.packing_factor);
  if (e.bit_width < limit("EXT-02", 1u))
    faults.add("EXT-02", e.at, width, "a width above 0");
  else if (e.bit_width < limit("EXT-04", 8u) && !is_sub_byte_width(e.bit_width))
    faults.add("EXT-04", e.at, width, "a sub-byte width of 1, 2 or 4");
  else if (e.bit_width < 8 && e.packing_factor != 8 / e.bit_width)
    faults.add("EXT-05", e.at + 4, packing + " with " + width,
               "8 / bit_width = " + std::to_string(8 / e.bit_width));
  if (e.bit_width >= limit("EXT-03", 8u)) {
    if (e.bit_width % 8 != 0)
      faults.add("EXT-19", e.at, width, "a whole number of bytes, a multiple of 8");
    if (e.packing_factor != 1) faults.add("EXT-03", e.at + 4, packing + " with " + width, "1");
  }

  // The number's own parts. A float states its sign in sign_bits, an integer in is_signed.
  auto not_zero = [&](std::string_view clause, std::size_t byte, std::string name,
                      std::uint32_t value) {
    if (value > limit(clause, 0, 0u))
      faults.add(clause, e.at + byte, name + " " + std::to_string(value) + " of an integer", "0");
  };
  auto not_boolean = [&](std::string_view clause, std::size_t byte, std::string name,
                         std::uint8_t value) {
    if (value > limit(clause, 1, 1))
      faults.add(clause, e.at + byte, name + " " + hex_tag(value), "0x00 or 0x01");
  };
  not_boolean("EXT-06", 5, "is_float", e.is_float);
  if (e.is_float == 1) {
    if (e.is_signed > limit("EXT-07.float", 0))
      faults.add("EXT-07", e.at + 6, "is_signed " + hex_tag(e.is_signed) + " on a float",
                 "0x00: is_signed describes integers, a float's sign stands in sign_bits");
    not_boolean("EXT-08", 7, "sign_bits", e.sign_bits);
    not_boolean("EXT-12", 16, "has_nan", e.has_nan);
    not_boolean("EXT-13", 17, "has_inf", e.has_inf);
    unsigned sum = 0u + e.sign_bits + e.exponent_bits + e.mantissa_bits;
    if (e.sign_bits <= 1 && e.bit_width > 0 && sum > limit("EXT-20", e.bit_width))
      faults.add("EXT-20", e.at + 9,
                 std::to_string(sum) + " bits of sign, exponent and mantissa with " + width,
                 "at most the width");
  } else if (e.is_float == 0) {
    not_boolean("EXT-07", 6, "is_signed", e.is_signed);
    not_zero("EXT-08", 7, "sign_bits", e.sign_bits);
    not_zero("EXT-09", 8, "exponent_bits", e.exponent_bits);
    not_zero("EXT-10", 9, "mantissa_bits", e.mantissa_bits);
    not_zero("EXT-11", 12, "exponent_bias", e.exponent_bias);
    not_zero("EXT-12", 16, "has_nan", e.has_nan);
    not_zero("EXT-13", 17, "has_inf", e.has_inf);
  } else {
    not_boolean("EXT-08", 7, "sign_bits", e.sign_bits);
  }
  judge_zero(e.reserved, "EXT-14", e.at + 10, faults);
  judge_zero(e.reserved2, "EXT-15", e.at + 18, faults);
}

}  // namespace plumbline
