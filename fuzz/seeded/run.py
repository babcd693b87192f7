"""run.py BUILD [NAME..] [--seconds S] [--runs N] [--seed K]: puts each seeded fault into a copy of its
source file, links it in front of the library of BUILD (a fuzz preset), and looks for it: first by
replaying the committed corpus, then by fuzzing. Writes one line of fuzz/SEEDED_FAULTS.md for each."""

import argparse
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from faults import FAULTS  # noqa: E402

TREE = pathlib.Path(__file__).resolve().parents[2]
# Which targets are asked, the likeliest first.
ORDER = ["decode", "one_violation", "sizes_addresses", "reencode", "contents", "stay_inside",
         "fields_roundtrip", "nested_tiles", "extension_section", "quantization_section",
         "modes_nest", "exact_end", "composite"]


def compile_fault(build, work, file, old, new):
    source = (TREE / file).read_text()
    if source.count(old) != 1:
        sys.exit(f"{file}: {source.count(old)} places for: {old}")
    changed = work / pathlib.Path(file).name
    changed.write_text(source.replace(old, new))
    entry = next(e for e in json.loads((build / "compile_commands.json").read_text())
                 if e["file"] == str(TREE / file))
    # The copy lies elsewhere: its relative includes are looked up where the original stands.
    command = shlex.split(entry["command"])
    command = [str(changed) if part == str(TREE / file) else part for part in command]
    at = command.index("-o")
    command[at + 1] = str(work / "fault.o")
    command = [part for part in command if part != "-Werror"]
    folder = str((TREE / file).parent)
    command += ["-iquote", folder, "-I", folder, "-w"]
    if subprocess.run(command, cwd=entry["directory"]).returncode != 0:
        sys.exit(f"{file}: the fault does not compile")


def link(build, work):
    listed = subprocess.run(["ninja", "-C", build, "-t", "commands", "plumbline_fuzz"],
                            capture_output=True, text=True).stdout.strip().splitlines()
    line = next(l for l in reversed(listed) if "-o fuzz/plumbline_fuzz" in l)
    line = line.removeprefix(": &&").split("&&")[0]
    command = shlex.split(line)
    command[command.index("-o") + 1] = str(work / "plumbline_fuzz")
    at = next(i for i, part in enumerate(command) if part.endswith("engine.cpp.o"))
    command.insert(at + 1, str(work / "fault.o"))
    subprocess.run(command, cwd=build, check=True)


def run(work, name, folders, arguments):
    program = work / f"{name}_fuzz"
    if not program.exists():
        program.symlink_to(work / "plumbline_fuzz")
    finished = subprocess.run([program, *folders, f"-artifact_prefix={work}/", "-max_len=4096",
                               "-print_final_stats=1", "-timeout=10", "-rss_limit_mb=1024", *arguments],
                              capture_output=True, text=True, errors="replace")
    runs = [l for l in finished.stderr.splitlines() if "number_of_executed_units" in l]
    return finished.returncode != 0, int(runs[-1].split()[-1]) if runs else 0


def look_for(work, formats, arguments):
    """How it was found, by what, after how many executions."""
    for name in ORDER:
        if run(work, name, [TREE / "corpus" / "fuzz" / formats[name]], ["-runs=0"])[0]:
            return "replay", name, 0
    spent = 0
    for name in ORDER:
        grown = work / f"grown-{name}"
        grown.mkdir()
        found, runs = run(work, name, [grown, TREE / "corpus" / "fuzz" / formats[name]],
                          [f"-max_total_time={arguments.seconds}", f"-runs={arguments.runs}",
                           f"-seed={arguments.seed}", f"-dict={TREE}/fuzz/plumbline.dict"])
        spent += runs
        if found:
            return "fuzzing", name, spent
    return "not found", "", spent


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=int, default=23)  # a target; 13 of them in five minutes
    parser.add_argument("--runs", type=int, default=770000)  # ten million in all
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    formats = dict(line.split(":") for line in (build / "fuzz" / "targets.txt").read_text().split())
    missed = 0
    for fault in arguments.names or FAULTS:
        with tempfile.TemporaryDirectory(dir=build) as folder:
            work = pathlib.Path(folder)
            compile_fault(build, work, *FAULTS[fault])
            link(build, work)
            how, by, runs = look_for(work, formats, arguments)
            missed += how == "not found"
            print(f"| {fault} | {FAULTS[fault][0].removeprefix('reference/')} | {how} | {by} | {runs} |",
                  flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
