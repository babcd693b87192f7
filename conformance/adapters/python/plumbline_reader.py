"""A complete reader of Hurray tensor descriptors in plain Python: the second witness.

Written from the text of the specification (metadata, data-model, element-types, memory-layout,
layouts/*, quantization*, buffer-protocol, versioning), the table of clauses and the rulings on open
points. It shares nothing with the C++ reference and needs the standard library alone, so that an
agreement of the two means something.

The order of this file: clauses; fields in wire order, taken or put; geometry and sizes; the judge
of one descriptor; composite sets; questions about positions; contents of buffers; element values.
"""

import itertools
import math
import re
import struct
from typing import NamedTuple, Optional

# --- Clauses -------------------------------------------------------------------------------------
# Owner clauses in table order with class (R refuse, N necessity, W writer) and verdict (malformed,
# invalid, unsupported). The order decides ties between faults at one offset.

TABLE = """
    HDR-04:Rm HDR-05:Wm HDR-06:Rm HDR-07:Rm HDR-08:Ru FLG-02:Ru FLG-03:Wi SHP-02:Rm SHP-08:Wi
    SHP-13:Wi SHP-15:Wi OFF-01:Ri OFF-03:Wi ELT-01:Ri ELT-02:Ru ELT-08:Ni ELT-09:Ni ELT-10:Ni
    LAY-02:Ri LAY-03:Ru LAY-07:Ru STR-04:Ni TIL-01:Ni TIL-02:Nm TIL-03:Nm TIL-04:Wi TIL-06:Rm
    TIL-07:Ni MOR-01:Wi MOR-02:Wi MOR-03:Ni HIL-01:Ri HIL-02:Ri HIL-03:Ri HIL-04:Ri HIL-06:Ni
    COO-01:Ni COO-02:Wi COO-04:Ni COO-07:Wi CSR-01:Ri CSR-02:Ni CSR-03:Wi CSR-05:Ni CSR-08:Wi
    CSC-01:Ri CSC-02:Ni CSC-03:Wi CSC-05:Ni CSC-08:Wi CSF-01:Ri CSF-02:Wi CSF-03:Ri CSF-06:Ni
    CSF-07:Ni CSF-11:Wi CSF-12:Wi BPG-01:Ri BPG-03:Ni BPG-04:Ni BPG-05:Wi BPG-06:Ni BPG-07:Ri
    BPG-10:Ni BPG-11:Ni BPG-12:Ri BPG-13:Ni BPG-14:Ri BPG-15:Wi BPG-16:Wi BPG-17:Ri CMP-01:Ri
    CMP-02:Ri CMP-03:Wi CMP-04:Wi CMP-08:Ru CMP-09:Ru CMP-10:Ri CMP-11:Ri CMP-12:Ri CMP-13:Ri
    CMP-14:Ri CMP-15:Ri CMP-16:Ri CMP-18:Ri CMP-20:Ri CMP-21:Ri CMP-22:Ri CMP-23:Ri CMP-24:Ri
    CMP-26:Ri CMP-27:Ri CMP-28:Ri CMP-29:Rm MEM-01:Ri MEM-02:Ri BUF-01:Ni BUF-02:Wi BUF-03:Wi
    BUF-06:Wi BUF-07:Wi BUF-14:Ri BUF-16:Ri BUF-17:Ru BUF-19:Ri BUF-20:Ri BUF-22:Ru
    BUF-23:Ri BUF-24:Ru BUF-26:Ri BUF-30:Ru BUF-31:Ri BUF-32:Wi BUF-35:Ri SHD-02:Ri STA-04:Ri
    STA-05:Wi STA-06:Wi STA-07:Wi STA-08:Wi STA-09:Wi STA-10:Wi EXT-01:Ni EXT-02:Ri EXT-03:Ri
    EXT-04:Ri EXT-05:Ri EXT-06:Wi EXT-07:Wi EXT-08:Wi EXT-09:Wi EXT-10:Wi EXT-11:Wi EXT-12:Wi
    EXT-13:Wi EXT-14:Wi EXT-15:Wi EXT-17:Ni EXT-18:Ru QNT-06:Ru QNT-08:Ru QNT-09:Ru QNT-10:Rm
    QNT-13:Ri QNT-17:Wi QNT-18:Ri QPT-02:Wi QPT-04:Ri QPT-06:Ri QPT-07:Ri QPT-09:Ri QPC-02:Wi
    QPC-04:Ri QPC-05:Ri QPC-06:Ri QPC-08:Wi QPC-09:Ni QPC-10:Ni QPC-11:Ri QPC-13:Ri QPC-14:Ri
    QPB-02:Wi QPB-04:Ni QPB-05:Ni QPB-06:Ri QPB-07:Wi QPB-08:Ri QPB-09:Ni QPB-10:Wi QPB-12:Wi
    QPB-13:Ni QPB-14:Ni QPB-16:Ri QPB-17:Wi QPB-19:Ri QNF-02:Wi QNF-04:Ni QNF-05:Ni QNF-06:Ri
    QNF-07:Wi QNF-08:Ri QNF-10:Ni QNF-11:Ni QNF-12:Ri QMX-02:Wi QMX-04:Ni QMX-05:Ri QMX-06:Ri
    QMX-07:Ri QMX-09:Ni QMX-10:Ni QMX-11:Ri VER-02:Ru CON-05:Wi CON-07:Ri CON-09:Wi CON-12:Wi
    CON-15:Wi CON-16:Wi CON-21:Ri CON-22:Ri CON-23:Wi CON-26:Ri CON-27:Ri CON-28:Ri CON-29:Ri
    CON-31:Ri CON-32:Ri CON-33:Ri CON-34:Ri CON-36:Ri CON-37:Ri CON-38:Ri CON-40:Ri CON-41:Ri
    CON-42:Ri CON-43:Ri CON-45:Ri CON-46:Ri CON-47:Ri CON-52:Wi CON-53:Wi CON-54:Wi CON-57:Wi
    CON-60:Wi CON-62:Ri HDR-09:Rm OFF-05:Ni TIL-10:Ni COO-08:Ri CMP-31:Ri EXT-19:Ni EXT-20:Wi
    QNF-13:Wi BPG-21:Ni BPG-22:Ni D-022:Ru D-037:Ni D-144:Ru
"""
VERDICTS = {"m": "malformed", "i": "invalid", "u": "unsupported"}
CLAUSES = {}  # id -> (place in the table, class, verdict)
for _place, _entry in enumerate(TABLE.split()):
    _id, _kind = _entry.split(":")
    CLAUSES[_id] = (_place, _kind[0], VERDICTS[_kind[1]])

# What the text lets a permissive reader take, and of these what it may take but not interpret (a
# composite with a gap, an overlap or missing members is not one whole).
WAIVED_SIZED = {"ELT-02", "EXT-18", "LAY-03", "LAY-07", "QNT-06", "CSF-03", "BPG-12", "CMP-26",
                "CMP-27", "CMP-29"}
WAIVED = WAIVED_SIZED | {
    "CON-%d" % n for n in (21, 22, 26, 27, 28, 29, 31, 32, 33, 34, 36, 37, 38, 40, 41, 42, 43,
                           45, 46, 47)}


class Fault(NamedTuple):
    """One broken clause; compares as first faults do: member or buffer, offset, table order."""
    part: int  # member of a set, or buffer of a contents question; 0 otherwise
    offset: int
    place: int
    clause: str
    kind: str  # R, N or W
    verdict: str
    size: bool  # a buffer that is too small: no bar to asking how large it should be
    text: str
    unless: str = ""  # said only where the mode does not refuse this clause already


def make_fault(clause, offset, text="", part=0, kind=None, size=False, unless=""):
    place, default_kind, verdict = CLAUSES[clause]
    return Fault(part, offset, place, clause, kind or default_kind, verdict, size, text, unless)


class Mode(NamedTuple):
    """strict, lenient or permissive; `any` refuses only what every mode refuses."""
    name: str = "strict"
    agreed: frozenset = frozenset()  # of (key, tag)
    network: bool = False
    all_agreed: bool = False

    def knows(self, key, tag):
        return self.all_agreed or (key, tag) in self.agreed


STRICT = Mode()
AUTHOR = Mode("strict", all_agreed=True)
ANY = Mode("any", all_agreed=True)
AGREEMENT_KEYS = ("type", "layout", "scheme", "rule", "device", "class")


def parse_mode(text):
    name, *options = text.split("+")
    if name not in ("strict", "lenient", "permissive"):
        raise ValueError("mode " + name)
    agreed, network = set(), False
    for option in options:
        key, _, value = option.partition("=")
        if option == "transport=network":
            network = True
        elif key in AGREEMENT_KEYS:
            agreed.add((key, parse_integer(value, bits=8)))
        else:
            raise ValueError("mode option " + option)
    return Mode(name, frozenset(agreed), network)


class Answer(NamedTuple):
    accepted: bool
    full: bool
    fault: Optional[Fault]


def answer(faults, mode):
    """The first fault that the mode refuses; `unsupported` only when nothing else is wrong."""
    if mode.name == "strict":
        kept = faults
    elif mode.name == "lenient":
        kept = [f for f in faults if f.kind != "W"]
    elif mode.name == "permissive":
        kept = [f for f in faults if f.clause not in WAIVED]
    else:
        kept = [f for f in faults if f.kind != "W" and f.clause not in WAIVED]
    refused = {f.clause for f in kept}
    kept = [f for f in kept if f.unless not in refused]
    if kept:
        real = [f for f in kept if f.verdict != "unsupported"]
        return Answer(False, False, min(real or kept))
    return Answer(True, all(f.clause not in WAIVED_SIZED for f in faults), None)


# --- Fields in wire order ------------------------------------------------------------------------
# One description of the wire serves both directions: a Source takes each field from bytes and notes
# where it stood, a Sink puts each field from keys. Both offer the same calls.

DYNAMIC = 2**64 - 1
MAX_RANK = 64
MAX_TILE_LEVELS = 8
MAX_HEADS = 8
MAX_U64 = 2**64 - 1
ABSENT = 0xFFFFFFFF

FLOAT_DIGITS = {"quantization.scale": 8}
FLOAT_DIGITS.update(("statistics." + name, 16) for name in (
    "sparsity_ratio", "value_min", "value_max", "value_abs_max", "value_mean", "value_stddev"))


# int() alone takes signs, underscores, blanks and digits of other scripts, and refuses long text.
NUMBER = re.compile(r"(?P<sign>-?)(?:0[xX]0*(?P<hex>[0-9a-fA-F]+)|0*(?P<decimal>[0-9]+))")


