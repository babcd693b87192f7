#!/usr/bin/env python3
"""Line and branch coverage of reference/ by the fuzz corpus and the vectors, from a build with clang's
counters (the preset "coverage"): a table on the terminal, the pages in BUILD/coverage/html.

  code_coverage.py BUILD SOURCE

Exit code 1 when less is covered than is promised, or when fuzz/COVERAGE.md does not explain a file's
uncovered lines and outcomes."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

FOLDERS = ("descriptor", "types", "addressing", "contents")
LEAST = {"lines": 98.0, "branches": 95.0}


def tool(name):
    for candidate in (name + "-19", name):
        if path := shutil.which(candidate):
            return path
    sys.exit(f"{name} is missing (Debian package llvm-19)")


def run(command, **options):
    print("  " + " ".join(str(word) for word in command[:4]), flush=True)
    subprocess.run(command, check=True, **options)


def collect(build, source, profiles):
    """Runs both programs over everything that is committed."""
    shutil.rmtree(profiles, ignore_errors=True)
    profiles.mkdir(parents=True)
    environment = {**os.environ, "LLVM_PROFILE_FILE": str(profiles / "%m_%p.profraw")}
    quiet = {"stdout": subprocess.DEVNULL, "env": environment}
    run([build / "fuzz/fuzz_replay", "--corpus", source / "corpus", "0"], **quiet)
    run([build / "bin/plumbline-conformance"], **quiet)


def lines_with_a_mutant(path):
    """Lines that ask for a deliberate fault: their other outcome is in the mutants' build alone."""
    return {n for n, line in enumerate(path.read_text().splitlines(), 1) if "mutant(" in line}


def counters(text, source):
    """The tracefile's records of the four folders, without tests: name below reference/ -> counts of its
    lines, and of its branches' outcomes."""
    found, here = {}, None
    for record in text.splitlines():
        kind, _, rest = record.partition(":")
        if kind == "SF":
            path, here = pathlib.Path(rest), None
            if path.is_relative_to(source / "reference"):
                name = path.relative_to(source / "reference")
                if name.parts[0] in FOLDERS and not name.stem.endswith("_test"):
                    here = found.setdefault(str(name), {"lines": {}, "branches": {}})
                    deliberate = lines_with_a_mutant(path)
        elif here and kind == "DA":
            line, count = rest.split(",")[:2]
            here["lines"][int(line)] = int(count)
        elif here and kind == "BRDA":
            line, block, branch, count = rest.split(",")
            if int(line) in deliberate:
                continue
            here["branches"][int(line), block, branch] = 0 if count == "-" else int(count)
    return found


def explained(source):
    """File -> reason, the table of fuzz/COVERAGE.md."""
    text = (source / "fuzz/COVERAGE.md").read_text()
    return dict(re.findall(r"^\| `([^`]+)` \| [^|]* \| ([^|]+) \|$", text, re.M))


def report(files, reasons):
    """The table with its totals, and what is wrong: files that are not covered and not explained, or
    explained and covered, and less than is promised."""
    total = {kind: [0, 0] for kind in LEAST}
    table, faults = [], []
    table.append(f"\n{'':44}   lines       branches    lines not covered | "
                 "lines with an outcome that is not covered")
    for name, file in sorted(files.items()):
        row = f"{name:44}"
        for kind in LEAST:
            counts = file[kind].values()
            covered, count = sum(1 for n in counts if n), len(counts)
            total[kind][0] += covered
            total[kind][1] += count
            row += f" {covered:5}/{count:<5}"
        missing = sorted(line for line, count in file["lines"].items() if count == 0)
        half = sorted({where[0] for where, count in file["branches"].items() if count == 0} - set(missing))
        table.append(f"{row} {','.join(map(str, missing))} | {','.join(map(str, half))}")
        what = " and ".join(word for word, some in (("lines", missing), ("outcomes", half)) if some)
        if what and name not in reasons:
            faults.append(f"{name}: uncovered {what} without a reason in fuzz/COVERAGE.md")
        if not what and name in reasons:
            faults.append(f"{name}: explained in fuzz/COVERAGE.md, and covered")
    faults += [f"{name}: explained in fuzz/COVERAGE.md, and no such file" for name in reasons if name not in files]
    for kind, (covered, count) in total.items():
        share = 100 * covered / count if count else 0
        table.append(f"{kind:9} {covered} of {count}, {share:.2f} %, at least {LEAST[kind]:.0f} % promised")
        if share < LEAST[kind]:
            faults.append(f"fewer {kind} are covered than promised")
    return table, faults


def main(build, source):
    build, source = pathlib.Path(build).resolve(), pathlib.Path(source).resolve()
    out = build / "coverage"
    collect(build, source, out / "profiles")
    data = out / "all.profdata"
    subprocess.run([tool("llvm-profdata"), "merge", "-sparse", "-o", data,
                    *sorted((out / "profiles").glob("*.profraw"))], check=True)
    objects = [build / "fuzz/fuzz_replay", "-object", build / "bin/plumbline",
               f"-instr-profile={data}"]
    exported = subprocess.run([tool("llvm-cov"), "export", "-format=lcov", *objects], check=True,
                              capture_output=True, text=True)
    files = counters(exported.stdout, source)
    pages = [source / "reference" / name for name in files]
    run([tool("llvm-cov"), "show", *objects, "-format=html", f"-output-dir={out / 'html'}",
         "-show-branches=count", *pages], stdout=subprocess.DEVNULL)

    table, faults = report(files, explained(source))
    print("\n".join(table))
    print(f"\npages: {out / 'html' / 'index.html'}")
    for fault in faults:
        print("fault: " + fault)
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
