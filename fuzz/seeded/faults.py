"""Faults that are put into a copy of one source file at a time: file, text, text in its place. The
text must occur exactly once, so a change of the reference that moves it is noticed."""

FAULTS = {
    "strided-reach-without-negative-strides": (
        "reference/descriptor/layouts/tiled.cpp",
        "bool negative = strides[k] < 0;", "bool negative = false && strides[k] < 0;"),
    "tile-reach-counts-whole-tiles-only-inside": (
        "reference/descriptor/layouts/tiled.cpp",
        "(extent[k] % t.tile_shape[k] != 0));", "0);"),
    "coo-indices-for-one-dimension-less": (
        "reference/descriptor/layouts/coo.cpp",
        "Exact(d.header.rank) * Exact(8)", "Exact(d.header.rank > 0 ? d.header.rank - 1 : 0) * Exact(8)"),
    "coo-reserved-bytes-accepted": (
        "reference/descriptor/layouts/coo.cpp",
        'judge_zero(layout.reserved, "COO-02", layout.at + 9, faults);', "(void)0;"),
    "csf-mode-order-repeats": (
        "reference/descriptor/layouts/csf.cpp",
        "mode >= rank || !named.insert(mode).second", "mode >= rank"),
    "csf-top-pointers-of-8-bytes": (
        "reference/descriptor/layouts/csf.cpp", "level == 0 ? 16 : 8", "8"),
    "paged-sequence-pointers-one-short": (
        "reference/descriptor/layouts/block_paged.cpp",
        "(Exact(layout.num_seqs) + Exact(1))", "(Exact(layout.num_seqs) + Exact(0))"),
    "paged-pool-of-half-the-heads": (
        "reference/descriptor/layouts/block_paged.cpp",
        "Exact(heads) * Exact(width),", "Exact(heads / 2) * Exact(width),"),
    "paged-reserved-accepted": (
        "reference/descriptor/layouts/block_paged.cpp",
        'judge_zero(layout.reserved, "BPG-07", at + 26, faults);', "(void)0;"),
    "morton-room-without-printed-codes": (
        "reference/descriptor/layouts/morton.cpp",
        "larger(power_of_two(sum), highest_code + Exact(1))", "power_of_two(sum)"),
    "address-lets-the-last-byte-out": (
        "reference/addressing/address.cpp", "if (end > size)", "if (end > size + i128{8})"),
    "address-6-bit-groups-of-four-bytes": (
        "reference/addressing/address.cpp",
        "floor_divide(*elements, 4) * 3;", "floor_divide(*elements, 4) * 4;"),
    "coo-lookup-trusts-nnz": (
        "reference/addressing/coo.cpp",
        "if (!(Exact(layout.nnz) * Exact(index.size())).at_most(indices.size()))", "if (false)"),
    "csf-lookup-without-pointer-check": (
        "reference/addressing/csf.cpp", "if (!pos.entry(p + 1))", "if (!pos.entry(p))"),
    "paged-lookup-page-off-by-one": (
        "reference/addressing/block_paged.cpp",
        "if (*phys_page >= layout.num_pages)", "if (*phys_page > layout.num_pages)"),
    "coo-coordinate-off-by-one": (
        "reference/contents/coo.cpp",
        "tuples.at(i, d) < size) continue;", "tuples.at(i, d) <= size) continue;"),
    "csr-last-pointer-not-compared": (
        "reference/contents/csr.cpp", "last != nnz)", "last > nnz)"),
    "csf-count-beyond-coordinates": (
        "reference/contents/csf.cpp", "*last > crd.size()", "false"),
    "encoder-normalises-a-boolean": (
        "reference/descriptor/extension_type.cpp",
        'f.u8("is_float", is_float);', 'f.u8("is_float", is_float); if (is_float > 1) is_float = 1;'),
    "length-counts-four-bytes-less": (
        "reference/descriptor/descriptor.cpp",
        "append_little_endian(length, out.out.size(), 4);", "append_little_endian(length, out.out.size() - 4, 4);"),
    "left-over-bytes-accepted": (
        "reference/descriptor/descriptor.cpp",
        "if (h.version_minor == 0 && (h.flags & ~flag::defined) == 0)", "if (false)"),
    "parameter-room-not-asked-for": (
        "reference/descriptor/quantization.cpp",
        "if (need.buffer == 0) continue;", "if (need.buffer <= 1) continue;"),
    "element-before-the-buffer-accepted": (
        "reference/descriptor/sizes.cpp",
        "bool fits = !need.below_start && need.bytes.at_most(size);",
        "bool fits = need.bytes.at_most(size) || need.below_start;"),
}
