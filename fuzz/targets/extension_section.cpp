// The 20 bytes of the extension type section inside every kind of descriptor: metadata.md, Extension
// Type Section, stated here a second time.
#include "../build.h"
#include "../target.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::fuzz {

namespace {

std::uint64_t number(ByteView section, std::size_t at, std::size_t width) {
  return little_endian(section.subspan(at, width));
}

// What every reader must refuse (classes R and N).
bool cannot_be_sized(ByteView s) {
  std::uint64_t width = number(s, 0, 4), factor = s[4];
  if (width == 0) return true;
  if (width >= 8) return factor != 1 || width % 8 != 0;
  return (width != 1 && width != 2 && width != 4) || factor * width != 8;
}

// What only binds writers.
bool is_ill_written(ByteView s) {
  bool is_float = s[5] == 1;
  if (s[5] > 1 || s[6] > 1 || s[7] > 1 || s[16] > 1 || s[17] > 1) return true;
  if (number(s, 10, 2) != 0 || number(s, 18, 2) != 0) return true;
  if (is_float && s[6] != 0) return true;
  if (!is_float && (s[7] | s[8] | s[9] | s[16] | s[17] | number(s, 12, 4)) != 0) return true;
  return is_float && std::uint64_t{s[7]} + s[8] + s[9] > number(s, 0, 4);
}

}  // namespace

std::string extension_section(ByteView input) {
  Choices choices(input);
  std::uint8_t tag = sound_layouts[choices.below(std::size(sound_layouts))];
  if (tag == layout::composite) tag = layout::row_major;
  std::uint8_t type = static_cast<std::uint8_t>(0xF0 + choices.below(15));
  Bytes section(20, 0);
  for (std::uint8_t& byte : section) byte = choices.byte();
  Descriptor d = sound(choices, tag);
  d.quantization.reset();
  d.header.type_tag = type;
  d.extension_type.emplace();
  settle(d);
  // Room enough for elements of any sound width below 2^24 bits.
  for (BufferHandle& handle : d.buffers.handles)
    if (handle.byte_size > 0 && &handle == &d.buffers.handles[0]) handle.byte_size = std::uint64_t{1} << 40;
  d.buffers.handles.resize(d.buffers.buffer_count);
  // And before the first one, where strides reach below it.
  if (std::holds_alternative<Strided>(d.layout) && d.byte_offset > 0) d.byte_offset = std::uint64_t{1} << 39;

  Bytes bytes = serialize(d);
  std::size_t at = 0;
  for (const Field& field : list_fields(d))
    if (field.key == "extension.bit_width") at = field.offset;
  std::copy(section.begin(), section.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));

  bool hard = cannot_be_sized(section), soft = is_ill_written(section);
  std::string what = "section " + to_hex(section) + " in layout " + std::to_string(tag);
  for (Mode mode : {Mode::strict, Mode::lenient, Mode::permissive}) {
    Judgement judged = judge(bytes, {.mode = mode, .agreement = Agreement::everything()});
    bool must_refuse = hard || (soft && mode != Mode::lenient);
    if (must_refuse && judged.accepted()) return what + " is accepted in " + std::string(to_string(mode));
    if (must_refuse && judged.verdict() != Verdict::invalid) return what + " is not called invalid";
    bool small = number(section, 0, 4) < 1u << 16;
    if (!must_refuse && small && !judged.accepted())
      return what + " is refused in " + std::string(to_string(mode)) + ": " + judged.faults[0].message();
    for (const Fault& fault : judged.faults)
      if (must_refuse && small && fault.offset >= at && !fault.clause.starts_with("EXT-") && fault.offset < at + 20)
        return what + " names " + fault.clause;
  }
  return "";
}

}  // namespace plumbline::fuzz
