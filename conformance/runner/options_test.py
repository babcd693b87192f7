#!/usr/bin/env python3
"""What `plumbline run` does with options that make no sense: it says so before any work, status 2.

    options_test.py PLUMBLINE
"""
import subprocess
import sys
import time
from pathlib import Path

PLUMBLINE = sys.argv[1]
faults = []


def run(status, *options, says="", adapter=(PLUMBLINE, "adapter")):
    """One run; what it said on standard error."""
    done = subprocess.run([PLUMBLINE, "run", *options, "--", *adapter], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    shown = " ".join(option[:40] for option in options)
    if done.returncode != status:
        faults.append(f"run {shown}: status {done.returncode}, not {status}: {done.stderr[:200]}")
    if says not in done.stderr:
        faults.append(f"run {shown}: says {done.stderr[:200]!r}, not {says!r}")
    return done.stdout + done.stderr


BROKEN = (sys.executable, "-I", "-S", str(Path(__file__).parent / "broken/adapter.py"))
ROWS = ("--filter", "^ROW-0")


def numbers():
    for option in ("--timeout", "--start-timeout"):
        for value in ("", "-1", "0", "nan", "inf", "1e9", "10s", " 1"):
            run(2, *ROWS, option, value, says=option)


def start_timeout():
    begin = time.monotonic()
    run(3, *ROWS, "--timeout", "60", "--start-timeout", "0.3", adapter=(*BROKEN, "silent"))
    if time.monotonic() - begin > 20:
        faults.append("--start-timeout does not bound the three starts")


def main():
    numbers()
    start_timeout()
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
