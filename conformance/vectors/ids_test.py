"""The guard of the ids on a small corpus: each way in which an id could come to mean something else is refused."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

IDS = Path(__file__).with_name("ids.py")


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "corpus/vectors").mkdir(parents=True)
        (root / "conformance").mkdir()
        readme = root / "conformance/README.md"
        readme.write_text("| id | was |\n")

        def write(*vectors):
            letters = sorted({v["id"].split("+")[0] for v in vectors})
            (root / "corpus/vectors/hdr.vec").write_text("".join(f"vector {id}\n" for id in letters))
            (root / "corpus/vectors/hdr.jsonl").write_text("".join(json.dumps(v) + "\n" for v in vectors))

        def run(*command):
            done = subprocess.run([sys.executable, "-B", IDS, root, *command], capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

        def holds(*command):
            status, said = run(*command)
            assert status == 0, said

        def refuses(what, *command):
            status, said = run(*command)
            assert status == 1 and what in said, (what, status, said)

        a = {"id": "HDR-01/a", "op": "decode", "mode": "strict", "bytes": "00", "class": "accept", "expect": {}, "why": "x"}
        b = {**a, "id": "HDR-01/b", "bytes": "01"}
        also = {**b, "id": "HDR-01/b+lenient", "mode": "lenient"}
        write(a, b, also)
        refuses("not recorded", "--check")
        holds("assign")
        holds("--check")

        write({**a, "why": "for another reason"}, b, also)
        holds("--check")
        for change in ({"bytes": "02"}, {"mode": "permissive"}, {"op": "size"}, {"ask": "1"}, {"agree": ["type=0xf2"]}):
            write({**a, **change}, b, also)
            refuses("HDR-01/a asks something else", "--check")
            refuses("HDR-01/a asks something else", "assign")
            refuses("HDR-01/a asks something else", "--relabel", "HDR-01/a", "wrong bytes")
        write(a, b, also, {**a, "id": "HDR-01/c", "bytes": "03"})
        refuses("1 questions are not recorded", "--check")

        for change in ({"class": "open"}, {"expect": {"verdict": "accept"}}, {"open": {"points": ["D-001"]}}):
            write({**a, **change}, b, also)
            refuses("HDR-01/a has another class", "--check")
            refuses("no line of the table", "--relabel", "HDR-01/a", "the text says so")
        readme.write_text("| `HDR-01/a` | accept | the text says so |\n")
        refuses("no line of the table", "--relabel", "HDR-01/a", "something else")
        holds("--relabel", "HDR-01/a", "the text says so")
        holds("--check")

        a = {**a, **change}
        refuses("still asked", "--withdraw", "HDR-01/b")
        write(a, b)
        refuses("HDR-01/b+lenient is no longer asked", "--check")
        holds("--withdraw", "HDR-01/b+lenient")
        write(a, b, also)
        refuses("HDR-01/b+lenient asks something else", "--check")
        write(a)
        refuses("HDR-01/b is gone", "--check")
        holds("--withdraw", "HDR-01/b")
        holds("--check")
        write(a, b)
        refuses("HDR-01/b was withdrawn", "--check")
        (root / "corpus/vectors/hdr.vec").write_text("vector HDR-01/a\nvector HDR-01/?\n")
        write_back = run("assign")[1]
        assert "HDR-01/c\n" in write_back and "HDR-01/c" in (root / "corpus/vectors/hdr.vec").read_text(), write_back


if __name__ == "__main__":
    main()
