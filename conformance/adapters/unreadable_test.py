"""Asks the reference's adapter and the Python reader what cannot be read, and what barely can.

    unreadable_test.py PLUMBLINE

Every request of the first list is `error request` (PROTOCOL.md, Atoms) with both, every one of the second an answer that
is the same with both.
"""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TWO = {"reference": [sys.argv[1], "adapter"],
       "python": [sys.executable, "-B", "-I", os.path.join(HERE, "python", "adapter.py")]}
D = ("4852525901003d00000000000000030102000000030000000000000004000000000000000000000000000000"
     "013000000000000000" "40000000" "00000000")  # float32 [3, 4], row-major
HEAD = "48525259010025000000000000000" "30b000000000000000000000000030000000000000000"  # a group of none
B = "00" * 48
E = "encode type_tag=3 shape=3,4 buffer.0.byte_size=48"
CUT = "48"  # a descriptor that every mode refuses: what cannot be read comes first


def unreadable():
    modes = ["lax", "Strict", "strict-", "strict+", "strict++type=0xf2", "+type=0xf2", "strict+type", "strict+type=",
             "strict+=0xf2", "strict+colour=0xf2", "strict+Type=0xf2", "strict+type=f2", "strict+type=0xf2=",
             "strict+type=0xf2,layout=0xf0", "strict+transport", "strict+transport=", "strict+transport=disk",
             "strict+transport=Network", "strict+transport=network=", "strict+transport=network+transport=disk"]
    # No number, and numbers that no tag, no index and no u32 is.
    no_number = ["1_0", "+1", "-1", "-0", "--1", "0x", "0x0x1", "0x1_0", "-0x1", "0b1", "0o1", "1.0", "1e0", "x", "nan", "1-",
                 "18446744073709551616", "0x10000000000000000", "9" * 30, "9" * 5000, "\u0663", "\u00b2", "1\x0b", "\x1f1"]
    modes += ["strict+%s=%s" % (key, n) for key in ("type", "class") for n in no_number + ["256", "0x1f2"]]
    for mode in modes:
        for rest in ("decode %s " + D, "fields %s " + D, "contents %s " + D + " " + B, "composite %s " + HEAD + ";",
                     "decode %s " + CUT):
            yield rest % mode
    bytes_alone = ["--", "4", "zz", "0x48", "+4", "4_8_", "48;", D + "0", D + ";" + D, "\u0664\u0664"]
    parts = ["--", "4", "zz", ";", ";;", "48;;", ";48", "48;;48", "48;4", HEAD + ";;", HEAD + ";zz"]
    for data in bytes_alone:
        yield from ("decode strict " + data, "fields strict " + data, "size " + data, "address %s 1,2" % data,
                    "contents strict %s -" % data, "dequantise %s -" % data)
    for data in [p for p in parts if ";" in p] + ["zz;"]:
        yield from ("composite strict " + data, "lookup %s - 1,2" % data)
    for data in parts:
        yield from ("contents strict %s %s" % (D, data), "contents strict %s %s" % (CUT, data), "dequantise %s %s" % (D, data),
                    "dequantise %s %s" % (CUT, data), "lookup %s %s 1,2" % (D, data), "lookup %s %s 1,2" % (CUT, data),
                    "lookup %s; %s 1,2" % (HEAD, data), "lookup %s; %s 1,2" % (CUT, data))
    indices = ["1,,2", ",1,2", "1,2,", ",", "-,1", "1,-", "1;2"] + [n + ",0" for n in no_number]
    for index in indices:
        yield from ("address %s %s" % (D, index), "address %s %s" % (CUT, index), "lookup %s %s %s" % (D, B, index),
                    "lookup %s - %s" % (CUT, index), "lookup %s; - %s" % (HEAD, index), "lookup %s; - %s" % (CUT, index))
    # Too few words, too many, and blanks that are none.
    for words in ("decode", "decode strict", "decode strict %s %s" % (D, D), "size", "size %s %s" % (D, D), "address " + D,
                  "address %s 1,2 3" % D, "address -", "address 48 52 1,2", "contents strict " + D, "dequantise " + D,
                  "contents strict %s %s %s" % (D, B, B), "contents strict 48 52 -", "lookup %s %s" % (D, B),
                  "lookup %s %s 1,2 3" % (D, B), "lookup %s - 1,2 3" % CUT, "dequantise %s %s -" % (D, B), "composite strict",
                  "composite strict %s; -" % HEAD, "decode strict  -", "decode strict - ", "decode strict\t-", ""):
        yield words
    numbers = ["buffer.0.alignment", "version_major", "buffer.0.device_tag", "flags", "rank", "descriptor_length",
               "byte_offset", "statistics.value_min", "member.member_role"]
    for n in no_number + ["", "-", "1,2"]:
        yield from ("%s %s=%s" % (E, key, n) for key in numbers)
        yield from ("encode type_tag=" + n, "encode type_tag=3 layout_tag=" + n)
    for n in no_number:
        if not n.startswith("-"):
            yield "encode type_tag=3 layout_tag=3 shape=2 layout.strides=" + n
        yield from ("encode type_tag=3 shape=" + n, "encode type_tag=3 shape=2," + n,
                    "%s shard.parent_shape=6,%s shard.shard_offset=0,0" % (E, n))
    yield from ("encode type_tag=3 layout_tag=3 shape=2 layout.strides=" + n for n in ("--1", "", "9223372036854775808"))
    yield from ("%s quantization.scheme_tag=1 quantization.%s" % (E, more) for more in (
        "zero_point=-2147483649", "zero_point=2147483648", "zero_point=--1", "scale=1.0", "scale=-1", "scale=0x100000000"))
    yield from (E + " " + more for more in (
        "version_major=256", "buffer.0.device_tag=0x100", "flags=4294967296", "buffer.0.alignment=4294967296", "tail=", "tail=0",
        "tail=zz", "tail=0x00", "tail=+0", "tail=0_", "member.reserved=zz", "type_tag", "=", "=3", "tail=00 tail=00",
        "quantization.scale=0x3f800000"))
    yield from ("encode", "encode shape=3", "encode type_tag=3 shape=", "encode type_tag=3 shape=,",
                "encode type_tag=3 shape=1,", "encode type_tag=3 shape=1,,2", "encode type_tag=3 shape=-,-",
                "encode type_tag=3 layout_tag=0x55 layout.raw=zz", "encode type_tag=3 layout_tag=0x55 layout.raw=")


