#!/usr/bin/env python3
"""Proves that the suite can fail: every mutant of the reference must be caught by a vector of its clause.

    mutants.py --plumbline RUNNER --adapter MUTANT_BUILD [--jobs N] [--write] [--shard K/N] [PATTERN..]

A mutant is the reference with one deliberate fault (`plumbline adapter --list-mutants`). The released runner
asks it the vectors of its own clause, with the profile validator, --rulings and --codes. Killed means that
the runner says so: exit status 1 and a case that is not as expected. RESULTS.tsv says what killed each mutant; a
row that is not what came of it fails, and --write writes the file anew. PATTERNs choose mutants by name; --shard K/N takes every N-th, from the K-th on.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "conformance/mutants/RESULTS.tsv"
EQUIVALENT = ROOT / "conformance/mutants/EQUIVALENT.md"
PROFILE = ["--profile", "validator", "--rulings", "--codes"]
BAD = {"fail", "crash", "exit", "early-end", "timeout", "blocked", "garbage", "oversized", "out-of-order", "unasked"}
SOUND = "sound:without-quantization"


def read_table(path):
    lines = path.read_text().splitlines()
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t") + [""] * len(names))) for line in lines[1:] if line]


class Vectors:
    """The vectors of a clause, as a folder that the runner reads. Those of the clauses that it owns are its own."""

    def __init__(self, folder):
        self.folder = folder
        owner = {c["id"]: c["owner"] for c in read_table(ROOT / "reference/clauses.tsv")}
        self.lines = defaultdict(list)
        for path in sorted((ROOT / "corpus/vectors").glob("*.jsonl")):
            for line in path.read_text().splitlines():
                clause = json.loads(line).get("clause", "")
                for name in {clause, owner.get(clause, clause)}:
                    self.lines[name].append(line)
        for clause, lines in self.lines.items():
            (folder / clause).mkdir()
            (folder / clause / "vectors.jsonl").write_text("\n".join(lines) + "\n")

    def of(self, clause):
        return self.folder / clause if clause in self.lines else None


class Driver:
    def __init__(self, arguments, folder):
        self.runner, self.adapter, self.folder = arguments.plumbline, arguments.adapter, folder
        (folder / "vectors").mkdir()
        (folder / "reports").mkdir()
        self.vectors = Vectors(folder / "vectors")

    def run(self, adapter, vectors, report):
        """Exit status of the runner, and the ids of the cases that were not as expected."""
        command = [self.runner, "run", *PROFILE, "--quiet", "--timeout", "10", "--jsonl", str(report)]
        if vectors:
            command += ["--vectors", str(vectors)]
        done = subprocess.run([*command, "--", self.adapter, "adapter", *adapter], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if not report.exists():
            raise RuntimeError(f"the runner says {done.returncode}: {done.stderr.strip()}")
        cases = [json.loads(line) for line in report.read_text().splitlines()[1:]]
        report.unlink()
        return done.returncode, [case["id"] for case in cases if case["outcome"] in BAD]

    def try_mutant(self, number, mutant):
        name, _, clause = mutant
        vectors = self.vectors.of(clause)
        if not vectors:
            return None
        status, bad = self.run(["--mutant", name], vectors, self.folder / "reports" / f"{number}.jsonl")
        return bad[0] if status == 1 and bad else None

    def sound(self):
        """Without a mutant the suite passes, also where the adapter rightly lacks quantization."""
        for name, options in (("no mutant", []), (SOUND, ["--mutant", SOUND])):
            status, bad = self.run(options, None, self.folder / "reports" / "sound.jsonl")
            if status != 0:
                print(f"{name}: the suite does not pass: status {status}, {len(bad)} cases, {bad[:5]}")
                return False
        return True


def list_mutants(adapter):
    out = subprocess.run([adapter, "adapter", "--list-mutants"], stdout=subprocess.PIPE, text=True, check=True)
    return [tuple(line.split("\t")) for line in out.stdout.splitlines()]


def limits_and_mutants():
    """Of the reference's text: (file, name) of its mutants and of its limits, a limit with its part where that is
    written out, with "." where it is computed."""
    mutants, limits = [], []
    for path in sorted([*(ROOT / "reference").rglob("*.cpp"), *(ROOT / "reference").rglob("*.h")]):
        text, where = path.read_text(), path.relative_to(ROOT)
        mutants += [(where, kind + what) for kind, what in re.findall(r'\bmutant\(\s*"(\w+:)",\s*"([^"]+)"', text)]
        for name, part, is_computed in re.findall(r'\blimit\(\s*"([^"]+)",\s*(?:"([^"]+)"|\w+(?=,))?(,)?', text):
            limits.append((where, f"{name}.{part}" if part else f"{name}." if is_computed else name))
    return mutants, limits


def argued(text):
    """The moves that EQUIVALENT.md has a proof for: the names in the first column of its table."""
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("|")]
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def unlisted(mutants, equivalent, in_code=None):
    """Faults that the code can have and nobody tries or argues away, and arguments about nothing."""
    names = {name for name, _, _ in mutants}
    moves = {name.removeprefix("moved:") for name in names if name.startswith("moved:")}
    limits = {re.sub(r"[+*/-]\d$", "", move) for move in moves}
    code_mutants, code_limits = in_code or limits_and_mutants()
    out = [f"not in mutants.tsv: {where}: {name}" for where, name in code_mutants if name not in names]
    for where, limit in code_limits:
        if limit.endswith("."):  # its parts are those that the list has
            if not any(one.startswith(limit) for one in limits):
                out.append(f"not in mutants.tsv: {where}: limit {limit}N")
        else:
            limits.add(limit)
    for limit in sorted(limits):
        for move in (limit + "+1", limit + "-1"):
            if move not in moves and move not in equivalent:
                out.append(f"neither in mutants.tsv nor in EQUIVALENT.md: moved:{move}")
    for move in sorted(equivalent):
        if move in moves:
            out.append(f"in EQUIVALENT.md and tried: {move}")
        elif re.sub(r"[+*/-]\d$", "", move) not in limits:
            out.append(f"in EQUIVALENT.md, and no limit: {move}")
    return out


def stale(rows, mutants, results, is_all):
    """What RESULTS.tsv says otherwise than this run."""
    written = {row["name"]: row for row in rows}
    out = []
    for name, kind, clause in mutants:
        now = {"name": name, "kind": kind, "clause": clause, "killed by": results[name] or "-"}
        before = written.pop(name, None)
        if before != now:
            out.append(f"{name}: {before['killed by'] if before else 'no row'}, now {now['killed by']}")
    return out + [f"{name}: no such mutant" for name in written if is_all]


def chosen(mutants, arguments):
    if arguments.pattern:
        mutants = [m for m in mutants if any(re.search(p, m[0]) for p in arguments.pattern)]
    if arguments.shard:
        first, step = (int(n) for n in arguments.shard.split("/"))
        mutants = mutants[first % step::step]
    return mutants


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plumbline", required=True, help="the released program: its runner")
    parser.add_argument("--adapter", required=True, help="the program of the build with mutants")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--shard", metavar="K/N")
    parser.add_argument("--write", action="store_true", help="write RESULTS.tsv")
    parser.add_argument("pattern", nargs="*", metavar="PATTERN")
    arguments = parser.parse_args()

    if arguments.write and (arguments.pattern or arguments.shard):
        parser.error("--write takes all mutants")
    everything = list_mutants(arguments.adapter)
    missing = unlisted(everything, argued(EQUIVALENT.read_text()))
    for line in missing:
        print(line)
    mutants = chosen(everything, arguments)
    begin, results = time.time(), {}
    with tempfile.TemporaryDirectory() as folder:
        driver = Driver(arguments, Path(folder))
        if not driver.sound():
            return 1
        with ThreadPoolExecutor(arguments.jobs) as pool:
            tried = pool.map(driver.try_mutant, range(len(mutants)), mutants)
            for done, (mutant, killer) in enumerate(zip(mutants, tried), 1):
                results[mutant[0]] = killer
                if sys.stdout.isatty():
                    print(f"\r{done} of {len(mutants)}", end="", flush=True)
                elif done % 100 == 0:
                    print(f"{done} of {len(mutants)}, {time.time() - begin:.0f} s", flush=True)
    if sys.stdout.isatty():
        print("\r" + " " * 20 + "\r", end="")
    survivors = [name for name, killer in results.items() if killer is None]
    if arguments.write:
        rows = ["name\tkind\tclause\tkilled by"]
        rows += ["\t".join([*m, results.get(m[0]) or "-"]) for m in mutants]
        RESULTS.write_text("\n".join(rows) + "\n")
    old = stale(read_table(RESULTS), mutants, results, not (arguments.pattern or arguments.shard))
    for line in old:
        print(f"RESULTS.tsv is stale (--write): {line}")
    for name in survivors:
        print(f"survived: {name}")
    kinds = defaultdict(lambda: [0, 0])
    for name, kind, _ in mutants:
        kinds[kind][0] += results[name] is not None
        kinds[kind][1] += 1
    for kind, (killed, of) in kinds.items():
        print(f"{kind}: {killed} of {of}")
    print(f"{time.time() - begin:.0f} s")
    print(f"mutants: killed {len(mutants) - len(survivors)} of {len(mutants)}")
    return 1 if survivors or missing or old or not mutants else 0


if __name__ == "__main__":
    sys.exit(main())
