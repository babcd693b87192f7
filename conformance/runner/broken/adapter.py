"""Deliberately broken adapters, to prove that the runner survives them: `adapter.py FAULT [FILE]`.

It answers `size BYTES` with the number of bytes. When the bytes begin with the byte 66, it does what
the fault says; every other request is answered well. FILE keeps a count over restarts.
"""

import os
import select
import signal
import sys
import time

TRIGGER = "66"


def say(text):
    os.write(1, text.encode("latin-1"))


def flood(fd, total, line=b"x" * 1023 + b"\n"):
    while total > 0:
        total -= os.write(fd, line)


def forever():
    while True:
        time.sleep(3600)


def good(request_id, data):
    return "%s ok %d\n" % (request_id, 0 if data == "-" else len(data) // 2)


# --- Faults at the trigger -------------------------------------------------------------------------

def crash(request_id, data):
    os.kill(os.getpid(), signal.SIGSEGV)


def crash_and_leave_a_child(request_id, data):
    if os.fork() == 0:
        time.sleep(60)  # holds the pipes open
    os.kill(os.getpid(), signal.SIGABRT)


def crash_in_mid_line(request_id, data):
    say("%s ok " % request_id)
    os.kill(os.getpid(), signal.SIGSEGV)


def exit_3(request_id, data):
    os._exit(3)


def exit_0(request_id, data):
    os._exit(0)


def close_output(request_id, data):
    os.close(1)
    forever()


def hang(request_id, data):
    forever()


def drip(request_id, data):
    while True:
        say("7")
        time.sleep(0.02)


def debug_line(request_id, data):
    say("parsing %s\n" % data[:8])
    say(good(request_id, data))


def binary_line(request_id, data):
    say("%s ok \xff\x00\n" % request_id)


def unknown_reply(request_id, data):
    say("%s banana\n" % request_id)


def oversized(request_id, data):
    say("%s ok " % request_id)
    flood(1, 5 << 20, b"1" * 1024)
    say("\n")


def endless(request_id, data):
    while True:
        say("1" * 4096)


def wrong_id(request_id, data):
    say(good(int(request_id) + 1000000, data))


def twice(request_id, data):
    say(good(request_id, data) * 2)


def twice_but_later(request_id, data):
    say(good(request_id, data))
    time.sleep(0.05)
    say(good(request_id, data))


def ahead(request_id, data):
    say(good(request_id, data) + good(int(request_id) + 1, data))


def wrong_value(request_id, data):
    say("%s ok 999\n" % request_id)


def skip(request_id, data):
    say("%s skip not today\n" % request_id)


def typed_error(request_id, data):
    say("%s error opaque\n" % request_id)


def flood_error_for_ever(request_id, data):
    while True:
        flood(2, 1 << 20)


# --- Whole lives -----------------------------------------------------------------------------------

HELLO = "hello plumbline 1 name=broken version=0 ops=size window=%d\n"


def requests():
    for line in sys.stdin:
        words = line.split()
        yield words[0], words[-1]


def live(fault=None, window=1):
    sys.stdin.readline()
    say(HELLO % window)
    for request_id, data in requests():
        if fault and data.startswith(TRIGGER):
            fault(request_id, data)
        else:
            say(good(request_id, data))


def honest():
    live()


def carriage_returns():
    sys.stdin.readline()
    say((HELLO % 1).replace("\n", "\r\n"))
    for request_id, data in requests():
        say(good(request_id, data).replace("\n", "\r\n"))


def flood_error():
    sys.stdin.readline()
    say(HELLO % 1)
    for request_id, data in requests():
        flood(2, 2 << 20)
        say(good(request_id, data))


def stop_reading():
    """Answers what it has and reads no more: a long request fills the pipe."""
    sys.stdin.readline()
    say(HELLO % 1)
    while True:
        line = b""
        while not line.endswith(b"\n"):
            line += os.read(0, 1)
            if line.split()[2:] and line.split()[2].startswith(TRIGGER.encode()):
                forever()
        request_id, _, data = line.decode().split()
        say(good(request_id, data))


def read_ahead(fault, window):
    """With a window: everything that waits is read before anything is answered."""
    sys.stdin.readline()
    say(HELLO % window)
    pending = b""
    while True:
        select.select([0], [], [])
        time.sleep(0.05)  # let the rest of the window arrive
        part = os.read(0, 1 << 16)
        if not part:
            return
        pending += part
        *lines, pending = pending.split(b"\n")
        asked = [line.decode().split() for line in lines]
        begun = pending.split()[2:]  # of a long request
        if any(data.startswith(TRIGGER) for _, _, data in asked) or \
                begun and begun[0].startswith(TRIGGER.encode()):
            fault(asked)
        for request_id, _, data in asked:
            say(good(request_id, data))


def crash_in_window():
    read_ahead(lambda asked: crash(None, None), 3)  # with another request before it


def swapped_in_window():
    def swapped(asked):
        if len(asked) > 1:
            for request_id, _, data in reversed(asked):
                say(good(request_id, data))
            forever()
    read_ahead(swapped, 4)


def one_reply_each():
    sys.stdin.readline()
    say(HELLO % 1)
    for request_id, data in requests():
        say(good(request_id, data))
        os._exit(0)


def banner():
    say("Welcome to the adapter\n")
    live()


def early_reply():
    sys.stdin.readline()
    say(HELLO % 1 + "1 ok 1\n")
    forever()


def silent():
    forever()


def endless_hello():
    while True:
        say("hello plumbline 1 " * 200)


def deaf():
    """Reads everything and answers nothing, as one does that never flushes."""
    sys.stdin.readline()
    say(HELLO % 1)
    for _ in requests():
        pass


def awake_after_three():
    """Hangs at the first three questions; then, and where it lacks an operation, it answers."""
    sys.stdin.readline()
    say(HELLO % 1)
    for request_id, data in requests():
        if data == "hear":
            say(request_id + " skip unknown\n")
            continue
        with open(sys.argv[2], "a+") as count:
            count.write("x")
            count.seek(0)
            if len(count.read()) <= 3:
                forever()
        say(good(request_id, data))


def exit_at_start():
    sys.stderr.write("no such library\n")
    sys.exit(9)


def other_version():
    say("hello plumbline 2 name=broken ops=size\n")
    forever()


def no_operations():
    say("hello plumbline 1 name=broken\n")
    forever()


def third_time_lucky():
    with open(sys.argv[2], "a+") as count:
        count.write("x")
        count.seek(0)
        if len(count.read()) < 3:
            sys.exit(9)
    live()


def dies_and_stays_dead():
    """Starts once; after its crash it starts no more."""
    if os.path.exists(sys.argv[2]):
        sys.exit(9)
    open(sys.argv[2], "w").close()
    live(crash)


def stays_after_the_end():
    live()
    forever()


def status_5_at_the_end():
    live()
    os._exit(5)


def last_word():
    live()
    say("goodbye\n")


name = sys.argv[1]
action = globals()[name]
if action.__code__.co_argcount == 2:
    live(action)
else:
    action()
