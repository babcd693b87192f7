// Runs of packed elements: each element is the bits that the packing rules name, and no others.
#include "reference/types/packing.h"

#include "../build.h"
#include "../target.h"

namespace plumbline::fuzz {

namespace {

// The bits of element `slot` counted one by one: elements of 1, 2, 4, 6 and 8 bits follow one another
// from the low bits up, whole-byte ones are little-endian, so both are the run read as one integer.
u128 bits_one_by_one(ByteView run, std::uint32_t width, std::uint64_t slot) {
  u128 value = 0;
  for (std::uint32_t i = 0; i < width; ++i) {
    std::size_t at = static_cast<std::size_t>(slot * width + i);
    value |= u128{static_cast<unsigned>(run[at / 8] >> at % 8) & 1u} << i;
  }
  return value;
}

std::string store_one(Bytes run, std::uint32_t width, std::uint64_t slot, u128 code) {
  Bytes before = run;
  bool fits = width == 128 || code >> width == 0;
  auto stored = store_bits(run, width, slot, code);
  if (stored.has_value() != fits) return "a code is stored that does not fit, or refused though it does";
  if (!stored) return run == before ? "" : "a refused store changed the run";
  if (bits_one_by_one(run, width, slot) != code) return "another code is stored";
  for (std::size_t at = 0; at < 8 * run.size(); ++at)
    if (at / width != slot && ((run[at / 8] ^ before[at / 8]) >> at % 8 & 1) != 0)
      return "a store changed a bit of another element";
  return "";
}

std::string whole_arrays(ByteView run, std::uint32_t width, std::uint64_t count) {
  auto codes = unpack(run, width, count);
  if (!codes) return "a run that holds its elements is not unpacked: " + codes.error().text;
  for (std::uint64_t slot = 0; slot < count; ++slot)
    if ((*codes)[static_cast<std::size_t>(slot)] != bits_one_by_one(run, width, slot))
      return "unpacked to another code";
  auto packed = pack(*codes, width);
  if (!packed) return "unpacked codes are not packed: " + packed.error().text;
  auto again = unpack(*packed, width, count);
  if (!again || *again != *codes) return "packed and unpacked to other codes";
  if (!codes->empty() && width < 8) {
    codes->back() = static_cast<std::uint8_t>(1u << width);
    if (pack(*codes, width)) return "a code with a bit too many is packed";
  }
  return "";
}

}  // namespace

std::string packing(ByteView input) {
  Choices choices(input);
  std::uint32_t widths[] = {1, 2, 4, 6, 8, 16, 24, 32, 64, 96, 128};
  std::uint8_t which = choices.byte();
  std::uint32_t width = which < 220 ? widths[which % std::size(widths)] : choices.byte();
  std::uint64_t slot = choices.one_in(16) ? choices.wide() : choices.byte();
  u128 code = u128{choices.wide()} << 64 | choices.wide();
  if (width < 128 && width > 0 && !choices.one_in(8)) code &= (u128{1} << width) - 1;
  ByteView run = choices.left();

  if (!is_packable(width) || width > 128) {
    Bytes copy(run.begin(), run.end());
    bool answered = load_bits(run, width, slot) || store_bits(copy, width, slot, code) ||
                    load_bits_at(run, width, 0, 0) || unpack(run, width, 1) || pack({}, width) ||
                    (!is_packable(width) && load_bytes(run, width, slot));
    return answered ? "a width without a packing is answered" : "";
  }
  // 6-bit elements come in groups of four, which are there whole or not at all.
  std::uint64_t count = width == 6 ? run.size() / 3 * 4 : 8 * std::uint64_t{run.size()} / width;
  bool inside = slot < count;
  auto loaded = load_bits(run, width, slot);
  auto as_bytes = load_bytes(run, width, slot);
  if (loaded.has_value() != inside || as_bytes.has_value() != inside)
    return "element " + std::to_string(slot) + " of " + std::to_string(count);
  if (inside) {
    if (*loaded != bits_one_by_one(run, width, slot)) return "another code is loaded";
    for (std::size_t k = 0; k < as_bytes->size(); ++k)
      if ((*as_bytes)[k] != static_cast<std::uint8_t>(*loaded >> 8 * k)) return "other bytes are loaded";
    Place place = place_of(width, slot);
    auto placed = load_bits_at(run, width, static_cast<std::uint64_t>(place.byte.value()), place.bit);
    if (!placed || *placed != *loaded)
      return "the element's place holds another code";
    if (std::string broken = store_one({run.begin(), run.end()}, width, slot, code); !broken.empty()) return broken;
  } else {
    Bytes copy(run.begin(), run.end());
    if (store_bits(copy, width, slot, 0)) return "stored behind the run";
  }
  (void)load_bits_at(run, width, slot, choices.byte() % 16u);  // anywhere: answered or refused
  if (width > 8) return "";
  if (unpack(run, width, count + 1)) return "unpacked behind the run";
  return whole_arrays(run, width, count);
}

}  // namespace plumbline::fuzz
