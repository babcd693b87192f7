"""The rules of the house that no compiler sees. Prints every breach and exits with 1.

    house_rules.py TREE [--interface-options=FLAG;FLAG..]

- A file of reference/ includes the standard library and other files of reference/, nothing else.
- No file of reference/ is longer than MOST_LINES. Tests are exempt from both rules.
- No committed file names a place that only its author's machine has.
- The library hands -ffp-contract=off on to whoever links it.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

MOST_LINES = 300

STANDARD_HEADERS = set("""
algorithm any array atomic barrier bit bitset charconv chrono codecvt compare complex concepts
condition_variable coroutine deque exception execution expected filesystem format forward_list fstream
functional future generator initializer_list iomanip ios iosfwd iostream istream iterator latch limits
list locale map mdspan memory memory_resource mutex new numbers numeric optional ostream print queue
random ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span spanstream
sstream stack stacktrace stdexcept stdfloat stop_token streambuf string string_view strstream
syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility
valarray variant vector version
cassert cctype cerrno cfenv cfloat cinttypes climits clocale cmath csetjmp csignal cstdarg cstddef
cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype
""".split())

# Spelled so that this file does not break its own rule.
MACHINE_PATH = re.compile(rb"(?<![\w.)}\]/])/(?:wor" rb"k|hom" rb"e|roo" rb"t)/")
SHARED_FOLDER = re.compile(rb"\.\./shar" rb"ed")
MAY_NAME_SHARED_FOLDER = {".ci/run"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]*)[>"]', re.MULTILINE)


def is_test(path):
    """Tests, what tests share, and programs that only tests run."""
    return bool(re.fullmatch(r".*_(test|main)\.cpp|test_.*\.h", path.name))


def sources_of_reference(tree):
    files = sorted((tree / "reference").rglob("*"))
    return [f for f in files if f.suffix in (".h", ".cpp") and not is_test(f)]


def foreign_includes(tree, sources):
    reference = (tree / "reference").resolve()
    for source in sources:
        for quote, name in INCLUDE.findall(source.read_text()):
            if quote == "<":
                allowed = name in STANDARD_HEADERS
            else:
                target = (source.parent / name).resolve()
                allowed = target.is_file() and target.is_relative_to(reference)
                allowed = allowed and not is_test(target)
            if not allowed:
                yield f"{source.relative_to(tree)}: includes {name}"


def long_files(tree, sources):
    lengths = [(len(s.read_text().splitlines()), str(s.relative_to(tree))) for s in sources]
    lines, longest = max(lengths)
    print(f"{len(sources)} files in reference/, the longest {longest} with {lines} lines")
    for lines, name in lengths:
        if lines > MOST_LINES:
            yield f"{name}: {lines} lines, at most {MOST_LINES}"


def committed_files(tree):
    """What git tracks; in a tree without git, everything but what a build leaves."""
    if (tree / ".git").exists():
        try:
            listed = subprocess.run(["git", "-C", str(tree), "ls-files", "-z"], capture_output=True)
            if listed.returncode == 0:
                names = listed.stdout.decode().split("\0")
                return [n for n in names if n and (tree / n).is_file()]
            print("git cannot list the files: walking the tree")
        except FileNotFoundError:
            print("no git: walking the tree")
    names = []
    for folder, folders, files in os.walk(tree):
        top = pathlib.Path(folder) == tree
        folders[:] = [f for f in folders
                      if f not in (".git", "__pycache__") and not (top and f in ("build", "package"))]
        names += [str((pathlib.Path(folder) / f).relative_to(tree)) for f in files]
    return names


def private_places(tree):
    names = committed_files(tree)
    print(f"{len(names)} files looked through for places on one machine")
    for name in names:
        for number, line in enumerate((tree / name).read_bytes().split(b"\n"), 1):
            if MACHINE_PATH.search(line):
                yield f"{name}:{number}: an absolute path of one machine"
            if SHARED_FOLDER.search(line) and name not in MAY_NAME_SHARED_FOLDER:
                yield f"{name}:{number}: a folder outside the project"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("--interface-options")
    arguments = parser.parse_args()
    tree = arguments.tree.resolve()

    sources = sources_of_reference(tree)
    if not sources:
        sys.exit(f"no sources in {tree / 'reference'}")
    breaches = [*foreign_includes(tree, sources), *long_files(tree, sources), *private_places(tree)]
    if arguments.interface_options is not None:
        if "-ffp-contract=off" not in arguments.interface_options.split(";"):
            breaches.append("plumbline_reference: -ffp-contract=off is not an interface option")
    for breach in breaches:
        print(breach)
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
