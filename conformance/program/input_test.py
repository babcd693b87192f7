"""Input that never ends is refused at --max-bytes: in bounded time and memory, and by a line that says so.

    input_test.py PLUMBLINE WORK
"""

import os
import resource
import subprocess
import sys
import threading

PLUMBLINE, WORK = sys.argv[1:]
WORKED_EXAMPLE = bytes.fromhex(
    "48525259 01 00 3d000000 00000000 03 01 02000000 0300000000000000 0400000000000000"
    "0000000000000000 01 c000000000000000 40000000 00 000000")
DEFAULT = 64 << 20


def little_memory():
    resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))


def call(status, said, *words, **streams):
    done = subprocess.run([PLUMBLINE, *words], stderr=subprocess.PIPE, stdout=subprocess.PIPE, timeout=60,
                          preexec_fn=little_memory, **streams)
    text = (done.stdout + done.stderr).decode(errors="replace")
    assert done.returncode == status and said in text, "%s: status %d, expected %d\n%s" % (
        " ".join(words), done.returncode, status, text[-2000:])


def fed_for_ever(path):
    """A FIFO that somebody writes descriptors to until nobody reads."""
    if os.path.exists(path):
        os.remove(path)
    os.mkfifo(path)

    def feed():
        try:
            with open(path, "wb") as fifo:
                while True:
                    fifo.write(WORKED_EXAMPLE * 1000)
        except BrokenPipeError:
            pass

    threading.Thread(target=feed, daemon=True).start()
    return path


os.makedirs(WORK, exist_ok=True)
example = os.path.join(WORK, "example.bin")
with open(example, "wb") as file:
    file.write(WORKED_EXAMPLE)
commands = [["check"], ["check", "--hex"], ["inspect"], ["inspect", "--json"], ["inspect", "--hex"], ["size"], ["address"]]
for command in commands:
    index = ["0,0"] if command == ["address"] else []
    limit = "/dev/zero has more than %d bytes; --max-bytes takes more" % DEFAULT
    call(2, limit, *command, "/dev/zero", *index)
    fifo = fed_for_ever(os.path.join(WORK, "fifo"))
    call(2, fifo + " has more than 1000000 bytes", *command, "--max-bytes", "1000000", fifo, *index)
    # The limit itself is taken, one byte more is not.
    if "--hex" not in command:
        call(0, "", *command, "--max-bytes", "61", example, *index)
    call(2, "has more than 60 bytes", *command, "--max-bytes", "60", example, *index)
    call(2, "--max-bytes", *command, "--max-bytes", "0", example, *index)

# Of several files the others are judged; standard input; lines of hexadecimal text, one of them too long.
call(2, example + ": accept", "check", "/dev/zero", example)
with open("/dev/zero", "rb") as zero:
    call(2, "- has more than", "check", "-", stdin=zero)
with open("/dev/zero", "rb") as zero:
    call(2, "a line has more than %d bytes" % DEFAULT, "check", "--hex-lines", stdin=zero)
line = WORKED_EXAMPLE.hex().encode()
call(0, '"accept"', "check", "--hex-lines", "--max-bytes", "122", input=line + b"\n" + line)
call(2, '"accept"', "check", "--hex-lines", "--max-bytes", "122", input=line + b"\n" + line + b"0\n")
# The worst line counts, wherever it stands: 1 for a refusal, 2 for a line that is no descriptor at all.
for status, lines in ((0, b""), (0, line), (1, b"\n"), (1, line + b"\n" + line[:-2] + b"\n" + line), (1, b";"),
                      (2, b"zz\n" + line), (2, b"zz\n" + line[:-2]), (2, line + b";" + line)):
    call(status, "", "check", "--hex-lines", input=lines)

# Files of hexadecimal text, with whatever blanks between the bytes.
as_hex = os.path.join(WORK, "example.hex")
with open(as_hex, "w") as file:
    file.write("\n".join(WORKED_EXAMPLE.hex(" ").split(" ", 9)) + "\n")
call(0, as_hex + ": accept", "check", "--hex", as_hex, as_hex)
call(0, "-: accept", "check", "--hex", "-", input=line)
call(1, "-: malformed HDR-09", "check", "--hex", "-", input=line[:-2])
call(2, as_hex + ": accept", "check", "--hex", example, as_hex)
call(2, example + " is not hexadecimal text", "check", "--hex", example, as_hex)
call(2, "takes no file and no --hex", "check", "--hex", "--hex-lines", input=line)
# A request without an end takes no memory; the adapter waits for it, so it is given 200 MB and its end.
with subprocess.Popen([PLUMBLINE, "adapter"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (128 << 20, 128 << 20))) as adapter:
    for _ in range(200):
        adapter.stdin.write(b"0" * 1000000)
    replies, _ = adapter.communicate(b"\n7 fly\n", timeout=60)
    assert adapter.returncode == 0 and replies == b"0 error request a request begins with its id\n7 skip unknown\n", replies
print("endless input, long lines: as expected")
