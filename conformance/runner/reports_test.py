"""The implementer's lists, shards, merged and compared reports, through the program.

    reports_test.py PLUMBLINE WORK
"""

import json
import os
import shutil
import subprocess
import sys
from xml.etree import ElementTree

PLUMBLINE, WORK = sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))
GOOD = [PLUMBLINE, "adapter"]
# Counts bytes, which is no answer to `size`: those cases fail and no others are declared.
BAD = [sys.executable, "-I", os.path.join(HERE, "broken", "adapter.py"), "honest"]
SIZES = ["--filter", r"^(ROW|EXT)-.*size"]


def path(name):
    return os.path.join(WORK, name)


def write(name, text):
    with open(path(name), "w") as file:
        file.write(text)
    return path(name)


def read(name):
    with open(path(name)) as file:
        return file.read()


def call(status, *words):
    done = subprocess.run([PLUMBLINE, *words], capture_output=True, text=True, timeout=300)
    assert done.returncode == status, "%s: status %d, expected %d\n%s\n%s" % (
        " ".join(words), done.returncode, status, done.stdout[-3000:], done.stderr[-3000:])
    return done.stdout + done.stderr


def run(status, adapter, *words):
    return call(status, "run", *SIZES, *words, "--", *adapter)


def says(text, *parts):
    for part in parts:
        assert part in text, "not said: %s\n%s" % (part, text[-3000:])


