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

ADAPTER = r"""#!/bin/sh
case "$*" in
  *--list-mutants*)
    printf 'off:HDR-04\toff\tHDR-04\noff:SHP-02\toff\tSHP-02\nwrong:nothing\twrong\tNON-01\noff:HDR-06\toff\tHDR-06\n' ;;
  *off:HDR-04*) exec "PLUMBLINE" adapter | sed -u 's/ reject malformed HDR-04.*/ accept full -/' ;;
  *off:HDR-06*) exit 7 ;;
  *) exec "PLUMBLINE" adapter ;;
esac
"""


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
    for fault in faults:
        print(fault)
    if faults:
        print(done.stdout[-2000:])
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
