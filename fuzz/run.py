"""run.py PROGRAMS CORPUS --minutes N [TARGET..]: fuzzes every target for its share of the time, one
after the other, and sums up. New inputs are kept beside the programs, finds in build/finds."""

import argparse
import pathlib
import re
import subprocess
import sys

STATUS = re.compile(r"#(\d+)\s+\w+\s+cov: (\d+) ft: (\d+) corp: (\d+)/\S+.*exec/s: (\d+)")


def fuzz(programs, corpus, name, form, seconds):
    """Executions, executions a second, coverage, corpus, finds."""
    grown = programs / "grown" / form
    finds = programs.parent.parent / "finds"
    for folder in (grown, finds):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(finds.iterdir())
    command = [
        programs / f"{name}_fuzz", grown, corpus / "fuzz" / form, f"-max_total_time={seconds}",
        f"-dict={corpus.parent / 'fuzz' / 'plumbline.dict'}", "-max_len=4096", "-timeout=10",
        "-rss_limit_mb=1024", "-malloc_limit_mb=256", "-print_final_stats=1",
        f"-artifact_prefix={finds}/{name}-",
    ]
    output = subprocess.run(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                            errors="replace").stderr
    found = len(set(finds.iterdir()) - before)
    status = [m for m in map(STATUS.search, output.splitlines()) if m]
    runs = re.search(r"number_of_executed_units: (\d+)", output)
    rate = re.search(r"average_exec_per_sec:\s+(\d+)", output)
    last = status[-1] if status else None
    if found or not last or not runs:
        for line in output.splitlines()[-40:] if not runs else output.splitlines():
            if re.match(rf"{name}: |input: |==\d+==|SUMMARY|.*not found", line) or not runs:
                print("   ", line[:1000])
        found = max(found, 1)
    return (int(runs[1]) if runs else 0, int(rate[1]) if rate else 0, int(last[2]) if last else 0,
            int(last[4]) if last else 0, found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--minutes", type=float, default=1)
    arguments = parser.parse_args()
    programs, corpus = arguments.programs.resolve(), arguments.corpus.resolve()
    known = dict(line.split(":") for line in (programs / "targets.txt").read_text().split())
    names = arguments.targets or list(known)
    for name in names:
        if name not in known:
            sys.exit(f"no target {name}; there are: {', '.join(known)}")
    seconds = max(1, int(arguments.minutes * 60 / len(names)))
    rows = []
    for number, name in enumerate(names, 1):
        print(f"[{number}/{len(names)}] {name}, {seconds} s", flush=True)
        rows.append((name, *fuzz(programs, corpus, name, known[name], seconds)))
    print(f"\n{'target':22}{'executions':>12}{'a second':>10}{'coverage':>10}{'corpus':>8}{'finds':>7}")
    for name, runs, rate, coverage, size, found in rows:
        print(f"{name:22}{runs:12}{rate:10}{coverage:10}{size:8}{found:7}")
    finds = sum(row[-1] for row in rows)
    print(f"{sum(row[1] for row in rows)} executions, {finds} finds")
    sys.exit(1 if finds else 0)


if __name__ == "__main__":
    main()
