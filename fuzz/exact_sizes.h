// Sizes and addresses by the formulas of the specification's pages, in integers that never overflow.
// Written from the text, apart from reference/: the two must agree.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <optional>
#include <vector>

#include "reference/descriptor/sections.h"

namespace plumbline::fuzz {

using Integer = boost::multiprecision::cpp_int;

// Bits of one element by element-types.md or by the extension type section.
std::optional<unsigned> exact_bits(const Descriptor& d);
// Bytes of `count` elements: element-types.md, Buffer Size Calculation.
Integer exact_bytes(unsigned bits, const Integer& count);
// The least bytes of the layout's own buffers, in the order of the table; empty where the text gives no
// formula (private layouts, dynamic dimensions).
std::vector<Integer> exact_layout_sizes(const Descriptor& d);
// Elements between byte_offset and the element at `index`; nothing for layouts without such a formula
// here (Hilbert, sparse).
std::optional<Integer> exact_offset(const Descriptor& d, const std::vector<std::uint64_t>& index);
// Entries of the parameter arrays of the scheme; nothing where there are none or no formula.
std::optional<Integer> exact_parameter_count(const Descriptor& d);

}  // namespace plumbline::fuzz