def lists():
    run(1, BAD)
    # Written anew: every failure, each with a reason to be written; then the run is as expected.
    says(run(0, BAD, "--expected-failures", path("new.txt"), "--update-expected"), "known failures")
    lines = read("new.txt").splitlines()
    assert lines and all(" | TODO, say why: fail " in line and line.endswith(" | -") for line in lines), lines
    says(run(0, BAD, "--expected-failures", path("new.txt")), "as expected", "%d known failures" % len(lines))
    ids = [line.split(" | ")[0] for line in lines]
    first, second = ids[0], ids[1]

    # One failure less in the list: it counts again.
    write("less.txt", "\n".join(lines[1:]) + "\n")
    says(run(1, BAD, "--expected-failures", path("less.txt")), first, "1 failed")
    # Mended: each line is an unexpected pass.
    says(run(1, GOOD, "--expected-failures", path("new.txt")), "%s passed: an unexpected pass" % first)
    # A line without any case; also where a filter leaves everything else out.
    more = "\n".join(lines) + "\nROW-99/zz | none | -\n"
    says(run(1, BAD, "--expected-failures", write("more.txt", more)), "ROW-99/zz matches no case")
    # A line whose case this filter leaves out is no fault.
    other = "\n".join(lines) + "\nHDR-06/c | another day | -\n"
    run(0, BAD, "--expected-failures", write("other.txt", other))
    # A case that is not declared is neither failure nor pass.
    skipped = call(1, "run", "--filter", "^HDR-06/c$", "--expected-failures", path("other.txt"), "--", *BAD)
    says(skipped, "HDR-06/c is not scored")

    # Days: the last one still counts, the next does not.
    dated = "\n".join(line + " | 2027-01-31" for line in lines) + "\n"
    write("dated.txt", dated)
    run(0, BAD, "--expected-failures", path("dated.txt"), "--today", "2027-01-31")
    says(run(1, BAD, "--expected-failures", path("dated.txt"), "--today", "2027-02-01"),
         "was to be mended by 2027-01-31", "%d failed" % len(lines))

    # Wildcards stay within a clause.
    clauses = sorted({i.split("/")[0] for i in ids})
    wild = "".join("%s/*size* | we count bytes | https://example.org/7\n" % c for c in clauses)
    says(run(0, BAD, "--expected-failures", write("wild.txt", "# ours\n\n" + wild)), "we count bytes (https://example.org/7)")
    says(run(1, GOOD, "--expected-failures", path("wild.txt")), "which passed: an unexpected pass")

    # Flaky: neither a failure nor a pass is a fault. In both lists: a fault.
    write("flaky.txt", "%s | now and then | -\n" % first)
    run(0, BAD, "--expected-failures", path("less.txt"), "--known-flaky", path("flaky.txt"))
    run(0, GOOD, "--known-flaky", path("flaky.txt"))
    says(run(1, BAD, "--expected-failures", path("new.txt"), "--known-flaky", path("flaky.txt")),
         "is known as flaky as well: " + first)

    # Anew: reasons, comments and order stay; what passes goes; a wildcard that no longer holds is
    # spelled out; flaky cases are not taken in.
    kept = "# ours\n%s | a reason of ours | https://example.org/1 | 2099-12-31\n" % second
    write("kept.txt", kept)
    run(0, BAD, "--expected-failures", path("kept.txt"), "--known-flaky", path("flaky.txt"), "--update-expected")
    text = read("kept.txt")
    assert text.startswith(kept) and len(text.splitlines()) == len(lines), text
    assert first + " |" not in text
    run(0, GOOD, "--expected-failures", path("kept.txt"), "--update-expected")
    assert read("kept.txt") == "# ours\n", read("kept.txt")
    # What a filter leaves out stays as it is.
    write("part.txt", "HDR-06/c | another day | -\n")
    run(0, GOOD, "--expected-failures", path("part.txt"), "--update-expected")
    assert read("part.txt") == "HDR-06/c | another day | -\n"
    # So do cases of another profile, and those of a wildcard that were not asked: spelled out where it no longer holds.
    line = "MOR-03/a+author | writers later | -\n"
    for update in ([], ["--update-expected"]):
        call(0, "run", "--profile", "reader", "--filter", "^MOR-03/", "--expected-failures", write("author.txt", line), *update, "--", *GOOD)
        assert read("author.txt") == line, read("author.txt")
    late = " | curves come later | https://example.org/9 | 2099-12-31\n"
    cases = ["MOR-03/a", "MOR-03/a+author", "MOR-03/a+lenient", "MOR-03/a+permissive"]
    star = "MOR-03/a*" + late

    def update_star(profile, filter, *more):
        call(0, "run", "--profile", profile, "--filter", filter, *more, "--expected-failures", path("star.txt"), "--update-expected",
             "--", *GOOD)
        return read("star.txt")

    for profile, filter, left in (("reader", "MOR-03/a+lenient", [0, 1, 3]), ("reader", "^MOR-03/a", [1]),
                                  ("writer", "^MOR-03/a", [0, 2, 3]), ("reader,writer", "^MOR-03/a", [])):
        write("star.txt", "# curves\n" + star + "# end\n")
        after = update_star(profile, filter)
        assert after == "# curves\n" + "".join(cases[i] + late for i in left) + "# end\n", (profile, filter, after)
    write("star.txt", star)
    left = cases
    for i in (1, 2, 3, 4):  # together they ask all
        after = update_star("reader,writer", "^MOR-0", "--shard", "%d/4" % i, "--jsonl", path("shard.jsonl"))
        asked = [json.loads(line)["id"] for line in read("shard.jsonl").splitlines()[1:]]
        left = [case for case in left if case not in asked]
        assert after == (star if left == cases else "".join(case + late for case in left)), (i, after)
    assert left == []
    # What stands on a line of its own is not spelled out once more, nor what two wildcards cover.
    write("twice.txt", "MOR-03/a* | one | -\nMOR-03/*author | two | -\nMOR-03/a | three | -\n")
    call(0, "run", "--profile", "reader", "--filter", "MOR-03/a+lenient", "--expected-failures", path("twice.txt"), "--update-expected", "--", *GOOD)
    assert read("twice.txt") == "MOR-03/a+author | one | -\nMOR-03/a+permissive | one | -\nMOR-03/*author | two | -\nMOR-03/a | three | -\n", read("twice.txt")
    # A run that ended early changes nothing.
    ended = ["--update-expected", "--junit", path("ended.xml"), "--jsonl", path("ended.jsonl"), "--html", path("ended.html")]
    for name in ("wild.txt", "absent.txt"):  # one that is there, and one that was to be made
        before = read(name) if os.path.exists(path(name)) else None
        said = run(3, [path("no-such-adapter")], "--expected-failures", path(name), *ended)
        says(said, "plumbline run: the run ended early: --update-expected leaves %s as it is" % path(name), "not run, of")
        assert (read(name) if os.path.exists(path(name)) else None) == before
        head, *cases = [json.loads(line) for line in read("ended.jsonl").splitlines()]
        assert head["ended_early"] and {case["outcome"] for case in cases} == {"not-run"}, (head, cases[:2])
        assert "</testsuites>" in read("ended.xml") and "</html>" in read("ended.html")
        for report in ("ended.jsonl", "ended.xml", "ended.html"):
            os.remove(path(report))

    # What cannot be read is said with its line, and nothing runs.
    for text, what in [("* | all | -\n", ":1: "), ("EXT-*/a | more than a clause | -\n", "within one clause"),
                       ("\nROW-03/a | reason\n", ":2: "), ("ROW-03/a |  | -\n", "no reason"),
                       ("ROW-03/a | r | - | 2027-02-30\n", "is no day"), ("ROW-03/a | r | - | soon\n", "is no day"),
                       ("ROW-03/a | r | -\nROW-03/a | r | -\n", "stands twice"), ("ROW-03 | r | -\n", "neither an id")]:
        says(run(2, GOOD, "--expected-failures", write("wrong.txt", text)), what)
        said = run(2, GOOD, "--expected-failures", path("wrong.txt"), "--update-expected")
        assert "passed" not in said and what in said and read("wrong.txt") == text, said
    run(2, GOOD, "--expected-failures", path("absent.txt"))
    run(2, GOOD, "--update-expected")
    run(2, GOOD, "--known-flaky", path("flaky.txt"), "--today", "tomorrow")
    # A long list and a pattern of many stars take no time; a list without an end is refused.
    many = "".join("ROW-03/q%d | r | -\n" % i for i in range(50000))
    says(run(1, GOOD, "--expected-failures", write("many.txt", many)), "ROW-03/q49999 matches no case")
    stars = "ROW-03/%s! | r | -\n%s/**s*i*z*e* | r | -\n" % ("*" * 300 + "a*" * 40, clauses[0])
    says(run(1, BAD, "--expected-failures", write("stars.txt", stars)), "! matches no case", "known failures")
    says(run(2, GOOD, "--known-flaky", "/dev/zero"), "/dev/zero has more than 67108864 bytes")
    # An empty name is a variable that somebody forgot to set.
    for option in ("--shard", "--expected-failures", "--known-flaky", "--vectors", "--junit", "--jsonl", "--html", "--badge"):
        says(run(2, GOOD, option, ""), option + ": names nothing")
    says(run(2, GOOD, "--junit", "-"), "standard output is /dev/stdout")


