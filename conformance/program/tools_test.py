"""plumbline explain, targets, vectors check, spec-diff and differ.

    tools_test.py PLUMBLINE PLUMBLINE-VECTORS WORK 1|0

The last one: whether PLUMBLINE was built with the kernels.
"""

import gzip
import os
import re
import shutil
import signal
import subprocess
import sys

PLUMBLINE, COMPILER, WORK, KERNELS = sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))
CORPUS = os.path.join(HERE, "..", "..", "corpus", "vectors")
REFERENCE = [PLUMBLINE, "adapter"]


def call(status, *words):
    done = subprocess.run([PLUMBLINE, *words], capture_output=True, text=True, timeout=300)
    assert done.returncode == status, "%s: status %d, expected %d\n%s\n%s" % (
        " ".join(words), done.returncode, status, done.stdout[-3000:], done.stderr[-3000:])
    return done.stdout + done.stderr


def says(text, *parts):
    for part in parts:
        assert part in text, "not said: %s\n%s" % (part, text[-4000:])


def compiler():
    """plumbline-vectors on a folder that is none, or that holds no vectors: a refusal, and the status of usage."""
    empty = os.path.join(WORK, "empty")
    os.makedirs(empty)
    clauses = os.path.join(HERE, "..", "..", "reference", "clauses.tsv")
    for folder, found in (("nosuch", "No such file or directory"), (clauses, "Not a directory"), (empty, "no .vec file")):
        said = "plumbline-vectors: cannot read %s: found %s, expected a folder of vectors (NAME.vec)\n" % (folder, found)
        for words in (["compile", folder], ["check", folder, clauses], ["coverage", folder, clauses]):
            done = subprocess.run([COMPILER, *words], capture_output=True, text=True, timeout=60)
            assert (done.returncode, done.stderr, done.stdout) == (2, said, ""), (words, done)


def explain():
    text = call(0, "explain", "HDR-06/g")
    says(text, "class refuse-R", "Refuse a declared length below 20.", "=>     6  13000000", "descriptor_length",
         "expected   malformed HDR-06 at 6", "reference  malformed HDR-06 at 6", "--filter HDR-06/g -- ADAPTER")
    says(call(0, "explain", "HDR-09/b"), "=>     0  the end of the input")
    says(call(0, "explain", "HDR-06/g+permissive"), "decode permissive")
    # Every kind of question once; what the reference says is what is expected.
    ids = subprocess.run([PLUMBLINE, "vectors", "list"], capture_output=True, text=True, check=True).stdout.split()
    for word in ("size", "address", "fields", "lookup", "dequantise", "encode", "contents"):
        some = next((i for i in ids if "+" + word in i), None)
        if some:
            says(call(0, "explain", some), "reference  ")
    for some in ("CMP-", "CSR-", "D-"):
        one = next(i for i in ids if i.startswith(some)) if some != "D-" else "D-001"
        says(call(0, "explain", one), one)
    says(call(0, "explain", "HDR-06"), "metadata.md", "HDR-06/g", "malformed HDR-06 at 6")
    says(call(0, "explain", "D-020"), "D-020", "Ruling", "LAY-03", "vectors")
    says(call(0, "explain", "HDR"), "HDR-06", "Refuse a declared length below 20.", "vectors")
    assert "SHP" not in call(0, "explain", "HDR")
    for word in ("HDR-99", "HDRX", "HD", "hdr"):
        says(call(2, "explain", word), "no vector, clause, group of clauses or open point is called " + word)
    call(2, "explain", "")


def unknown_commands():
    for words in (["bogus"], ["report", "bogus"], ["vectors", "bogus", "x"]):
        says(call(2, *words), 'there is no command "bogus"')
    call(2)
    call(2, "report")
    call(2, "--bogus")
    call(0, "--help")
    call(0, "report", "--help")
    for command, mode in (("check", "strict"), ("inspect", "strict"), ("size", "permissive"), ("address", "permissive")):
        says(call(0, command, "--help"), "strict, lenient or permissive (default %s)" % mode)
    call(2, "differ", "--seed", "-1", "--", *REFERENCE, "--", *REFERENCE)


