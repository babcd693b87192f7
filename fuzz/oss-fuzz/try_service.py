"""try_service.py OUT TARGETS [--minutes N]: does with the output of build.sh what a fuzzing service does: for
every target of TARGETS (lines NAME:FORMAT) it unpacks the seeds, and runs the program with its dictionary and
its options for a share of the time. A target fails when one of its files is missing or when something is
found, which stays in build/finds."""

import argparse
import configparser
import pathlib
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from run import engine, summary  # noqa: E402

TREE = pathlib.Path(__file__).resolve().parents[2]


def options_of(path):
    parser = configparser.ConfigParser()
    parser.read_string(path.read_text())
    return [f"-{key}={value}" for key, value in parser["libfuzzer"].items()]


def libraries_of_its_own(program):
    """Shared libraries that a bare machine has not: only the system's C and C++ may be needed."""
    needed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    usual = ("linux-vdso", "libstdc++", "libm.", "libc.", "libgcc_s", "libresolv", "libdl", "librt",
             "libpthread", "/lib64/ld-linux", "/lib/ld-linux")
    return [line.split()[0] for line in needed.splitlines() if not line.strip().startswith(usual)]


def try_target(out, name, seconds):
    """The result, or what is wrong with the target's files."""
    program, seeds, dictionary, options = (out / f"{name}_fuzz{end}" for end in
                                           ("", "_seed_corpus.zip", ".dict", ".options"))
    for path in (program, seeds, dictionary, options):
        if not path.exists() or path.stat().st_size == 0:
            return f"no {path.name}"
    if missing := libraries_of_its_own(program):
        return f"needs {', '.join(missing)}"
    with tempfile.TemporaryDirectory() as folder:
        grown, given = pathlib.Path(folder) / "grown", pathlib.Path(folder) / "seeds"
        grown.mkdir()
        with zipfile.ZipFile(seeds) as archive:
            archive.extractall(given)
        if not any(given.iterdir()):
            return f"no seeds in {seeds.name}"
        return engine(program, name, [grown, given], TREE / "build" / "finds",
                      [f"-max_total_time={seconds}", f"-dict={dictionary}", *options_of(options)])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("targets", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=2)
    arguments = parser.parse_args()
    names = [line.split(":")[0] for line in arguments.targets.read_text().split()]
    if not names:
        sys.exit("no targets")
    seconds = max(1, round(arguments.minutes * 60 / len(names)))
    results, failed = [], 0
    for name in names:
        tried = try_target(arguments.out.resolve(), name, seconds)
        broken = tried if isinstance(tried, str) else "a find" if tried.finds else ""
        failed += broken != ""
        if isinstance(tried, str):
            print(f"{name}: {tried}", flush=True)
        else:
            print(tried, flush=True)
            results.append(tried)
    summary(results)
    print(f"{len(names) - failed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