def without_times(text):
    out = []
    for line in text.splitlines():
        record = json.loads(line)
        for key in ("seconds", "starts"):
            record.pop(key, None)
        out.append(record)
    return out


def shards():
    part = ["run", "--filter", "^(ROW|EXT|HDR)-"]
    expected = ["--expected-failures", path("part_list.txt")]
    # A wildcard that only some shards see used, a line that none does.
    write("part_list.txt", "ROW-*\n".replace("ROW-*", "ROW-03/*size* | we count bytes | -")
          + "HDR-06/c | another day | -\n")
    for adapter in (GOOD, BAD):
        status = call_any(*part, *expected, "--quiet", "--jsonl", path("whole.jsonl"), "--", *adapter)
        for n in (1, 3):
            names = []
            for i in range(1, n + 1):
                names.append(path("%d_of_%d.jsonl" % (i, n)))
                call_any(*part, *expected, "--quiet", "--shard", "%d/%d" % (i, n), "--jsonl", names[-1], "--", *adapter)
            # In any order.
            call(status, "report", "merge", "-o", path("merged.jsonl"), *reversed(names))
            whole, merged = without_times(read("whole.jsonl")), without_times(read("merged.jsonl"))
            assert whole[0] == merged[0], (whole[0], merged[0])
            assert whole == merged
        sizes = [len(read("%d_of_3.jsonl" % i).splitlines()) - 1 for i in (1, 2, 3)]
        assert sum(sizes) == len(whole) - 1 and min(sizes) * 4 > sum(sizes), sizes
    ones = [path("%d_of_3.jsonl" % i) for i in (1, 2, 3)]
    says(call(2, "report", "merge", *ones[:2]), "2 of 3 shards")
    says(call(2, "report", "merge", *ones, ones[0]), "there twice")
    says(call(2, "report", "merge", path("whole.jsonl")), "without --shard")
    call(0, "run", "--filter", "^HDR-", "--quiet", "--shard", "1/3", "--jsonl", path("alien.jsonl"), "--", *GOOD)
    says(call(2, "report", "merge", path("alien.jsonl"), *ones[1:]), "of another run")
    text = read("1_of_3.jsonl")
    write("cut.jsonl", text[:len(text) // 2])
    call(2, "report", "merge", path("cut.jsonl"), *ones[1:])
    for shard in ("0/3", "4/3", "1", "1/0", "a/b", "1/3x"):
        call(2, *part, "--shard", shard, "--", *GOOD)


def junit():
    """A file that is green where the run is, and nowhere else."""
    late = "ROW-01/a | done | -\n", "ROW-99/zz | none | -\n", "ROW-01/b | late | - | 2001-01-31\n"
    status_5 = [*BAD[:-1], "status_5_at_the_end", path("status_5")]
    mute = [path("no-such-adapter")]
    for adapter, text, status, cases, of_run in (
            (GOOD, "", 0, 0, []), (GOOD, late[0], 1, 1, []), (GOOD, late[1], 1, 0, ["ROW-99/zz matches no case"]),
            (GOOD, late[2], 1, 0, ["was to be mended by 2001"]), (GOOD, "".join(late), 1, 1, ["list.txt:2: ", "list.txt:3: "]),
            (status_5, "", 1, None, ["the adapter ", "status 5"]), (mute, "", 3, None, ["the run ended early: the adapter "])):
        call(status, "run", "--filter", "^ROW-01/", "--quiet", "--expected-failures", write("list.txt", text), "--junit", path("run.xml"),
             "--", *adapter)
        root = ElementTree.parse(path("run.xml")).getroot()
        for suite in (root, *root.findall("testsuite")):
            for key, name in (("tests", "testcase"), ("failures", "testcase/failure"), ("errors", "testcase/error"),
                              ("skipped", "testcase/skipped")):
                assert int(suite.get(key)) == len(suite.findall((".//" if suite is root else "") + name)), (text, suite.attrib, key)
        own = [case.find("error").get("message") for case in root.iter("testcase") if case.get("name").startswith("plumbline.run")]
        says("\n".join(own), *of_run)
        assert bool(own) == bool(of_run), own
        if cases is not None:
            assert (int(root.get("failures")), int(root.get("errors"))) == (cases, len(own)), (text, root.attrib)
            failed = [case.get("name") for case in root.iter("testcase") if case.find("failure") is not None]
            assert failed == ["ROW-01/a"] * cases, failed


def fields_skipped():
    """An adapter that declares `fields` and skips each says so in its reports; the accepts stay claimed."""
    adapter = write("no_fields.py", """import subprocess, sys
inner = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
for line in sys.stdin:
    words = line.split()
    if words[1:2] == ["fields"]:
        print(words[0], "skip not yet", flush=True)
        continue
    inner.stdin.write(line)
    inner.stdin.flush()
    print(inner.stdout.readline(), end="", flush=True)
""")
    said = call(0, "run", "--profile", "reader", "--filter", "^HDR-0", "--jsonl", path("fields.jsonl"), "--",
                sys.executable, adapter, *GOOD)
    cases = [json.loads(line) for line in read("fields.jsonl").splitlines()[1:]]
    claimed = [case for case in cases if case.get("accept") == "claimed"]
    assert claimed and not [case for case in cases if case.get("accept") == "verified"], cases
    assert all(case["outcome"] == "pass" and case["detail"] == "fields skipped: not yet" for case in claimed), claimed
    says(said, "%d  declared, but behind an accept fields skipped: not yet" % len(claimed), "%d claimed" % len(claimed))


def call_any(*words):
    return subprocess.run([PLUMBLINE, *words], capture_output=True, timeout=300).returncode


def differences():
    only = ["--quiet", "--jsonl"]
    run(0, GOOD, *only, path("good.jsonl"))
    run(1, BAD, *only, path("bad.jsonl"))
    cases = len(read("good.jsonl").splitlines()) - 1
    failed = sum('"outcome":"fail"' in line for line in read("bad.jsonl").splitlines())
    says(call(0, "report", "diff", path("bad.jsonl"), path("good.jsonl")), "better (", "0 worse, ")
    says(call(1, "report", "diff", path("good.jsonl"), path("bad.jsonl")), "worse (", "%d better" % 0)
    says(call(0, "report", "diff", path("good.jsonl"), path("good.jsonl")), "0 worse, 0 better, 0 otherwise, 0 new, 0 gone, %d the same" % cases)
    assert failed > 0
    call(0, "run", "--filter", "^ROW-", "--quiet", "--jsonl", path("rows.jsonl"), "--", *GOOD)
    says(call(0, "report", "diff", path("good.jsonl"), path("rows.jsonl")), "no longer there (", "new (", "they differ in settings")
    call(2, "report", "diff", path("good.jsonl"))
    call(2, "report", "diff", path("good.jsonl"), path("flaky.txt"))
    says(call(2, "report", "diff", path("good.jsonl"), "/dev/zero"), "/dev/zero has more than")
    # No report is written over what it is made of.
    says(call(2, "report", "badge", "-o", path("good.jsonl"), path("good.jsonl")), "name the same file")
    says(call(2, "report", "html", "-o", "", path("good.jsonl")), "names nothing")
    says(call(2, "vectors", "check", "/dev/zero"), "too large for a pack")
    os.makedirs(path("fifo_vectors"), exist_ok=True)
    os.mkfifo(path("fifo_vectors/x.jsonl"))
    says(call(2, "vectors", "list", "--vectors", path("fifo_vectors")), "x.jsonl is no file")
    badge = json.loads(call(0, "report", "badge", path("good.jsonl")))
    assert badge == {"schemaVersion": 1, "label": "Hurray descriptor", "message": "%d passed, 0 failed" % cases,
                     "color": "brightgreen"}, badge
    assert json.loads(call(0, "report", "badge", path("bad.jsonl")))["color"] == "red"


shutil.rmtree(WORK, ignore_errors=True)
os.makedirs(WORK)
lists()
shards()
junit()
fields_skipped()
differences()
print("lists, shards, merge and diff: as expected")
