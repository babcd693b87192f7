// element-types.md, the packing rules.
#include "packing.h"

#include <string>

#include "../mutation.h"
#include "element_type.h"

namespace plumbline {

namespace {

std::unexpected<Refusal> no_packing(std::uint32_t bit_width) {
  return std::unexpected(
      Refusal{"opaque", "elements of " + std::to_string(bit_width) + " bits have no packing here"});
}

std::unexpected<Refusal> outside(std::uint32_t bit_width, const std::string& where,
                                 std::size_t size) {
  return std::unexpected(Refusal{"buffers", "an element of " + std::to_string(bit_width) +
                                                " bits at " + where + " is not inside " +
                                                std::to_string(size) + " bytes"});
}

bool holds(std::size_t size, std::uint32_t bit_width, Exact count) {
  return bytes_for_elements(bit_width, count).at_most(size);
}

bool has_more_bits(u128 code, std::uint32_t bit_width) {
  return bit_width < 128 && code >> bit_width != 0;
}

}  // namespace

Place place_of(std::uint32_t bit_width, std::uint64_t slot) {
  if (bit_width == 6) {
    std::uint32_t first_bit = static_cast<std::uint32_t>(slot % 4) * 6;
    return {Exact(slot / 4) * Exact(3) + Exact(first_bit / 8), first_bit % 8};
  }
  std::uint32_t packed = packing_factor(bit_width);
  if (packed > 1 && mutant("wrong:", "codes from the high bits down"))
    return {Exact(slot / packed),
            static_cast<std::uint32_t>(packed - 1 - slot % packed) * bit_width};
  if (packed > 1)
    return {Exact(slot / packed), static_cast<std::uint32_t>(slot % packed) * bit_width};
  return {Exact(slot) * Exact(bit_width / 8), 0};
}

std::expected<u128, Refusal> load_bits(ByteView run, std::uint32_t bit_width, std::uint64_t slot) {
  if (!is_packable(bit_width) || bit_width > 128) return no_packing(bit_width);
  if (!holds(run.size(), bit_width, Exact(slot) + Exact(1)))
    return outside(bit_width, "slot " + std::to_string(slot), run.size());
  Place place = place_of(bit_width, slot);
  return load_bits_at(run, bit_width, static_cast<std::uint64_t>(place.byte.value()), place.bit);
}

std::expected<u128, Refusal> load_bits_at(ByteView bytes, std::uint32_t bit_width,
                                          std::uint64_t byte, std::uint32_t bit) {
  if (!is_packable(bit_width) || bit_width > 128) return no_packing(bit_width);
  auto not_inside = [&] {
    return outside(bit_width, "byte " + std::to_string(byte), bytes.size());
  };
  Reader in(bytes);
  if (!in.take(byte)) return not_inside();
  if (bit_width >= 8) {
    std::optional<ByteView> element = in.take(bit_width / 8);
    if (!element || bit != 0) return not_inside();
    u128 value = 0;
    for (std::size_t i = element->size(); i-- > 0;) value = value << 8 | (*element)[i];
    return value;
  }
  // A 6-bit element may continue in the low bits of the next byte.
  std::optional<ByteView> touched = in.take(bit + bit_width > 8 ? 2 : 1);
  if (!touched || bit > 7) return not_inside();
  return little_endian(*touched) >> bit & ((1u << bit_width) - 1);
}

std::expected<Bytes, Refusal> load_bytes(ByteView run, std::uint32_t bit_width,
                                         std::uint64_t slot) {
  if (!is_packable(bit_width)) return no_packing(bit_width);
  if (!holds(run.size(), bit_width, Exact(slot) + Exact(1)))
    return outside(bit_width, "slot " + std::to_string(slot), run.size());
  if (bit_width < 8) return Bytes{static_cast<std::uint8_t>(*load_bits(run, bit_width, slot))};
  Reader in(run);
  std::uint64_t width = bit_width / 8;
  in.take(slot * width);  // no wrap: the run holds it
  std::optional<ByteView> element = in.take(width);
  return Bytes(element->begin(), element->end());
}

std::expected<void, Refusal> store_bits(std::span<std::uint8_t> run, std::uint32_t bit_width,
                                        std::uint64_t slot, u128 bits) {
  if (!is_packable(bit_width) || bit_width > 128) return no_packing(bit_width);
  if (!holds(run.size(), bit_width, Exact(slot) + Exact(1)))
    return outside(bit_width, "slot " + std::to_string(slot), run.size());
  if (has_more_bits(bits, bit_width))
    return std::unexpected(
        Refusal{"contents", "a code of more than " + std::to_string(bit_width) + " bits"});
  Place place = place_of(bit_width, slot);
  std::size_t byte = static_cast<std::size_t>(place.byte.value());
  if (bit_width >= 8) {
    for (std::size_t i = 0; i < bit_width / 8; ++i)
      run[byte + i] = static_cast<std::uint8_t>(bits >> (8 * i));
    return {};
  }
  // Bit by bit: the element's bits may lie in two bytes.
  for (std::uint32_t i = 0; i < bit_width; ++i) {
    std::uint32_t at = place.bit + i;
    std::uint8_t mask = static_cast<std::uint8_t>(1u << at % 8);
    std::uint8_t& target = run[byte + at / 8];
    target = static_cast<std::uint8_t>((bits >> i & 1) != 0 ? target | mask : target & ~mask);
  }
  return {};
}

std::expected<std::vector<std::uint8_t>, Refusal> unpack(ByteView run, std::uint32_t bit_width,
                                                         std::uint64_t count) {
  if (!is_packable(bit_width) || bit_width > 8) return no_packing(bit_width);
  if (!holds(run.size(), bit_width, Exact(count)))
    return outside(bit_width, "slot " + std::to_string(count - 1), run.size());
  std::vector<std::uint8_t> codes;
  codes.reserve(static_cast<std::size_t>(count));
  for (std::uint64_t slot = 0; slot < count; ++slot) {
    std::expected<u128, Refusal> bits = load_bits(run, bit_width, slot);
    if (!bits) return std::unexpected(bits.error());
    codes.push_back(static_cast<std::uint8_t>(*bits));
  }
  return codes;
}

std::expected<Bytes, Refusal> pack(std::span<const std::uint8_t> codes, std::uint32_t bit_width) {
  if (!is_packable(bit_width) || bit_width > 8) return no_packing(bit_width);
  Bytes run(static_cast<std::size_t>(bytes_for_elements(bit_width, Exact(codes.size())).value()));
  for (std::size_t slot = 0; slot < codes.size(); ++slot) {
    std::expected<void, Refusal> stored = store_bits(run, bit_width, slot, codes[slot]);
    if (!stored) return std::unexpected(stored.error());
  }
  return run;
}

}  // namespace plumbline
