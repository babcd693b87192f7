"""Proves on object files that kernels are parameterised by a scalar and an operation, and name no set.

    kernels_name_no_set.py --nm NM OBJECT..

Looks at every instantiation of the entry functions below that the objects define or ask for. Fails
where one names a set of types, a tag or an unnamed operation (a lambda), where its parameters are
anything but a known scalar and a known operation, and where an entry function has no instantiation
on the standard path or none on the external one: then nothing would be proved.
"""

import argparse
import re
import subprocess
import sys

ENTRIES = ("binary_kernel", "fold_kernel")
STANDARD = {"float", "double", "int", "long"}
EXTERNAL = {"plumbline::df64", "plumbline::bf16"}
OPERATIONS = {f"plumbline::{name}_op" for name in ("add", "subtract", "multiply", "max", "min")}
SETS = re.compile(r"\w*_set\b|scalar_set|lambda|\{|element_type|\btag")
KERNEL = re.compile(r"plumbline::(binary_kernel|fold_kernel)<(.*?)>\(")


def breaches(lines):
    """`lines`: what nm -C prints. Yields what is wrong, and last a summary that begins with '='."""
    found = {}
    for line in lines:
        for entry, parameters in KERNEL.findall(line):
            found.setdefault((entry, parameters), line)
    for (entry, parameters), line in sorted(found.items()):
        if SETS.search(line):
            yield f"{line.strip()}: names a set, a tag or an unnamed operation"
        scalar, _, operation = parameters.partition(", ")
        if scalar not in STANDARD | EXTERNAL or operation not in OPERATIONS:
            yield f"{entry}<{parameters}>: not a scalar and an operation"
    for entry in ENTRIES:
        for path, scalars in (("standard", STANDARD), ("external", EXTERNAL)):
            if not any(e == entry and p.partition(", ")[0] in scalars for e, p in found):
                yield f"{entry}: no instantiation on the {path} path, so nothing is proved"
    yield "= " + ", ".join(f"{e}<{p}>" for e, p in sorted(found))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nm", required=True)
    parser.add_argument("objects", nargs="+")
    arguments = parser.parse_args()
    lines = subprocess.run([arguments.nm, "-C", *arguments.objects],
                           capture_output=True, text=True, check=True).stdout.splitlines()
    # The application works with two sets that contain the contribution; both must be in the objects.
    said = list(breaches(lines))
    for name in ("application_set", "extended_set"):
        if not any(f"plumbline::{name}" in line for line in lines):
            said.insert(0, f"the objects hold nothing of {name}: nothing is proved")
    print(*said, sep="\n")
    return 1 if len(said) > 1 else 0


if __name__ == "__main__":
    sys.exit(main())
