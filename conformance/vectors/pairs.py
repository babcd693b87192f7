#!/usr/bin/env python3
"""Pairs of features: every layout with every element type, scheme and section, and these with each other.

    pairs.py ROOT            print the pairs: how many can exist, are covered, are left
    pairs.py ROOT --check    the same, and fail when a pair that can exist has no accepted descriptor, or
                             when one that cannot exist has
    pairs.py ROOT --fill     append vectors for what is left to corpus/vectors/cpl_pairs.vec; compile after it

A pair is covered by a vector that strict accepts as a whole descriptor. One that cannot exist is named with
the clause that refuses it. Sizes are worked out here from the pages' formulas, so that a filled vector states
an answer that no reader gave.
"""
import json
import sys
from itertools import combinations
from pathlib import Path

from ids import letters, number_of

LAYOUTS = {1: "row-major", 2: "column-major", 3: "strided", 4: "tiled", 5: "Morton", 6: "COO", 7: "CSR", 8: "CSC",
           9: "CSF", 10: "block-paged", 11: "head", 0x40: "Hilbert"}
BITS = {0x01: 16, 0x02: 16, 0x03: 32, 0x04: 64, 0x10: 8, 0x11: 8, 0x12: 16, 0x13: 16, 0x14: 32, 0x15: 32, 0x16: 64,
        0x17: 64, 0x20: 1, 0x40: 8, 0x41: 8, 0x42: 8, 0x43: 4, 0x44: 6, 0x45: 6, 0x46: 128, 0x48: 4, 0x49: 4,
        0x4A: 2, 0x4B: 2, 0x50: 64, 0x51: 128}
PRIVATE = 0xF2  # stands for all private types; 24 bits
INTEGERS = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4A, 0x4B}
STORAGE = {1: INTEGERS, 2: INTEGERS, 3: {0x10, 0x11, 0x48, 0x49, 0x4A, 0x4B}, 4: {0x49},
           5: {0x40, 0x41, 0x43, 0x44, 0x45, 0x10, 0x48}}
STORAGE_CLAUSE = {1: "QPT-09", 2: "QPC-14", 3: "QPB-19", 4: "QNF-12", 5: "QMX-11"}
SCHEMES = {0: "no scheme", 1: "per-tensor", 2: "per-channel", 3: "per-block", 4: "NF4", 5: "MXFP"}
SECTIONS = ["no section", "shard", "statistics", "extension", "member"]
DOMAINS = {"layout": list(LAYOUTS), "type": [*BITS, PRIVATE], "scheme": list(SCHEMES), "section": SECTIONS}


def impossible(a, b):
    """The clause that refuses the pair of (kind, value), or nothing."""
    pair = {a[0]: a[1], b[0]: b[1]}
    layout, kind, scheme, section = (pair.get(k) for k in DOMAINS)
    if layout == 11 and scheme:
        return "CMP-04"
    if layout == 10 and scheme in (4, 5):
        return "BPG-16, D-144"
    if section == "shard" and layout in (9, 10):
        return "CSF-11" if layout == 9 else "BPG-17"
    if section == "member" and layout == 11:
        return "CMP-03"
    if kind and scheme and kind not in STORAGE[scheme]:
        return STORAGE_CLAUSE[scheme]
    if kind == PRIVATE and section == "no section":
        return "EXT-01"
    if kind and kind != PRIVATE and section == "extension":
        return "FLG-03"
    if scheme and section == "extension":
        return STORAGE_CLAUSE[scheme] + ", FLG-03"  # no private type is a storage type
    return None


def all_pairs():
    for left, right in combinations(DOMAINS, 2):
        for a in DOMAINS[left]:
            for b in DOMAINS[right]:
                yield (left, a), (right, b)


def pairs_of(layout, kind, scheme, sections):
    kind = PRIVATE if kind >= 0xF0 else kind
    features = [("layout", layout), ("type", kind), ("scheme", scheme)]
    features = [features + [("section", s)] for s in sections or ["no section"]]
    return {pair for one in features for pair in combinations(one, 2)}