def parse_integer(text, bits=64, signed=False):
    match = NUMBER.fullmatch(text)
    if not match or (match["sign"] and not signed) or len(match["hex"] or match["decimal"]) > 20:
        raise ValueError("integer " + text[:40])
    value = int(match["hex"], 16) if match["hex"] else int(match["decimal"])
    value = -value if match["sign"] else value
    low, high = (-1 << bits - 1, (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    if not low <= value <= high:
        raise ValueError("%d does not fit %d bits" % (value, bits))
    return value


def parse_list(text, bits=64, signed=False):
    return [] if text == "-" else [parse_integer(part, bits, signed) for part in text.split(",")]


def parse_bytes(text):
    if text == "-":
        return b""
    if not re.fullmatch(r"([0-9a-fA-F]{2})+", text):
        raise ValueError("bytes " + text[:20])
    return bytes.fromhex(text)


def format_value(key, value):
    if isinstance(value, bytes):
        return value.hex() or "-"
    if isinstance(value, list):
        return ",".join(map(str, value)) or "-"
    if key in FLOAT_DIGITS:
        return "0x%0*x" % (FLOAT_DIGITS[key], value)
    return str(value)


class Cut(Exception):
    """The next field cannot be found."""


class Source:
    """Takes fields from bytes; the only code that touches a descriptor's bytes."""

    def __init__(self, data, length):
        self.data = data
        self.pos = 0
        self.bound = length  # of the descriptor, or of the scheme inside it
        self.bound_clause = "HDR-07"
        self.fields = {}
        self.at = {}
        self.step = {}
        self.faults = []

    def fault(self, clause, offset, text=""):
        self.faults.append(make_fault(clause, offset, text))

    def take(self, count):
        if self.pos + count > self.bound:
            self.fault(self.bound_clause, self.pos, "field of %d bytes crosses %d"
                       % (count, self.bound))
            raise Cut(self.bound_clause)
        if self.pos + count > len(self.data):
            raise Cut("HDR-09")  # noted when the header was read
        part = self.data[self.pos:self.pos + count]
        self.pos += count
        return part

    def num(self, key, size, default=0, signed=False):
        start = self.pos
        value = int.from_bytes(self.take(size), "little", signed=signed)
        self.at[key], self.fields[key] = start, value
        return value

    def array(self, key, size, count, signed=False):
        self.at[key], self.step[key] = self.pos, size
        values = self.fields[key] = []
        for _ in range(count):
            values.append(int.from_bytes(self.take(size), "little", signed=signed))
        return values

    def blob(self, key, count):
        start = self.pos
        part = self.take(count)
        self.at[key], self.fields[key] = start, part
        return part

    def rest(self, key, keep_empty=False):
        start, part = self.pos, self.data[self.pos:self.bound]
        self.pos += len(part)
        if part or keep_empty:
            self.at[key], self.fields[key] = start, part
        if self.pos < self.bound:
            raise Cut("HDR-09")

    def more(self, present, prefix):
        return present

    def handles(self, count):
        return count

    def region(self, key, content):
        """A u32 length and as many bytes, whatever of them `content` understands."""
        length = self.num(key, 4)
        start = self.pos
        if start + length > self.bound:
            self.fault("HDR-07", start, "%d bytes announced, %d left"
                       % (length, self.bound - start))
            raise Cut("HDR-07")
        outer = self.bound
        self.bound, self.bound_clause = start + length, "QNT-10"
        try:
            content(self)
        except Cut as cut:
            if cut.args[0] != "QNT-10":
                raise
        self.bound, self.bound_clause = outer, "HDR-07"
        if start + length > len(self.data):
            raise Cut("HDR-09")
        self.pos = start + length


class BadKey(Exception):
    """A key of `encode` that is missing, unknown or out of its field's range."""


class Sink:
    """Puts fields from keys; what is left out takes its default."""

    def __init__(self, keys):
        self.keys = keys
        self.used = set()
        self.out = bytearray()

    def value(self, key, parse, default):
        if key not in self.keys:
            if default is None:
                raise BadKey(key + " is required")
            return default
        self.used.add(key)
        value = self.keys[key]
        if not isinstance(value, str):
            return value
        try:
            return parse(value)
        except ValueError:
            raise BadKey(key)

    def put(self, key, value, size, signed):
        try:
            self.out += value.to_bytes(size, "little", signed=signed)
        except OverflowError:
            raise BadKey(key + " does not fit")

    def num(self, key, size, default=0, signed=False):
        value = self.value(key, lambda text: parse_integer(text, 8 * size, signed), default)
        self.put(key, value, size, signed)
        return value

    def array(self, key, size, count, signed=False):
        zeros = [0] * (count if count <= MAX_RANK else 0)
        values = self.value(key, lambda text: parse_list(text, 8 * size, signed), zeros)
        for value in values:
            self.put(key, value, size, signed)
        return values

    def blob(self, key, count):
        value = self.value(key, parse_bytes, bytes(count))
        if len(value) != count:
            raise BadKey(key + " has %d bytes" % count)
        self.out += value
        return value

    def rest(self, key, keep_empty=False):
        self.out += self.value(key, parse_bytes, b"")

    def has(self, prefix):
        return any(key.startswith(prefix) for key in self.keys)

    def more(self, present, prefix):
        return present or self.has(prefix)

    def handles(self, count):
        while self.has("buffer.%d." % count):
            count += 1
        return count

    def region(self, key, content):
        start = len(self.out)
        content(self)
        body = bytes(self.out[start:])
        del self.out[start:]
        self.num(key, 4, len(body))
        self.out += body


# metadata.md, Layout-Specific Fields, and the pages of CSF and block-paged

def tiled_fields(io, rank):
    level = 0
    while True:
        prefix = "layout.tile.%d." % level
        io.array(prefix + "tile_shape", 8, rank)
        outer = io.num(prefix + "outer_layout", 1, 1)
        if isinstance(io, Source) and outer not in (1, 2, 3):
            io.fault("TIL-02", io.at[prefix + "outer_layout"], "found %d" % outer)
        inner = io.num(prefix + "inner_layout", 1, 1)
        io.blob(prefix + "reserved", 2)
        if isinstance(io, Source):
            if inner not in (1, 2, 3, 4):
                io.fault("TIL-03", io.at[prefix + "inner_layout"], "found %d" % inner)
            if inner == 4 and level + 1 == MAX_TILE_LEVELS:
                io.fault("TIL-06", io.at[prefix + "inner_layout"], "a ninth level")
            if io.faults:
                raise Cut("tile")
        if io.more(outer == 3, prefix + "outer_strides"):
            io.array(prefix + "outer_strides", 8, rank, signed=True)
        if io.more(inner == 3, prefix + "inner_strides"):
            io.array(prefix + "inner_strides", 8, rank, signed=True)
        level += 1
        if not io.more(inner == 4, "layout.tile.%d." % level) or level > 64:
            return


def strided_fields(io, rank):
    io.array("layout.strides", 8, rank, signed=True)


def morton_fields(io, rank):
    io.array("layout.morton_bits", 4, rank)


def coo_fields(io, rank):
    io.num("layout.nnz", 8)
    io.num("layout.is_sorted", 1)
    io.blob("layout.reserved", 7)


def compressed_fields(io, rank):
    io.num("layout.nnz", 8)
    io.blob("layout.reserved", 8)


def csf_fields(io, rank):
    io.num("layout.nnz", 8)
    io.array("layout.mode_order", 4, rank)
    io.blob("layout.reserved", 8)


def paged_fields(io, rank):
    io.num("layout.page_size", 4, 1)
    io.num("layout.num_pages", 8)
    io.num("layout.paged_axis", 4)
    io.num("layout.num_seqs", 4)
    io.num("layout.kv_role", 1)
    io.num("layout.layer_index", 4, ABSENT)
    io.num("layout.block_table_index_type", 1)
    io.blob("layout.reserved", 6)


def head_fields(io, rank):
    io.num("layout.composition_rule", 1, 3)
    io.num("layout.combine_op", 1)
    io.blob("layout.reserved", 2)
    io.num("layout.member_count", 4)


def hilbert_fields(io, rank):
    io.num("layout.hilbert_order", 4, 1)
    io.num("layout.hilbert_rank", 4, 2)


def private_layout_fields(io, rank):
    io.num("layout.extension_layout_id", 8)
    if isinstance(io, Source):
        io.blob("layout.extension_data", io.num("layout.extension_data_length", 4))
    else:
        data = io.value("layout.extension_data", parse_bytes, b"")
        io.num("layout.extension_data_length", 4, len(data))
        io.blob("layout.extension_data", len(data))


ROW, COLUMN, STRIDED, TILED, MORTON, COO, CSR, CSC, CSF, PAGED, HEAD = range(1, 12)
HILBERT = 0x40
LAYOUT_FIELDS = {
    ROW: lambda io, rank: None, COLUMN: lambda io, rank: None, STRIDED: strided_fields,
    TILED: tiled_fields, MORTON: morton_fields, COO: coo_fields, CSR: compressed_fields,
    CSC: compressed_fields, CSF: csf_fields, PAGED: paged_fields, HEAD: head_fields,
    HILBERT: hilbert_fields,
}
DENSE = (ROW, COLUMN, STRIDED, TILED, MORTON, HILBERT)
SPARSE = (COO, CSR, CSC, CSF)


def is_private(tag):
    return 0xF0 <= tag <= 0xFE


def handle_fields(io, index):
    prefix = "buffer.%d." % index
    io.num(prefix + "byte_size", 8)
    io.num(prefix + "alignment", 4, 64)
    for name in ("device_tag", "sync_mode", "memory_class", "reserved"):
        io.num(prefix + name, 1)


SCHEMES = (1, 2, 3, 4, 5)


def scheme_fields(io):
    q = "quantization."
    scheme = io.num(q + "scheme_tag", 1, None)
    version = io.num(q + "scheme_version", 1, 1)
    io.num(q + "flags", 2)
    if scheme not in SCHEMES or version > 1:
        io.rest(q + "payload", keep_empty=True)
        return
    if scheme == 1:
        io.num(q + "scale", 4, 0x3F800000)
        io.num(q + "zero_point", 4, signed=True)
        io.blob(q + "reserved", 4)
    else:
        io.num(q + "axis", 4)
        if scheme > 2:
            io.num(q + "block_size", 4, 64 if scheme == 4 else 32)
        io.num(q + "scale_buffer_index", 4, 1)
        if scheme < 4:
            io.num(q + "zero_point_buffer_index", 4, ABSENT)
            io.num(q + "scale_type_tag", 1, 3)
            io.blob(q + "reserved", 3)
    io.rest(q + "padding")


def statistics_fields(io):
    s = "statistics."
    io.num(s + "computed_mask", 4)
    io.blob(s + "reserved", 4)
    for name in ("nnz", "sparsity_ratio", "value_min", "value_max", "value_abs_max", "value_mean",
                 "value_stddev"):
        io.num(s + name, 8)
    for name in ("nm_n", "nm_m", "has_nan", "has_inf"):
        io.num(s + name, 1)
    io.blob(s + "reserved2", 4)


def extension_fields(io):
    e = "extension."
    io.num(e + "bit_width", 4, 8)
    io.num(e + "packing_factor", 1, 1)
    for name in ("is_float", "is_signed", "sign_bits", "exponent_bits", "mantissa_bits"):
        io.num(e + name, 1)
    io.blob(e + "reserved", 2)
    io.num(e + "exponent_bias", 4)
    io.num(e + "has_nan", 1)
    io.num(e + "has_inf", 1)
    io.blob(e + "reserved2", 2)


FLAG_QUANTIZATION, FLAG_SHARD, FLAG_EXTENSION, FLAG_STATISTICS, FLAG_MEMBER = 1, 2, 4, 8, 16
SECTIONS = (("quantization.", FLAG_QUANTIZATION), ("shard.", FLAG_SHARD),
            ("statistics.", FLAG_STATISTICS), ("extension.", FLAG_EXTENSION),
            ("member.", FLAG_MEMBER))


def body_fields(io, flags, layout, rank):
    """Everything behind the fixed header."""
    io.array("shape", 8, rank)
    io.num("byte_offset", 8)
    if layout in LAYOUT_FIELDS:
        LAYOUT_FIELDS[layout](io, rank)
    elif is_private(layout):
        private_layout_fields(io, rank)
    else:  # nothing behind byte_offset can be found
        io.rest("layout.raw", keep_empty=True)
        return
    for index in range(io.handles(io.num("buffer_count", 1, io.handles(0)))):
        handle_fields(io, index)
    if io.more(flags & FLAG_QUANTIZATION, "quantization."):
        io.region("quantization.quantization_length", scheme_fields)
    if io.more(flags & FLAG_SHARD, "shard."):
        io.array("shard.parent_shape", 8, rank)
        io.array("shard.shard_offset", 8, rank)
    if io.more(flags & FLAG_STATISTICS, "statistics."):
        statistics_fields(io)
    if io.more(flags & FLAG_EXTENSION, "extension."):
        extension_fields(io)
    if io.more(flags & FLAG_MEMBER, "member."):
        io.num("member.member_role", 1)
        io.blob("member.reserved", 15)
    io.rest("tail")


MAGIC = b"HRRY"
HEADER = (("version_major", 4, 1), ("version_minor", 5, 1), ("descriptor_length", 6, 4),
          ("flags", 10, 4), ("type_tag", 14, 1), ("layout_tag", 15, 1), ("rank", 16, 4))


class Descriptor:
    """The fields of one descriptor, where each stood, and what the judge found."""

    def __init__(self):
        self.fields = {}
        self.at = {}
        self.step = {}
        self.faults = []
        self.complete = False  # every field was found

    def get(self, key, default=None):
        return self.fields.get(key, default)

    def where(self, key, index=0):
        return self.at[key] + index * self.step.get(key, 0)

    @property
    def shape(self):
        """The whole shape, or None where it could not be read."""
        shape = self.get("shape")
        return shape if shape is not None and len(shape) == self.get("rank") else None

    @property
    def static(self):
        return self.shape is not None and DYNAMIC not in self.shape

    @property
    def empty(self):
        return self.static and 0 in self.shape

    @property
    def has_layout(self):
        """All fields of a public layout were read."""
        return "buffer_count" in self.fields and self.fields["layout_tag"] in LAYOUT_FIELDS


def parse(data):
    """Takes the fields of a descriptor; notes where the next one cannot be found."""
    d = Descriptor()

    def note(clause, offset, text):
        d.faults.append(make_fault(clause, offset, text))

    if len(data) < 4:
        note("HDR-09", 0, "%d bytes of input" % len(data))
        return d
    if data[:4] != MAGIC:
        note("HDR-04", 0, "found " + data[:4].hex())
        return d
    for key, offset, size in HEADER:
        if offset + size > len(data):
            # Behind descriptor_length every early end is an end before descriptor_length bytes.
            note("HDR-09", min(offset, 6), "%d bytes of input" % len(data))
            return d
        d.at[key] = offset
        value = d.fields[key] = int.from_bytes(data[offset:offset + size], "little")
        if key == "version_major" and value != 1:
            note("HDR-08" if value > 1 else "VER-02", offset, "found %d" % value)
            return d
        if key == "descriptor_length" and value < 20:
            note("HDR-06", offset, "found %d" % value)
            return d
    length = d.fields["descriptor_length"]
    if len(data) < length:
        note("HDR-09", 6, "%d of %d bytes" % (len(data), length))
    if d.fields["rank"] > MAX_RANK:
        note("SHP-02", 16, "found %d" % d.fields["rank"])
        return d
    source = Source(data[:length], length)
    source.pos = 20
    try:
        body_fields(source, d.fields["flags"], d.fields["layout_tag"], d.fields["rank"])
        d.complete = True
    except Cut:
        pass
    d.fields.update(source.fields)
    d.at.update(source.at)
    d.step.update(source.step)
    d.faults += source.faults
    return d


def build(keys):
    """The bytes that the keys of `encode` spell."""
    sink = Sink(keys)
    shape = sink.value("shape", parse_list, [])
    type_tag = sink.value("type_tag", parse_integer, None)
    layout = sink.value("layout_tag", parse_integer, ROW)
    rank = sink.value("rank", parse_integer, len(shape))
    flags = 0
    for prefix, bit in SECTIONS:
        flags |= bit if sink.has(prefix) else 0
    flags = sink.value("flags", parse_integer, flags)
    body_fields(sink, flags, layout, rank)
    body, sink.out = bytes(sink.out), bytearray(MAGIC)
    sink.num("version_major", 1, 1)
    sink.num("version_minor", 1, 0)
    sink.num("descriptor_length", 4, 20 + len(body))
    for key, size, value in (("flags", 4, flags), ("type_tag", 1, type_tag),
                             ("layout_tag", 1, layout), ("rank", 4, rank)):
        sink.put(key, value, size, False)
    for key in keys:
        if key not in sink.used:
            raise BadKey(key + " has no place")
    return bytes(sink.out) + body


# --- Geometry and sizes --------------------------------------------------------------------------

TYPE_BITS = {
    0x01: 16, 0x02: 16, 0x03: 32, 0x04: 64, 0x10: 8, 0x11: 8, 0x12: 16, 0x13: 16, 0x14: 32,
    0x15: 32, 0x16: 64, 0x17: 64, 0x20: 1, 0x40: 8, 0x41: 8, 0x42: 8, 0x43: 4, 0x44: 6, 0x45: 6,
    0x46: 128, 0x48: 4, 0x49: 4, 0x4A: 2, 0x4B: 2, 0x50: 64, 0x51: 128,
}
INTEGER_RANGE = {
    0x10: (-2**7, 2**7 - 1), 0x11: (0, 2**8 - 1), 0x12: (-2**15, 2**15 - 1), 0x13: (0, 2**16 - 1),
    0x14: (-2**31, 2**31 - 1), 0x15: (0, 2**32 - 1), 0x16: (-2**63, 2**63 - 1),
    0x17: (0, 2**64 - 1),
    0x20: (0, 1), 0x48: (-8, 7), 0x49: (0, 15), 0x4A: (-2, 1), 0x4B: (0, 3),
}
REAL_FLOATS = (0x01, 0x02, 0x03, 0x04, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46)


def element_bits(d):
    """Width of an element, or None where it is not known or its description is not sound."""
    tag = d.get("type_tag")
    if tag in TYPE_BITS:
        return TYPE_BITS[tag]
    bits, packing = d.get("extension.bit_width"), d.get("extension.packing_factor")
    if is_private(tag) and packing is not None:
        if bits >= 8 and bits % 8 == 0 and packing == 1:
            return bits
        if bits in (1, 2, 4) and packing == 8 // bits:
            return bits
    return None


def packed_bytes(count, bits):
    """Bytes of `count` elements side by side; 6-bit elements come four in three bytes."""
    if bits == 6:
        return -(-count // 4) * 3
    return -(-count * bits // 8)


def span_bytes(low, high, bits):
    """First byte and end of the elements low..high; floor division, as offsets may be negative."""
    if bits == 6:
        return 3 * (low // 4), 3 * (high // 4 + 1)
    if bits >= 8:
        return low * (bits // 8), (high + 1) * (bits // 8)
    return low * bits // 8, high * bits // 8 + 1


def element_place(offset, bits):
    """Byte and bit of the element at an offset, relative to byte_offset."""
    if bits == 6:
        return 3 * (offset // 4) + offset % 4 * 6 // 8, offset % 4 * 6 % 8
    if bits >= 8:
        return offset * (bits // 8), 0
    per_byte = 8 // bits
    return offset // per_byte, offset % per_byte * bits


def row_strides(sizes):
    strides = [1] * len(sizes)
    for k in range(len(sizes) - 2, -1, -1):
        strides[k] = sizes[k + 1] * strides[k + 1]
    return strides


def column_strides(sizes):
    strides = [1] * len(sizes)
    for k in range(1, len(sizes)):
        strides[k] = sizes[k - 1] * strides[k - 1]
    return strides


def strides_of(order, sizes, explicit):
    if order == STRIDED:
        return explicit
    return row_strides(sizes) if order == ROW else column_strides(sizes)


class Affine:
    """Row-major, column-major, strided and tiled addressing: per axis, tiles of tiles and a stride.

    levels: for each tiled level the tile sizes, the element step from tile to tile and the number
    of tiles along each axis; `strides` then serve inside the innermost tile, of sizes `extent`.
    """

    def __init__(self, d):
        self.levels = []
        self.extent = d.shape
        layout = d.get("layout_tag")
        level = 0
        while layout == TILED:
            prefix = "layout.tile.%d." % level
            tile = d.get(prefix + "tile_shape")
            counts = [-(-n // t) for n, t in zip(self.extent, tile)]
            tile_elements = math.prod(tile)
            outer = strides_of(d.get(prefix + "outer_layout"), counts,
                               d.get(prefix + "outer_strides"))
            self.levels.append((tile, [s * tile_elements for s in outer], counts))
            self.extent = tile
            layout = d.get(prefix + "inner_layout")
            explicit = d.get(prefix + "inner_strides")
            level += 1
        if not self.levels:
            explicit = d.get("layout.strides")
        self.strides = strides_of(layout, self.extent, explicit)

    def offset(self, index):
        total = 0
        for k, i in enumerate(index):
            for tile, steps, _ in self.levels:
                t, i = divmod(i, tile[k])
                total += t * steps[k]
            total += i * self.strides[k]
        return total

    def span(self):
        """Lowest and highest offset of the storage, whole tiles included."""
        reach = [(n - 1) * s for n, s in zip(self.extent, self.strides)]
        for _, steps, counts in self.levels:
            reach += [(n - 1) * s for n, s in zip(counts, steps)]
        return sum(min(0, r) for r in reach), sum(max(0, r) for r in reach)

    def axis_offsets(self, k, count, level=0):
        """The distinct offsets that indices 0..count-1 of axis k contribute."""
        if level == len(self.levels):
            stride = self.strides[k]
            return {i * stride for i in range(count)} if stride else {0}
        tile, steps, _ = self.levels[level]
        whole, part = divmod(count, tile[k])
        found = set()
        if whole:
            inner = self.axis_offsets(k, tile[k], level + 1)
            for t in range(whole) if steps[k] else (0,):
                found.update(t * steps[k] + o for o in inner)
        if part:
            found.update(whole * steps[k] + o for o in self.axis_offsets(k, part, level + 1))
        return found


def morton_code(index, bits):
    code, rank = 0, len(index)
    for k, i in enumerate(index):
        b = 0
        while i >> b and b < bits[k]:
            code |= (i >> b & 1) << (b * rank + k)
            b += 1
    return code


def hilbert_code(index, order):
    """CoordsToHilbert of layouts/hilbert.md."""
    x, r, p = list(index), len(index), order
    q = m = 1 << (p - 1)
    while q > 1:
        low = q - 1
        for i in range(r):
            if x[i] & q:
                x[0] ^= low
            else:
                t = (x[0] ^ x[i]) & low
                x[0] ^= t
                x[i] ^= t
        q >>= 1
    for i in range(1, r):
        x[i] ^= x[i - 1]
    t, q = 0, m
    while q > 1:
        if x[r - 1] & q:
            t ^= q - 1
        q >>= 1
    x = [value ^ t for value in x]
    h = 0
    for b in range(p):
        for d in range(r):
            h |= (x[d] >> b & 1) << (b * r + (r - 1 - d))
    return h


POWER_CAP = 200  # two to this power is beyond every byte count; keeps the integers small


def storage_span(d):
    """Lowest and highest element offset of a dense tensor's storage; it has elements and sizes."""
    layout = d.get("layout_tag")
    if layout == MORTON:
        bits = d.get("layout.morton_bits")
        # The printed code skips positions where an earlier dimension runs out of bits (D-120), so
        # that it can pass the printed size; the buffer has to serve both.
        last = [min(n, 1 << min(b, 64)) - 1 for n, b in zip(d.shape, bits)]
        return 0, max(2 ** min(sum(bits), POWER_CAP) - 1, morton_code(last, bits))
    if layout == HILBERT:
        return 0, 2 ** min(d.get("layout.hilbert_order") * d.get("layout.hilbert_rank"),
                           POWER_CAP) - 1
    return Affine(d).span()


def element_offset(d, index):
    layout = d.get("layout_tag")
    if layout == MORTON:
        return morton_code(index, d.get("layout.morton_bits"))
    if layout == HILBERT:
        return hilbert_code(index, d.get("layout.hilbert_order"))
    return Affine(d).offset(index)


def layout_buffers(d):
    """How many buffers the layout itself has; None for private and unknown layouts."""
    layout = d.get("layout_tag")
    if layout in DENSE:
        return 1
    return {COO: 2, CSR: 3, CSC: 3, CSF: 2 * d.get("rank") + 1, PAGED: 3, HEAD: 0}.get(layout)


def pool_elements(d):
    """Elements of the page pool, or None while heads or width are not known."""
    if d.shape is None or len(d.shape) != 3 or DYNAMIC in d.shape[1:]:
        return None
    return (d.get("layout.num_pages") * d.get("layout.page_size") * d.shape[1] * d.shape[2])


def index_bytes(d):
    """Width of block table entries and sequence pointers."""
    return {0: 4, 1: 8}.get(d.get("layout.block_table_index_type"))


def array_needs(d):
    """Least bytes of the layout's buffers behind buffer 0; None where it is not known yet."""
    layout, rank, nnz = d.get("layout_tag"), d.get("rank"), d.get("layout.nnz")
    if layout == COO:
        return [nnz * rank * 8]
    if layout in (CSR, CSC) and rank == 2 and d.shape is not None:
        pointers = d.shape[0 if layout == CSR else 1]
        return [nnz * 8, None if pointers == DYNAMIC else (pointers + 1) * 8]
    if layout == CSF:
        needs = []
        for level in range(rank):
            # Inner counts live in the buffers (D-138): one pointer is certain, two at the top.
            needs += [16 if level == 0 else 8, nnz * 8 if level == rank - 1 else 0]
        return needs
    if layout == PAGED and index_bytes(d):
        return [0, (d.get("layout.num_seqs") + 1) * index_bytes(d)]
    return []


def stored_values(d):
    """Elements in buffer 0 of a sparse or paged layout, or None while they are not known."""
    if d.get("layout_tag") == PAGED:
        return pool_elements(d)
    return d.get("layout.nnz")


SCALE_BYTES = {1: 2, 2: 2, 3: 4}


def scheme_of(d):
    """The scheme when its fields are known and were all read, else None."""
    scheme = d.get("quantization.scheme_tag")
    if scheme not in SCHEMES or d.get("quantization.scheme_version") in (None,) or \
            d.get("quantization.scheme_version") > 1:
        return None
    last = {1: "reserved", 2: "reserved", 3: "reserved"}.get(scheme, "scale_buffer_index")
    return scheme if "quantization." + last in d.fields else None


def is_symmetric(d):
    """No zero-point buffer: the flag of the affine schemes, always for NF4 and MXFP."""
    return d.get("quantization.scheme_tag") in (4, 5) or bool(d.get("quantization.flags") & 1)


def parameter_count(d):
    """Entries of the scale array; None while a size is dynamic or the scheme gives no rule."""
    scheme, shape, axis = scheme_of(d), d.shape, d.get("quantization.axis")
    if scheme in (None, 1) or shape is None:
        return None
    if d.get("layout_tag") == PAGED and scheme > 2:
        # Per page slot, whatever the block formula says; NF4 and MXFP are left open (D-144).
        return d.get("layout.num_pages") * d.get("layout.page_size") if scheme == 3 else None
    if axis >= len(shape) or shape[axis] == DYNAMIC:
        return None
    if scheme == 2:
        return shape[axis]
    block = d.get("quantization.block_size")
    if block == 0 or DYNAMIC in shape:
        return None
    others = math.prod(n for k, n in enumerate(shape) if k != axis)
    return -(-shape[axis] // block) * others


def scale_bytes(d):
    scheme = scheme_of(d)
    if scheme == 3:
        return SCALE_BYTES.get(d.get("quantization.scale_type_tag"))
    return {2: 4, 4: 4, 5: 1}.get(scheme)


def parameter_needs(d):
    """Exact bytes of each parameter buffer by table index, or None while not known."""
    scheme = scheme_of(d)
    if scheme in (None, 1):
        return {}
    count, width = parameter_count(d), scale_bytes(d)
    needs = {d.get("quantization.scale_buffer_index"):
             None if count is None or width is None else count * width}
    if not is_symmetric(d):
        index = d.get("quantization.zero_point_buffer_index")
        if count is None or needs.get(index, 0) is None:
            needs[index] = None
        else:
            needs[index] = needs.get(index, 0) + 4 * count
    return needs


def padded_elements(d):
    """Storage elements with the last block filled up, where filling it lands at the end (D-153)."""
    scheme, layout = scheme_of(d), d.get("layout_tag")
    axis, block = d.get("quantization.axis"), d.get("quantization.block_size")
    if scheme not in (3, 4) or layout not in (ROW, COLUMN) or not d.static:
        return None
    if axis >= len(d.shape) or block == 0 or axis != (0 if layout == ROW else len(d.shape) - 1):
        return None
    others = math.prod(n for k, n in enumerate(d.shape) if k != axis)
    return -(-d.shape[axis] // block) * block * others


# --- The judge of one descriptor -----------------------------------------------------------------

CLASSES_OF_DEVICE = {0: (0, 1, 2), 1: (0, 1, 2, 3), 2: (0, 1, 2, 3), 3: (0, 1, 2), 4: (0, 1, 2, 3),
                     5: (0,), 6: (0, 1, 2), 7: (0, 1, 2, 3), 8: (0, 1, 2)}
COUNT_CLAUSE = {COO: "COO-01", CSR: "CSR-02", CSC: "CSC-02", CSF: "CSF-06", PAGED: "BPG-03"}
SIZE_CLAUSE = {TILED: "TIL-07", MORTON: "MOR-03", HILBERT: "HIL-06", COO: "COO-04", CSR: "CSR-05",
               CSC: "CSC-05", CSF: "CSF-07", PAGED: "BPG-10"}
NNZ_CLAUSE = {COO: "COO-07", CSR: "CSR-08", CSC: "CSC-08", CSF: "CSF-12"}
RANK_CLAUSE = {CSR: ("CSR-01", lambda r: r == 2), CSC: ("CSC-01", lambda r: r == 2),
               CSF: ("CSF-01", lambda r: r >= 3), PAGED: ("BPG-01", lambda r: r == 3)}
AFFINE_TYPES = (0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4A, 0x4B)
STORAGE_TYPES = {1: ("QPT-09", AFFINE_TYPES), 2: ("QPC-14", AFFINE_TYPES),
                 3: ("QPB-19", (0x10, 0x11, 0x48, 0x49, 0x4A, 0x4B)), 4: ("QNF-12", (0x49,)),
                 5: ("QMX-11", (0x40, 0x41, 0x43, 0x44, 0x45, 0x10, 0x48))}
SCHEME_NAME = {1: "QPT", 2: "QPC", 3: "QPB", 4: "QNF", 5: "QMX"}


def is_power_of_two(n):
    return n > 0 and n & (n - 1) == 0


def block_is_sound(scheme, block):
    return is_power_of_two(block) and {3: 2, 4: 8, 5: 16}[scheme] <= block and \
        (scheme != 5 or block <= 2048)


def float32(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def float64(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


class Judge:
    """Finds every fault of a parsed descriptor; one method a page of the specification."""

    def __init__(self, d, mode):
        self.d, self.mode, self.f = d, mode, d.fields
        if "rank" not in self.f or self.f["rank"] > MAX_RANK:
            # The header alone may still hold earlier faults.
            if "layout_tag" in self.f:
                self.header()
            return
        self.header()
        self.shape()
        self.layout()
        self.handles()
        self.counts()
        self.sizes()
        self.quantization()
        self.shard()
        self.statistics()
        self.extension()
        self.member()
        self.left_over()

    def fault(self, clause, where, index=0, text="", **more):
        offset = where if isinstance(where, int) else self.d.where(where, index)
        self.d.faults.append(make_fault(clause, offset, text, **more))

    def expect(self, clause, key, good, kind=None):
        """A fault at the key unless the field is there and good."""
        if key in self.f and not good(self.f[key]):
            self.fault(clause, key, text="found " + format_value(key, self.f[key]), kind=kind)

    def zero(self, clause, key):
        value = self.f.get(key)
        if value is not None and (any(value) if isinstance(value, bytes) else value != 0):
            self.fault(clause, key, text="found " + format_value(key, value))

    # metadata.md, Fixed Header and Flags; element-types.md; memory-layout.md
    def header(self):
        flags, type_tag, layout = self.f["flags"], self.f["type_tag"], self.f["layout_tag"]
        if flags >> 5:
            self.fault("FLG-02", 10, text="found 0x%x" % flags)
        if is_private(type_tag):
            if not flags & FLAG_EXTENSION:
                self.fault("EXT-01", 14, text="private type without its section")
            if not self.mode.knows("type", type_tag):
                self.fault("EXT-18", 14, text="private type 0x%02x" % type_tag)
        else:
            if flags & FLAG_EXTENSION:
                self.fault("FLG-03", 14, text="section for public type 0x%02x" % type_tag)
            if type_tag in (0x00, 0xFF):
                self.fault("ELT-01", 14)
            elif type_tag not in TYPE_BITS:
                self.fault("ELT-02", 14, text="found 0x%02x" % type_tag)
        if layout in (0x00, 0xFF):
            self.fault("LAY-02", 15)
        elif layout not in LAYOUT_FIELDS and not is_private(layout):
            self.fault("LAY-03", 15, text="found 0x%02x" % layout)
        for tag, bit, clause in ((HEAD, FLAG_MEMBER, "CMP-03"), (HEAD, FLAG_QUANTIZATION, "CMP-04"),
                                 (CSF, FLAG_SHARD, "CSF-11"), (PAGED, FLAG_SHARD, "BPG-17")):
            if layout == tag and flags & bit:
                self.fault(clause, 15, text="flags 0x%x" % flags)

    # data-model.md
    def shape(self):
        rank, layout = self.f["rank"], self.f["layout_tag"]
        if layout in RANK_CLAUSE:
            clause, good = RANK_CLAUSE[layout]
            if not good(rank):
                self.fault(clause, 16, text="rank %d" % rank)
        elif rank == 0 and layout not in (ROW, HEAD, HILBERT):
            self.fault("SHP-15", 16, text="layout 0x%02x" % layout)
        if self.f["flags"] & FLAG_SHARD:
            for key in ("shape", "shard.parent_shape", "shard.shard_offset"):
                for k, n in enumerate(self.f.get(key, ())):
                    if n == DYNAMIC:
                        self.fault("SHP-13", key, k)
        byte_offset = self.f.get("byte_offset")
        if byte_offset:
            if layout in SPARSE or layout == PAGED:
                self.fault("OFF-03", "byte_offset", text="found %d" % byte_offset)
            if layout == HEAD:
                self.fault("CMP-02", "byte_offset", text="found %d" % byte_offset)
        size = self.f.get("buffer.0.byte_size")
        if size is not None and layout != HEAD and byte_offset > size:
            self.fault("OFF-01", "buffer.0.byte_size", text="byte_offset %d, size %d"
                       % (byte_offset, size), size=True)

    # layouts/*.md, fields
    def layout(self):
        layout = self.f["layout_tag"]
        method = {TILED: self.tiled, MORTON: self.morton, HILBERT: self.hilbert, COO: self.sparse,
                  CSR: self.sparse, CSC: self.sparse, CSF: self.sparse, PAGED: self.paged,
                  HEAD: self.head}.get(layout)
        if method:
            method()
        if is_private(layout) and "layout.extension_layout_id" in self.f and \
                not self.mode.knows("layout", layout):
            self.fault("LAY-07", "layout.extension_layout_id")

    def tiled(self):
        parent = None
        for level in range(MAX_TILE_LEVELS):
            prefix = "layout.tile.%d." % level
            tile = self.f.get(prefix + "tile_shape", [])
            for k, n in enumerate(tile):
                if n == 0:
                    self.fault("TIL-01", prefix + "tile_shape", k)
                elif parent and k < len(parent) and parent[k] and parent[k] % n:
                    self.fault("TIL-10", prefix + "tile_shape", k, "%d in %d" % (n, parent[k]))
            self.zero("TIL-04", prefix + "reserved")
            parent = tile

    def morton(self):
        for k, bits in enumerate(self.f.get("layout.morton_bits", ())):
            n = self.f["shape"][k]
            if bits == 0:
                self.fault("MOR-01", "layout.morton_bits", k)
            elif n != DYNAMIC and bits < 64 and n > 1 << bits:
                self.fault("MOR-02", "layout.morton_bits", k, "%d of %d bits" % (n, bits))

    def hilbert(self):
        order, rank = self.f.get("layout.hilbert_order"), self.f.get("layout.hilbert_rank")
        if order is None:
            return
        if order == 0:
            self.fault("HIL-04", "layout.hilbert_order")
        for n in self.d.shape:
            if n != DYNAMIC and (order > 63 or n != 1 << order):
                self.fault("HIL-01", "layout.hilbert_order", text="size %d, order %d" % (n, order))
                break
        if rank is None:
            return
        if rank != self.f["rank"]:
            self.fault("HIL-02", "layout.hilbert_rank", text="found %d" % rank)
        elif rank < 2:
            self.fault("HIL-03", "layout.hilbert_rank", text="found %d" % rank)

    def sparse(self):
        layout, nnz = self.f["layout_tag"], self.f.get("layout.nnz")
        if nnz is None:
            return
        if self.d.static and nnz > math.prod(self.d.shape):
            self.fault("COO-08", "layout.nnz", text="%d stored" % nnz)
        self.expect("COO-02", "layout.is_sorted", lambda v: v in (0, 1))
        self.zero({COO: "COO-02", CSR: "CSR-03", CSC: "CSC-03", CSF: "CSF-02"}[layout],
                  "layout.reserved")
        seen = set()
        for level, dimension in enumerate(self.f.get("layout.mode_order", ())):
            if dimension >= self.f["rank"] or dimension in seen:
                self.fault("CSF-03", "layout.mode_order", level, "found %d" % dimension)
            seen.add(dimension)

    def paged(self):
        self.expect("BPG-04", "layout.page_size", lambda v: v > 0)
        self.expect("BPG-12", "layout.paged_axis", lambda v: v == 0)
        self.expect("BPG-05", "layout.kv_role", lambda v: v <= 2)
        self.expect("BPG-06", "layout.block_table_index_type", lambda v: v <= 1)
        if self.f.get("layout.block_table_index_type") == 0 and self.f["layout.num_pages"] > 2**32:
            self.fault("BPG-06", "layout.block_table_index_type", kind="W",
                       text="%d pages" % self.f["layout.num_pages"])
        self.zero("BPG-07", "layout.reserved")

    def head(self):
        rule, op = self.f.get("layout.composition_rule"), self.f.get("layout.combine_op")
        if rule is None:
            return
        if rule in (0x00, 0xFF):
            self.fault("CMP-31", "layout.composition_rule", text="found 0x%02x" % rule)
        elif 0x04 <= rule <= 0xEF:
            self.fault("CMP-08", "layout.composition_rule", text="found 0x%02x" % rule)
        elif is_private(rule) and not self.mode.knows("rule", rule):
            self.fault("CMP-09", "layout.composition_rule", text="found 0x%02x" % rule)
        if op is not None and rule in (1, 3) and op != 0:
            self.fault("CMP-10", "layout.combine_op", text="found %d" % op)
        if op is not None and rule == 2 and op not in (1, 2):
            self.fault("CMP-11", "layout.combine_op", text="found %d" % op)
        self.zero("CMP-12", "layout.reserved")
        count = self.f.get("layout.member_count")
        if count == 0xFFFFFFFF:
            self.fault("CMP-13", "layout.member_count")
        if count == 0 and rule == 2:
            self.fault("CMP-14", "layout.member_count")
        self.expect("CMP-01", "buffer_count", lambda v: v == 0)

    # buffer-protocol.md
    def handles(self):
        first = {}
        differs = set()
        for index in range(self.f.get("buffer_count", 0)):
            p = "buffer.%d." % index
            size, alignment = self.f.get(p + "byte_size"), self.f.get(p + "alignment")
            device, sync = self.f.get(p + "device_tag"), self.f.get(p + "sync_mode")
            memory = self.f.get(p + "memory_class")
            if alignment is not None:
                if not is_power_of_two(alignment):
                    self.fault("BUF-06", p + "alignment", text="found %d" % alignment)
                elif size and alignment < 64:
                    self.fault("BUF-07", p + "alignment", text="found %d" % alignment)
            for name, clause in (("device_tag", "BUF-19"), ("memory_class", "BUF-20")):
                value = self.f.get(p + name)
                if value is not None and value != first.setdefault(name, value) and \
                        name not in differs:
                    differs.add(name)
                    self.fault(clause, p + name, text="%d beside %d" % (value, first[name]))
            if device is not None:
                if device == 0xFF:
                    self.fault("BUF-16", p + "device_tag")
                elif 0x09 <= device <= 0xEF:
                    self.fault("BUF-17", p + "device_tag", text="found 0x%02x" % device)
                elif is_private(device) and not self.mode.knows("device", device):
                    self.fault("D-022", p + "device_tag", text="found 0x%02x" % device)
            if sync is not None:
                if sync == 0xFF:
                    self.fault("BUF-31", p + "sync_mode")
                elif sync > 2:
                    self.fault("BUF-30", p + "sync_mode", text="found 0x%02x" % sync)
                elif sync and device == 0:
                    self.fault("BUF-32", p + "sync_mode", text="found %d on CPU" % sync)
                if sync and self.mode.network:
                    self.fault("BUF-35", p + "sync_mode", text="found %d" % sync)
            if memory is not None:
                self.memory_class(p + "memory_class", device, memory)
            self.zero("BUF-14", p + "reserved")

    def memory_class(self, key, device, memory):
        if memory == 0xFF:
            self.fault("BUF-23", key)
        elif 0x04 <= memory <= 0xEF:
            self.fault("BUF-22", key, text="found 0x%02x" % memory)
        else:
            if device in CLASSES_OF_DEVICE:
                fits = memory in CLASSES_OF_DEVICE[device]
            elif is_private(device):
                fits = memory == 0 or is_private(memory)
            else:
                return  # the device itself is unknown
            if not fits:
                self.fault("BUF-26", key, text="device 0x%02x, class 0x%02x" % (device, memory))
            elif is_private(memory) and not self.mode.knows("class", memory):
                self.fault("BUF-24", key, text="found 0x%02x" % memory)

    # metadata.md, Buffer Table: how many
    def counts(self):
        count, layout = self.f.get("buffer_count"), self.f["layout_tag"]
        if count is None or layout == HEAD:
            return
        own = layout_buffers(self.d)
        if own is None or own == 1:
            if count == 0:
                self.fault("BUF-01", "buffer_count")
        elif count < own:
            self.fault(COUNT_CLAUSE[layout], "buffer_count", text="%d, want %d" % (count, own))
        if own is None or count <= own:
            return
        clause = COUNT_CLAUSE.get(layout, "BUF-03")
        if not self.f["flags"] & FLAG_QUANTIZATION:
            self.fault(COUNT_CLAUSE.get(layout, "BUF-02"), "buffer_count", kind="W",
                       text="found %d, want %d" % (count, own))
            return
        scheme = scheme_of(self.d)
        if scheme is None:
            return
        keys = self.index_keys()
        indices = {self.f[key] for key in keys}
        if all(own <= index < count for index in indices) and count > own + len(indices):
            self.fault(clause, keys[-1] if keys else "quantization.scheme_tag", kind="W",
                       text="found %d, want %d" % (count, own + len(indices)))

    def index_keys(self):
        """The parameter indices that count, in wire order."""
        keys = []
        if scheme_of(self.d) != 1:
            keys.append("quantization.scale_buffer_index")
            if not is_symmetric(self.d):
                keys.append("quantization.zero_point_buffer_index")
        return keys

    # sizes of the layout's buffers
    def sizes(self):
        d, f, layout = self.d, self.f, self.f["layout_tag"]
        if not d.has_layout or layout == HEAD:
            return
        size = f.get("buffer.0.byte_size")
        if size is not None:
            if d.empty and layout != PAGED:
                if size != 0:
                    self.fault("SHP-08", "buffer.0.byte_size", text="found %d" % size)
            elif layout in DENSE:
                self.dense_size(size)
            else:
                self.values_size(size)
        for index, need in enumerate(array_needs(d), 1):
            key = "buffer.%d.byte_size" % index
            if need is not None and f.get(key, need) < need:
                clause = "BPG-11" if layout == PAGED else SIZE_CLAUSE[layout]
                self.fault(clause, key, text="found %d, want %d" % (f[key], need), size=True)

    def size_place(self):
        """Buffer 0 against the type: a private type's own fields come later in wire order."""
        if not is_private(self.f["type_tag"]):
            return "buffer.0.byte_size"
        return "extension.bit_width" if element_bits(self.d) >= 8 else "extension.packing_factor"

    def geometry_is_sound(self):
        """The layout's fields define positions: tiles that fit each other, no foreign rank."""
        f, layout = self.f, self.f["layout_tag"]
        if layout == TILED:
            return not any(fault.clause in ("TIL-01", "TIL-10") for fault in self.d.faults)
        if layout == HILBERT:
            return f["layout.hilbert_rank"] == f["rank"] and f["layout.hilbert_order"] > 0
        return True

    def dense_size(self, size):
        d, layout, bits = self.d, self.f["layout_tag"], element_bits(self.d)
        if bits is None or not d.static or not self.geometry_is_sound():
            return
        byte_offset = self.f["byte_offset"]
        low, end = span_bytes(*storage_span(d), bits)
        if layout == STRIDED:
            clause = "STR-04"
        elif byte_offset:
            clause = "OFF-05"
        elif layout in SIZE_CLAUSE:
            clause = SIZE_CLAUSE[layout]
        elif is_private(self.f["type_tag"]):
            clause = "EXT-17"
        else:
            clause = "ELT-08" if bits >= 8 else "ELT-10" if bits == 6 else "ELT-09"
        if byte_offset + low < 0:
            self.fault(clause, self.size_place(), text="begins at byte %d" % (byte_offset + low))
        elif byte_offset + end > size:
            self.fault(clause, self.size_place(), size=True,
                       text="found %d, want %d" % (size, byte_offset + end))

    def values_size(self, size):
        bits, count = element_bits(self.d), stored_values(self.d)
        if bits is None or count is None:
            return
        need = packed_bytes(count, bits)
        if size < need:
            self.fault(SIZE_CLAUSE[self.f["layout_tag"]], self.size_place(), size=True,
                       text="found %d, want %d" % (size, need))

    # quantization.md and quantization/*.md
    def quantization(self):
        f, q = self.f, "quantization."
        scheme = f.get(q + "scheme_tag")
        if scheme is None:
            return
        if scheme in (0x00, 0xFF):
            self.fault("QNT-13", q + "scheme_tag", text="found 0x%02x" % scheme)
            return
        if scheme not in SCHEMES:
            if not (is_private(scheme) and self.mode.knows("scheme", scheme)):
                self.fault("QNT-06", q + "scheme_tag", text="found 0x%02x" % scheme)
            return
        version = f.get(q + "scheme_version")
        if version is None:
            return
        if version > 1:  # what the scheme's page says is said of version 1
            self.fault("QNT-08", q + "scheme_version", text="found %d" % version)
            return
        if version == 0:
            self.fault(SCHEME_NAME[scheme] + "-02", q + "scheme_version")
        flags = f.get(q + "flags")
        if flags is not None and flags & (0xFFFE if scheme in (2, 3) else 0xFFFF):
            self.fault("QNT-09", q + "flags", text="found 0x%x" % flags)
        if f["layout_tag"] == HEAD:
            return  # nothing is stored that a scheme could be about: CMP-04 alone (D-247)
        clause, types = STORAGE_TYPES[scheme]
        if f["type_tag"] not in types:
            self.fault(clause, q + "scheme_tag", text="storage type 0x%02x" % f["type_tag"])
        if f["layout_tag"] == PAGED and scheme in (4, 5):
            self.fault("D-144", q + "scheme_tag", text="scheme %d on block-paged" % scheme)
        if scheme == 1:
            self.per_tensor()
        else:
            self.axis(scheme)
            self.indices(scheme)
            self.parameters(scheme)

    def per_tensor(self):
        q = "quantization."
        self.expect("QPT-04", q + "scale", lambda v: v & 0x7FFFFFFF != 0 and
                    v & 0x7F800000 != 0x7F800000)
        if self.f["type_tag"] in AFFINE_TYPES:
            low, high = INTEGER_RANGE[self.f["type_tag"]]
            self.expect("QPT-06", q + "zero_point", lambda v: low <= v <= high)
        self.zero("QPT-07", q + "reserved")

    def axis(self, scheme):
        f, q, name = self.f, "quantization.", SCHEME_NAME[scheme]
        axis, shape = f.get(q + "axis"), self.d.shape
        if axis is None or shape is None:
            return
        paged = f["layout_tag"] == PAGED
        block = f.get(q + "block_size")
        if axis >= len(shape):
            self.fault(name + "-04", q + "axis", text="%d of rank %d" % (axis, len(shape)))
        elif shape[axis] == DYNAMIC:
            self.fault({2: "QPC-13", 3: "QPB-08", 4: "QNF-08", 5: "QMX-07"}[scheme], q + "axis")
        if paged:
            if scheme == 2 and axis == 0:
                self.fault("BPG-15", q + "axis")
            if scheme in (4, 5) and axis == 0:
                self.fault("BPG-16", q + "axis")
            if scheme == 3 and axis != 0:
                self.fault("BPG-14", q + "axis", text="found %d" % axis)
            if scheme == 3 and block is not None and block != f.get("layout.page_size"):
                self.fault("BPG-14", q + "block_size", text="block %d, page %d"
                           % (block, f.get("layout.page_size")))
        if scheme > 2 and block is not None:
            self.block_size(scheme, axis, block)

    def block_size(self, scheme, axis, block):
        shape, key = self.d.shape, "quantization.block_size"
        name = SCHEME_NAME[scheme]
        size = shape[axis] if axis < len(shape) and shape[axis] != DYNAMIC else None
        if not block_is_sound(scheme, block):
            # Only MXFP orders a refusal; of the others a reader cannot live with 0 alone.
            kind = "R" if scheme == 5 else "N" if block == 0 else "W"
            self.fault(name + "-05", key, text="found %d" % block, kind=kind)
        sound = block_is_sound(scheme, block)
        if size is None:
            return
        if scheme == 5:
            if sound and (size == 0 or size % block):
                self.fault("QMX-06", key, text="%d in blocks of %d" % (size, block))
            return
        # Each page states the bound by itself, beside the power of two.
        if size and block > size and not (scheme == 3 and self.f["layout_tag"] == PAGED):
            self.fault(name + "-06", key, text="block %d of size %d" % (block, size))
            return
        if not sound:
            return
        padded, bits = padded_elements(self.d), element_bits(self.d)
        have = self.f.get("buffer.0.byte_size")
        if padded and bits and have is not None:
            start = self.f["byte_offset"]
            if start + packed_bytes(math.prod(shape), bits) <= have < start + packed_bytes(
                    padded, bits):
                self.fault({3: "QPB-17", 4: "QNF-13"}[scheme], key, text="found %d, want %d"
                           % (have, start + packed_bytes(padded, bits)))

    def indices(self, scheme):
        f, q, count = self.f, "quantization.", self.f["buffer_count"]
        own = layout_buffers(self.d)
        beyond = {2: "QPC-11", 3: "QPB-16", 4: "QNF-11", 5: "QMX-10"}[scheme]
        symmetric = is_symmetric(self.d) if f.get(q + "flags") is not None else True
        for name in ("scale", "zero_point"):
            key = q + name + "_buffer_index"
            index = f.get(key)
            if index is None:
                continue
            if name == "zero_point" and symmetric:
                if index != ABSENT:
                    self.fault({2: "QPC-08", 3: "QPB-12"}[scheme], key, text="found %d" % index)
                # Per-channel forbids the data buffer here even so (its page, Referenced Buffers).
                if scheme == 2 and index == 0 and f["layout_tag"] != HEAD:
                    self.fault("QNT-18", key)
                continue
            if index >= count:
                self.fault(beyond, key, text="%d of %d" % (index, count))
            elif index == 0:
                self.fault("QNT-18", key)
            elif own is not None and index < own:
                self.fault("QNT-17", key, text="found %d" % index)
        if scheme == 2:
            self.expect("QPC-05", q + "scale_type_tag", lambda v: v == 3)
            self.zero("QPC-06", q + "reserved")
        if scheme == 3:
            self.expect("QPB-09", q + "scale_type_tag", lambda v: v in SCALE_BYTES)
            self.zero("QPB-10", q + "reserved")

    def parameters(self, scheme):
        """Parameter buffers have exactly their size: too small is a bar, larger breaks the text."""
        d, f, q = self.d, self.f, "quantization."
        if scheme_of(d) is None:
            return
        count, width = parameter_count(d), scale_bytes(d)
        if count is None or any(f[key] >= f["buffer_count"] for key in self.index_keys()):
            return
        paged = f["layout_tag"] == PAGED
        unless = ""  # the sizes presuppose this; a reader that lets it pass still asks for them
        if scheme in (3, 4) and not paged and not block_is_sound(scheme, f[q + "block_size"]):
            unless = {3: "QPB-05", 4: "QNF-05"}[scheme]
        scale_key, zero_key = q + "scale_buffer_index", q + "zero_point_buffer_index"
        scale_clause, zero_clause, scale_place = {
            2: ("QPC-09", "QPC-10", scale_key),
            3: ("QPB-13", "QPB-14", q + "scale_type_tag"),
            4: ("QNF-10", None, scale_key), 5: ("QMX-09", None, scale_key)}[scheme]
        if paged and scheme == 3:
            scale_clause = zero_clause = "BPG-13"
        shared = not is_symmetric(d) and f[scale_key] == f[zero_key]
        if scheme in (3, 4) and not paged and d.shape[f[q + "axis"]] == 0:
            # An empty axis: nothing to hold (and nothing that could be too small).
            for key in self.index_keys():
                size = f.get("buffer.%d.byte_size" % f[key])
                if size and not (shared and key == zero_key):
                    self.fault({3: "QPB-07", 4: "QNF-07"}[scheme], key, text="found %d" % size)
            return
        if width is not None:
            place = zero_key if shared and scheme == 2 else scale_place
            self.exact(scale_clause, f[scale_key], count * (width + 4 if shared else width), place,
                       unless)
        if not is_symmetric(d) and not shared:
            self.exact(zero_clause, f[zero_key], count * 4, zero_key, unless)

    def exact(self, clause, index, need, place, unless):
        own = layout_buffers(self.d)
        if index == 0:
            return  # QNT-18
        if own is not None and index < own:
            unless = "QNT-17"
        size = self.f.get("buffer.%d.byte_size" % index)
        if size is not None and size != need:
            self.fault(clause, place, text="found %d, want %d" % (size, need),
                       kind="N" if size < need else "W", size=size < need, unless=unless)

    # metadata.md, optional sections
    def shard(self):
        shape, parent = self.f.get("shape"), self.f.get("shard.parent_shape", ())
        for k, offset in enumerate(self.f.get("shard.shard_offset", ())):
            if DYNAMIC in (offset, shape[k]):
                continue  # SHP-13 alone; a dynamic parent still bounds the sum (D-185)
            if offset + shape[k] > parent[k]:
                self.fault("SHD-02", "shard.shard_offset", k,
                           "%d + %d in %d" % (offset, shape[k], parent[k]))

    def statistics(self):
        f, s = self.f, "statistics."
        mask = f.get(s + "computed_mask")
        if mask is None:
            return
        if mask >> 6:
            self.fault("STA-04", s + "computed_mask", text="found 0x%x" % mask)
        self.zero("STA-05", s + "reserved")
        nnz, layout_nnz = f.get(s + "nnz"), f.get("layout.nnz")
        if mask & 1 and None not in (nnz, layout_nnz) and nnz != layout_nnz:
            self.fault(NNZ_CLAUSE[f["layout_tag"]], s + "nnz",
                       text="%d beside %d" % (nnz, layout_nnz))
        if mask & 2:
            self.expect("STA-07", s + "sparsity_ratio", lambda v: 0.0 <= float64(v) <= 1.0)
        if mask & 8:
            self.expect("STA-08", s + "value_stddev", lambda v: float64(v) >= 0.0)
        if mask & 16:
            self.expect("STA-09", s + "nm_m", lambda v: f[s + "nm_n"] <= v)
        if mask & 32:
            self.expect("STA-10", s + "has_nan", lambda v: v <= 1)
            self.expect("STA-10", s + "has_inf", lambda v: v <= 1)
        self.zero("STA-06", s + "reserved2")

    def extension(self):
        f, e = self.f, "extension."
        bits = f.get(e + "bit_width")
        if bits is None:
            return
        if bits == 0:
            self.fault("EXT-02", e + "bit_width")
        elif bits < 8 and bits not in (1, 2, 4):
            self.fault("EXT-04", e + "bit_width", text="found %d" % bits)
        elif bits < 8:
            self.expect("EXT-05", e + "packing_factor", lambda v: v == 8 // bits)
        else:
            if bits % 8:
                self.fault("EXT-19", e + "bit_width", text="found %d" % bits)
            self.expect("EXT-03", e + "packing_factor", lambda v: v == 1)
        is_float = f.get(e + "is_float")
        self.expect("EXT-06", e + "is_float", lambda v: v <= 1)
        self.expect("EXT-08", e + "sign_bits", lambda v: v <= (1 if is_float != 0 else 0))
        if is_float == 1:
            self.expect("EXT-07", e + "is_signed", lambda v: v == 0)
            self.expect("EXT-12", e + "has_nan", lambda v: v <= 1)
            self.expect("EXT-13", e + "has_inf", lambda v: v <= 1)
            parts = [f.get(e + name) for name in ("sign_bits", "exponent_bits", "mantissa_bits")]
            if bits and None not in parts and parts[0] <= 1 and sum(parts) > bits:
                self.fault("EXT-20", e + "mantissa_bits", text="%d of %d bits" % (sum(parts), bits))
        elif is_float == 0:
            self.expect("EXT-07", e + "is_signed", lambda v: v <= 1)
            for name, clause in (("exponent_bits", "EXT-09"), ("mantissa_bits", "EXT-10"),
                                 ("exponent_bias", "EXT-11"), ("has_nan", "EXT-12"),
                                 ("has_inf", "EXT-13")):
                self.zero(clause, e + name)
        self.zero("EXT-14", e + "reserved")
        self.zero("EXT-15", e + "reserved2")

    def member(self):
        self.expect("MEM-01", "member.member_role", lambda v: v <= 1)
        self.zero("MEM-02", "member.reserved")

    def left_over(self):
        if "tail" in self.f and self.f["version_minor"] == 0 and not self.f["flags"] >> 5:
            self.fault("HDR-05", "tail", text="%d bytes" % len(self.f["tail"]))


def decode(data, mode=STRICT):
    """A parsed and judged descriptor; ask `answer(d.faults, mode)` for the verdict."""
    d = parse(data)
    Judge(d, mode)
    return d


def encode(keys):
    """Bytes of what a writer may emit, or the fault that forbids it."""
    data = build(keys)
    verdict = answer(decode(data, AUTHOR).faults, AUTHOR)
    return (data, None) if verdict.accepted else (None, verdict.fault)


def encode_again(d):
    return build({key: value for key, value in d.fields.items()})


# --- Composite sets (layouts/composite.md) -------------------------------------------------------

PARTITION, OVERLAY, GROUP = 1, 2, 3


class Member:
    """A tensor bound to a head; `inner` is what it binds in turn."""

    def __init__(self, number, d, box):
        self.number, self.d, self.box, self.inner = number, d, box, None


class Bound:
    """A head whose members are being bound."""

    def __init__(self, number, head):
        self.number, self.head = number, head
        self.rule = head.get("layout.composition_rule")
        self.count = head.get("layout.member_count")
        self.members = []
        self.certain = True  # no tensor before may have members of its own that we cannot see


class Composite:
    """Judges a head and the tensors behind it, which it binds in pre-order."""

    def __init__(self, parts, mode):
        self.mode = mode
        self.faults = []
        self.bound = 0
        self.root = None
        open_heads = []
        while self.bound < len(parts):
            if self.bound and not open_heads:
                break  # tensors behind the last bound member belong to nobody
            number = self.bound
            d = decode(parts[number], mode)
            self.faults += [f._replace(part=number) for f in d.faults]
            self.bound += 1
            if open_heads:
                frame = open_heads[-1]
                box = self.member(frame, number, d) if frame.certain else None
                frame.members.append(Member(number, d, box))
            if d.get("layout_tag", HEAD) == HEAD:
                if d.get("layout_tag") == HEAD and len(open_heads) == MAX_HEADS:
                    self.fault("CMP-28", number, 15)
                if d.get("layout.member_count") in (None, 0xFFFFFFFF):
                    # How many of the next tensors are its own cannot be known. Counting none gives
                    # the heads around it the most, so that one still short of members is torn.
                    for frame in open_heads:
                        frame.certain = False
                else:
                    frame = Bound(number, d)
                    if open_heads:
                        open_heads[-1].members[-1].inner = frame
                    else:
                        self.root = frame
                    open_heads.append(frame)
                    self.opened(frame)
            while open_heads and len(open_heads[-1].members) == open_heads[-1].count:
                self.close(open_heads.pop())
        for frame in open_heads:
            if len(frame.members) < frame.count:
                self.fault("CMP-29", frame.number, frame.head.where("layout.member_count"),
                           "%d of %d members" % (len(frame.members), frame.count))

    def fault(self, clause, number, offset, text=""):
        self.faults.append(make_fault(clause, offset, text, part=number))

    def opened(self, frame):
        """The boxes of a partition or overlay are measured against a known shape."""
        if DYNAMIC not in frame.head.shape:
            return
        if frame.rule == OVERLAY:
            k = frame.head.shape.index(DYNAMIC)
            self.fault("D-037", frame.number, frame.head.where("shape", k))
        elif frame.rule == PARTITION:
            self.fault("CMP-26", frame.number, 20, "dynamic shape")

    def member(self, frame, number, d):
        """Per-member checks; returns the member's box when it is sound."""
        flags = d.get("flags")
        if flags is None:
            return None
        if frame.rule in (PARTITION, GROUP) and flags & FLAG_MEMBER:
            self.fault("CMP-24", number, 10)
        if frame.rule not in (PARTITION, OVERLAY):
            return None
        if d.get("type_tag") is not None:
            self.decoded_type(frame, number, d)
        box = self.box(frame, number, d)
        if frame.rule == OVERLAY:
            self.role(frame, number, d, box)
        return box

    def decoded_type(self, frame, number, d):
        want, have = frame.head.get("type_tag"), d.get("type_tag")
        if d.get("flags") & FLAG_QUANTIZATION:
            if want not in REAL_FLOATS:
                self.fault("CMP-18", number, 14, "quantized member of type 0x%02x" % want)
        elif have != want:
            self.fault("CMP-18", number, 14, "0x%02x in 0x%02x" % (have, want))

    def box(self, frame, number, d):
        if not d.get("flags") & FLAG_SHARD:
            self.fault("CMP-15", number, 10)
            return None
        shape = frame.head.shape
        if d.get("rank") is None:
            return None
        if d.get("rank") != len(shape):
            self.fault("CMP-16", number, 16, "rank %d in %d" % (d.get("rank"), len(shape)))
            return None
        parent = d.get("shard.parent_shape") or []
        for k, n in enumerate(parent):
            if n != shape[k]:
                self.fault("CMP-16", number, d.where("shard.parent_shape", k),
                           "%d, want %d" % (n, shape[k]))
                return None
        offset = d.get("shard.shard_offset")
        if offset is None or d.shape is None or len(offset) < len(shape):
            return None
        if any(o + n > whole for o, n, whole in zip(offset, d.shape, shape)):
            return None  # SHD-02
        return [(o, o + n) for o, n in zip(offset, d.shape)]

    def role(self, frame, number, d, box):
        if not d.get("flags") & FLAG_MEMBER:
            self.fault("CMP-20", number, 10)
            return
        role = d.get("member.member_role")
        if role not in (0, 1):
            return  # cut off, or MEM-01
        first = not frame.members
        if first and role != 1:
            self.fault("CMP-21", number, d.where("member.member_role"))
        elif not first and role != 0:
            self.fault("CMP-23", number, d.where("member.member_role"))
        elif first and d.get("rank") == len(frame.head.shape) and \
                d.get("shard.parent_shape") == frame.head.shape:
            wrong = [d.where("shape", k) for k, n in enumerate(d.shape)
                     if n != frame.head.shape[k]]
            wrong += [d.where("shard.shard_offset", k)
                      for k, o in enumerate(d.get("shard.shard_offset")) if o]
            if wrong:
                self.fault("CMP-22", number, wrong[0])

    def close(self, frame):
        """At the last member of a partition: exact cover, no overlap."""
        if frame.rule != PARTITION or DYNAMIC in frame.head.shape or not frame.certain:
            return
        boxes = [member.box for member in frame.members]
        if None in boxes:
            return
        later = first_overlap(boxes)
        if later is not None:
            member, rank = frame.members[later], len(frame.head.shape)
            self.fault("CMP-27", member.number,
                       member.d.where("shard.shard_offset", rank - 1) if rank else 16)
        whole = [(0, n) for n in frame.head.shape]
        gap = volume(whole) > sum(map(volume, boxes)) or \
            (later is not None and not covered(whole, boxes))
        if gap:
            self.fault("CMP-26", frame.number, 20)


def volume(box):
    return math.prod(high - low for low, high in box)


def overlap(a, b):
    """The formula of the text, taken literally: an empty box inside another overlaps it (D-193)."""
    return all(a_low < b_high and b_low < a_high for (a_low, a_high), (b_low, b_high) in zip(a, b))


def first_overlap(boxes):
    """The smallest number of a box that overlaps an earlier one."""
    if not boxes:
        return None
    rank = len(boxes[0])
    if rank == 0:
        return 1 if len(boxes) > 1 else None
    # Sweep along the axis with the most distinct starts; boxes that ended meet nothing any more.
    axis = max(range(rank), key=lambda k: len({box[k][0] for box in boxes}))
    best, live = None, []
    for number in sorted(range(len(boxes)), key=lambda n: boxes[n][axis]):
        live = [n for n in live if boxes[n][axis][1] > boxes[number][axis][0]]
        for other in live:
            later = max(number, other)
            if (best is None or later < best) and overlap(boxes[number], boxes[other]):
                best = later
        live.append(number)
    return best


def covered(whole, boxes):
    """Whether the boxes, overlapping as they may, leave no index of the whole uncovered."""
    if volume(whole) == 0:
        return True
    open_parts = [whole]
    for box in boxes:
        rest = []
        for part in open_parts:
            cut = [(max(a, c), min(b, d)) for (a, b), (c, d) in zip(part, box)]
            if any(low >= high for low, high in cut):
                rest.append(part)
                continue
            part = list(part)
            for k, (low, high) in enumerate(cut):
                if part[k][0] < low:
                    rest.append(part[:k] + [(part[k][0], low)] + part[k + 1:])
                if high < part[k][1]:
                    rest.append(part[:k] + [(high, part[k][1])] + part[k + 1:])
                part[k] = (low, high)
        open_parts = rest
    return not open_parts


def composite(parts, mode=STRICT):
    verdict = answer(Composite(parts, mode).faults, mode)
    if verdict.accepted and parse(parts[0]).get("layout_tag") != HEAD:
        raise Refusal("head")
    return verdict


# --- Questions about positions -------------------------------------------------------------------

class Refusal(Exception):
    """A typed refusal of a question: `ID error KIND`."""


class Rejected(Exception):
    """The descriptor itself is refused in every mode."""

    def __init__(self, fault):
        super().__init__(fault.clause)
        self.fault = fault


def admit(data, sizing=False):
    """A descriptor for questions without a mode: taken when any mode would take it."""
    d = decode(data, ANY)
    verdict = answer([f for f in d.faults if not (sizing and f.size)], ANY)
    if not verdict.accepted:
        raise Rejected(verdict.fault)
    return d


def sizes(data):
    """The least bytes of every buffer of the table."""
    d = admit(data, sizing=True)
    layout = d.get("layout_tag")
    if layout not in LAYOUT_FIELDS:
        raise Refusal("opaque")
    if layout == HEAD:
        return []
    bits = element_bits(d)
    if bits is None:
        raise Refusal("opaque")
    needs = [None] * d.get("buffer_count")
    if layout in DENSE:
        if d.empty:
            needs[0] = 0
        elif d.static:
            needs[0] = d.get("byte_offset") + span_bytes(*storage_span(d), bits)[1]
    else:
        count = stored_values(d)
        needs[0] = None if count is None else packed_bytes(count, bits)
    arrays = array_needs(d)
    needs[1:1 + len(arrays)] = arrays
    needs[1 + len(arrays):] = [0] * len(needs[1 + len(arrays):])
    for index, need in parameter_needs(d).items():  # where a mode lets them share, also a layout's own
        if index < len(needs) and needs[index] is not None:
            needs[index] = None if need is None else max(needs[index], need)
    if None in needs:
        raise Refusal("dynamic")
    if max(needs) > MAX_U64:
        raise Refusal("overflow")
    return needs


def check_index(d, index):
    if len(index) != len(d.shape):
        raise Refusal("range")
    if DYNAMIC in d.shape:
        raise Refusal("dynamic")
    if any(not 0 <= i < n for i, n in zip(index, d.shape)):
        raise Refusal("range")


def address(data, index):
    """Buffer, byte and bit of an element of a dense tensor."""
    d = admit(data)
    layout = d.get("layout_tag")
    if layout == HEAD:
        raise Refusal("virtual")
    if layout in SPARSE or layout == PAGED:
        raise Refusal("sparse")
    bits = element_bits(d)
    if layout not in LAYOUT_FIELDS or bits is None:
        raise Refusal("opaque")
    check_index(d, index)
    byte, bit = element_place(element_offset(d, index), bits)
    return 0, d.get("byte_offset") + byte, bit


def fit_buffers(d, buffers):
    """The bytes that the table's entries name; what lies behind them is nobody's."""
    sizes_of_table = [d.get("buffer.%d.byte_size" % k) for k in range(d.get("buffer_count") or 0)]
    if len(buffers) != len(sizes_of_table) or \
            any(len(buffer) < size for buffer, size in zip(buffers, sizes_of_table)):
        raise Refusal("buffers")
    return [buffer[:size] for buffer, size in zip(buffers, sizes_of_table)]


def check_contents(d, buffers):
    """Nothing is read where indices or parameters break their clauses (D-246)."""
    if any(f.clause not in ELEMENT_CLAUSES for f in Contents(d, buffers).faults):
        raise Refusal("contents")


def integers(buffer, width, count):
    """The first `count` unsigned integers of a buffer, fewer where it ends before."""
    count = min(count, len(buffer) // width)
    return struct.unpack_from("<%d%s" % (count, {4: "I", 8: "Q"}[width]), buffer)


def is_interpretable(d):
    """Elements mean something to us: public type and layout, known scheme, sound structure."""
    if d.get("type_tag") not in TYPE_BITS or d.get("layout_tag") not in LAYOUT_FIELDS:
        return False
    if any(f.clause in WAIVED_SIZED for f in d.faults):
        return False
    return not d.get("flags") & FLAG_QUANTIZATION or scheme_of(d) is not None


def raw_element(buffer, start, offset, bits):
    """The element at an offset of a buffer as an unsigned integer."""
    byte, bit = element_place(offset, bits)
    first = start + byte
    end = first + (bit + bits + 7) // 8
    if first < 0 or end > len(buffer):
        raise Refusal("contents")
    return int.from_bytes(buffer[first:end], "little") >> bit & ((1 << bits) - 1)


def stored_position(d, buffers, index):
    """Where in `values` a sparse layout stores a cell, or None."""
    layout, nnz = d.get("layout_tag"), d.get("layout.nnz")
    if layout == COO:
        rank = len(d.shape)
        entries = integers(buffers[1], 8, nnz * rank)
        for i in range(nnz):
            if list(entries[i * rank:(i + 1) * rank]) == list(index):
                return i
        return None
    if layout in (CSR, CSC):
        major, minor = index if layout == CSR else reversed(index)
        steps = [(major, minor, buffers[2], buffers[1])]
    else:
        steps = [(None, index[dimension], buffers[2 * level + 1], buffers[2 * level + 2])
                 for level, dimension in enumerate(d.get("layout.mode_order"))]
    position = 0
    for major, wanted, pointer_buffer, index_buffer in steps:
        parent = position if major is None else major
        pointers = integers(pointer_buffer[8 * parent:8 * parent + 16], 8, 2)
        if len(pointers) < 2:
            raise Refusal("contents")
        begin, end = pointers
        if begin > end or end > len(index_buffer) // 8:
            raise Refusal("contents")
        children = integers(index_buffer[8 * begin:8 * end], 8, end - begin)
        if wanted not in children:
            return None
        position = begin + children.index(wanted)
    if position >= nnz:
        raise Refusal("contents")
    return position


def page_slot(d, buffers, sequence, token):
    """Physical page times page size plus slot, for a token of a sequence."""
    width, page_size = index_bytes(d), d.get("layout.page_size")
    pointers = integers(buffers[2][width * sequence:width * (sequence + 2)], width, 2)
    if len(pointers) < 2 or pointers[0] > pointers[1]:
        raise Refusal("contents")
    logical = pointers[0] + token // page_size
    if logical >= pointers[1]:
        raise Refusal("range")
    page = integers(buffers[1][width * logical:width * (logical + 1)], width, 1)
    if not page or page[0] >= d.get("layout.num_pages"):
        raise Refusal("contents")
    return page[0] * page_size + token % page_size


def stored_element(d, buffers, index):
    """The element at a logical index as an unsigned integer, or None where none is stored."""
    if not is_interpretable(d):
        raise Refusal("opaque")
    bits = element_bits(d)
    if d.get("layout_tag") in SPARSE:
        position = stored_position(d, buffers, index)
        return None if position is None else raw_element(buffers[0], 0, position, bits)
    return raw_element(buffers[0], d.get("byte_offset"), element_offset(d, index), bits)


def element_bytes(raw, bits):
    return None if raw is None else raw.to_bytes(max(1, bits // 8), "little")


def lookup(data, buffers, index):
    """The stored bytes of an element, or None for a cell that a sparse layout does not store."""
    d = admit(data)
    layout = d.get("layout_tag")
    if layout == HEAD:
        raise Refusal("virtual")
    if not is_interpretable(d):
        raise Refusal("opaque")
    if layout != PAGED:
        check_index(d, index)
        buffers = fit_buffers(d, buffers)
        check_contents(d, buffers)
        return element_bytes(stored_element(d, buffers, index), element_bits(d))
    if len(index) != 4:
        raise Refusal("range")
    if DYNAMIC in d.shape:
        raise Refusal("dynamic")
    buffers = fit_buffers(d, buffers)
    check_contents(d, buffers)
    sequence, token, head, dimension = index
    if not (0 <= sequence < d.get("layout.num_seqs") and 0 <= token < d.shape[0] and
            0 <= head < d.shape[1] and 0 <= dimension < d.shape[2]):
        raise Refusal("range")  # no sequence has more tokens than all together
    slot = page_slot(d, buffers, sequence, token)
    offset = (slot * d.shape[1] + head) * d.shape[2] + dimension
    return element_bytes(raw_element(buffers[0], 0, offset, element_bits(d)), element_bits(d))


class View:
    """Reads through a composite: a partition picks a member, an overlay applies corrections."""

    def __init__(self, parts, buffers):
        judged = Composite(parts, ANY)
        verdict = answer(judged.faults, ANY)
        if not verdict.accepted:
            raise Rejected(verdict.fault)
        self.root = judged.root
        if self.root is None:
            raise Refusal("head")
        if any(f.clause in WAIVED_SIZED for f in judged.faults):
            raise Refusal("opaque")
        self.all_buffers, self.buffers, self.used = buffers, {}, 0
        self.share_out(self.root)

    def share_out(self, frame):
        """The buffers of a set are those of its members, one after the other."""
        for member in frame.members:
            if member.inner:
                self.share_out(member.inner)
            else:
                count = member.d.get("buffer_count") or 0
                own = self.all_buffers[self.used:self.used + count]
                self.buffers[member.number] = member.d, own
                self.used += count

    def read(self, index):
        check_index(self.root.head, index)
        if self.used != len(self.all_buffers):
            raise Refusal("buffers")
        self.buffers = {number: (d, fit_buffers(d, own))
                        for number, (d, own) in self.buffers.items()}
        for d, own in self.buffers.values():
            check_contents(d, own)
        raw = self.value(self.root, index)
        return element_bytes(raw, element_bits(self.root.head))

    def value(self, frame, index):
        tag = frame.head.get("type_tag")
        if frame.rule not in (PARTITION, OVERLAY):
            raise Refusal("virtual")
        if tag not in TYPE_BITS:
            raise Refusal("opaque")
        if any(member.box is None for member in frame.members):
            raise Refusal("opaque")
        found = None
        for member in frame.members:
            if not all(low <= i < high for i, (low, high) in zip(index, member.box)):
                continue
            local = [i - low for i, (low, _) in zip(index, member.box)]
            raw = self.value(member.inner, local) if member.inner else self.leaf(member, local, tag)
            if raw is None:
                continue  # also under replace: a sparse correction covers what it stores (D-194)
            later = member is not frame.members[0] and frame.rule == OVERLAY
            if later and frame.head.get("layout.combine_op") == 2:
                raw = add(tag, found or 0, raw)
            found = raw
        return found

    def leaf(self, member, index, tag):
        d, buffers = self.buffers[member.number]
        raw = stored_element(d, buffers, index)
        if raw is None or not d.get("flags") & FLAG_QUANTIZATION:
            return raw
        return encode_float(tag, float32(Dequantiser(d, buffers)(raw, index)))


def lookup_through(parts, buffers, index):
    return View(parts, buffers).read(index)


# --- Contents of buffers -------------------------------------------------------------------------

# About padding and the values of elements: no bar to finding an element.
ELEMENT_CLAUSES = ("CON-05", "CON-07", "CON-09", "CON-12", "CON-15", "CON-16", "CON-57")
PADDING_CLAUSE = {0x20: "CON-05", 0x43: "CON-09", 0x44: "CON-12", 0x45: "CON-12", 0x48: "CON-15",
                  0x49: "CON-15", 0x4A: "CON-16", 0x4B: "CON-16"}


def token_counts(d, buffers):
    """The tokens that every sequence has at least, however the total is split (D-140).

    They add up to the total where pages and total leave one answer only."""
    width, page_size = index_bytes(d), d.get("layout.page_size")
    pointers = integers(buffers[2], width, d.get("layout.num_seqs") + 1)
    room = [(b - a) * page_size for a, b in zip(pointers, pointers[1:])]
    if any(n < 0 for n in room) or d.shape[0] > sum(room):
        return []
    return [max(0, d.shape[0] - (sum(room) - n)) for n in room]


class Contents:
    """Finds every fault of the bytes behind a descriptor that was accepted."""

    def __init__(self, d, buffers):
        self.d, self.buffers = d, buffers
        self.faults = []
        layout = d.get("layout_tag")
        if layout not in LAYOUT_FIELDS or layout == HEAD:
            return
        method = {COO: self.coo, CSR: self.compressed, CSC: self.compressed, CSF: self.csf,
                  PAGED: self.paged}.get(layout)
        if method:
            method()
        self.padding()
        self.reserved_patterns()
        self.parameters()

    def fault(self, clause, buffer, offset, text=""):
        self.faults.append(make_fault(clause, offset, text, part=buffer))

    # layouts/coo.md, Validity Constraints
    def coo(self):
        nnz, shape = self.d.get("layout.nnz"), self.d.shape
        rank = len(shape)
        entries = integers(self.buffers[1], 8, nnz * rank)
        seen, last = set(), None
        for i in range(nnz if rank else min(nnz, 2)):
            entry = entries[i * rank:(i + 1) * rank]
            end = 8 * ((i + 1) * rank - 1) if rank else 0
            for k, coordinate in enumerate(entry):
                if shape[k] != DYNAMIC and coordinate >= shape[k]:
                    self.fault("CON-21", 1, 8 * (i * rank + k), "%d of %d" % (coordinate, shape[k]))
            if entry in seen:
                self.fault("CON-22", 1, end)
            # A tie is a duplicate, which (2) forbids whatever the order.
            if self.d.get("layout.is_sorted") == 1 and last is not None and entry < last:
                deciding = next(k for k in range(rank) if entry[k] != last[k])
                self.fault("CON-23", 1, 8 * (i * rank + deciding))
            seen.add(entry)
            last = entry

    # layouts/csr.md and csc.md, Storage Invariants
    def compressed(self):
        csr = self.d.get("layout_tag") == CSR
        ends, order, sorted_clause, bound_clause = (
            ("CON-26", "CON-27", "CON-28", "CON-29") if csr else
            ("CON-31", "CON-32", "CON-33", "CON-34"))
        major, minor = self.d.shape if csr else reversed(self.d.shape)
        nnz = self.d.get("layout.nnz")
        inner = integers(self.buffers[1], 8, nnz)
        if minor != DYNAMIC:
            for j, index in enumerate(inner):
                if index >= minor:
                    self.fault(bound_clause, 1, 8 * j, "%d of %d" % (index, minor))
        if major == DYNAMIC:
            return
        pointers = integers(self.buffers[2], 8, major + 1)
        sound = True
        if pointers[0] != 0:
            self.fault(ends, 2, 0, "found %d" % pointers[0])
            sound = False
        if pointers[-1] != nnz:
            self.fault(ends, 2, 8 * major, "found %d, want %d" % (pointers[-1], nnz))
            sound = False
        for i in range(major):
            if pointers[i] > pointers[i + 1]:
                self.fault(order, 2, 8 * (i + 1), "%d after %d" % (pointers[i + 1], pointers[i]))
                sound = False
        if sound:
            for begin, end in zip(pointers, pointers[1:]):
                for j in range(begin + 1, end):
                    if inner[j] <= inner[j - 1]:
                        self.fault(sorted_clause, 1, 8 * j,
                                   "%d after %d" % (inner[j], inner[j - 1]))

    # layouts/csf.md, Storage Invariants
    def csf(self):
        d, rank, nnz = self.d, self.d.get("rank"), self.d.get("layout.nnz")
        if nnz == 0:
            self.empty_csf()
            return
        mode_order = d.get("layout.mode_order")
        honest = sorted(mode_order) == list(range(rank))  # CSF-03
        parents, sound, levels = 1, True, []
        for level in range(rank):
            number = 2 * level + 1
            pointers = integers(self.buffers[number], 8, parents + 1)
            if len(pointers) <= parents:
                self.fault("CSF-07", number, 8 * len(pointers), "%d pointers, want %d"
                           % (len(pointers), parents + 1))
                return
            if pointers[0] != 0:
                self.fault("CON-36", number, 0, "found %d" % pointers[0])
                sound = False
            for k in range(parents):
                if pointers[k] > pointers[k + 1]:
                    self.fault("CON-37", number, 8 * (k + 1))
                    sound = False
            nodes = pointers[-1]
            if level == rank - 1 and nodes != nnz:
                self.fault("CON-38", number, 8 * parents, "found %d, want %d" % (nodes, nnz))
                sound, nodes = False, nnz
            coordinates = integers(self.buffers[number + 1], 8, nodes)
            if len(coordinates) < nodes:
                self.fault("CON-38", number, 8 * parents,
                           "%d of %d nodes" % (nodes, len(coordinates)))
                return
            if honest and d.shape[mode_order[level]] != DYNAMIC:
                bound = d.shape[mode_order[level]]
                for i, coordinate in enumerate(coordinates):
                    if coordinate >= bound:
                        self.fault("CON-41", number + 1, 8 * i, "%d of %d" % (coordinate, bound))
            levels.append((number + 1, pointers, coordinates))
            parents = nodes
        if sound:
            for number, pointers, coordinates in levels:
                for begin, end in zip(pointers, pointers[1:]):
                    for i in range(begin + 1, end):
                        if coordinates[i] <= coordinates[i - 1]:
                            self.fault("CON-40", number, 8 * i)

    def empty_csf(self):
        """Without entries: pos_0 is 0,0 and every other pos a single 0, in whatever room they have
        (D-071); the other arrays have no element. This replaces the general rules (D-137)."""
        top = integers(self.buffers[1], 8, 2)
        for k in (0, 1):
            if top[k] != 0:
                self.fault("CON-42", 1, 8 * k, "found %d" % top[k])
        for level in range(1, self.d.get("rank")):
            pointer, = integers(self.buffers[2 * level + 1], 8, 1)
            if pointer != 0:
                self.fault("CON-43", 2 * level + 1, 0, "found %d" % pointer)

    # layouts/block-paged.md, Storage Invariants
    def paged(self):
        d, width = self.d, index_bytes(self.d)
        seqs = d.get("layout.num_seqs")
        pointers = integers(self.buffers[2], width, seqs + 1)
        if pointers[0] != 0:
            self.fault("CON-45", 2, 0, "found %d" % pointers[0])
        for s in range(seqs):
            if pointers[s] > pointers[s + 1]:
                self.fault("CON-46", 2, width * (s + 1))
        pages = pointers[-1]
        table = integers(self.buffers[1], width, pages)
        if len(table) < pages:
            self.fault("BPG-21", 2, width * seqs, "%d entries, want %d" % (len(table), pages))
        elif pointers[0] == 0:
            for k, page in enumerate(table):
                if page >= d.get("layout.num_pages"):
                    self.fault("CON-47", 1, width * k,
                               "%d of %d" % (page, d.get("layout.num_pages")))
        total = d.shape[0]
        if pointers[0] == 0 and total != DYNAMIC and total > pages * d.get("layout.page_size"):
            self.fault("BPG-22", 2, width * seqs, "%d tokens in %d pages" % (total, pages))

    def storage_elements(self):
        """Elements of buffer 0 up to the last one that is stored; None where holes are free."""
        d, layout = self.d, self.d.get("layout_tag")
        if d.empty and layout != PAGED:
            return 0
        if layout in SPARSE or layout == PAGED:
            return stored_values(d)
        if layout == STRIDED or not d.static:
            return None
        bits, padded = element_bits(d), padded_elements(d)
        if padded and d.get("byte_offset") + packed_bytes(padded, bits) <= len(self.buffers[0]):
            return padded
        return storage_span(d)[1] + 1

    # element-types.md, packing
    def padding(self):
        d, clause = self.d, PADDING_CLAUSE.get(self.d.get("type_tag"))
        bits = element_bits(d)
        if bits is None:
            return
        start = d.get("byte_offset") if d.get("layout_tag") in DENSE else 0
        count = self.storage_elements() if clause else None
        if count:
            per_group, group = (4, 3) if bits == 6 else (8 // bits, 1)
            used = count % per_group * bits
            if used:
                first = start + count // per_group * group
                value = int.from_bytes(self.buffers[0][first:first + group], "little") >> used
                if value:
                    lowest = used + (value & -value).bit_length() - 1
                    self.fault(clause, 0, first + lowest // 8)
        padded = padded_elements(d)
        if padded:  # quantization.md, Partial Block Policy
            for offset in range(math.prod(d.shape), padded):
                byte, _ = element_place(offset, bits)
                if start + span_bytes(offset, offset, bits)[1] > len(self.buffers[0]):
                    break
                if raw_element(self.buffers[0], start, offset, bits):
                    self.fault("CON-57", 0, start + byte)
                    break

    # element-types.md, float8_e8m0: 00 and FF are no data
    def reserved_patterns(self):
        if self.d.get("type_tag") == 0x42:
            places = self.addressable()
            bad = [place for place in places
                   if place < len(self.buffers[0]) and self.buffers[0][place] in (0x00, 0xFF)]
            if bad:
                self.fault("CON-07", 0, min(bad), "found %02x" % self.buffers[0][min(bad)])

    def addressable(self):
        """Bytes of buffer 0 that hold elements, of a one-byte type."""
        d, layout = self.d, self.d.get("layout_tag")
        if layout == PAGED:
            return self.addressable_tokens()
        if layout in SPARSE:
            return range(d.get("layout.nnz"))
        if not d.static or d.empty:
            return ()
        start = d.get("byte_offset")
        if layout in (ROW, COLUMN, HILBERT):
            return range(start, start + math.prod(d.shape))
        if layout == MORTON:
            axes = [{morton_code([i if j == k else 0 for j in range(len(d.shape))],
                                 d.get("layout.morton_bits"))
                     for i in range(min(n, len(self.buffers[0])))} for k, n in enumerate(d.shape)]
        else:
            affine = Affine(d)
            axes = [affine.axis_offsets(k, n) for k, n in enumerate(d.shape)]
        return sums(axes, start)

    def addressable_tokens(self):
        broken = {"CON-45", "CON-46", "CON-47", "BPG-21", "BPG-22"}
        if DYNAMIC in self.d.shape or any(f.clause in broken for f in self.faults):
            return ()
        counts = token_counts(self.d, self.buffers)
        row = self.d.shape[1] * self.d.shape[2]
        places = set()
        for sequence, count in enumerate(counts):
            for token in range(count):
                slot = page_slot(self.d, self.buffers, sequence, token)
                places.update(range(slot * row, (slot + 1) * row))
        return places

    # quantization/*.md: scales and zero points
    def parameters(self):
        d, scheme, q = self.d, scheme_of(self.d), "quantization."
        if scheme in (None, 1):
            return
        scale_index = d.get(q + "scale_buffer_index")
        if not 0 < scale_index < len(self.buffers):
            return
        scales = self.buffers[scale_index]
        if scheme == 5:
            for offset, byte in enumerate(scales):
                if byte in (0x00, 0xFF):
                    self.fault("CON-62", scale_index, offset, "found %02x" % byte)
            return
        width, count = scale_bytes(d), parameter_count(d)
        if count is None:
            count = len(scales) // width
        clause = {2: "CON-52", 3: "CON-54", 4: "CON-60"}[scheme]
        for n in range(min(count, len(scales) // width)):
            scale = scale_value(d, scales, n)
            good = scale >= 0 if scheme == 4 else scale != 0
            if not (good and math.isfinite(scale)):
                self.fault(clause, scale_index, width * n, "found %r" % scale)
        if scheme == 2 and not is_symmetric(d) and d.get("type_tag") in INTEGER_RANGE:
            zero_index = d.get(q + "zero_point_buffer_index")
            low, high = INTEGER_RANGE[d.get("type_tag")]
            start = width * count if zero_index == scale_index else 0
            for n in range(count):
                value = zero_point_value(self.buffers, zero_index, start, n)
                if value is not None and not low <= value <= high:
                    self.fault("CON-53", zero_index, start + 4 * n, "found %d" % value)


def sums(axes, start):
    """All sums of one number from each set: positions whose offsets add up axis by axis.

    Kept as one integer with a bit a position, so that overlapping positions cost nothing."""
    axes = sorted(axes, key=len, reverse=True) or [{0}]
    base = start + sum(map(min, axes))
    low = min(axes[0])
    bits = bytearray((max(axes[0]) - low) // 8 + 1)
    for offset in axes[0]:
        bits[(offset - low) // 8] |= 1 << (offset - low) % 8
    positions = int.from_bytes(bits, "little")
    for axis in axes[1:]:
        low, spread = min(axis), 0
        for offset in axis:
            spread |= positions << (offset - low)
        positions = spread
    return [base + i for i, bit in enumerate(reversed(bin(positions)[2:])) if bit == "1"]


def contents(data, buffers, mode=STRICT):
    """The verdict on descriptor and buffers, and whether its fault lies in a buffer."""
    d = decode(data, mode)
    verdict = answer(d.faults, mode)
    if not verdict.accepted:
        return verdict, False
    return answer(Contents(d, fit_buffers(d, buffers)).faults, mode), True


# --- Element values (element-types.md, quantization/*.md) ----------------------------------------

NF4 = (-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635,
       -0.18477343022823334, -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725,
       0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941,
       0.7229568362236023, 1.0)
SMALL_FLOATS = {0x40: (4, 3, 7), 0x43: (2, 1, 1), 0x44: (2, 3, 1), 0x45: (3, 2, 3)}
MAX_VALUES = (4 << 20) // 11 - 16  # as many float32 values as a reply may carry


def small_float(raw, exponent_bits, mantissa_bits, bias):
    sign = -1.0 if raw >> (exponent_bits + mantissa_bits) & 1 else 1.0
    exponent = raw >> mantissa_bits & ((1 << exponent_bits) - 1)
    mantissa = raw & ((1 << mantissa_bits) - 1)
    if exponent == 0:
        return sign * math.ldexp(mantissa, 1 - bias - mantissa_bits)
    return sign * math.ldexp(mantissa | 1 << mantissa_bits, exponent - bias - mantissa_bits)


FLOAT_FIELDS = {0x01: (5, 10), 0x02: (8, 7), 0x03: (8, 23), 0x04: (11, 52)}  # exponent, mantissa


def round_ratio(sign, mantissa, exponent, fields):
    """Bits of mantissa * 2**exponent, to nearest, ties to even; exact integers throughout."""
    exponent_bits, mantissa_bits = fields
    bias = (1 << exponent_bits - 1) - 1
    sign <<= exponent_bits + mantissa_bits
    if mantissa == 0:
        return sign
    lowest = 1 - bias - mantissa_bits  # the exponent of the last bit of a subnormal
    drop = max(mantissa.bit_length() - mantissa_bits - 1, lowest - exponent)
    exponent += drop
    if drop > 0:
        half, rest = 1 << (drop - 1), mantissa & ((1 << drop) - 1)
        mantissa >>= drop
        if rest > half or (rest == half and mantissa & 1):
            mantissa += 1
    else:
        mantissa <<= -drop
    # A carry out of the mantissa raises the exponent field by itself; so does the first normal.
    rounded = (exponent - lowest << mantissa_bits) + mantissa
    return sign | min(rounded, ((1 << exponent_bits) - 1) << mantissa_bits)


def encode_float(tag, value):
    """Bits of the nearest value of a float type, from a float or an integer."""
    if tag not in FLOAT_FIELDS:
        raise Refusal("opaque")
    exponent_bits, mantissa_bits = FLOAT_FIELDS[tag]
    if isinstance(value, int):
        return round_ratio(value < 0, abs(value), 0, FLOAT_FIELDS[tag])
    if math.isnan(value):
        return (1 << exponent_bits + 1) - 1 << mantissa_bits - 1
    sign = math.copysign(1.0, value) < 0
    if math.isinf(value):
        return sign << exponent_bits + mantissa_bits | (1 << exponent_bits) - 1 << mantissa_bits
    mantissa, power = abs(value).as_integer_ratio()
    return round_ratio(sign, mantissa, 1 - power.bit_length(), FLOAT_FIELDS[tag])


def round_float32(value):
    return encode_float(0x03, value)


def add(tag, a, b):
    """The sum of two elements in their own type: floats rounded, integers modulo their width."""
    if tag in INTEGER_RANGE and tag != 0x20:
        return (a + b) % (1 << TYPE_BITS[tag])
    # A double holds the sum of two narrower floats well enough for one rounding (53 >= 2 * 24 + 2).
    return encode_float(tag, element_value(tag, a) + element_value(tag, b))


def element_value(tag, raw):
    """The number that the bits of a storage type or of a scale stand for, exactly."""
    if tag in INTEGER_RANGE:
        low, _ = INTEGER_RANGE[tag]
        return raw - (1 << TYPE_BITS[tag]) if low < 0 and raw >> (TYPE_BITS[tag] - 1) else raw
    if tag == 0x01:
        return struct.unpack("<e", struct.pack("<H", raw))[0]
    if tag == 0x02:
        return float32(raw << 16)
    if tag == 0x03:
        return float32(raw)
    if tag == 0x04:
        return float64(raw)
    if tag == 0x40 and raw & 0x7F == 0x7F:
        return math.nan
    if tag == 0x41:  # the upper byte of a float16
        return struct.unpack("<e", struct.pack("<H", raw << 8))[0]
    if tag == 0x42:
        return math.nan if raw in (0x00, 0xFF) else math.ldexp(1.0, raw - 127)
    if tag not in SMALL_FLOATS:
        raise Refusal("opaque")
    return small_float(raw, *SMALL_FLOATS[tag])


def scale_value(d, scales, n):
    scheme = scheme_of(d)
    tag = {2: 3, 3: d.get("quantization.scale_type_tag"), 4: 3, 5: 0x42}[scheme]
    width = TYPE_BITS[tag] // 8
    part = scales[width * n:width * (n + 1)]
    if len(part) < width:
        raise Refusal("contents")
    return element_value(tag, int.from_bytes(part, "little"))


def zero_point_value(buffers, index, start, n):
    part = buffers[index][start + 4 * n:start + 4 * n + 4] if index < len(buffers) else b""
    return int.from_bytes(part, "little", signed=True) if len(part) == 4 else None


class Dequantiser:
    """float32 bits of an element from its bits, its logical index and, where paged, its slot."""

    def __init__(self, d, buffers):
        self.d, self.buffers, self.tag = d, buffers, d.get("type_tag")
        self.scheme = scheme_of(d)
        q = "quantization."
        if self.scheme == 1:
            self.scale = float32(d.get(q + "scale"))
            self.zero = d.get(q + "zero_point")
        else:
            self.axis = d.get(q + "axis")
            self.block = d.get(q + "block_size") or 1
            self.scale_index = d.get(q + "scale_buffer_index")
            self.zero_index = None if is_symmetric(d) else d.get(q + "zero_point_buffer_index")
            shared = self.zero_index == self.scale_index
            count = parameter_count(d)
            self.zero_start = count * scale_bytes(d) if shared and count is not None else 0

    def parameter(self, index, slot):
        """Which scale serves the element: by channel, by page slot, or by block."""
        if self.scheme == 2:
            return index[self.axis]
        if slot is not None:
            return slot
        shape = self.d.shape
        outer = 0
        for k, i in enumerate(index):
            if k != self.axis:
                outer = outer * shape[k] + i
        return outer * -(-shape[self.axis] // self.block) + index[self.axis] // self.block

    def __call__(self, raw, index, slot=None):
        value = element_value(self.tag, raw)
        if self.scheme == 1:
            return self.affine(self.scale, value - self.zero)
        n = self.parameter(index, slot)
        scale = scale_value(self.d, self.buffers[self.scale_index], n)
        if self.scheme == 4:
            return round_float32(scale * NF4[value])
        if self.scheme == 5:
            return round_float32(scale * value)
        zero = 0
        if self.zero_index is not None:
            zero = zero_point_value(self.buffers, self.zero_index, self.zero_start, n)
            if zero is None:
                raise Refusal("contents")
        return self.affine(scale, value - zero)

    @staticmethod
    def affine(scale, difference):
        """Exact difference, rounded to float32, times the scale; the double product is exact."""
        return round_float32(scale * float32(round_float32(difference)))


def dequantise(data, buffers):
    """float32 bits of all elements, row-major; cells that are not stored are zero.

    The text has a formula for every scheme and none for a tensor without one."""
    d = admit(data)
    layout = d.get("layout_tag")
    if layout == HEAD:
        raise Refusal("virtual")
    if not d.get("flags") & FLAG_QUANTIZATION:
        raise Refusal("unquantized")
    if not is_interpretable(d):
        raise Refusal("opaque")
    if DYNAMIC in d.shape:
        raise Refusal("dynamic")
    buffers = fit_buffers(d, buffers)
    total = math.prod(d.shape)
    if total > MAX_VALUES:
        raise Refusal("large")
    check_contents(d, buffers)  # of scales and zero points it may wait until here, not longer
    value_of, bits = Dequantiser(d, buffers), element_bits(d)
    indices = itertools.product(*map(range, d.shape)) if total else ()
    if layout in DENSE:
        start = d.get("byte_offset")
        offset_of = (lambda index: element_offset(d, index)) if layout in (MORTON, HILBERT) \
            else Affine(d).offset
        return [value_of(raw_element(buffers[0], start, offset_of(index), bits), index)
                for index in indices]
    if layout == PAGED:
        return dequantise_pages(d, buffers, value_of, bits) if total else []
    values = [0] * total
    strides = row_strides(d.shape)
    for position, index in stored_entries(d, buffers):
        if len(index) != len(d.shape) or any(i >= n for i, n in zip(index, d.shape)):
            raise Refusal("contents")
        raw = raw_element(buffers[0], 0, position, bits)
        values[sum(i * s for i, s in zip(index, strides))] = value_of(raw, index)
    return values


def dequantise_pages(d, buffers, value_of, bits):
    counts = token_counts(d, buffers)
    if sum(counts) < d.shape[0]:
        raise Refusal("sparse")  # which token is whose is told out of band
    values, token = [], 0
    heads, width = d.shape[1:]
    for sequence, count in enumerate(counts):
        for t in range(count):
            slot = page_slot(d, buffers, sequence, t)
            for h, k in itertools.product(range(heads), range(width)):
                raw = raw_element(buffers[0], 0, (slot * heads + h) * width + k, bits)
                values.append(value_of(raw, (token, h, k), slot))
            token += 1
    return values


def stored_entries(d, buffers):
    """Position in `values` and logical index of every stored entry of a sparse layout."""
    layout, nnz, rank = d.get("layout_tag"), d.get("layout.nnz"), len(d.shape)
    if layout == COO:
        entries = integers(buffers[1], 8, nnz * rank)
        return [(i, entries[i * rank:(i + 1) * rank]) for i in range(nnz)]
    if layout in (CSR, CSC):
        major = d.shape[0 if layout == CSR else 1]
        pointers = integers(buffers[2], 8, major + 1)
        inner = integers(buffers[1], 8, nnz)
        found = []
        for m in range(major):
            if pointers[m + 1] > nnz:
                raise Refusal("contents")
            for j in range(pointers[m], pointers[m + 1]):
                found.append((j, (m, inner[j]) if layout == CSR else (inner[j], m)))
        return found
    mode_order = d.get("layout.mode_order")
    paths = [(0, ())]
    for level in range(rank):
        pointers = integers(buffers[2 * level + 1], 8, len(buffers[2 * level + 1]) // 8)
        coordinates = integers(buffers[2 * level + 2], 8, len(buffers[2 * level + 2]) // 8)
        deeper = []
        for parent, path in paths:
            if parent + 1 >= len(pointers) or pointers[parent + 1] > len(coordinates):
                raise Refusal("contents")
            for i in range(pointers[parent], pointers[parent + 1]):
                deeper.append((i, path + (coordinates[i],)))
            if len(deeper) > MAX_VALUES:
                raise Refusal("contents")
        paths = deeper
    found = []
    for position, path in paths:
        index = [0] * rank
        for level, dimension in enumerate(mode_order):
            index[dimension] = path[level]
        if position >= nnz:
            raise Refusal("contents")
        found.append((position, tuple(index)))
    return found
