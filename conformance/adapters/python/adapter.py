"""Speaks the adapter protocol for plumbline_reader: one request a line, one reply a line.

Runs from any folder that holds these two files: `python3 -I adapter.py`.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -I leaves it out

import plumbline_reader as reader  # noqa: E402

LONGEST = 1 << 20  # bytes of a request
OPERATIONS = {}
HELLO = ("hello plumbline 1 name=plumbline-python version=1 ops=%s "
         "modes=strict,lenient,permissive window=16")


def operation(function):
    OPERATIONS[function.__name__] = function
    return function


def parts_of(text):
    """Bytes joined by `;`; a `;` at the end closes a head without members."""
    parts = text.split(";")
    if len(parts) > 1 and parts[-1] == "":
        parts.pop()
    return [reader.parse_bytes(part) for part in parts]


def buffers_of(text, data):
    """`-` is one empty buffer, or none where the table has none."""
    buffers = parts_of(text)
    if text == "-" and reader.parse(data).get("buffer_count") in (0, None):
        return []
    return buffers


def set_buffers_of(text):
    return [] if text == "-" else parts_of(text)


def reject(fault, place=None):
    words = ["reject", fault.verdict, fault.clause, str(fault.offset)]
    if place:
        words.append("%s=%d" % (place, fault.part))
    return " ".join(words + [fault.text]).rstrip()


def accept(verdict, data=b""):
    return "accept %s %s" % ("full" if verdict.full else "sized", data.hex() or "-")


def floats(values):
    return ",".join("0x%08x" % value for value in values) or "-"


@operation
def decode(mode, data):
    mode, data = reader.parse_mode(mode), reader.parse_bytes(data)
    d = reader.decode(data, mode)
    verdict = reader.answer(d.faults, mode)
    if not verdict.accepted:
        return reject(verdict.fault)
    return accept(verdict, reader.encode_again(d))


@operation
def fields(mode, data):
    mode = reader.parse_mode(mode)
    d = reader.decode(reader.parse_bytes(data), mode)
    verdict = reader.answer(d.faults, mode)
    if not verdict.accepted:
        return reject(verdict.fault)
    return "ok " + " ".join("%s=%s" % (key, reader.format_value(key, value))
                            for key, value in d.fields.items())


@operation
def encode(*pairs):
    keys = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or key in keys:
            raise ValueError("key " + key)
        keys[key] = value
    data, fault = reader.encode(keys)
    return reject(fault) if fault else "ok " + data.hex()


@operation
def composite(mode, parts):
    verdict = reader.composite(parts_of(parts), reader.parse_mode(mode))
    return accept(verdict) if verdict.accepted else reject(verdict.fault, "member")


@operation
def size(data):
    return "ok " + (",".join(map(str, reader.sizes(reader.parse_bytes(data)))) or "-")


@operation
def address(data, index):
    return "ok %d %d %d" % reader.address(reader.parse_bytes(data), reader.parse_list(index))


@operation
def contents(mode, data, buffers):
    data = reader.parse_bytes(data)
    verdict, inside = reader.contents(data, buffers_of(buffers, data), reader.parse_mode(mode))
    if verdict.accepted:
        return accept(verdict)
    return reject(verdict.fault, "buffer" if inside else None)


@operation
def lookup(data, buffers, index):
    if ";" in data:
        found = reader.lookup_through(parts_of(data), set_buffers_of(buffers),
                                      reader.parse_list(index))
    else:
        data = reader.parse_bytes(data)
        found = reader.lookup(data, buffers_of(buffers, data), reader.parse_list(index))
    return "ok zero" if found is None else "ok stored " + found.hex()


@operation
def dequantise(data, buffers):
    data = reader.parse_bytes(data)
    return "ok " + floats(reader.dequantise(data, buffers_of(buffers, data)))


def is_id(word):
    try:
        return word.isdecimal() and reader.parse_integer(word) > 0
    except ValueError:
        return False


def is_hello(words):
    """`hello plumbline N ..`, N a version not below this one, however long."""
    return words[:2] == ["hello", "plumbline"] and len(words) > 2 and words[2].isdecimal() and words[2].strip("0") != ""


def reply(line, is_first=False):
    """One line, its end cut off. What PROTOCOL.md, Framing, rules out is answered too."""
    words = line.split(" ")
    if is_first and is_hello(words):
        return HELLO % ",".join(OPERATIONS)
    if not is_id(words[0]):
        return "0 error request"
    number, *rest = words
    if len(line) > LONGEST:
        return number + " error request longer than 1 MiB"
    if not all(" " <= c <= "~" for c in line):
        return number + " error request a line is printable ASCII"
    if line != words[0] and "" in rest:
        return number + " error request words are separated by one blank"
    name, *arguments = rest or [""]
    if name not in OPERATIONS:
        return number + " skip unknown"
    code = OPERATIONS[name].__code__
    if name != "encode" and len(arguments) != code.co_argcount:
        return number + " error request %d arguments" % len(arguments)
    try:
        return number + " " + OPERATIONS[name](*arguments)
    except reader.Refusal as refusal:
        return number + " error " + str(refusal)
    except reader.Rejected as rejected:
        return number + " " + reject(rejected.fault)
    except reader.BadKey as bad:
        return number + " error request " + str(bad)
    except ValueError as bad:
        return number + " error request " + str(bad)


def lines(source):
    """Lines without their ends; of one that is too long, enough to see that it is."""
    while line := source.readline(LONGEST + 3):
        ended = line.endswith(b"\n")
        rest = line
        while not ended and (rest := source.readline(LONGEST)):
            ended = rest.endswith(b"\n")
        line = line.removesuffix(b"\n").removesuffix(b"\r")
        yield line.decode("ascii", "replace")


def main():
    is_first = True
    for line in lines(sys.stdin.buffer):
        answer = reply(line, is_first)
        is_first = False
        sys.stdout.write(answer.encode("ascii", "replace").decode() + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
