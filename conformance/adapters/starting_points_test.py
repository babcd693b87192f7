"""Builds a starting point as its first line says and runs the suite against it.

    starting_points_test.py LANGUAGE PLUMBLINE COMPILER WORK

It must refuse all that the fixed header alone decides, by the right clause, skip every other
descriptor, keep to the protocol, and stay short. COMPILER empty or NOTFOUND: "skipped: ..".
"""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = {"c": ["c/plumbline_adapter.h", "c/adapter.c"], "rust": ["rust/adapter.rs"],
           "javascript": ["javascript/adapter.mjs"], "go": ["go/adapter.go"],
           "python": ["python/start.py"]}
# What the first 20 bytes decide. A flag or tag that is unknown is a matter of the whole descriptor.
HEADER = {"HDR-04", "HDR-06", "HDR-08", "HDR-09", "VER-02", "SHP-02", "ELT-01", "LAY-02"}
FRAMING = [("hello plumbline 1\r", None), ("1 decode strict -\r", "1 reject malformed HDR-09 0"),
           ("2 decode strict 4", "2 error request"), ("3 decode strict zz", "3 error request"),
           ("5 decode strict", "5 error request"), ("8 divine strict -", "8 skip unknown"),
           ("9 encode " + " ".join("k%d=0" % i for i in range(2000)), "9 skip unknown"),
           ("18446744073709551615 decode lenient 58525259", "18446744073709551615 reject malformed HDR-04 0")]


def command_of(language, compiler, work):
    source = os.path.join(HERE, SOURCES[language][-1])
    built = os.path.join(work, "adapter")
    build = {"c": [compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-o", built, source],
             "rust": [compiler, "--edition", "2021", "-D", "warnings", "-o", built, source],
             "go": [compiler, "build", "-o", built, source]}.get(language)
    if build is None:
        return [compiler, source]
    environment = dict(os.environ, GO111MODULE="off", GOFLAGS="", GOCACHE=os.path.join(work, "cache"))
    subprocess.run(build, check=True, env=environment, cwd=work)
    return [built]


def check_framing(command):
    text = "".join(question + "\n" for question, _ in FRAMING)
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, "status %d at the end of the input" % done.returncode
    lines = done.stdout.split("\n")
    assert lines.pop() == "" and len(lines) == len(FRAMING), done.stdout
    for (question, expected), line in zip(FRAMING[1:], lines[1:]):
        assert line.startswith(expected), "%s: said %s, expected %s" % (question[:60], line, expected)


def check_suite(language, plumbline, command, work):
    report = os.path.join(work, "report.jsonl")
    subprocess.run([plumbline, "run", "--quiet", "--codes", "--jsonl", report, "--", *command], check=True)
    with open(report) as lines:
        head = json.loads(next(lines))
        cases = [json.loads(line) for line in lines]
    assert head["name"] == language + "-start", head["name"]
    passed = 0
    for case in cases:
        if case["op"] != "decode" or case["class"] == "open":
            continue
        words = case["expected"].split()
        if words[0] != "accept" and words[1] in HEADER:
            assert case["outcome"] == "pass", case
            assert "differs" not in case, case
            passed += 1
        else:
            assert case["outcome"] in ("skip", "skip-declared", "unscored"), case
    assert passed >= 90, "only %d cases about the header" % passed
    return passed


def main():
    language, plumbline, compiler, work = sys.argv[1:]
    if not compiler or compiler.endswith("NOTFOUND"):
        print("skipped: no compiler or interpreter for " + language)
        return
    os.makedirs(work, exist_ok=True)
    lines = sum(len(open(os.path.join(HERE, name)).readlines()) for name in SOURCES[language])
    assert lines < 150, "%d lines" % lines
    command = command_of(language, compiler, work)
    check_framing(command)
    print("%s: %d lines, %d refusals as the header asks, the rest skipped"
          % (language, lines, check_suite(language, plumbline, command, work)))


main()
