"""run.py PROGRAMS CORPUS [--minutes N | --executions N] [TARGET..]: fuzzes one target after the other, each
for its share of the minutes or for N executions, and sums up. New inputs are kept beside the programs, finds
in build/finds. run.py --table LOG..: the summary of what was logged before, as the table of CAMPAIGN.md."""

import argparse
import pathlib
import re
import resource
import subprocess
import sys

# Most faults need few bytes, and long inputs take most of the time; so does keeping an input for every
# number of times that an edge is passed. So seven of eight executions get inputs up to 512 bytes, which holds
# 99 of 100 vectors, and keep one for every new edge; the others get up to 4096 and count.
PHASES = ((7 / 8, ["-max_len=512", "-use_counters=0"]), (1 / 8, ["-max_len=4096"]))
STATUS = re.compile(r"#\d+\s+\w+\s+cov: (\d+) ft: \d+ corp: (\d+)/")
LOGGED = re.compile(r"^= (\w+) executions (\d+) seconds ([\d.]+) coverage (\d+) corpus (\d+) finds (\d+)$")


class Result:
    """What came of fuzzing one target."""

    def __init__(self, name, runs=0, seconds=0.0, coverage=0, corpus=0, finds=0):
        self.name, self.runs, self.seconds = name, runs, seconds
        self.coverage, self.corpus, self.finds = coverage, corpus, finds

    def add(self, other):
        self.runs += other.runs
        self.seconds += other.seconds
        self.coverage = max(self.coverage, other.coverage)
        self.corpus = max(self.corpus, other.corpus)
        self.finds += other.finds

    def rate(self):
        return int(self.runs / self.seconds) if self.seconds else 0

    def __str__(self):
        return (f"= {self.name} executions {self.runs} seconds {self.seconds:.1f} coverage {self.coverage} "
                f"corpus {self.corpus} finds {self.finds}")


def processor_seconds():
    """The processor's time of all programs that ended: what else runs on the machine doesn't count."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def engine(program, name, folders, finds, options):
    """One run of libFuzzer; it keeps new inputs in the first folder."""
    finds.mkdir(parents=True, exist_ok=True)
    before = set(finds.glob(f"{name}-*"))
    command = [program, *folders, f"-artifact_prefix={finds}/{name}-", "-print_final_stats=1", *options]
    start = processor_seconds()
    output = subprocess.run(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
                            errors="replace").stderr
    seconds = processor_seconds() - start
    lines = output.splitlines()
    status = [m for m in map(STATUS.search, lines) if m]
    runs = re.search(r"number_of_executed_units: (\d+)", output)
    found = sorted(set(finds.glob(f"{name}-*")) - before)
    for path in found:
        print(f"    {path.name}: {path.read_bytes().hex()}")
    if found or not runs:
        wanted = re.compile(rf"{name}: |==\d+==|SUMMARY|.*not found|    #\d+ ")
        for line in lines if runs else lines[-40:]:
            if wanted.match(line) or not runs:
                print("   ", line[:1000])
    last = status[-1] if status else None
    return Result(name, int(runs[1]) if runs else 0, seconds, int(last[1]) if last else 0,
                  int(last[2]) if last else 0, len(found) or (0 if runs else 1))


def fuzz(programs, corpus, name, form, seconds, executions):
    grown = programs / "grown" / form
    grown.mkdir(parents=True, exist_ok=True)
    total = Result(name)
    for share, options in PHASES:
        budget = (f"-runs={int(executions * share)}" if executions else
                  f"-max_total_time={max(1, int(seconds * share))}")
        total.add(engine(programs / f"{name}_fuzz", name, [grown, corpus / "fuzz" / form],
                         programs.parent.parent / "finds",
                         [budget, *options, f"-dict={corpus.parent / 'fuzz' / 'plumbline.dict'}",
                          "-timeout=10", "-rss_limit_mb=1024", "-malloc_limit_mb=256"]))
        if total.finds:
            break
    return total


def summary(results):
    print(f"\n{'target':22}{'executions':>12}{'a second':>10}{'coverage':>10}{'corpus':>8}{'finds':>7}")
    for r in results:
        print(f"{r.name:22}{r.runs:12}{r.rate():10}{r.coverage:10}{r.corpus:8}{r.finds:7}")
    finds = sum(r.finds for r in results)
    print(f"{sum(r.runs for r in results)} executions in {sum(r.seconds for r in results):.0f} s of the processor, {finds} finds")
    return finds


def table(logs):
    """The runs of several logs added up; those of a log with `sanitized` in its name have a column."""
    plain, sanitized = {}, {}
    for log in logs:
        rows = sanitized if "sanitized" in log.name else plain
        for line in log.read_text(errors="replace").splitlines():
            if m := LOGGED.match(line):
                r = Result(m[1], int(m[2]), float(m[3]), int(m[4]), int(m[5]), int(m[6]))
                rows.setdefault(r.name, Result(r.name)).add(r)
    print("| target | executions | seconds | a second | a second, sanitized | finds |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, r in plain.items():
        slow = sanitized[name].rate() if name in sanitized else "-"
        print(f"| {name} | {r.runs} | {r.seconds:.0f} | {r.rate()} | {slow} | {r.finds} |")
    runs, seconds = (sum(getattr(r, key) for r in plain.values()) for key in ("runs", "seconds"))
    print(f"| all | {runs} | {seconds:.0f} | {int(runs / seconds) if seconds else 0} | | "
          f"{sum(r.finds for r in plain.values())} |")


def main():
    if sys.argv[1:2] == ["--table"]:
        return table([pathlib.Path(log) for log in sys.argv[2:]])
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--executions", type=int, default=0)
    arguments = parser.parse_intermixed_args()  # options between the names
    programs, corpus = arguments.programs.resolve(), arguments.corpus.resolve()
    known = dict(line.split(":") for line in (programs / "targets.txt").read_text().split())
    names = arguments.targets or list(known)
    for name in names:
        if name not in known:
            sys.exit(f"no target {name}; there are: {', '.join(known)}")
    seconds = max(2, int(arguments.minutes * 60 / len(names)))
    results = []
    for number, name in enumerate(names, 1):
        share = f"{arguments.executions} executions" if arguments.executions else f"{seconds} s"
        print(f"[{number}/{len(names)}] {name}, {share}", flush=True)
        results.append(fuzz(programs, corpus, name, known[name], seconds, arguments.executions))
        print(results[-1], flush=True)
    sys.exit(1 if summary(results) else 0)


if __name__ == "__main__":
    main()
