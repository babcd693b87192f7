#!/usr/bin/env python3
"""The driver of the mutants tells what is killed from what survives.

    mutants_test.py PLUMBLINE

Its mutant build is a script: one mutant takes what it should refuse, one is no different from the reference,
one has no vectors, one does not start.
"""
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import mutants  # noqa: E402

ADAPTER = r"""#!/bin/sh
case "$*" in
  *--list-mutants*)
    printf 'off:HDR-04\toff\tHDR-04\noff:SHP-02\toff\tSHP-02\nwrong:nothing\twrong\tNON-01\noff:HDR-06\toff\tHDR-06\n' ;;
  *off:HDR-04*) exec "PLUMBLINE" adapter | sed -u 's/ reject malformed HDR-04.*/ accept full -/' ;;
  *off:HDR-06*) exit 7 ;;
  *) exec "PLUMBLINE" adapter ;;
esac
"""


def moves():
    """Each direction of a limit is tried or argued away, and nothing else is argued."""
    tried = [(f"moved:{move}", "moved", "") for move in ("AAA-01+1", "AAA-01-1", "BBB-01+1", "CCC-01.2+1", "CCC-01.2-1",
                                                         "DDD-01*2", "DDD-01/2", "FFF-01.low+1", "FFF-01.low-1")]
    code = [], [("x.cpp", limit) for limit in ("AAA-01", "BBB-01", "CCC-01.", "DDD-01", "EEE-01.", "FFF-01.low", "FFF-01.high")]
    found = mutants.unlisted(tried, {"BBB-01-1", "DDD-01+1", "AAA-01-1", "GGG-01-1"}, code)
    wanted = ["not in mutants.tsv: x.cpp: limit EEE-01.N",
              "neither in mutants.tsv nor in EQUIVALENT.md: moved:DDD-01-1",
              "neither in mutants.tsv nor in EQUIVALENT.md: moved:FFF-01.high+1",
              "neither in mutants.tsv nor in EQUIVALENT.md: moved:FFF-01.high-1",
              "in EQUIVALENT.md and tried: AAA-01-1", "in EQUIVALENT.md, and no limit: GGG-01-1"]
    faults = [] if found == wanted else [f"moves: {found}"]
    text = "`NOT-01-1` is no row\n| move | why |\n|---|---|\n| `AAA-01-1` `BBB-01.low+1` (blocks) | `CCC-01` is another |\n"
    if mutants.argued(text) != {"AAA-01-1", "BBB-01.low+1"}:
        faults.append(f"argued: {mutants.argued(text)}")
    in_code = [limit for _, limit in mutants.limits_and_mutants()[1]]
    return faults + [f"not found in the code: {limit}" for limit in ("HDR-06", "QNT-09.", "QPB-09.low") if limit not in in_code]


def stale_rows():
    rows = [{"name": name, "kind": "off", "clause": name, "killed by": by} for name, by in
            (("A", "A/a"), ("B", "B/a"), ("C", "-"), ("E", "E/a"))]
    tried = [(name, "off", name) for name in "ABCD"]
    results = {"A": "A/a", "B": "B/b", "C": None, "D": "D/a"}
    found = mutants.stale(rows, tried, results, True)
    wanted = ["B: B/a, now B/b", "D: no row, now D/a", "E: no such mutant"]
    some = mutants.stale(rows, tried[:1], results, False)
    return ([] if found == wanted else [f"stale: {found}"]) + ([] if some == [] else [f"stale, of some: {some}"])


def main():
    plumbline = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        adapter = Path(folder) / "adapter"
        adapter.write_text(ADAPTER.replace("PLUMBLINE", plumbline))
        adapter.chmod(adapter.stat().st_mode | stat.S_IXUSR)
        driver = Path(__file__).with_name("mutants.py")
        done = subprocess.run([sys.executable, "-B", str(driver), "--plumbline", plumbline, "--adapter", str(adapter)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = done.stdout.splitlines()
    wanted = ["survived: off:SHP-02", "survived: wrong:nothing", "survived: off:HDR-06", "mutants: killed 1 of 4"]
    faults = [f"missing: {line}" for line in wanted if line not in lines]
    faults += ["the killed one is said to survive"] if "survived: off:HDR-04" in lines else []
    faults += [] if done.returncode == 1 else [f"exit status {done.returncode}, not 1"]
    faults += [] if lines and lines[-1] == wanted[-1] else ["the last line does not count"]
    # Faults that the code can have and this list does not name.
    faults += [] if any(line.startswith("not in mutants.tsv: reference/") for line in lines) else ["nothing is unlisted"]
    faults += [] if any(line.startswith("RESULTS.tsv is stale") for line in lines) else ["the table is not compared"]
    faults += moves() + stale_rows()
    for fault in faults:
        print(fault)
    if faults:
        print(done.stdout[-2000:])
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
