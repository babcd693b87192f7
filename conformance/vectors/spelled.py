#!/usr/bin/env python3
"""Every part of the descriptor is spelled in hex by hand in at least two vectors, with a comment a field.

    spelled.py ROOT

A vector that has only the text's words proves the compiler by itself; one that has its bytes as well, written by a
person from the specification's tables, proves it by them. Parts: the header, each layout, each scheme, each section.
"""
import re
import sys
from collections import defaultdict
from pathlib import Path

LEAST = 2
LAYOUTS = [*(f"layout 0x{tag:02x}" for tag in [*range(0x01, 0x0C), 0x40]), "private layout"]
SECTIONS = {1: "quantization", 2: "shard", 4: "extension type", 8: "statistics", 16: "composite member"}
PARTS = ["header", *LAYOUTS, *(f"scheme {tag}" for tag in range(1, 6)), *SECTIONS.values()]


def spelled_in(text):
    """Of each vector with hex lines: its id, its bytes, the comments with the hex before them."""
    for block in re.split(r"(?m)^(?=vector |base )", text):
        name = re.match(r"vector (\S+)", block)
        lines = re.findall(r"(?m)^  hex (.*)$", block)
        if name and lines:
            fields = [[part.strip() for part in line.partition("#")[::2]] for line in lines]
            yield name[1], bytes.fromhex("".join(hexes for hexes, _ in fields)), fields


def parts_of(data, fields):
    if len(data) < 20:
        return
    yield "header"
    yield "private layout" if 0xF0 <= data[15] <= 0xFE else f"layout 0x{data[15]:02x}"
    flags = int.from_bytes(data[10:14], "little")
    yield from (name for bit, name in SECTIONS.items() if flags & bit)
    for hexes, comment in fields:
        if "scheme_tag" in comment:
            yield f"scheme {int(hexes[:2], 16)}"


def faults(texts):
    seen, out = defaultdict(set), []
    for text in texts:
        for name, data, fields in spelled_in(text):
            out += [f"{name}: hex {hexes} without its field" for hexes, comment in fields if not comment]
            for part in parts_of(data, fields):
                seen[part].add(name)
    return out + [f"{part}: {len(seen[part])} vectors spell it in hex, {LEAST} should"
                  for part in PARTS if len(seen[part]) < LEAST]


def main():
    paths = sorted(Path(sys.argv[1], "corpus/vectors").glob("*.vec"))
    found = faults([path.read_text() for path in paths])
    # It can fail: without one of the two vectors of a part that part is missed.
    without = [re.sub(r"(?ms)^vector STR-01/a$.*?^(?=vector |base )", "", path.read_text()) for path in paths]
    if not any(fault.startswith("layout 0x03") for fault in faults(without)):
        found.append("a part that only one vector spells is not found")
    for fault in found:
        print(fault)
    print(f"{len(PARTS)} parts, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
