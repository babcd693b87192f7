#!/usr/bin/env python3
"""Generates SPEC_COVERAGE.md from the clause table, the vectors, the code and the register.

    spec_coverage.py ROOT            write ROOT/SPEC_COVERAGE.md
    spec_coverage.py ROOT --check    fail when it is stale, when an owner clause lacks a side, when a
                                     vector names no clause, when a refusal in the code names no clause,
                                     when the results of ./dev mutants lack a mutant or one survived,
                                     when the register lacks a part of a point that an open vector names
"""
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

REVISION = "2a2db96"
COVERED = ("1-descriptor", "2-contents", "5-scalar")


def read_clauses(root):
    lines = (root / "reference/clauses.tsv").read_text().splitlines()
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t") + [""] * len(names))) for line in lines[1:] if line]


def read_vectors(root):
    for path in sorted((root / "corpus/vectors").glob("*.jsonl")):
        for line in path.read_text().splitlines():
            if line:
                yield json.loads(line)


def count_written(root):
    """Vectors by hand, and those of a file that a script made (corpus/vectors/FORMAT.md)."""
    counts = {True: 0, False: 0}
    for path in sorted((root / "corpus/vectors").glob("*.vec")):
        text = path.read_text()
        counts[not text.startswith("# Made by ")] += len(re.findall(r"^vector ", text, re.M))
    return counts[True], counts[False]


def read_register(root):
    """The text of the register, and of each point its parts by name."""
    text = (root / "conformance/coverage/register.md").read_text()
    points = {}
    for point, body in re.findall(r"^#### (D-\d\d\d)[^\n]*\n(.*?)(?=^#|^---|\Z)", text, re.M | re.S):
        if point in points:
            raise SystemExit(f"register.md has {point} twice")
        found = re.split(r"^\*\*(\w+)\*\*", body, flags=re.M)
        points[point] = {name: part.strip() for name, part in zip(found[1::2], found[2::2])}
    return text, points


def check_points(points, vectors, problems):
    """What an open vector names is an entry with all its parts, and has the readings of the vector."""
    letters = defaultdict(lambda: {"A", "B"})
    for vector in vectors:
        if vector["class"] == "open":
            for point in vector["open"]["points"]:
                letters[point] |= {reading["name"] for reading in vector["open"].get("readings", [])}
    for point in sorted(letters):
        parts = points.get(point, {})
        for name in ("Where", "Readings", "Ex", "Ruling", "Why"):
            if not parts.get(name):
                problems.append(f"register.md: {point} lacks {name}, and a vector of class open names it")
        for letter in sorted(letters[point]):
            if f"({letter})" not in parts.get("Readings", ""):
                problems.append(f"register.md: {point} lacks the reading ({letter})")


def enforcers(root):
    """Clause or open point -> places in the code that name it, as file and function."""
    places = defaultdict(list)
    function = re.compile(r"^(?:[\w:<>,&*\s~]+?)\b([\w:~]+)\([^;]*$")
    for path in sorted((root / "reference").rglob("*.cpp")):
        if path.name.endswith("_test.cpp") or path.name == "fault.cpp":  # it lists what permissive waives
            continue
        current = "file scope"
        for line in path.read_text().splitlines():
            if line and not line[0].isspace() and not line.startswith(("//", "#", "}", "namespace")):
                found = function.match(line)
                if found:
                    current = found.group(1)
            for clause in re.findall(r'"([A-Z]{3}-\d\d|D-\d\d\d)"', line):
                place = f"{path.relative_to(root)} `{current}`"
                if place not in places[clause]:
                    places[clause].append(place)
    return places


def read_mutants(root, clauses, problems):
    """Puts the number of its mutants into every clause; all must have been killed (conformance/mutants/)."""
    rows = {}
    for name in ("mutants", "RESULTS"):
        lines = (root / f"conformance/mutants/{name}.tsv").read_text().splitlines()
        rows[name] = [line.split("\t") for line in lines[1:] if line]
    wanted = {f"off:{c['id']}" for c in clauses
              if c["area"] in ("1-descriptor", "2-contents") and c["owner"] == c["id"]
              and c["class"] in ("R", "N", "W")}
    wanted |= {row[0] for row in rows["mutants"]}
    counts = defaultdict(int)
    for name, _, clause, killer in rows["RESULTS"]:
        counts[clause] += 1
        if killer == "-":
            problems.append(f"the mutant {name} survived: {clause} lacks a vector")
    for name in sorted(wanted ^ {row[0] for row in rows["RESULTS"]}):
        problems.append(f"conformance/mutants/RESULTS.tsv is stale at {name}: run ./dev mutants --write")
    for clause in clauses:
        clause["mutants"] = str(counts[clause["id"]] or "")
    return sum(counts.values())


