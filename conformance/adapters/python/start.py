"""A starting point in Python, standard library alone: knows the fixed header and skips the rest
(conformance/PROTOCOL.md). Put your reader where it says so.

    plumbline run -- python3 start.py
"""

import sys

HELLO = "hello plumbline 1 name=python-start version=1 ops=decode modes=strict,lenient,permissive"


def refuse(verdict, clause, offset, why):
    return "reject %s %s %d %s" % (verdict, clause, offset, why)


def number(data, at):
    return int.from_bytes(data[at:at + 4], "little")


def decode(data):
    """What the fixed header alone decides."""
    if len(data) < 4:
        return refuse("malformed", "HDR-09", 0, "the input ends inside the magic")
    if data[:4] != b"\x48\x52\x52\x59":
        return refuse("malformed", "HDR-04", 0, "no magic 48525259")
    if len(data) < 5:
        return refuse("malformed", "HDR-09", 4, "the input ends before the version")
    if data[4] != 1:
        return refuse("unsupported", "HDR-08" if data[4] > 1 else "VER-02", 4, "another major version")
    if len(data) < 10:
        return refuse("malformed", "HDR-09", min(len(data), 6), "the input ends before the length")
    if number(data, 6) < 20:
        return refuse("malformed", "HDR-06", 6, "a length below 20")
    if len(data) < number(data, 6):
        return refuse("malformed", "HDR-09", 6, "the input ends before the descriptor does")
    if data[14] in (0x00, 0xff):
        return refuse("invalid", "ELT-01", 14, "no type tag")
    if data[15] in (0x00, 0xff):
        return refuse("invalid", "LAY-02", 15, "no layout tag")
    if number(data, 16) > 64:
        return refuse("malformed", "SHP-02", 16, "a rank above 64")
    return "skip only the header is read"  # <- your reader: "accept full -", or refuse(..)


def reply(line):
    if line.startswith("hello "):
        return HELLO
    words = line.split(" ")
    if len(words) < 2:
        return words[0] + " error request"
    if words[1] != "decode":
        return words[0] + " skip unknown"
    try:
        _mode, text = words[2:]  # strict, lenient or permissive; the bytes in hex
        data = bytes.fromhex("" if text == "-" else text)
    except ValueError:
        return words[0] + " error request"
    return words[0] + " " + decode(data)


for request in sys.stdin:
    print(reply(request.rstrip("\r\n")), flush=True)
