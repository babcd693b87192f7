"""run.py BUILD [NAME..] [--seconds S] [--executions N] [--seeds K]: puts each seeded fault into a copy of its
source file, links it in front of the library of BUILD (a fuzz preset), and looks for it: first by replaying
the committed corpus through every target, then, where that does not find it, by fuzzing from the corpus, with
K seeds, each for at most S seconds and N executions. Writes rows of fuzz/SEEDED_FAULTS.md."""

import argparse
import json
import pathlib
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from faults import FAULTS  # noqa: E402

TREE = pathlib.Path(__file__).resolve().parents[2]


def compile_fault(build, work, file, changes):
    source = (TREE / file).read_text()
    for old, new in changes:
        if source.count(old) != 1:
            sys.exit(f"{file}: {source.count(old)} places for: {old}")
        source = source.replace(old, new)
    changed = work / pathlib.Path(file).name
    changed.write_text(source)
    entry = next(e for e in json.loads((build / "compile_commands.json").read_text())
                 if e["file"] == str(TREE / file))
    # The copy lies elsewhere: its relative includes are looked up where the original stands.
    command = [str(changed) if part == str(TREE / file) else part for part in shlex.split(entry["command"])]
    command[command.index("-o") + 1] = str(work / "fault.o")
    folder = str((TREE / file).parent)
    command = [part for part in command if part != "-Werror"]
    command += ["-iquote", folder, "-I", folder, "-w"]
    if subprocess.run(command, cwd=entry["directory"]).returncode != 0:
        sys.exit(f"{file}: the fault does not compile")


def link(build, work):
    listed = subprocess.run(["ninja", "-C", build, "-t", "commands", "plumbline_fuzz"],
                            capture_output=True, text=True).stdout.strip().splitlines()
    line = next(l for l in reversed(listed) if "-o fuzz/plumbline_fuzz" in l)
    command = shlex.split(line.removeprefix(": &&").split("&&")[0])
    command[command.index("-o") + 1] = str(work / "plumbline_fuzz")
    at = next(i for i, part in enumerate(command) if part.endswith("engine.cpp.o"))
    command.insert(at + 1, str(work / "fault.o"))
    subprocess.run(command, cwd=build, check=True)


def run(work, name, folders, arguments):
    """Whether something was found, and after how many executions."""
    program = work / f"{name}_fuzz"
    if not program.exists():
        program.symlink_to(work / "plumbline_fuzz")
    finished = subprocess.run([program, *folders, f"-artifact_prefix={work}/", "-print_final_stats=1",
                               "-timeout=10", "-rss_limit_mb=1024", *arguments],
                              capture_output=True, text=True, errors="replace")
    runs = [l for l in finished.stderr.splitlines() if "number_of_executed_units" in l]
    if not runs:  # a crash without a summary: the last status line says how far it came
        runs = ["0"] + [l.split()[0].lstrip("#") for l in finished.stderr.splitlines() if l.startswith("#")]
    return finished.returncode != 0, int(runs[-1].split()[-1])


def corpus_of(form):
    return TREE / "corpus" / "fuzz" / form


def replay(work, formats):
    """The first target that finds the fault in the committed corpus. The kernels run none of this code."""
    for name, form in formats.items():
        if not name.startswith("kernel_") and run(work, name, [corpus_of(form)], ["-runs=0"])[0]:
            return name
    return None


def fuzz(work, targets, formats, arguments, seed):
    """Executions and seconds until it was found, and by what; nothing where it was not."""
    spent, start = 0, time.monotonic()
    for name in targets:
        grown = work / "grown"
        shutil.rmtree(grown, ignore_errors=True)
        grown.mkdir()
        found, runs = run(work, name, [grown, corpus_of(formats[name])],
                          [f"-max_total_time={arguments.seconds // len(targets)}",
                           f"-runs={arguments.executions // len(targets)}", f"-seed={seed}", "-max_len=512",
                           f"-dict={TREE}/fuzz/plumbline.dict"])
        spent += runs
        if found:
            return spent, time.monotonic() - start, name
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--executions", type=int, default=10_000_000)
    parser.add_argument("--seeds", type=int, default=5)
    arguments = parser.parse_intermixed_args()
    build = arguments.build.resolve()
    formats = dict(line.split(":") for line in (build / "fuzz" / "targets.txt").read_text().split())
    missed = 0
    for fault in arguments.names or FAULTS:
        file, changes, targets = FAULTS[fault]
        with tempfile.TemporaryDirectory(dir=build) as folder:
            work = pathlib.Path(folder)
            compile_fault(build, work, file, changes)
            link(build, work)
            row = f"| {fault} | {file.removeprefix('reference/')} |"
            if by := replay(work, formats):
                print(f"{row} replay | {by} | | | |", flush=True)
                continue
            found = [f for seed in range(1, arguments.seeds + 1)
                     if (f := fuzz(work, targets, formats, arguments, seed))]
            if 2 * len(found) <= arguments.seeds:
                missed += 1
                print(f"{row} **not found** | | {len(found)} of {arguments.seeds} | | |", flush=True)
                continue
            # One that was not found counts as slower than all others.
            never = [(arguments.executions, arguments.seconds, "")] * (arguments.seeds - len(found))
            runs, seconds = (statistics.median(f[k] for f in found + never) for k in (0, 1))
            by = ", ".join(sorted({f[2] for f in found}))
            print(f"{row} fuzzing | {by} | {len(found)} of {arguments.seeds} | {runs} | {seconds:.1f} |",
                  flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