def side(vector):
    if vector["class"] == "open":
        return "open"
    expect = vector["expect"]
    if "verdict" in expect:
        return "accept" if expect["verdict"] == "accept" else "refuse"
    return "value"


# A clause shows each side that its column names; an accept vector and an open one count on the way that
# they answer by our ruling.
NEEDED = {"both": ("accept", "refuse"), "accept-only": ("accept",), "refuse-only": ("refuse",), "value": ("value",)}


def shown(vectors, wanted):
    for vector in vectors:
        kind = side(vector)
        if kind == "open":
            verdict = vector["expect"].get("verdict", "")
            kind = "value" if not verdict else "accept" if verdict == "accept" else "refuse"
        if kind == wanted or (wanted == "value" and kind == "accept" and vector["expect"].get("fields")):
            return True
    return False


def generate(root):
    clauses = read_clauses(root)
    known = {c["id"] for c in clauses}
    by_clause = defaultdict(list)
    by_point = defaultdict(list)
    problems = []
    vectors = list(read_vectors(root))
    for vector in vectors:
        by_clause[vector["clause"]].append(vector)
        if vector["clause"] not in known:
            problems.append(f"vector {vector['id']} names no clause: {vector['clause']}")
        for point in vector.get("points", []) or vector.get("open", {}).get("points", []):
            by_point[point].append(vector["id"])
    places = enforcers(root)
    register, points = read_register(root)
    check_points(points, vectors, problems)
    for name in places:
        if name not in known and name not in points:
            problems.append(f"the code names {name}, which is neither a clause nor an open point")
    mutants = read_mutants(root, clauses, problems)
    for clause in clauses:
        if clause["area"] in COVERED and clause["owner"] == clause["id"]:
            for wanted in NEEDED.get(clause["sides"], ()):
                fine = clause["sides"] == "refuse-only" and any(
                    v["class"] == "unsupported-is-fine" for v in by_clause[clause["id"]])
                if not fine and not shown(by_clause[clause["id"]], wanted):
                    problems.append(f"{clause['id']} has no vector on the side: {wanted}")

    by_hand, by_script = count_written(root)
    out = ["# Coverage of the specification", ""]
    owners = [c for c in clauses if c["area"] in COVERED and c["owner"] == c["id"]]
    out += [
        f"The public Hurray specification at revision {REVISION}, clause by clause: who is bound, the class of a",
        "violation (R the text orders the reader to refuse; N refused by necessity; W only the writer is bound),",
        "the code that enforces it, the vectors on each side, and how many deliberate faults of it the vectors of",
        "the clause caught (`./dev mutants`). Generated from `reference/clauses.tsv`, the vectors, the code,",
        "`conformance/mutants/RESULTS.tsv` and `conformance/coverage/register.md`; argue with a line of it by its id.",
        "`(D-022:L)` is an open point of the register below that the clause rests on, and how firm its ruling is:",
        "L lean, O open, without a letter firm.",
        "",
        f"{len(clauses)} clauses, {len(owners)} of them own a check in the areas covered; {len(vectors)} questions",
        f"from {by_hand + by_script} vectors: {by_hand} written by hand, {by_script} made by a script.",
        "Areas 3-file (HRRYFILE) and 4-stream (interchange) are in the table and not yet covered.",
        f"{mutants} deliberate faults were tried, and all caught.",
        "",
        "## Clauses by page",
        "",
    ]
    by_page = defaultdict(list)
    for clause in clauses:
        if clause["area"] == "5-scalar":  # the guide's, at the end
            continue
        by_page[re.split(r" §| L\d|;", clause["source"])[0].strip()].append(clause)
    for page in sorted(by_page):
        out += [f"### {page}", "", "| clause | binds | class | says | enforced in | vectors | mutants killed |",
                "|---|---|---|---|---|---|---|"]
        for clause in by_page[page]:
            out.append(row(clause, by_clause, places))
        out.append("")
    out += ["## Register of open points", "", register.rstrip(), ""]
    out += ["### Vectors of open points", "", "| point | vectors |", "|---|---|"]
    for point in sorted(by_point):
        out.append(f"| {point} | {', '.join(sorted(set(by_point[point])))} |")
    out.append("")
    out += guide(root, clauses, by_clause, problems)
    return "\n".join(out), problems


GUIDE = [
    ("claim", "Claims, each with the test that carries it", ""),
    ("departure", "Departures on purpose", "What is done otherwise than the guide or its implementation say, and tested so."),
    ("fault", "Faults of the original, each with the test that catches it",
     "What its implementation was found to do against its own guide or against IEEE arithmetic."),
    ("beyond", "Beyond the guide", ""),
]


