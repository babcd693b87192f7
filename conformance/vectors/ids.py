#!/usr/bin/env python3
"""The ids of the vectors: a clause and letters, given once and never again, and the question under each.

    ids.py ROOT assign             give the next free letters to every `vector CLAUSE/?`, and record all new ids
    ids.py ROOT --check            fail when a recorded id is gone or back, or when what it asks has changed
    ids.py ROOT --withdraw ID      record that a vector went: its letters are not given again
    ids.py ROOT --relabel ID WHY   record a change of class, answer or point; a line of conformance/README.md must say `ID` and WHY

corpus/vectors/ids.tsv records of each clause the last letters given, and those that were withdrawn.
corpus/vectors/questions.tsv records of each question of the compiled vectors a hash of what is asked (operation, mode,
agreements, transport, bytes, buffers) and one of its label (class, answer, points, readings). What is asked never changes
under an id: a changed vector is written as `vector CLAUSE/?`, and the old one is withdrawn.
"""
import hashlib
import json
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


ASKED = ("op", "mode", "agree", "transport", "bytes", "set", "buffers", "ask")
LABEL = ("class", "expect", "open")


def digest(vector, keys):
    text = json.dumps({key: vector[key] for key in keys if key in vector}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_questions(folder):
    """Id of each compiled question -> the hashes of what is asked and of its label."""
    out = {}
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text().splitlines():
            vector = json.loads(line)
            out[vector["id"]] = (digest(vector, ASKED), digest(vector, LABEL))
    return out


def read_recorded(path):
    lines = path.read_text().splitlines()[1:] if path.exists() else []
    return {name: (asked, label) for name, asked, label in (line.split("\t") for line in lines)}


def write_recorded(path, recorded):
    rows = "".join(f"{name}\t{asked}\t{label}\n" for name, (asked, label) in sorted(recorded.items()))
    path.write_text("question\tasked\tlabel\n" + rows)


def check_questions(recorded, now, withdrawn):
    """Faults, and the number of questions that are not recorded yet."""
    faults = []
    for name, (asked, label) in sorted(recorded.items()):
        if name not in now:
            if asked != "withdrawn" and name.split("+")[0] not in withdrawn:
                faults.append(f"{name} is no longer asked: ids are permanent; --withdraw it")
        elif now[name][0] != asked:
            faults.append(f"{name} asks something else: write the new vector as CLAUSE/?, and --withdraw the old one")
        elif now[name][1] != label:
            faults.append(f"{name} has another class, answer or readings: --relabel it, and say why in conformance/README.md")
    return faults, len(now.keys() - recorded.keys())


def withdraw(folder, ledger, recorded, name):
    """Takes an id, or one question of a vector, out of use."""
    clause, _, word = name.partition("/")
    if name not in recorded:
        return f"{name} is not recorded"
    if name in read_questions(folder):
        return f"{name} is still asked: remove it and compile first"
    for question in [q for q in recorded if q == name or q.startswith(name + "+")]:
        del recorded[question]
    if "+" not in name:
        ledger[clause][1].add(number_of(word))
        write_ledger(folder, ledger)
    else:
        recorded[name] = ("withdrawn", "-")
    return ""


def relabel(readme, recorded, now, name, why):
    if name not in recorded or name not in now:
        return f"{name} is not a recorded question"
    if now[name][0] != recorded[name][0]:
        return f"{name} asks something else: no label can mend that"
    if now[name][1] == recorded[name][1]:
        return f"{name} has the label that is recorded"
    table = [line for line in readme.read_text().splitlines() if line.startswith("|")]
    if not any(f"`{name}`" in line and why in line for line in table):
        return f"no line of the table in conformance/README.md, Ids and labels, says: `{name}` .. {why}"
    recorded[name] = now[name]
    return ""


def write_ledger(folder, ledger):
    rows = [f"{c}\t{letters(last)}\t{','.join(letters(n) for n in sorted(gone))}" for c, (last, gone) in sorted(ledger.items())]
    (folder / "ids.tsv").write_text("clause\tlast letters\twithdrawn\n" + "\n".join(rows) + "\n")


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
    for c in sorted(last):
        before, withdrawn = ledger.get(c, (-1, set()))
        ledger[c] = (last[c], withdrawn | {n for n in range(before + 1, last[c]) if n not in used[c]})
    write_ledger(folder, ledger)


def check(ledger, used):
    faults, fresh = [], 0
    for clause in sorted({*ledger, *used}):
        last, withdrawn = ledger.get(clause, (-1, set()))
        have = used.get(clause, set())
        for n in range(last + 1):
            if n not in have and n not in withdrawn:
                faults.append(f"{clause}/{letters(n)} is gone: ids are permanent; --withdraw it")
        faults += [f"{clause}/{letters(n)} was withdrawn and is not given again" for n in sorted(have & withdrawn)]
        fresh += sum(n > last for n in have)
    return faults, fresh


def main():
    root, command = Path(sys.argv[1]).resolve(), sys.argv[2:]
    folder = root / "corpus/vectors"
    ledger, used = read_ledger(folder / "ids.tsv"), read_vectors(folder)
    recorded, now = read_recorded(folder / "questions.tsv"), read_questions(folder)
    complaint = ""
    if command == ["assign"]:
        assign(folder, ledger, used)
        used = read_vectors(folder)
        recorded = {**now, **recorded}
        print("compile, then assign once more: that records the questions")
    elif command[:1] == ["--withdraw"] and len(command) == 2:
        complaint = withdraw(folder, ledger, recorded, command[1])
    elif command[:1] == ["--relabel"] and len(command) == 3 and command[2].strip():
        complaint = relabel(root / "conformance/README.md", recorded, now, command[1], command[2])
    elif command != ["--check"]:
        sys.exit("ids.py ROOT assign | --check | --withdraw ID | --relabel ID WHY")
    if complaint:
        sys.exit(complaint)
    if command != ["--check"]:
        write_recorded(folder / "questions.tsv", recorded)
    faults, fresh = check(ledger, used)
    gone = {f"{c}/{letters(n)}" for c, (_, withdrawn) in ledger.items() for n in withdrawn}
    more, unrecorded = check_questions(recorded, now, gone)
    faults += more
    if command == ["--check"] and (not ledger or not recorded):
        faults.append("no ids are recorded")
    if unrecorded and command == ["--check"]:
        faults.append(f"{unrecorded} questions are not recorded: ids.py ROOT assign")
    for fault in faults:
        print(fault)
    print(f"{sum(len(n) for n in used.values())} ids of {len(used)} clauses, {fresh} not yet recorded, {len(now)} questions, "
          f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
