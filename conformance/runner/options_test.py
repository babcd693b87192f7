#!/usr/bin/env python3
"""What `plumbline run` does with options that make no sense: it says so before any work, status 2.

    options_test.py PLUMBLINE
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PLUMBLINE = sys.argv[1]
faults = []


def run(status, *options, says="", adapter=(PLUMBLINE, "adapter"), cwd=None):
    """One run; what it said on standard error."""
    done = subprocess.run([PLUMBLINE, "run", *options, "--", *adapter], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, cwd=cwd)
    shown = " ".join(option[:40] for option in options)
    if done.returncode != status:
        faults.append(f"run {shown}: status {done.returncode}, not {status}: {done.stderr[:200]}")
    if says not in done.stderr:
        faults.append(f"run {shown}: says {done.stderr[:200]!r}, not {says!r}")
    return done.stdout + done.stderr


BROKEN = (sys.executable, "-I", "-S", str(Path(__file__).parent / "broken/adapter.py"))
ROWS = ("--filter", "^ROW-0")


def numbers():
    for value in ("", "-1", "1e3", "0x10", "18446744073709551616", " 1"):
        run(2, *ROWS, "--seed", value, says="--seed")
    run(0, *ROWS, "--seed", "18446744073709551615")
    for value in ("", "-1", "0", "257", "4294967297", "two"):
        run(2, *ROWS, "--jobs", value, says="--jobs")
    for option in ("--timeout", "--start-timeout"):
        for value in ("", "-1", "0", "nan", "inf", "1e9", "10s", " 1"):
            run(2, *ROWS, option, value, says=option)


def filters():
    run(2, "--filter", "(" * 30000 + ")" * 30000, says="60000 characters")
    run(2, "--filter", "(" * 400, says="a ( without its ) (at character 401)")
    begin = time.monotonic()
    run(2, "--filter", "^(([A-Z0-9/a-z+-]*)*)*!$", says="no case")
    if time.monotonic() - begin > 30:
        faults.append("a pattern takes long")
    run(0, "--filter", r"^ROW-0\d/[a-c]$")


def profiles(folder):
    """Several profiles are the cases of each."""
    def cases(name):
        report = folder / "profile.jsonl"
        run(0, "--filter", "^(EXT-0|ROW-0)", "--profile", name, "--jsonl", str(report))
        return {json.loads(line)["id"] for line in report.read_text().splitlines()[1:]}
    reader, extension = cases("reader"), cases("extension-types")
    if not extension - reader or cases("reader,extension-types") != reader | extension:
        faults.append("--profile reader,extension-types does not ask the cases of both")


def jobs(folder):
    """No more processes than cases."""
    report = folder / "jobs.jsonl"
    run(0, "--filter", "^ROW-01/[ab]$", "--jobs", "200", "--jsonl", str(report))
    head = json.loads(report.read_text().splitlines()[0])
    if head["starts"] != head["cases"]:
        faults.append(f"{head['starts']} processes for {head['cases']} cases")


def report_files(folder):
    """An adapter that would take long is never started, and no file changes."""
    slow = ("/bin/sleep", "100")
    there = folder / "there.txt"
    there.write_text("the last report\n")
    (folder / "link.txt").symlink_to(there)
    (folder / "dangling.txt").symlink_to(folder / "target.txt")
    known = folder / "known.txt"
    known.write_text("")
    before = sorted(folder.iterdir())
    for option in ("--junit", "--jsonl", "--html", "--badge"):
        for path in (folder / "no/such/folder.xml", folder, "/dev/null/x"):
            run(2, *ROWS, option, str(path), says=str(path), adapter=slow)
        run(2, *ROWS, option, str(known), "--expected-failures", str(known), says=str(known), adapter=slow)
        run(2, *ROWS, option, str(known), "--known-flaky", str(known), says=str(known), adapter=slow)
    for first, second in ((there, there), (there, folder / "link.txt"), (folder / "new.txt", folder / "./new.txt"),
                          (folder / "dangling.txt", folder / "target.txt")):
        for other in ("--jsonl", "--html", "--badge"):
            run(2, *ROWS, "--junit", str(first), other, str(second), says="name the same file", adapter=slow)
    # Relative names of what is not there yet.
    for first, second in (("x", "./x"), ("x", str(folder / "x")), ("x", f"../{folder.name}/x"), ("dangling.txt", "target.txt")):
        run(2, *ROWS, "--junit", first, "--jsonl", second, says="name the same file", adapter=slow, cwd=folder)
    run(2, *ROWS, "--expected-failures", str(folder / "no/list.txt"), "--update-expected", says="no/list.txt",
        adapter=slow)
    # A fault after the files were looked at: nothing was written, nothing is left.
    run(2, *ROWS, "--junit", str(there), "--jsonl", str(folder / "fresh.jsonl"), "--known-flaky", str(folder),
        adapter=slow)
    if there.read_text() != "the last report\n":
        faults.append("a file was emptied before the run")
    if sorted(folder.iterdir()) != before:
        faults.append(f"files were left behind: {sorted(folder.iterdir())}")
    run(0, *ROWS, "--junit", str(there), "--jsonl", "/dev/null", "--badge", str(folder / "dangling.txt"))
    if "<testsuite" not in there.read_text() or not (folder / "target.txt").exists():
        faults.append("the reports were not written")


def start_timeout():
    begin = time.monotonic()
    run(3, *ROWS, "--timeout", "60", "--start-timeout", "0.3", adapter=(*BROKEN, "silent"))
    if time.monotonic() - begin > 20:
        faults.append("--start-timeout does not bound the three starts")


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def ended_by_a_signal(folder):
    """Whatever ends the runner, its adapter ends as well; with a signal that can be handled, also what that started."""
    for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGKILL"):
        number = getattr(signal, name)
        pids = folder / name
        script = f"sleep 300 & echo $$ $! > {pids}.new; mv {pids}.new {pids}; exec sleep 300"
        runner = subprocess.Popen([PLUMBLINE, "run", *ROWS, "--start-timeout", "100", "--", "/bin/sh", "-c", script],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  preexec_fn=lambda: signal.signal(number, signal.SIG_DFL) if number != 9 else None)
        until = time.monotonic() + 60
        while not pids.exists() and time.monotonic() < until:
            time.sleep(0.02)
        adapter, grandchild = (int(word) for word in pids.read_text().split())
        runner.send_signal(number)
        if runner.wait(timeout=60) != -number:
            faults.append(f"{name}: the runner ends with {runner.returncode}")
        must_end = [adapter] if name == "SIGKILL" else [adapter, grandchild]
        until = time.monotonic() + 20
        while any(map(is_running, must_end)) and time.monotonic() < until:
            time.sleep(0.02)
        if any(map(is_running, must_end)):
            faults.append(f"{name}: the adapter lives on: {[pid for pid in must_end if is_running(pid)]}")
        for pid in filter(is_running, (adapter, grandchild)):
            os.kill(pid, signal.SIGKILL)


def stopped_in_the_middle(folder):
    """The first SIGINT or SIGTERM leaves reports of what was asked, and no adapter."""
    slow = ("import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); sys.stdin.readline();"
            "print('hello plumbline 1 ops=decode', flush=True);"
            "[(time.sleep(0.01), print(line.split()[0], 'skip later', flush=True)) for line in sys.stdin]")
    for number in (signal.SIGINT, signal.SIGTERM):
        name, pid = signal.Signals(number).name, folder / f"slow-{int(number)}"
        lines, xml, page = folder / "stopped.jsonl", folder / "stopped.xml", folder / "stopped.html"
        known = folder / "known.txt"
        known.write_text("HDR-06/c | another day | -\n")
        update = ["--expected-failures", str(known), "--update-expected"]
        runner = subprocess.Popen([PLUMBLINE, "run", "--jsonl", str(lines), "--junit", str(xml), "--html", str(page),
                                   *update, "--", sys.executable, "-c", slow, str(pid)], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True,
                                  preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
        until = time.monotonic() + 60
        while not (pid.exists() and pid.read_text()) and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(1)
        runner.send_signal(number)
        said = runner.communicate(timeout=60)[0]
        if runner.returncode != -number:
            faults.append(f"{name}: a run that it stops ends with {runner.returncode}")
        if f"the run ended early: the adapter was stopped by signal {int(number)} ({name})" not in said:
            faults.append(f"{name}: says {said[-300:]!r}")
        head, *cases = [json.loads(line) for line in lines.read_text().splitlines()]
        outcomes = {case["outcome"] for case in cases}
        if not head["ended_early"] or head["exit"] != 3 or outcomes != {"skip", "skip-declared", "not-run"}:
            faults.append(f"{name}: the report of what was asked: {head}, {outcomes}")
        if "</testsuites>" not in xml.read_text() or "</html>" not in page.read_text():
            faults.append(f"{name}: a report is not whole")
        if known.read_text() != "HDR-06/c | another day | -\n":
            faults.append(f"{name}: --update-expected writes the list of a run that ended early")
        if is_running(int(pid.read_text())):
            faults.append(f"{name}: the adapter lives on")


def ignored_signals():
    """A runner under nohup stays: what is ignored stays ignored."""
    done = subprocess.run([PLUMBLINE, "run", *ROWS, "--quiet", "--", "/bin/sh", "-c",
                           f"kill -HUP $PPID; exec {PLUMBLINE} adapter"],
                          preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN), timeout=120)
    if done.returncode != 0:
        faults.append(f"an ignored SIGHUP ends the runner: {done.returncode}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "reports").mkdir()
        jobs(Path(folder))
        profiles(Path(folder))
        report_files(Path(folder) / "reports")
        ended_by_a_signal(Path(folder))
        stopped_in_the_middle(Path(folder))
    ignored_signals()
    filters()
    numbers()
    start_timeout()
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