def targets():
    said = call(0, "targets", "--help")
    says(said, "PLUMBLINE_TARGET")
    call(2, "targets", "avx2")
    if KERNELS == "0":
        assert call(2, "targets") == "plumbline targets: this program was built without the kernels\n"
        return
    before = os.environ.pop("PLUMBLINE_TARGET", None)
    assert call(0, "targets").count("in use") == 1
    for name, status, last in (("reference", 0, "reference    in use"),
                               ("mmx", 1, "PLUMBLINE_TARGET=mmx: no such target; the reference is used")):
        os.environ["PLUMBLINE_TARGET"] = name
        said = call(status, "targets")
        says(said, "reference    in use", last)
        assert said.count("in use") == 1
    del os.environ["PLUMBLINE_TARGET"]
    if before is not None:
        os.environ["PLUMBLINE_TARGET"] = before


def packs():
    """What is read back and is not the corpus, or nothing that can be read, is a status of 2 and one sentence."""
    pack, folder = os.path.join(WORK, "all.jsonl.gz"), os.path.join(WORK, "all")
    few = ["--vectors", os.path.join(WORK, "few")]
    os.makedirs(few[1])
    shutil.copy(os.path.join(CORPUS, "hdr.jsonl"), few[1])
    call(0, "vectors", "export", folder, "--pack", pack, *few)
    call(0, "vectors", "check", pack, *few)
    with gzip.open(pack, "rt") as file:
        lines = file.read().splitlines()

    def refused(said, changed):
        with gzip.open(pack, "wt") as file:
            file.write("\n".join(changed) + "\n")
        text = call(2, "vectors", "check", pack, *few)
        assert said in text and "json.exception" not in text, text

    refused("is not the corpus: HDR-04/a", [re.sub('"why":"', '"why":"not ', line) if '"id":"HDR-04/a"' in line else line
                                             for line in lines])
    refused("vectors are missing", lines[:-1])
    refused(":3: no JSON", lines[:2] + ["{"] + lines[3:])
    refused(":3: no vector", lines[:2] + ['{"id":5}'] + lines[3:])
    refused("no pack of version 1", ['{"plumbline":"one"}'] + lines[1:])
    refused("of another specification", ['{"plumbline":1,"specification":7}'] + lines[1:])
    index = os.path.join(folder, "index.json")
    for text in ('{"ids":5}', '{"ids":[5]}', '{"ids":{"a":"b"}}', '{"ids":null}'):
        with open(index, "w") as file:
            file.write(text)
        text = call(2, "vectors", "check", folder, *few)
        assert "index.json lists no ids" in text and "json.exception" not in text, text


