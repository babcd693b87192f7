"""The package of the suite, used by a stranger.

    test.py PLUMBLINE WORK [--debian]

Unpacks it into a root that holds the C library alone (no shell, no source tree, no build tree), runs
the whole suite there, then asks a Python adapter for its first report in an empty environment, and
prints how long that took. With --debian the root is a bare Debian 12 made by debootstrap.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM, WORK = sys.argv[1:3]
DEBIAN = "--debian" in sys.argv


def make_root(root):
    """What the dynamic loader needs for the C library; or a bare Debian."""
    if DEBIAN:
        subprocess.run(["debootstrap", "--variant=minbase", "bookworm", root], check=True,
                       stdout=subprocess.DEVNULL, timeout=1500)
        return
    listing = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=True).stdout
    for word in listing.split():
        name = os.path.basename(word)
        if word.startswith("/") and name.startswith(("libc.so", "libm.so", "ld-linux")):
            os.makedirs(root + os.path.dirname(word), exist_ok=True)
            shutil.copy(os.path.realpath(word), root + word)


def inside(root, *words):
    tools = [] if os.geteuid() == 0 else [shutil.which("unshare"), "--map-root-user"]
    command = tools + [shutil.which("chroot"), root] + list(words)
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env={})


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    root = os.path.join(WORK, "root")
    os.makedirs(root)
    if DEBIAN and (os.geteuid() != 0 or not shutil.which("debootstrap", path=os.environ["PATH"] + ":/usr/sbin")):
        print("skipped: debootstrap needs to be installed and run as root")
        return
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    archive = subprocess.run([os.path.join(HERE, "..", "make_package.sh"), PROGRAM, os.path.join(WORK, "made")],
                             capture_output=True, text=True, check=True).stdout.split()[-1]
    make_root(root)
    subprocess.run(["tar", "-C", root, "-xf", archive], check=True)
    name = os.path.basename(archive)[:-len(".tar.gz")]
    for file in ("PROTOCOL.md", "ADAPTERS.md", "README.md", "vectors.jsonl.gz", "licences/plumbline.txt",
                 "licences/libcli11-dev.txt", "licences/nlohmann-json3-dev.txt", "licences/libboost1.74-dev.txt",
                 "adapters/c/plumbline_adapter.h", "adapters/rust/adapter.rs", "adapters/go/adapter.go",
                 "adapters/javascript/adapter.mjs", "adapters/python/start.py"):
        assert os.path.isfile(os.path.join(root, name, file)), "not in the package: " + file
    for page in ("PROTOCOL.md", "ADAPTERS.md", "README.md", "coverage/register.md", "share/plumbline/vectors/FORMAT.md"):
        with open(os.path.join(root, name, page), encoding="utf-8") as file:
            for link in re.findall(r"\]\(([^)#\s]+)[^)\s]*\)", file.read()):
                beside = os.path.join(root, name, os.path.dirname(page), link)
                assert "://" in link or os.path.exists(beside), page + " points to " + link + ", which is not in the package"
    # The library in lib/, what is compiled in as headers, and the suite itself.
    assert len(glob.glob(os.path.join(root, name, "licences", "*"))) == 4 + len(glob.glob(os.path.join(root, name, "lib", "*"))), \
        "a library without its licence"

    program = "/" + name + "/bin/plumbline"
    # Nothing is mounted on /proc: of it, a program asks for its own place alone.
    os.makedirs(os.path.join(root, "proc", "self"), exist_ok=True)
    os.symlink(program, os.path.join(root, "proc", "self", "exe"))
    tried = inside(root, program, "--version")
    if "Operation not permitted" in tried.stderr and "unshare" in tried.stderr:
        print("skipped: this user may not change its root")
        return
    assert tried.returncode == 0, tried.stderr
    whole = inside(root, program, "run", "--profile", "validator", "--codes", "--rulings", "--", program, "adapter")
    last = whole.stdout.strip().splitlines()[-1] if whole.stdout.strip() else whole.stderr
    assert whole.returncode == 0 and last.startswith("as expected"), last
    pack = inside(root, program, "vectors", "check", "/" + name + "/vectors.jsonl.gz")
    assert pack.returncode == 0, pack.stderr
    print("in a root with " + ("a bare Debian" if DEBIAN else "the C library alone") + ": " + last)

    # From the archive to the first report of a Python adapter, as ADAPTERS.md says.
    fresh = os.path.join(WORK, "fresh")
    os.makedirs(fresh)
    begin = time.monotonic()
    subprocess.run(["tar", "-C", fresh, "-xf", archive], check=True)
    folder = os.path.join(fresh, name)
    report = subprocess.run(["bin/plumbline", "run", "--", sys.executable, "adapters/python/start.py"], cwd=folder,
                            env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, timeout=120)
    seconds = time.monotonic() - begin
    assert report.returncode == 0 and "python-start" in report.stdout, report.stdout + report.stderr
    print("from the archive to the first report of a Python adapter: %.1f s" % seconds)
    shutil.rmtree(root)


main()
