#!/usr/bin/env python3
"""Shows what `plumbline differ` finds: two mutants of the reference are asked the same, and each of the two
deliberate faults must come back by itself.

    differ_pairs.py --plumbline PROGRAM --vectors COMPILER --adapter MUTANT_BUILD [--jobs N] [PATTERN..]

For every pair of differ_pairs.tsv: each disagreement is printed as a vector without a remark (one fault, a text
that can be added), all of them compile, the reference passes every one, each fails for exactly one of the two
mutants, and each mutant fails one at least. What a search meets depends on its seed and on the vectors
there are, so a pair that does not come out so is searched again with another seed, twice at most, and that is
printed. PATTERNs choose pairs by a mutant's name.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAIRS = HERE / "differ_pairs.tsv"
IDS = HERE.parent / "vectors/ids.py"
COUNT = "8000"
SEARCHES = 3
BAD = {"fail", "crash", "exit", "early-end", "timeout", "blocked", "garbage", "oversized", "out-of-order", "unasked"}
REMARKS = re.compile(r"^#   (?:no example with one fault|no vector|A and B both).*$", re.M)


def read_pairs():
    rows = [line.split("\t") for line in PAIRS.read_text().splitlines() if line and not line.startswith("#")]
    return [(seed, a, b) for seed, a, b in rows]


class Demonstration:
    def __init__(self, arguments, folder):
        self.plumbline, self.compiler, self.folder = arguments.plumbline, arguments.vectors, folder
        self.adapter = arguments.adapter

    def mutant(self, name):
        return [self.adapter, "adapter", "--mutant", name]

    def wrong(self, adapter, folder):
        """The vectors that an adapter does not answer as the text says, the place of a refusal included."""
        report = folder / "report.jsonl"
        done = subprocess.run([self.plumbline, "run", "--vectors", folder, "--profile", "validator", "--codes", "--rulings",
                               "--quiet", "--jsonl", report, "--", *adapter],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if not report.exists():
            raise RuntimeError(done.stderr)
        cases = [json.loads(line) for line in report.read_text().splitlines()[1:]]
        report.unlink()
        return {c["id"].split("+")[0] for c in cases if c["outcome"] in BAD or c.get("differs")}

    def try_pair(self, number, pair):
        """What is not as it should be in the last search, and what the searches said of themselves."""
        seed, a, b = pair
        told = []
        for attempt in range(SEARCHES):
            faults, said = self.search("%d.%d" % (number, attempt), str(int(seed) + attempt), a, b)
            told.append(said)
            if not faults:
                break
        return faults, "; searched again: ".join(told)

    def search(self, name, seed, a, b):
        done = subprocess.run([self.plumbline, "differ", "--seed", seed, "--count", COUNT, "--", *self.mutant(a), "--",
                               *self.mutant(b)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 1:
            return ["status %d: %s" % (done.returncode, done.stderr.strip() or "no disagreement")], ""
        faults = [remark for remark in REMARKS.findall(done.stdout)]
        folder = self.folder / name / "corpus/vectors"
        folder.mkdir(parents=True)
        (folder / "new.vec").write_text(done.stdout)
        subprocess.run([sys.executable, "-B", IDS, self.folder / name, "assign"], stdout=subprocess.DEVNULL, check=True)
        compiled = subprocess.run([self.compiler, "compile", folder], capture_output=True, text=True)
        if compiled.returncode != 0:
            return faults + ["the vectors do not compile: " + compiled.stderr.strip()], ""
        ids = set(re.findall(r"^vector (\S+)$", (folder / "new.vec").read_text(), re.M))
        right = self.wrong([self.plumbline, "adapter"], folder)
        faults += ["%s: the reference does not pass" % one for one in sorted(right)]
        wrong_a, wrong_b = self.wrong(self.mutant(a), folder), self.wrong(self.mutant(b), folder)
        faults += ["%s: fails for both" % one for one in sorted(wrong_a & wrong_b)]
        faults += ["%s: fails for neither" % one for one in sorted(ids - wrong_a - wrong_b)]
        faults += ["%s: not found" % name for name, wrong in ((a, wrong_a), (b, wrong_b)) if not wrong]
        said = re.search(r"^# seed .*$", done.stdout, re.M)[0]
        return faults, "%d and %d vectors; %s" % (len(wrong_a), len(wrong_b), said[2:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plumbline", required=True, help="the released program")
    parser.add_argument("--vectors", required=True, help="plumbline-vectors")
    parser.add_argument("--adapter", required=True, help="the program of the build with mutants")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("pattern", nargs="*", metavar="PATTERN")
    arguments = parser.parse_args()
    if not Path(arguments.adapter).exists():
        print("skipped: no build with mutants; ./dev mutants makes one and runs this too")
        return 0
    pairs = [p for p in read_pairs() if not arguments.pattern or any(re.search(x, y) for x in arguments.pattern for y in p[1:])]
    begin, good = time.time(), 0
    with tempfile.TemporaryDirectory() as folder:
        demonstration = Demonstration(arguments, Path(folder))
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for pair, (faults, said) in zip(pairs, pool.map(demonstration.try_pair, range(len(pairs)), pairs)):
                good += not faults
                print("%s | %s: %s" % (pair[1], pair[2], said))
                for fault in faults:
                    print("    " + fault)
    print("differ: %d of %d pairs, each fault by itself, %.0f s" % (good, len(pairs), time.time() - begin))
    return 0 if good == len(pairs) and pairs else 1


if __name__ == "__main__":
    sys.exit(main())
