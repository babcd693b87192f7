#!/usr/bin/env python3
"""The worked examples of the specification and of its companion pages, and what shows each.

    examples.py ROOT                fail when corpus/vectors/EXAMPLES.tsv names what does not exist, or lacks
                                    a page or a vector that calls itself an example
    examples.py ROOT CHECKOUT       besides: fail when an example of the specification's pages is not listed,
                                    or is not where the list says

A row is a page, its lines (a heading, for the companion pages), words of the example, what shows it (ids of
vectors, or FILE: TEST CASE), and a note. What the register shows wrong is named there with its point, D-nnn.
"""
import json
import re
import sys
from pathlib import Path

LINES = re.compile(r"(\d+)-(\d+)$")
VECTOR = re.compile(r"[A-Z]{3}-\d+/[a-z]+$")
# What an example looks like: the word, a list of numbers, bits, a number after "e.g.".
LOOKS_LIKE = re.compile(r"\bexamples?\b|\[-?\d+(?:, *-?\d+)+ *\]|\b0b[01]+|e\.g\.,? \W?\d", re.I)
SAYS_SO = re.compile(r"\bthe (?:\w+ )?examples?\b|page's example|private-types page|table of (?:the|its) page")
NO_CLAUSE = ("references.md", "README.md")
NO_EXAMPLE = ("impl/compliance.md",)  # clauses, and no example


def read_list(root):
    lines = (root / "corpus/vectors/EXAMPLES.tsv").read_text().splitlines()
    if lines[0].split("\t") != ["page", "lines", "example", "shown by", "note"]:
        raise SystemExit("EXAMPLES.tsv: the heads are page, lines, example, shown by, note")
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != 5:
            raise SystemExit(f"EXAMPLES.tsv:{number}: {len(cells)} cells, not 5")
        yield number, cells


def read_vectors(root):
    return {v["id"]: v for path in sorted((root / "corpus/vectors").glob("*.jsonl"))
            for v in map(json.loads, filter(None, path.read_text().splitlines()))}


def shown_by(text):
    return [] if text == "-" else text.split("; ")


def is_missing(root, vectors, name):
    if VECTOR.match(name):
        return name not in vectors
    file, _, case = name.partition(": ")
    return not case or not (root / file).is_file() or f'TEST_CASE("{case}")' not in (root / file).read_text()


def pages_of_clauses(root):
    for line in (root / "reference/clauses.tsv").read_text().splitlines()[1:]:
        cells = line.split("\t")
        if cells[1] in ("1-descriptor", "2-contents"):
            yield re.split(r" §| L\d|;", cells[2])[0].strip()


def check(root):
    problems = []
    rows = list(read_list(root))
    vectors = read_vectors(root)
    register = (root / "conformance/coverage/register.md").read_text()
    listed = set()
    for number, (page, lines, example, shown, note) in rows:
        where = f"EXAMPLES.tsv:{number} ({page} {lines})"
        names = shown_by(shown)
        if not names and not re.match(r"names no value|not yet covered", note):
            problems.append(f"{where}: nothing shows it, and the note does not say why")
        for name in names:
            if is_missing(root, vectors, name):
                problems.append(f"{where}: no vector or test is called {name}")
        listed |= set(names)
        points = set(re.findall(r"D-\d{3}", note))
        for point in points:
            if f"#### {point} " not in register:
                problems.append(f"{where}: the register has no {point}")
        for name in names:  # what depends on a reading says so in the list
            opened = vectors.get(name, {}).get("open", {}).get("points", [])
            if opened and not points & set(opened):
                problems.append(f"{where}: {name} is open by {', '.join(opened)}, which the note does not name")
    pages = {page for _, (page, *_) in rows}
    for page in sorted(set(pages_of_clauses(root)) - pages):
        if page.endswith(".md") and page not in NO_EXAMPLE:
            problems.append(f"EXAMPLES.tsv has nothing of {page}")
    for name, vector in vectors.items():
        if SAYS_SO.search(vector.get("why", "")) and "+" not in name and name not in listed:
            problems.append(f"{name} calls itself an example ({vector['why'][:60]}), and is not listed")
    return problems


def check_pages(root, checkout):
    """The pages themselves: every example is listed, and is where the list says."""
    problems = []
    spec = checkout / "docs/spec"
    ranges = {}
    for number, (page, lines, example, _, _) in read_list(root):
        found = LINES.match(lines)
        if not found:
            continue
        first, last = map(int, found.groups())
        ranges.setdefault(page, []).append((first, last))
        if not (spec / page).is_file():
            problems.append(f"EXAMPLES.tsv:{number}: {page}: the page is gone")
            continue
        text = (spec / page).read_text().splitlines()[first - 1:last]
        if not any(example in line for line in text):
            problems.append(f"EXAMPLES.tsv:{number}: {page} {lines} does not say: {example}")
    for path in sorted(spec.rglob("*.md")):
        page = str(path.relative_to(spec))
        if page in NO_CLAUSE:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if LOOKS_LIKE.search(line) and not any(a <= number <= b for a, b in ranges.get(page, [])):
                problems.append(f"{page}:{number} looks like an example and is not listed: {line.strip()[:80]}")
    return problems


def main():
    root = Path(sys.argv[1]).resolve()
    problems = check(root)
    if len(sys.argv) > 2:
        problems += check_pages(root, Path(sys.argv[2]))
    for problem in problems:
        print(problem)
    print(f"{sum(1 for _ in read_list(root))} examples, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
