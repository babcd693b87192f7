"""dictionary.py TREE [--check]: writes fuzz/plumbline.dict from the constants that the clause table
names (tags and bytes in hexadecimal, sizes and ranks in decimal); --check says whether it is fresh."""

import pathlib
import re
import sys

TAG = re.compile(r"(?<![\w.-])([0-9A-F]{2})(?![\w-]|\.\d)")
RANGE = re.compile(r"(?<![\w.])([0-9A-F]{2})(?:\.\.| to )([0-9A-F]{2})(?!\w)")
RUN = re.compile(r"(?<![\w.])([0-9A-F]{2}(?: [0-9A-F]{2}){2,})(?!\w)")
NUMBER = re.compile(r"(?<![\w.])(\d{1,5})(?![\w.]*\d)")


def entries(tsv):
    """Bytes -> the first clause that names them, in the order of the table."""
    found = {}
    for line in tsv.read_text().splitlines()[1:]:
        columns = line.split("\t")
        clause, text = columns[0], columns[5]
        if columns[1].startswith(("3-", "4-")):  # files and streams are not read here
            continue
        for run in RUN.findall(text):
            found.setdefault(bytes.fromhex(run), clause)
        text = RUN.sub(" ", text)
        for pair in RANGE.findall(text):
            for tag in pair:
                found.setdefault(bytes.fromhex(tag), clause)
        for tag in TAG.findall(text):
            found.setdefault(bytes.fromhex(tag), clause)
        for number in NUMBER.findall(text):
            for width in (4, 8):
                found.setdefault(int(number).to_bytes(width, "little"), clause)
    found.setdefault(b"\xff" * 8, "SHP-09")  # "the all-ones sentinel", and an index of all ones
    found.setdefault(b"\xff" * 4, "QPC-08")
    return found


def text_of(tree):
    lines = ["# Constants of reference/clauses.tsv, each after the first clause that names it.",
             "# Made by fuzz/dictionary.py."]
    for value, clause in entries(tree / "reference" / "clauses.tsv").items():
        name = f"{clause}_{value.hex()}".replace("-", "_")
        lines.append(f'{name}="' + "".join(f"\\x{byte:02x}" for byte in value) + '"')
    return "\n".join(lines) + "\n"


def main():
    tree = pathlib.Path(sys.argv[1])
    path, text = tree / "fuzz" / "plumbline.dict", text_of(tree)
    if "--check" not in sys.argv:
        path.write_text(text)
        print(f"{text.count(chr(10)) - 2} entries")
    elif not path.is_file() or path.read_text() != text:
        sys.exit("fuzz/plumbline.dict is not what the clause table gives: python3 fuzz/dictionary.py .")
    else:
        print(f"{text.count(chr(10)) - 2} entries, fresh")


if __name__ == "__main__":
    main()