def covered(root):
    """Pair -> id of a vector whose descriptor strict accepts."""
    out = {}
    for path in sorted((root / "corpus/vectors").glob("*.jsonl")):
        for line in path.read_text().splitlines():
            v = json.loads(line)
            if v["op"] != "decode" or v.get("mode") != "strict" or v["expect"].get("verdict") != "accept":
                continue
            fields = v["expect"]["fields"]
            layout, kind = int(fields["layout_tag"], 0), int(fields["type_tag"], 0)
            scheme = int(fields.get("quantization.scheme_tag", "0"), 0)
            sections = [s for s in SECTIONS[1:] if any(key.startswith(s + ".") for key in fields)]
            for pair in pairs_of(layout, kind, scheme, sections):
                out.setdefault(pair, v["id"])
    return out


def named(pair):
    names = {"layout": LAYOUTS, "scheme": SCHEMES}
    return " x ".join(f"type 0x{value:02x}" if kind == "type" else str(names.get(kind, {}).get(value, value))
                      for kind, value in pair)


# --- vectors for what is left

# Shape, elements that buffer 0 stores (the layout page's Buffer Size), bytes of the layout's other buffers, fields.
GEOMETRY = {
    1: ("16,16", 256, [], []),
    2: ("16,16", 256, [], []),
    3: ("16,16", 15 * 20 + 15 + 1, [], ["layout.strides = 20,1"]),
    4: ("16,16", 256, [], ["layout.tile.0.tile_shape = 4,8"]),
    5: ("16,16", 256, [], ["layout.morton_bits = 4,4"]),
    6: ("16,16", 5, [5 * 2 * 8], ["layout.nnz = 5"]),
    7: ("16,16", 5, [5 * 8, 17 * 8], ["layout.nnz = 5"]),
    8: ("16,16", 5, [5 * 8, 17 * 8], ["layout.nnz = 5"]),
    # Five leaves below three and two nodes; the chain of counts inside stands in the buffers.
    9: ("2,3,16", 5, [16, 16, 24, 24, 32, 40], ["layout.nnz = 5", "layout.mode_order = 0,1,2"]),
    10: ("9,2,16", 5 * 4 * 2 * 16, [12, 12], ["layout.page_size = 4", "layout.num_pages = 5", "layout.num_seqs = 2"]),
    11: ("16,16", 0, [], ["layout.composition_rule = 3", "layout.member_count = 2"]),
    0x40: ("16,16", 256, [], ["layout.hilbert_order = 4", "layout.hilbert_rank = 2"]),
}
LEAST_CSF = [16, 0, 8, 0, 8, 40]  # what the descriptor alone fixes (D-138)


