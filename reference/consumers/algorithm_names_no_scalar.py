"""Proves that the algorithm role names no scalar, no provider and no type.

    algorithm_names_no_scalar.py --nm NM --tree TREE OBJECT..

- Its sources hold none of the FORBIDDEN words.
- Its includes lead, however far, to ALLOWED files and standard headers alone.
- Its objects define the algorithm, and no symbol that they define or ask for holds a FORBIDDEN word.
"""

import argparse
import pathlib
import re
import subprocess
import sys

# Words of scalars, of who provides them, and of the types that the runtime knows. to_f64 is the
# name of a capability, and no word of its own here.
FORBIDDEN = re.compile(
    r"(?<![A-Za-z0-9_])(df64|bf16|f32|f64|i32|i64|float|double|truth|int32_t|int64_t|scalar_traits|type_of|"
    r"qr_operation|qr_vjp_operation|qr_jvp_operation|einsum_operation|conversion|elementwise|"
    r"standard_set|application_set|extended_set|"
    r"contribut\w*|standard_binding|contribution_binding|provide_standard_operations)(?![A-Za-z0-9_])")

ALLOWED = {
    "reference/consumers/algorithm/capabilities.h",
    "reference/consumers/algorithm/qr_loss.h",
    "reference/scalar/error.h",
    "reference/scalar/domain.h",
    "reference/algorithms/shape.h",
    "reference/algorithms/einsum_pattern.h",
    "reference/runtime/derivative.h",
    "reference/runtime/element_type.h",
    "reference/runtime/erased_tensor.h",
    "reference/runtime/error.h",
    "reference/runtime/operation.h",
    "reference/runtime/owner.h",
    "reference/runtime/program.h",
    "reference/runtime/scratch.h",
    "reference/runtime/session.h",
    "reference/runtime/standard_operations.h",
    "reference/runtime/support.h",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]*)"', re.MULTILINE)
# clang's names of constrained templates are more than some demanglers know: those are looked for as
# they stand, where a name follows its length.
MANGLED = re.compile(r"_Z\S*\d(df64|bf16|scalar_traits|type_of|\w*_operation|conversion|contribut\w*)")
EXPECTED = (("plumbline::sum_of_squares",), ("plumbline::evaluate",), ("plumbline::qr_loss<", "_ZN9plumbline7qr_lossI"))


def sources(tree):
    folder = tree / "reference/consumers/algorithm"
    return [f for f in sorted(folder.iterdir()) if f.suffix in (".h", ".cpp") and not f.stem.endswith("_test")]


def words_in_sources(files):
    for file in files:
        for number, line in enumerate(file.read_text().splitlines(), 1):
            for word in FORBIDDEN.findall(line):
                yield f"{file.name}:{number} names {word}"


def includes(tree, files):
    seen, queue = set(), list(files)
    while queue:
        file = queue.pop()
        for name in INCLUDE.findall(file.read_text()):
            target = (file.parent / name).resolve()
            if not target.is_file():
                yield f"{file.name} includes {name}, which is not there"
                continue
            if target in seen:
                continue
            seen.add(target)
            queue.append(target)
            place = str(target.relative_to(tree))
            if place not in ALLOWED:
                yield f"{file.name} leads to {place}"
    if len(seen) < 5:
        yield f"only {len(seen)} files are included: nothing is proved"


def words_in_symbols(lines):
    """`lines`: what nm -C prints."""
    symbols = [line.split(maxsplit=2)[-1] if line[:1] != " " else line.strip()[2:] for line in lines if line]
    for expected in EXPECTED:
        if not any(name in s for s in symbols for name in expected):
            yield f"the objects do not hold {expected[0]}: nothing is proved"
    for symbol in symbols:
        for word in FORBIDDEN.findall(symbol) + MANGLED.findall(symbol):
            yield f"the symbol {symbol} names {word}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nm", required=True)
    parser.add_argument("--tree", type=pathlib.Path, required=True)
    parser.add_argument("objects", nargs="+")
    arguments = parser.parse_args()
    tree = arguments.tree.resolve()
    files = sources(tree)
    symbols = subprocess.run([arguments.nm, "-C", *arguments.objects],
                             capture_output=True, text=True, check=True).stdout.splitlines()
    breaches = [*words_in_sources(files), *includes(tree, files), *words_in_symbols(symbols)]
    for breach in breaches:
        print(breach)
    print(f"{len(files)} sources, {len(arguments.objects)} objects, {len(symbols)} symbols: "
          f"{len(breaches)} breaches")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