def write(root, name, text):
    path = os.path.join(WORK, root, "docs", "spec", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def spec_diff():
    """Pages as long as the real ones, a word a line; then one line changed, one new, one page gone."""
    pages = {name: ["# " + name] + ["line %d of %s" % (i, name) for i in range(2, 900)] for name in PAGES}
    for root in ("old", "new", "gone", "other"):
        for name, lines in pages.items():
            write(root, name, "\n".join(lines) + "\n")
    old = os.path.join(WORK, "old")
    says(call(0, "spec-diff", old, os.path.join(WORK, "new")), "0 clauses changed, 0 only moved, 0 places with new lines")
    # Line 72 of metadata.md belongs to HDR-06; a line put in before it moves it.
    lines = list(pages["metadata.md"])
    lines[71] = "a length of 24"
    lines.insert(2, "a new sentence")
    write("new", "metadata.md", "\n".join(lines) + "\n")
    text = call(1, "spec-diff", old, os.path.join(WORK, "new"))
    says(text, "HDR-06  Refuse a declared length below 20.", "metadata.md:72", "- line 72 of metadata.md", "+ a length of 24",
         "metadata.md:3-3", "a new sentence")
    changed = re.findall(r"^([A-Z]{3}-\d+)  ", text, re.M)
    assert changed == ["HDR-06"], changed
    assert int(re.search(r"(\d+) only moved", text)[1]) > 50, text[-200:]
    os.remove(os.path.join(WORK, "gone", "docs", "spec", "layouts", "morton.md"))
    text = call(1, "spec-diff", old, os.path.join(WORK, "gone"))
    says(text, "the page is gone")
    assert re.findall(r"^([A-Z]{3}-\d+)  ", text, re.M) == ["MOR-01", "MOR-02", "MOR-03", "CON-19"], text
    # A revision that is not the audited one, and no specification at all.
    write("other", "metadata.md", "short\n")
    says(call(2, "spec-diff", os.path.join(WORK, "other"), old), "is not the revision")
    says(call(2, "spec-diff", WORK, old), "no checkout")


PAGES = ["metadata.md", "data-model.md", "element-types.md", "memory-layout.md", "buffer-protocol.md", "file-format.md",
         "interchange.md", "quantization.md", "versioning.md", "README.md"] + [
             "layouts/%s.md" % n for n in ("block-paged", "column-major", "composite", "coo", "csc", "csf", "csr", "hilbert",
                                           "morton", "row-major", "strided", "tiled")] + [
             "quantization/%s.md" % n for n in ("mxfp", "nf4", "per-block-affine", "per-channel-affine", "per-tensor-affine")]


def tampered(clauses):
    return [sys.executable, os.path.join(HERE, "tamper.py"), PLUMBLINE, clauses]


# The reference, which hangs at every descriptor of rank 2.
HANGS = '''
import subprocess, sys, time
reference = subprocess.Popen([sys.argv[1], "adapter"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
for request in sys.stdin:
    if "02000000" in request[32:60]:
        time.sleep(1000)
    reference.stdin.write(request)
    print(reference.stdout.readline(), end="", flush=True)
'''


# The adapter behind it, until that many requests in all its processes: then the signal ends whoever asks.
STOPS = '''
import os, subprocess, sys, time
number, most, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
behind = subprocess.Popen(sys.argv[4:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
with open(path, "a") as counted:
    for request in sys.stdin:
        if counted.tell() == most:
            os.kill(os.getppid(), number)
            time.sleep(1000)
        counted.write(".")
        counted.flush()
        behind.stdin.write(request)
        print(behind.stdout.readline(), end="", flush=True)
'''


def differ_stopped():
    """What was found by then is shown, whole, and the signal ends the program as it ends a run."""
    for number, count in ((signal.SIGINT, 20000), (signal.SIGTERM, 20000), (signal.SIGINT, 400)):
        path = os.path.join(WORK, "%d-%d" % (number, count))
        stops = [sys.executable, "-c", STOPS, str(int(number)), "450", path, *tampered("ELT-01")]
        done = subprocess.run([PLUMBLINE, "differ", "--count", str(count), "--", *REFERENCE, "--", *stops], timeout=300,
                              capture_output=True, text=True, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
        assert done.returncode == -number and done.stderr == "", done
        said = "stopped by signal %d (%s)" % (number, signal.Signals(number).name)
        says(done.stdout, "# ELT-01: B differs from the reference; ", "\nvector ELT-01/?\n",
             "# examples may be larger than need be: the search was " + said)
        # It comes in the search, or while examples are made smaller.
        ended = "# the search ended early: it was " + said in done.stdout
        asked = int(re.search(r"^# seed 1: (\d+) asked", done.stdout, re.M)[1])
        assert (ended, asked) == (False, 400) if count == 400 else ended and 300 < asked <= 450, done.stdout


def differ():
    says(call(0, "differ", "--count", "2000", "--", *REFERENCE, "--", *REFERENCE), "0 kinds of disagreement")
    # Two adapters with faults of their own: each planted difference, and no other, is found, by itself.
    planted = {("HDR-06", "A"), ("SHP-02 (place)", "A"), ("ELT-01", "B"), ("LAY-02", "B")}
    command = ["differ", "--seed", "11", "--count", "4000", "--", *tampered("HDR-06,SHP-02+1"), "--", *tampered("ELT-01,LAY-02")]
    text = call(1, *command)
    groups = re.findall(r"^# (.*): (A|B|both) differs? from the reference; \d+ mutated questions$", text, re.M)
    assert set(groups) == planted and len(groups) == len(planted), groups
    for remark in ("no example with one fault", "no vector", "A and B both"):
        assert remark not in text, text
    says(text, "# operations decode; modes lenient,permissive,strict")
    assert text == call(1, *command), "the same seed gives something else"
    # What is printed is a vector: it compiles beside the corpus, with the refusal it states.
    root = os.path.join(WORK, "printed")
    corpus = os.path.join(root, "corpus", "vectors")
    os.makedirs(corpus, exist_ok=True)
    for name in ("base.vec",):
        shutil.copy(os.path.join(CORPUS, name), corpus)
    with open(os.path.join(corpus, "new.vec"), "w") as file:
        file.write(text)
    # Its letters are not guessed, for those of a vector that went are not given again: ids.py gives them.
    assert re.findall(r"^vector (.*)$", text, re.M) and all(
        id.endswith("/?") for id in re.findall(r"^vector (.*)$", text, re.M)), text
    early = subprocess.run([COMPILER, "compile", corpus], capture_output=True, text=True, timeout=60)
    assert early.returncode != 0, early
    says(early.stderr, "/? has no letters yet: conformance/vectors/ids.py . assign gives them")
    subprocess.run([sys.executable, "-B", os.path.join(HERE, "..", "vectors", "ids.py"), root, "assign"], check=True,
                   capture_output=True, timeout=60)
    subprocess.run([COMPILER, "compile", corpus], check=True, timeout=60)
    with open(os.path.join(corpus, "new.jsonl")) as file:
        lines = file.read().splitlines()
    assert len(lines) == len(planted), lines
    call(0, "run", "--vectors", corpus, "--codes", "--quiet", "--", *REFERENCE)
    call(1, "run", "--vectors", corpus, "--codes", "--quiet", "--", *tampered("ELT-01"))
    # One that crashes, one that does not start, one that lacks the operation, one command alone.
    broken = [sys.executable, "-I", os.path.join(HERE, "..", "runner", "broken", "adapter.py"), "honest"]
    call(3, "differ", "--count", "10", "--", *REFERENCE, "--", os.path.join(WORK, "absent"))
    says(call(3, "differ", "--count", "10", "--", *tampered("HDR-06"), "--", *broken), "no operation on descriptors in common")
    call(2, "differ", "--", *REFERENCE)
    call(2, "differ", "--count", "0", "--", *REFERENCE, "--", *REFERENCE)
    call(2, "differ", "--", *REFERENCE, "--", *REFERENCE, "--", *REFERENCE)
    # What was cut short says so: the minimising, and the whole search where one side hangs.
    pair = ["--", *REFERENCE, "--", *tampered("ELT-01")]
    says(call(1, "differ", "--count", "500", "--minimise", "0", *pair),
         "# examples may be larger than need be: 0 further questions were asked")
    assert "may be larger" not in call(1, "differ", "--count", "500", *pair)
    hangs = [sys.executable, "-c", HANGS, PLUMBLINE]
    text = call(1, "differ", "--count", "1500", "--timeout", "0.05", "--", *REFERENCE, "--", *hangs)
    says(text, "#   B: timeout", "# the search ended early: B left 20 questions unanswered")
    assert int(re.search(r": (\d+) asked", text)[1]) < 1500, text


shutil.rmtree(WORK, ignore_errors=True)
os.makedirs(WORK)
compiler()
explain()
unknown_commands()
targets()
packs()
spec_diff()
differ()
differ_stopped()
print("explain, targets, vectors check, spec-diff, differ: as expected")
