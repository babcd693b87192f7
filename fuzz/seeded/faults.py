"""Faults that are put into a copy of one source file at a time. Each is a name and: the file, pairs of a
text and the text in its place, and the targets that are asked for it, those that own the property first. A
text must occur exactly once, so a change of the reference that moves it is noticed."""

LAYOUTS = "reference/descriptor/layouts/"
FAULTS = {
    # Checks of bounds that are dropped or look one place too far.
    "buffers-shorter-than-their-entries-accepted": (
        "reference/addressing/lookup.cpp",
        [("if (buffers[k].size() < size)", "if (buffers[k].empty() && size > 0)")], ["stay_inside"]),
    "coo-lookup-counts-entries-not-coordinates": (
        "reference/addressing/coo.cpp",
        [("if (!(Exact(layout.nnz) * Exact(index.size())).at_most(", "if (!Exact(layout.nnz).at_most(")],
        ["refused"]),
    "6-bit-element-without-its-whole-group": (
        "reference/addressing/address.cpp",
        [("end = first + 3;", "end = first + bit / 8 + 1;")], ["refused"]),
    "shard-offset-plus-size-wraps": (
        "reference/descriptor/shard.cpp",
        [("if (!(Exact(offset) + Exact(size)).at_most(", "if (!Exact(offset + size).at_most(")],
        ["one_violation"]),
    "zero-points-of-blocks-not-asked-for": (
        "reference/descriptor/quantization/per_block_affine.cpp",
        [("needs.push_back({s.zero_point_buffer_index, count * Exact(4), true, zero_point_clause,",
          "needs.push_back({s.zero_point_buffer_index, count, true, zero_point_clause,")],
        ["quantization_section", "contents"]),
    "parameter-index-one-past-the-table": (
        "reference/descriptor/quantization.cpp",
        [("if (p.index >= limit(past_clause, count))", "if (p.index > limit(past_clause, count))")],
        ["one_violation"]),
    "parameter-room-not-asked-for": (
        "reference/descriptor/quantization.cpp",
        [("if (need.buffer == 0) continue;", "if (need.buffer <= 1) continue;")],
        ["quantization_section", "one_violation"]),
    # Sizes that wrap, or leave something out.
    "paged-pool-size-wraps": (
        LAYOUTS + "block_paged.cpp",
        [("Exact(layout.num_pages) * Exact(layout.page_size) * Exact(heads) * Exact(width),",
          "Exact(layout.num_pages * layout.page_size * heads * width),")], ["sizes_addresses"]),
    "tile-size-wraps": (
        LAYOUTS + "tiled.cpp",
        [("for (std::uint64_t size : sizes) p = p * Exact(size);",
          "for (std::uint64_t size : sizes) p = Exact(static_cast<std::uint64_t>(p.value()) * size);")],
        ["sizes_addresses"]),
    "morton-bits-summed-in-a-byte": (
        LAYOUTS + "morton.cpp", [("std::uint64_t sum = 0;", "std::uint8_t sum = 0;")], ["sizes_addresses"]),
    "morton-room-without-printed-codes": (
        LAYOUTS + "morton.cpp",
        [("larger(power_of_two(sum), highest_code + Exact(1))", "power_of_two(sum)")], ["sizes_addresses"]),
    "negative-tile-strides-reach-forward": (
        LAYOUTS + "tiled.cpp",
        [("(negative ? reach.low : reach.high) = (negative ? reach.low : reach.high) + distance;",
          "reach.high = reach.high + distance;")], ["nested_tiles", "sizes_addresses"]),
    "coo-indices-for-three-dimensions-at-most": (
        LAYOUTS + "coo.cpp",
        [("Exact(layout.nnz) * Exact(d.header.rank) * Exact(8)",
          "Exact(layout.nnz) * Exact(d.header.rank > 3 ? 3 : d.header.rank) * Exact(8)")],
        ["one_violation", "sizes_addresses"]),
    "csf-top-pointers-of-8-bytes": (
        LAYOUTS + "csf.cpp", [("level == 0 ? 16 : 8", "8")], ["one_violation"]),
    # Packing rules that are skipped.
    "6-bit-groups-below-the-start-rounded-up": (
        "reference/addressing/address.cpp",
        [("floor_divide(*elements, 4) * 3;", "*elements / 4 * 3;")], ["sizes_addresses"]),
    "packing-factor-of-4-bit-types-not-compared": (
        "reference/descriptor/extension_type.cpp",
        [("else if (e.bit_width < 8 && e.packing_factor != 8 / e.bit_width)",
          "else if (e.bit_width < 4 && e.packing_factor != 8 / e.bit_width)")],
        ["one_violation", "extension_section"]),
    # Recursion.
    "tiles-nest-without-limit": (
        LAYOUTS + "tiled.cpp",
        [("i + 1 != limit(\"TIL-06\", deepest_tiling));", "true);"),
         ("if (i + 1 == limit(\"TIL-06\", deepest_tiling) && t.inner_layout == layout::tiled)", "if (false)")],
        ["nested_tiles"]),
    # Reserved bytes that are accepted.
    "last-reserved-byte-of-coo-accepted": (
        LAYOUTS + "coo.cpp",
        [("judge_zero(layout.reserved, \"COO-02\", layout.at + 9, faults);",
          "judge_zero(Bytes(layout.reserved.begin(), layout.reserved.end() - 1), \"COO-02\", layout.at + 9, faults);")],
        ["one_violation"]),
    "reserved-bytes-of-inner-tiles-accepted": (
        LAYOUTS + "tiled.cpp",
        [("judge_zero(t.reserved, \"TIL-04\", at + 2, faults);",
          "if (i < 2) judge_zero(t.reserved, \"TIL-04\", at + 2, faults);")], ["one_violation"]),
    "reserved-byte-of-the-third-buffer-accepted": (
        "reference/descriptor/buffer_table.cpp",
        [("if (h.reserved > limit(\"BUF-14\", 0))", "if (at % 64 < 48 && h.reserved > limit(\"BUF-14\", 0))")],
        ["one_violation"]),
    "twelfth-reserved-byte-of-a-member-accepted": (
        "reference/descriptor/composite_member.cpp",
        [("judge_zero(m.reserved,", "Bytes looked_at = m.reserved;\n  looked_at[11] = 0;\n  judge_zero(looked_at,")],
        ["one_violation"]),
    "last-reserved-byte-of-paged-accepted": (
        LAYOUTS + "block_paged.cpp",
        [("judge_zero(layout.reserved, \"BPG-07\", at + 26, faults);",
          "judge_zero(Bytes(layout.reserved.begin(), layout.reserved.end() - 1), \"BPG-07\", at + 26, faults);")],
        ["one_violation"]),
    # Encoders that do not write what was read.
    "encoder-rewrites-a-boolean-of-the-extension-section": (
        "reference/descriptor/extension_type.cpp",
        [("f.u8(\"is_float\", is_float);", "f.u8(\"is_float\", is_float);\n  if (is_float > 1) is_float = 1;")],
        ["reencode"]),
    "encoder-rewrites-a-boolean-that-no-mask-bit-names": (
        "reference/descriptor/statistics.cpp",
        [("f.u8(\"has_inf\", has_inf);",
          "if (!f.reading() && (computed_mask & 16) == 0 && has_inf > 1) has_inf = 1;\n  f.u8(\"has_inf\", has_inf);")],
        ["reencode"]),
    "left-over-bytes-accepted": (
        "reference/descriptor/descriptor.cpp",
        [("if (h.version_minor == 0 && (h.flags & ~flag::defined) == 0)", "if (false)")], ["reencode"]),
    # Checks of sparse indices that are off by one.
    "last-coordinate-of-coo-not-looked-at": (
        "reference/contents/coo.cpp",
        [("for (std::uint64_t i = 0; i < nnz; ++i)\n    for", "for (std::uint64_t i = 0; i + 1 < nnz; ++i)\n    for")],
        ["contents"]),
    "page-id-equal-to-the-number-of-pages-accepted": (
        "reference/contents/block_paged.cpp",
        [("limit(\"CON-47\", layout.num_pages))", "layout.num_pages + 1)")], ["contents"]),
    "csf-mode-named-twice-at-the-innermost-level": (
        LAYOUTS + "csf.cpp",
        [("!named.insert(mode).second)",
          "(level + 1 < layout.mode_order.size() && !named.insert(mode).second))")], ["one_violation"]),
    # Numbers.
    "one-tie-goes-to-the-odd-code": (
        "reference/types/number.cpp",
        [("return integer + (rest > 0.5 || (rest == 0.5 && is_odd) ? 1 : 0);",
          "return integer + (rest > 0.5 || (rest == 0.5 && (is_odd || integer == 6)) ? 1 : 0);")], ["numbers"]),
}
