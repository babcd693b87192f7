"""seeds.py TREE OUT: raw seeds for every format of the fuzz targets, made from corpus/vectors, as
OUT/FORMAT/NAME. libFuzzer's -merge=1 minimises them into corpus/fuzz."""

import hashlib
import json
import pathlib
import re
import sys

MOST = 4096  # bytes of one seed


def vectors(tree):
    for path in sorted((tree / "corpus" / "vectors").glob("*.jsonl")):
        for line in path.open():
            yield json.loads(line)


def table_sizes(descriptor, vector):
    """The byte_size of each buffer, where the vector tells its fields; else the buffers' own."""
    fields = vector["expect"].get("fields", {})
    sizes = []
    while f"buffer.{len(sizes)}.byte_size" in fields:
        sizes.append(int(fields[f"buffer.{len(sizes)}.byte_size"]))
    return sizes or [len(b) // 2 for b in vector["buffers"]]


def with_buffers(descriptor, vector):
    out = descriptor
    for buffer, size in zip(vector["buffers"], table_sizes(descriptor, vector)):
        out += bytes.fromhex(buffer)[:size].ljust(min(size, MOST), b"\0")
    return out


def binary_seeds(tree):
    for vector in vectors(tree):
        if vector.get("set"):
            yield "set", b"".join(bytes.fromhex(member) for member in vector["set"])
            continue
        if "bytes" not in vector:
            continue
        descriptor = bytes.fromhex(vector["bytes"])
        yield "descriptor", descriptor
        if vector.get("buffers"):
            yield "contents", with_buffers(descriptor, vector)


def text_seeds(tree):
    for path in sorted((tree / "corpus" / "vectors").glob("*.vec")):
        blocks = re.split(r"\n(?=vector |base )", path.read_text())
        for block in blocks[:: max(1, len(blocks) // 12)]:
            yield block.encode()
    for vector in vectors(tree):
        expect = vector["expect"]
        if "clause" in expect:
            yield f"reject {expect['verdict']} {expect['clause']} {expect.get('offset', '-')}".encode()
        elif "value" in expect:
            yield f"ok {expect['value']}".encode()
        elif "fields" in expect and len(expect["fields"]) < 40:
            yield ("ok " + " ".join(f"{k}={v}" for k, v in expect["fields"].items())).encode()


def choice_seeds():
    """Bytes that look random, the same ones each time: there is nothing to take from the vectors."""
    for number in range(2000):
        seed = b"".join(hashlib.sha256(b"%d %d" % (number, part)).digest() for part in range(3))
        yield bytes([number % 256]) + seed


def main():
    tree, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    seeds = list(binary_seeds(tree))
    seeds += [("text", text) for text in text_seeds(tree)] + [("choices", seed) for seed in choice_seeds()]
    forms = set()
    for form, seed in seeds:
        if len(seed) > MOST:
            continue
        folder = out / form
        folder.mkdir(parents=True, exist_ok=True)
        (folder / hashlib.sha1(seed).hexdigest()[:16]).write_bytes(seed)
        forms.add(form)
    print(", ".join(f"{form}: {len(list((out / form).iterdir()))}" for form in sorted(forms)))


if __name__ == "__main__":
    main()
