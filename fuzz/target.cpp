#include "target.h"

#include <algorithm>

namespace plumbline::fuzz {

namespace {

constexpr Target table[] = {
    {"decode", Format::descriptor, decode_any,
     "any bytes are judged within a small multiple of their own memory and time; every mode keeps its promises"},
    {"extension_section", Format::choices, extension_section,
     "a broken extension type section is refused in strict and permissive, and in lenient when its class is R or N"},
    {"quantization_section", Format::choices, quantization_section,
     "an accepted quantization section names parameter buffers of the sizes that its scheme states"},
    {"nested_tiles", Format::choices, nested_tiles,
     "an accepted tiling gives every element an address of its own, and none nests deeper than stated"},
    {"composite", Format::set, composite, "sets of descriptors keep every promise"},
    {"contents", Format::contents, contents,
     "buffers with any contents are judged, looked up and dequantised; sound ones never fail a lookup"},
    {"reencode", Format::descriptor, reencode,
     "what is accepted is written again byte for byte, and collecting agrees with stopping"},
    {"fields_roundtrip", Format::choices, fields_roundtrip,
     "typed fields, encoded and decoded, are the same fields"},
    {"one_violation", Format::choices, one_violation,
     "valid fields are accepted; with one violation put in, exactly its clause is named"},
    {"sizes_addresses", Format::descriptor, sizes_addresses,
     "sizes and addresses equal those of exact integers"},
    {"modes_nest", Format::descriptor, modes_nest,
     "what lenient refuses, strict refuses; permissive takes all that strict takes"},
    {"exact_end", Format::descriptor, exact_end, "no byte behind the last one is read"},
    {"stay_inside", Format::contents, stay_inside,
     "no question about an accepted descriptor reads behind a buffer"},
    {"vector_text", Format::text, vector_text, "any text is a vector file or a typed error"},
    {"runner_replies", Format::text, runner_replies, "any line is a reply or unreadable"},
    {"scalar_mpfr", Format::choices, scalar_mpfr, "scalar operations keep their bounds"},
    {"refused", Format::contents, refused, "no question about a refused descriptor reads behind a buffer"},
    {"packing", Format::choices, packing, "an element of a packed run is its own bits and no others"},
    {"numbers", Format::choices, numbers, "widening is exact, narrowing to the nearest, ties to the even code"},
    {"curves", Format::choices, curves, "a step on the Hilbert curve is a step to a neighbour, and there is a way back"},
    {"field_text", Format::text, field_text, "any fields as text are a descriptor or a word why not"},
#ifdef PLUMBLINE_FUZZ_KERNELS
    {"kernel_elementwise", Format::choices, kernel_elementwise, "elementwise kernels have the reference's bits"},
    {"kernel_reductions", Format::choices, kernel_reductions, "sums and dot products have the reference's bits"},
    {"kernel_einsum", Format::choices, kernel_einsum,
     "einsum and its derivatives have the reference's bits, whatever the pattern, the shapes and the strides"},
    {"kernel_qr", Format::choices, kernel_qr, "QR and its derivatives have the reference's bits"},
#endif
};

}  // namespace

std::string_view to_string(Format format) {
  switch (format) {
    case Format::descriptor: return "descriptor";
    case Format::set: return "set";
    case Format::contents: return "contents";
    case Format::choices: return "choices";
    case Format::text: return "text";
  }
  return "";
}

std::span<const Target> targets() { return table; }

const Target* find_target(std::string_view name) {
  auto found = std::ranges::find(table, name, &Target::name);
  return found == std::end(table) ? nullptr : found;
}

}  // namespace plumbline::fuzz