def guide(root, clauses, by_clause, problems):
    lines = (root / "reference/scalar/GUIDE_CLAIMS.tsv").read_text().splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    out = ["## The external-scalar guide", "",
           "df64, bfloat16, QR and einsum. A claim is carried by a test of this tree; the questions of the suite, by",
           "clause, measure it in any other implementation.", ""]
    for kind, title, text in GUIDE:
        out += [f"### {title}", ""] + ([text, ""] if text else []) + ["| claim | test | clauses (questions) |", "|---|---|---|"]
        for claim, test, of, named in rows:
            if of != kind:
                continue
            asked = []
            for clause in () if named == "-" else named.split(","):
                asked.append(f"{clause} ({len(by_clause[clause])})")
                if not by_clause[clause]:
                    problems.append(f"a claim of the guide names {clause}, which has no vector")
            for prefix in ("Departure: ", "Fault of the original: ", "Beyond the guide: "):
                claim = claim.removeprefix(prefix)
            cells = [claim[0].upper() + claim[1:] if kind != "claim" else claim, test, ", ".join(asked)]
            out.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        out.append("")
    out += ["### Questions of the suite, by clause", "", "| clause | about | says | questions |", "|---|---|---|---|"]
    for clause in clauses:
        if clause["area"] != "5-scalar":
            continue
        says = clause["paraphrase"] + (f" ({clause['note']})" if clause["note"] else "")
        about = clause["source"].split(": ")[1]
        cells = [clause["id"], about, says, str(len(by_clause[clause["id"]]))]
        out.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    out.append("")
    return out


def row(clause, by_clause, places):
    vectors = by_clause[clause["id"]]
    counts = defaultdict(int)
    for vector in vectors:
        counts[side(vector)] += 1
    if clause["area"] not in COVERED:
        where, shown_by = "not yet covered", ""
    else:
        where = "<br>".join(places.get(clause["id"], []))
        shown_by = ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items()))
        if clause["owner"] != clause["id"]:
            where = f"see {clause['owner']}" + (f"<br>{where}" if where else "")
        elif not where and clause["sides"] == "none":
            where = "no vector can show it" + (f": {clause['note']}" if clause["note"] else "")
        elif not where:
            where = "by what is read and written"
    says = clause["paraphrase"] + (f" ({clause['open points']})" if clause.get("open points") else
                                   f" ({clause['open']})" if clause.get("open") else "")
    cells = [clause["id"], clause["binds"], clause["class"], says, where, shown_by, clause["mutants"]]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def runtime_tables(root):
    """What reference/runtime/ says of itself: the guide's claims about it, and its boundaries."""
    out = []
    for title, name, cells in (
            ("The external-scalar guide, the runtime", "GUIDE_CLAIMS", ("claim", "carried by", "kind")),
            ("Boundaries of the external-scalar path", "BOUNDARIES", ("boundary", "state", "refusal", "shown by"))):
        out += [f"## {title}", "", "| " + " | ".join(cells) + " |", "|---" * len(cells) + "|"]
        for line in (root / f"reference/runtime/{name}.tsv").read_text().splitlines()[1:]:
            out.append("| " + " | ".join(cell.replace("|", "\\|") for cell in line.split("\t")) + " |")
        out.append("")
    return "\n".join(out)


def worked_examples(root):
    """The examples of the pages and what shows each: corpus/vectors/EXAMPLES.tsv, checked by examples.py."""
    out = ["## Worked examples", "", "What the register shows wrong is named with its point.", "",
           "| page | lines | example | shown by | note |", "|---|---|---|---|---|"]
    for line in (root / "corpus/vectors/EXAMPLES.tsv").read_text().splitlines()[1:]:
        out.append("| " + " | ".join(cell.replace("|", "\\|") for cell in line.split("\t")) + " |")
    return "\n".join(out) + "\n"


def main():
    root = Path(sys.argv[1]).resolve()
    text, problems = generate(root)
    text += "\n" + runtime_tables(root) + "\n" + worked_examples(root)
    target = root / "SPEC_COVERAGE.md"
    if "--check" in sys.argv[2:]:
        if not target.exists() or target.read_text() != text:
            problems.append("SPEC_COVERAGE.md is stale: run conformance/coverage/spec_coverage.py .")
        for problem in problems:
            print(problem)
        print(f"{len(problems)} problems")
        return 1 if problems else 0
    target.write_text(text)
    print(f"wrote {target.name}; {len(problems)} problems")
    for problem in problems:
        print("  " + problem)
    return 0


if __name__ == "__main__":
    sys.exit(main())
