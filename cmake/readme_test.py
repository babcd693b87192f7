"""Runs every console block of README.md and compares what it prints:  readme_test.py README PROGRAM

A line "$ COMMAND" (continued while it ends with a backslash) is run by bash; the lines up to the next
one are its output. Blanks at the ends of lines don't count.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile


def sessions(text):
    """The commands of a block, each with the lines it should print."""
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        lines = iter(block.splitlines())
        command, output = None, []
        for line in lines:
            if not line.startswith("$ "):
                output.append(line)
                continue
            if command is not None:
                yield command, output
            command, output = line[2:], []
            while command.endswith("\\"):
                command += "\n" + next(lines)
        yield command, output


def main():
    readme, program = (pathlib.Path(a).resolve() for a in sys.argv[1:])
    ran = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
        for command, expected in sessions(readme.read_text()):
            result = subprocess.run(["bash", "-c", command], cwd=folder, text=True,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, env={**os.environ, "PATH": path})
            printed = [line.rstrip() for line in result.stdout.splitlines()]
            ran += 1
            if printed != expected:
                failed += 1
                print(f"$ {command}\nprinted:\n" + "\n".join(printed))
                print("README.md says:\n" + "\n".join(expected))
    print(f"{ran} commands of {readme.name}, {failed} not as it says")
    return 0 if ran > 0 and failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