def readable():
    modes = ["strict+type=0xf2", "strict+type=0XF2", "strict+type=242", "strict+type=" + "0" * 5000 + "242",
             "strict+type=0x" + "0" * 400 + "f2", "strict+type=0xf2+type=0xf2", "strict+transport=network+transport=network",
             "strict+type=0", "strict+type=0x47", "strict+type=0xff"]  # a tag that is not private agrees to nothing
    private = D.replace("0301020000", "f201020000", 1)
    for mode in modes:
        yield from ("decode %s %s" % (mode, D), "decode %s %s" % (mode, private), "composite %s %s;" % (mode, HEAD))
    for data in (D, "-", CUT, D.upper()):
        yield from ("decode strict " + data, "size " + data, "address %s 1,2" % data, "composite strict " + data,
                    "composite strict %s;" % data, "lookup %s; - 1,2" % data, "contents strict %s -" % data)
    for parts in (B, "-", B + ";", "-;", "-;-", "-;-;"):
        yield from ("contents strict %s %s" % (D, parts), "contents strict %s %s" % (HEAD, parts),
                    "lookup %s %s 1,2" % (D, parts), "lookup %s; %s -" % (HEAD, parts), "dequantise %s %s" % (D, parts))
    for index in ("1,2", "0x1,0X2", "01,02", "0" * 5000 + "1,2", "0x" + "0" * 400 + "1,2", "-", "1", "1,2,3", "3,0",
                  "18446744073709551615,0", "0xffffffffffffffff,0"):
        yield from ("address %s %s" % (D, index), "lookup %s %s %s" % (D, B, index), "lookup %s; - %s" % (HEAD, index))
    yield from (E + " " + more for more in (
        "buffer.0.alignment=0x40", "buffer.0.alignment=0X40", "buffer.0.alignment=" + "0" * 5000 + "64", "rank=0x2",
        "descriptor_length=61", "buffer_count=1", "flags=0", "tail=-", "tail=00", "tail=FF",
        "quantization.scheme_tag=1 quantization.zero_point=-1"))
    yield from ("encode type_tag=3 shape=-", "encode type_tag=3 shape=- buffer.0.byte_size=4",
                "encode type_tag=3 layout_tag=3 shape=2 layout.strides=-0x1", "fly", "Decode strict -", "decode=strict")


