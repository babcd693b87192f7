#!/usr/bin/env python3
"""The ids of the vectors: a clause and letters, given once and never again.

    ids.py ROOT assign     give the next free letters to every `vector CLAUSE/?`, and record all ids
    ids.py ROOT --check    fail when a recorded id is gone, or when one that was withdrawn is back

corpus/vectors/ids.tsv records of each clause the last letters given, and those that were withdrawn: a vector
that goes is moved there by hand, so that its letters are not given again. Letters that were passed over count as
withdrawn once the next are recorded.
"""
import re
import sys
from collections import defaultdict
from pathlib import Path

VECTOR = re.compile(r"^vector ([A-Z0-9]+(?:-[A-Z0-9]+)*)/([a-z]+|\?)[ \t]*$", re.M)


def letters(number):
    out = ""
    while number >= 0:
        out = chr(ord("a") + number % 26) + out
        number = number // 26 - 1
    return out


def number_of(text):
    n = 0
    for c in text:
        n = n * 26 + ord(c) - ord("a") + 1
    return n - 1


def read_ledger(path):
    """Clause -> number of the last letters given, numbers of those withdrawn."""
    out = {}
    for line in path.read_text().splitlines()[1:] if path.exists() else []:
        clause, last, gone = (line.split("\t") + [""])[:3]
        out[clause] = (number_of(last), {number_of(word) for word in gone.split(",") if word})
    return out


def read_vectors(folder):
    """Clause -> numbers of the letters in use."""
    out = defaultdict(set)
    for path in sorted(folder.glob("*.vec")):
        for clause, word in VECTOR.findall(path.read_text()):
            if word != "?":
                out[clause].add(number_of(word))
    return out


def assign(folder, ledger, used):
    last = {c: max([ledger.get(c, (-1,))[0], *used.get(c, ())], default=-1) for c in {*ledger, *used}}

    def name(match):
        clause, word = match.groups()
        if word == "?":
            last[clause] = last.get(clause, -1) + 1
            word = letters(last[clause])
            print(f"{clause}/{word}")
        return f"vector {clause}/{word}"

    for path in sorted(folder.glob("*.vec")):
        text = path.read_text()
        new = VECTOR.sub(name, text)
        if new != text:
            path.write_text(new)
    used = read_vectors(folder)
    rows = []
    for c in sorted(last):
        before, withdrawn = ledger.get(c, (-1, set()))
        withdrawn = withdrawn | {n for n in range(before + 1, last[c]) if n not in used[c]}
        rows.append(f"{c}\t{letters(last[c])}\t{','.join(letters(n) for n in sorted(withdrawn))}")
    (folder / "ids.tsv").write_text("clause\tlast letters\twithdrawn\n" + "\n".join(rows) + "\n")


def check(ledger, used):
    faults, fresh = [], 0
    for clause in sorted({*ledger, *used}):
        last, withdrawn = ledger.get(clause, (-1, set()))
        have = used.get(clause, set())
        for n in range(last + 1):
            if n not in have and n not in withdrawn:
                faults.append(f"{clause}/{letters(n)} is gone: ids are permanent; withdraw it in ids.tsv")
        faults += [f"{clause}/{letters(n)} was withdrawn and is not given again" for n in sorted(have & withdrawn)]
        fresh += sum(n > last for n in have)
    return faults, fresh


def main():
    folder = Path(sys.argv[1]).resolve() / "corpus/vectors"
    ledger, used = read_ledger(folder / "ids.tsv"), read_vectors(folder)
    if sys.argv[2:] == ["assign"]:
        assign(folder, ledger, used)
        ledger, used = read_ledger(folder / "ids.tsv"), read_vectors(folder)
    faults, fresh = check(ledger, used)
    if not ledger:
        faults.append("no ids are recorded")
    for fault in faults:
        print(fault)
    print(f"{sum(len(n) for n in used.values())} ids of {len(used)} clauses, {fresh} not yet recorded, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