def bytes_for(bits, count):
    return -(-count // 4) * 3 if bits == 6 else -(-count * bits // 8)


def parameters(layout, scheme, own):
    """Fields of the scheme and the sizes of its buffers; `own` buffers stand before them."""
    if scheme == 0:
        return [], []
    lines = [f"quantization.scheme_tag = {scheme}"]
    if scheme == 1:
        return lines + ["quantization.scale = 0.5", "quantization.zero_point = 1"], []
    shape = [int(n) for n in GEOMETRY[layout][0].split(",")]
    axis = 0 if layout == 10 and scheme == 3 else len(shape) - 1
    others = 1
    for k, size in enumerate(shape):
        others *= 1 if k == axis else size
    block = {3: 4, 4: 8, 5: 16}.get(scheme)
    count = shape[axis] if scheme == 2 else 5 * 4 if axis == 0 else others * (shape[axis] // block)
    lines.append(f"quantization.axis = {axis}")
    if block:
        lines.append(f"quantization.block_size = {block}")
    lines.append(f"quantization.scale_buffer_index = {own}")
    if scheme in (4, 5):
        return lines, [count * 4 if scheme == 4 else count]
    lines.append(f"quantization.zero_point_buffer_index = {own + 1}")
    lines.append("quantization.scale_type_tag = " + ("3" if scheme == 2 else "1"))
    return lines, [count * (4 if scheme == 2 else 2), count * 4]


def vector(name, layout, kind, scheme, sections):
    shape, elements, others, fields = GEOMETRY[layout]
    bits = 24 if kind == PRIVATE else BITS[kind]
    sizes = [] if layout == 11 else [bytes_for(bits, elements), *others]
    lines, scales = parameters(layout, scheme, len(sizes))
    least = [] if layout == 11 else [sizes[0], *(LEAST_CSF if layout == 9 else others if layout != 10 else [0, 12])]
    sizes, least = sizes + scales, least + scales
    sets = [f"type_tag = 0x{kind:02x}", f"layout_tag = 0x{layout:02x}", f"shape = {shape}", *fields]
    sets += [f"buffer.{k}.byte_size = {size}" for k, size in enumerate(sizes)] + lines
    if "shard" in sections:
        sizes_of = shape.split(",")
        sets += ["shard.parent_shape = " + ",".join(str(int(n) + 3) for n in sizes_of),
                 "shard.shard_offset = " + ",".join(str(min(k + 1, 3)) for k in range(len(sizes_of)))]
    if "statistics" in sections:
        sets += ["statistics.computed_mask = 2", "statistics.sparsity_ratio = 0.25"]
    if kind == PRIVATE:
        sets += ["extension.bit_width = 24", "extension.is_signed = 1"]
    if "member" in sections:
        sets += ["member.member_role = 0"]
    optional = kind >= 0x40 or scheme or layout == 0x40
    size = ",".join(str(n) for n in least) or "-"
    words = [LAYOUTS[layout], f"type 0x{kind:02x}", SCHEMES[scheme], *sections]
    out = [f"base {name[0]}", *(f"  {line}" for line in sets), "", f"vector {name[1]}",
           f"  class {'unsupported-is-fine' if optional else 'accept'}", f"  base {name[0]}"]
    out += ["  agree type=0xf2"] if kind == PRIVATE else []
    out += ["  ask decode", "    expect accept", "  ask size", f"    expect {size}", "  ask encode", "    expect bytes",
            "  why " + ", ".join(words), ""]
    return "\n".join(out)


def choices():
    for layout in LAYOUTS:
        for kind in DOMAINS["type"]:
            for scheme in SCHEMES:
                for size in range(4):
                    for some in combinations(["shard", "statistics", "member"], size):
                        sections = [*some, *(["extension"] if kind == PRIVATE else [])]
                        pairs = pairs_of(layout, kind, scheme, sections)
                        if not any(impossible(*pair) for pair in pairs):
                            yield (layout, kind, scheme, sections), pairs


def fill(root, left):
    target = root / "corpus/vectors/cpl_pairs.vec"
    text = target.read_text() if target.exists() else (
        "# Made by conformance/vectors/pairs.py: pairs of layout, type, scheme and section that no other vector\n"
        "# covers. The script appends to this file and never changes what stands in it.\n")
    taken = [-1]
    for path in (root / "corpus/vectors").glob("cpl*.vec"):
        taken += [number_of(line.split("/")[1].strip()) for line in path.read_text().splitlines()
                  if line.startswith("vector CPL-04/")]
    following, everything, left = max(taken) + 1, list(choices()), set(left)
    while left:
        best, pairs = max(everything, key=lambda c: (len(c[1] & left), -len(c[0][3])))
        if not pairs & left:
            raise SystemExit(f"no descriptor is known for {[named(p) for p in left]}")
        name = letters(following)
        text += "\n" + vector((f"pair_{name}", f"CPL-04/{name}"), *best)
        left -= pairs
        following += 1
    target.write_text(text)


def main():
    root, arguments = Path(sys.argv[1]).resolve(), sys.argv[2:]
    have, left, wrong, possible = covered(root), [], [], 0
    for pair in all_pairs():
        clause = impossible(*pair)
        possible += clause is None
        if clause and pair in have:
            wrong.append(f"{named(pair)} cannot exist ({clause}), and {have[pair]} has it")
        elif not clause and pair not in have:
            left.append(pair)
        if not arguments:
            print(f"{named(pair):<44}{clause and 'refused by ' + clause or have.get(pair, 'NOT COVERED')}")
    for line in wrong + ["not covered: " + named(pair) for pair in left]:
        print(line)
    print(f"pairs: {possible} can exist, {possible - len(left)} covered, {len(left)} left")
    if "--fill" in arguments:
        fill(root, left)
    return 1 if "--check" in arguments and (left or wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