# Lines whose first word is no id, and hellos: whole lines, each said to a fresh process.
LINES = [word + " size " + D for word in (
    "0", "00", "+1", "-1", "1_0", "1a", "0x1", "1.0", "1e3", "", "18446744073709551615", "18446744073709551616", "01",
    "9" * 30, "9" * 5000, "0" * 5000 + "1", "\u0663", "\u00b2")] + ["7", "7 ", "7  ", " ", "", "x", "7 size " + "0" * (1 << 20)]
LINES += ["hello plumbline " + word for word in (
    "1", "2", "01", "9" * 30, "9" * 5000, "0", "00", "+1", "-1", "1_0", "x", "0x1", "1.0", "\u0663", "")] + ["hello", "Hello plumbline 1"]


def ask(command, lines):
    done = subprocess.run(command, input="".join(line + "\n" for line in lines).encode(), capture_output=True, timeout=120)
    assert done.returncode == 0, (command, done.returncode, done.stderr[-2000:])
    answers = done.stdout.decode("ascii").split("\n")
    assert answers.pop() == "" and len(answers) == len(lines), (command, len(answers), len(lines))
    return answers


def kind(answer):
    """What is compared of an answer: not the text that says why, nor what a hello tells of itself."""
    words = answer.split(" ")
    if words[0] == "hello":
        return words[:3]
    return words[:{"error": 3, "skip": 2, "reject": 5}.get(words[1], len(words))]


def short(line):
    return ascii(line if len(line) < 120 else line[:70] + ".." + line[-40:])


faults = []


def compare(line, answers, wanted=None):
    said = {name: kind(answer) for name, answer in answers.items()}
    if said["reference"] != said["python"] or (wanted is not None and wanted != (said["python"][1:3] == ["error", "request"])):
        faults.append("%s\n  %s" % (short(line), "\n  ".join("%s: %s" % (n, short(a)) for n, a in answers.items())))


asked = [(request, True) for request in unreadable()] + [(request, False) for request in readable()]
lines = ["%d %s" % (i + 1, request) for i, (request, _) in enumerate(asked)]
both = {name: ask(command, lines) for name, command in TWO.items()}
for i, (request, wanted) in enumerate(asked):
    compare(request, {name: answers[i] for name, answers in both.items()}, wanted)
both = {name: ask(command, [line for line in LINES if not line.startswith("hello plumbline")]) for name, command in TWO.items()}
for i, line in enumerate(line for line in LINES if not line.startswith("hello plumbline")):
    compare(line, {name: answers[i] for name, answers in both.items()})
for line in LINES:
    if line.startswith("hello plumbline"):
        compare(line, {name: ask(command, [line])[0] for name, command in TWO.items()})
for fault in faults:
    print(fault)
print("%d requests and %d lines, %d answered otherwise" % (len(asked), len(LINES), len(faults)))
sys.exit(1 if faults else 0)
