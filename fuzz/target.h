// The fuzz targets as a table: each is one property over arbitrary bytes, in a file of its own under
// targets/. The same table serves the fuzzing engines, the replay test and the seeded faults.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reference/bytes.h"

namespace plumbline::fuzz {

// What the bytes of an input stand for; targets of one format share a corpus (corpus/fuzz/FORMAT).
enum class Format {
  descriptor,  // a descriptor
  set,         // descriptors one behind the other: a composite head and its members
  contents,    // a descriptor and, behind descriptor_length, its buffers one behind the other
  choices,     // the bytes decide what is built
  text,        // text: of vectors or of replies
};
std::string_view to_string(Format format);

struct Target {
  std::string_view name;
  Format format;
  // Empty when the property holds; otherwise how it is broken. Never throws.
  std::string (*broken)(ByteView input);
  std::string_view property;
};
std::span<const Target> targets();
const Target* find_target(std::string_view name);

// The targets, in targets/NAME.cpp.
std::string decode_any(ByteView input);
std::string extension_section(ByteView input);
std::string quantization_section(ByteView input);
std::string nested_tiles(ByteView input);
std::string composite(ByteView input);
std::string contents(ByteView input);
std::string reencode(ByteView input);
std::string fields_roundtrip(ByteView input);
std::string one_violation(ByteView input);
std::string sizes_addresses(ByteView input);
std::string modes_nest(ByteView input);
std::string exact_end(ByteView input);
std::string stay_inside(ByteView input);
std::string vector_text(ByteView input);
std::string runner_replies(ByteView input);
std::string scalar_mpfr(ByteView input);
std::string packing(ByteView input);
std::string numbers(ByteView input);
std::string curves(ByteView input);
std::string field_text(ByteView input);
std::string refused(ByteView input);
// Where the kernels are built.
std::string kernel_elementwise(ByteView input);
std::string kernel_reductions(ByteView input);
std::string kernel_einsum(ByteView input);
std::string kernel_qr(ByteView input);

}  // namespace plumbline::fuzz
