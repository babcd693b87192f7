"""Builds a fuzz target for AFL++ and lets it run for a few seconds: coverage grows and nothing breaks; a
target with a planted fault breaks.

    afl_test.py SEEDS WORK CMAKE [LAUNCHER]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

SEEDS, WORK, CMAKE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
LAUNCHER = sys.argv[4] if len(sys.argv) > 4 else ""
HERE = pathlib.Path(__file__).resolve().parent
LIBRARIES = [pathlib.Path("/usr/lib/afl") / name for name in ("libAFLDriver.a", "afl-compiler-rt.o")]
QUIET = {"AFL_NO_UI": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_NO_AFFINITY": "1",
         "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1"}

for tool in ("afl-fuzz", "clang++-19"):
    if not shutil.which(tool):
        print("skipped: no " + tool)
        sys.exit(0)
for library in LIBRARIES:
    if not library.is_file():
        print(f"skipped: no {library}")
        sys.exit(0)


def fuzz(program, seconds, **environment):
    """What afl-fuzz says of its run, as numbers by name."""
    out = WORK / program
    shutil.rmtree(out, ignore_errors=True)
    done = subprocess.run(["afl-fuzz", "-V", str(seconds), "-t", "2000", "-i", WORK / "seeds", "-o", out, "--",
                           WORK / "build" / program],
                          env={**os.environ, **QUIET, **environment}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=240)
    stats = out / "default" / "fuzzer_stats"
    if not stats.is_file():
        sys.exit(f"afl-fuzz did not run: {done.returncode}\n" + done.stdout.decode(errors="replace")[-3000:])
    return {name: float(value) for name, value in re.findall(r"^(\w+) +: ([\d.]+)%?$", stats.read_text(), re.M)}


WORK.mkdir(parents=True, exist_ok=True)
configure = [CMAKE, "-S", HERE, "-B", WORK / "build", "-G", "Ninja", "-DCMAKE_CXX_COMPILER=clang++-19",
             "-DAFL_LIBRARIES=" + ";".join(map(str, LIBRARIES))]
if LAUNCHER:
    configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=" + LAUNCHER)
subprocess.run(configure, check=True)
subprocess.run([CMAKE, "--build", WORK / "build"], check=True)

shutil.rmtree(WORK / "seeds", ignore_errors=True)
(WORK / "seeds").mkdir()
seeds = [p for p in sorted(SEEDS.iterdir()) if p.read_bytes()[4:6] == b"\1\0"][:24]
assert len(seeds) == 24, len(seeds)
for path in seeds:
    shutil.copy(path, WORK / "seeds")

sound = fuzz("reencode_fuzz", 5)
print(f"reencode: {sound['execs_done']:.0f} runs, {sound['edges_found']:.0f} of {sound['total_edges']:.0f} edges, "
      f"{sound['corpus_count']:.0f} inputs kept, {sound['saved_crashes']:.0f} crashes")
assert sound["execs_done"] > 100 and sound["edges_found"] > 1000, "too little ran, or without instrumentation"
assert sound["corpus_count"] > len(seeds), "nothing new was found"
assert sound["saved_crashes"] == 0 and sound["saved_hangs"] == 0, "see " + str(WORK / "reencode_fuzz")
broken = fuzz("planted_fuzz", 60, AFL_BENCH_UNTIL_CRASH="1")
print(f"planted: {broken['execs_done']:.0f} runs, {broken['saved_crashes']:.0f} crashes")
assert broken["saved_crashes"] > 0, "a planted fault is not found"
