"""Tests of the Python reader: the examples of the specification, one refusal a clause, every mode,
round trips, mutations that must never raise, and the adapter copied alone into an empty folder.

    python3 -m unittest test_reader            (from this folder)
    PLUMBLINE_GOLDEN=DIR ...                   also the published golden descriptors
"""

import csv
import glob
import itertools
import math
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import adapter  # noqa: E402
import plumbline_reader as r  # noqa: E402


def keys(**given):
    """Keys of `encode`; `__` stands for the dot."""
    return {name.replace("__", "."): value for name, value in given.items()}


def merged(base, change):
    result = dict(base)
    for key, value in change.items():
        if value is None:
            for name in [n for n in result if n == key or n.startswith(key + ".")]:
                del result[name]
        else:
            result[key] = value
    return result


def first_fault(data, mode=r.STRICT):
    return r.answer(r.decode(data, mode).faults, mode).fault


def verdict(data, mode):
    result = r.answer(r.decode(data, mode).faults, mode)
    return result.fault.clause if result.fault else "full" if result.full else "sized"


def table(*sizes):
    return {"buffer.%d.byte_size" % k: str(size) for k, size in enumerate(sizes)}


F32 = {"type_tag": "3", "shape": "3,4", **table(48)}
INT8 = {"type_tag": "0x10", "shape": "8,32", **table(256)}
STRIDED = {"type_tag": "3", "layout_tag": "3", "shape": "3,4", "layout.strides": "-4,1",
           "byte_offset": "32", **table(48)}
TILED = {"type_tag": "3", "layout_tag": "4", "shape": "6,8", "layout.tile.0.tile_shape": "2,4",
         **table(192)}
NESTED = {"type_tag": "3", "layout_tag": "4", "shape": "8,8", "layout.tile.0.tile_shape": "4,4",
          "layout.tile.0.inner_layout": "4", "layout.tile.1.tile_shape": "2,2", **table(256)}
MORTON = {"type_tag": "3", "layout_tag": "5", "shape": "4,4", "layout.morton_bits": "2,2",
          **table(64)}
HILBERT = {"type_tag": "3", "layout_tag": "0x40", "shape": "4,4", "layout.hilbert_order": "2",
           "layout.hilbert_rank": "2", **table(64)}
COO = {"type_tag": "3", "layout_tag": "6", "shape": "4,4", "layout.nnz": "3",
       "layout.is_sorted": "1", **table(12, 48)}
CSR = {"type_tag": "3", "layout_tag": "7", "shape": "4,5", "layout.nnz": "5", **table(20, 40, 40)}
CSC = {"type_tag": "3", "layout_tag": "8", "shape": "4,5", "layout.nnz": "5", **table(20, 40, 48)}
CSF = {"type_tag": "3", "layout_tag": "9", "shape": "2,3,4", "layout.nnz": "4",
       "layout.mode_order": "0,1,2", **table(16, 16, 16, 24, 24, 32, 32)}
PAGED = {"type_tag": "1", "layout_tag": "10", "shape": "9,2,8", "layout.page_size": "4",
         "layout.num_pages": "5", "layout.num_seqs": "2", "layout.layer_index": "3",
         **table(640, 12, 12)}
HEAD = {"type_tag": "3", "layout_tag": "11", "shape": "8,8", "layout.composition_rule": "1",
        "layout.member_count": "2"}
PRIVATE_LAYOUT = {"type_tag": "3", "layout_tag": "0xf0", "shape": "3,4",
                  "layout.extension_layout_id": "7", "layout.extension_data": "0102", **table(48)}
INT24 = {"type_tag": "0xf2", "shape": "4", "extension.bit_width": "24",
         "extension.is_signed": "1", **table(12)}
NIBBLE = {"type_tag": "0xf2", "shape": "7", "extension.bit_width": "4",
          "extension.packing_factor": "2", **table(4)}
SHARD = {**F32, "shard.parent_shape": "8,8", "shard.shard_offset": "1,2"}
STATISTICS = {**F32, "statistics.computed_mask": "0"}
MEMBER = {**F32, "member.member_role": "0"}
PER_TENSOR = {**INT8, "quantization.scheme_tag": "1"}
PER_CHANNEL = {**INT8, **table(256, 32, 32), "quantization.scheme_tag": "2",
               "quantization.zero_point_buffer_index": "2"}
PER_BLOCK = {**INT8, **table(256, 64, 64), "quantization.scheme_tag": "3",
             "quantization.axis": "1", "quantization.block_size": "16",
             "quantization.zero_point_buffer_index": "2"}
SYMMETRIC = {**INT8, **table(256, 64), "quantization.scheme_tag": "3", "quantization.flags": "1",
             "quantization.axis": "1", "quantization.block_size": "16"}
NF4 = {"type_tag": "0x49", "shape": "8,32", **table(128, 128), "quantization.scheme_tag": "4",
       "quantization.axis": "1", "quantization.block_size": "8"}
MXFP = {"type_tag": "0x40", "shape": "8,32", **table(256, 8), "quantization.scheme_tag": "5",
        "quantization.axis": "1", "quantization.block_size": "32"}
PAGED_BLOCK = {**PAGED, "type_tag": "0x10", **table(320, 12, 12, 80),
               "quantization.scheme_tag": "3", "quantization.flags": "1",
               "quantization.block_size": "4", "quantization.scale_buffer_index": "3"}
UNKNOWN_SCHEME = {**INT8, "quantization.scheme_tag": "0x20", "quantization.payload": "0102"}
BASES = {name: value for name, value in globals().items()
         if isinstance(value, dict) and "type_tag" in value}

# One fault a line: clause, base, change, place of the fault (a key, a key and an index, an offset).
DYN = str(r.DYNAMIC)
REFUSALS = [
    ("HDR-06", F32, {"descriptor_length": "19"}, 6),
    ("HDR-07", F32, {"descriptor_length": "60"}, "buffer.0.memory_class+1"),
    ("HDR-07", F32, {"descriptor_length": "20"}, 20),
    ("HDR-07", PER_TENSOR, {"descriptor_length": "61"}, 61),
    ("HDR-07", PER_TENSOR, {"quantization.quantization_length": "17"}, "quantization.scheme_tag"),
    ("HDR-08", F32, {"version_major": "2"}, 4),
    ("VER-02", F32, {"version_major": "0"}, 4),
    ("HDR-05", F32, {"tail": "00"}, 61),
    ("FLG-02", F32, {"flags": "0x20"}, 10),
    ("FLG-03", F32, {"extension.bit_width": "32"}, 14),
    ("SHP-02", {"type_tag": "3", **table(4)}, {"shape": ",".join(["1"] * 65)}, 16),
    ("SHP-08", F32, {"shape": "0,4"}, "buffer.0.byte_size"),
    ("SHP-13", SHARD, {"shape": "3," + DYN, "shard.parent_shape": "8," + DYN,
                       "shard.shard_offset": "0,0"}, ("shape", 1)),
    ("SHP-13", SHARD, {"shard.parent_shape": DYN + ",8"}, ("shard.parent_shape", 0)),
    ("SHP-15", F32, {"shape": "-", "layout_tag": "2"}, 16),
    ("SHP-15", MORTON, {"shape": "-", "layout.morton_bits": "-"}, 16),
    ("OFF-01", F32, {"byte_offset": "49"}, "buffer.0.byte_size"),
    ("OFF-01", PRIVATE_LAYOUT, {"byte_offset": "49"}, "buffer.0.byte_size"),
    ("OFF-03", COO, {"byte_offset": "4"}, "byte_offset"),
    ("OFF-05", F32, {"byte_offset": "1"}, "buffer.0.byte_size"),
    ("OFF-05", TILED, {"byte_offset": "1"}, "buffer.0.byte_size"),
    ("OFF-05", INT24, {"byte_offset": "1"}, "extension.bit_width"),
    ("ELT-01", F32, {"type_tag": "0"}, 14),
    ("ELT-01", F32, {"type_tag": "0xff"}, 14),
    ("ELT-02", F32, {"type_tag": "0x47"}, 14),
    ("ELT-08", F32, {"buffer.0.byte_size": "47"}, "buffer.0.byte_size"),
    ("ELT-08", F32, {"shape": "4294967296,4294967296"}, "buffer.0.byte_size"),
    ("ELT-09", F32, {"type_tag": "0x20", "buffer.0.byte_size": "1"}, "buffer.0.byte_size"),
    ("ELT-10", F32, {"type_tag": "0x44", "shape": "1", "buffer.0.byte_size": "2"},
     "buffer.0.byte_size"),
    ("LAY-02", F32, {"layout_tag": "0", "buffer": None, "layout.raw": "01"}, 15),
    ("LAY-03", F32, {"layout_tag": "12", "buffer": None, "layout.raw": "01"}, 15),
    ("LAY-07", PRIVATE_LAYOUT, {}, "layout.extension_layout_id"),
    ("HDR-07", PRIVATE_LAYOUT, {"descriptor_length": "57"}, "layout.extension_data"),
    ("STR-04", STRIDED, {"buffer.0.byte_size": "47"}, "buffer.0.byte_size"),
    ("STR-04", STRIDED, {"byte_offset": "28"}, "buffer.0.byte_size"),
    ("TIL-01", TILED, {"layout.tile.0.tile_shape": "2,0"}, ("layout.tile.0.tile_shape", 1)),
    ("TIL-02", TILED, {"layout.tile.0.outer_layout": "4"}, "layout.tile.0.outer_layout"),
    ("TIL-03", TILED, {"layout.tile.0.inner_layout": "5"}, "layout.tile.0.inner_layout"),
    ("TIL-04", TILED, {"layout.tile.0.reserved": "0001"}, "layout.tile.0.reserved"),
    ("TIL-07", TILED, {"buffer.0.byte_size": "191"}, "buffer.0.byte_size"),
    ("TIL-07", TILED, {"layout.tile.0.outer_layout": "3", "layout.tile.0.outer_strides": "4,1"},
     "buffer.0.byte_size"),
    ("TIL-10", NESTED, {"layout.tile.1.tile_shape": "2,3"}, ("layout.tile.1.tile_shape", 1)),
    ("TIL-06", {"type_tag": "3", "layout_tag": "4", "shape": "1", **table(4),
                **{"layout.tile.%d.tile_shape" % n: "1" for n in range(9)},
                **{"layout.tile.%d.inner_layout" % n: "4" for n in range(8)}}, {},
     "layout.tile.7.inner_layout"),
    ("MOR-01", MORTON, {"shape": "4,1", "layout.morton_bits": "2,0"}, ("layout.morton_bits", 1)),
    ("MOR-02", MORTON, {"shape": "4,5"}, ("layout.morton_bits", 1)),
    ("MOR-03", MORTON, {"buffer.0.byte_size": "63"}, "buffer.0.byte_size"),
    ("MOR-03", MORTON, {"shape": "2,8", "layout.morton_bits": "1,3", "buffer.0.byte_size": "64"},
     "buffer.0.byte_size"),
    ("MOR-03", MORTON, {"shape": "2,2", "layout.morton_bits": "4294967295,1"},
     "buffer.0.byte_size"),
    ("HIL-01", HILBERT, {"shape": "4,3"}, "layout.hilbert_order"),
    ("HIL-02", HILBERT, {"layout.hilbert_rank": "3"}, "layout.hilbert_rank"),
    ("HIL-03", HILBERT, {"shape": "4", "layout.hilbert_rank": "1"}, "layout.hilbert_rank"),
    ("HIL-04", HILBERT, {"shape": "1,1", "layout.hilbert_order": "0"}, "layout.hilbert_order"),
    ("HIL-06", HILBERT, {"buffer.0.byte_size": "63"}, "buffer.0.byte_size"),
    ("COO-01", COO, {"buffer.1": None}, "buffer_count"),
    ("COO-01", COO, table(12, 48, 8), "buffer_count"),
    ("COO-02", COO, {"layout.is_sorted": "2"}, "layout.is_sorted"),
    ("COO-02", COO, {"layout.reserved": "00000000000001"}, "layout.reserved"),
    ("COO-04", COO, {"buffer.0.byte_size": "11"}, "buffer.0.byte_size"),
    ("COO-04", COO, {"buffer.1.byte_size": "47"}, "buffer.1.byte_size"),
    ("COO-07", COO, {"statistics.computed_mask": "1", "statistics.nnz": "2"}, "statistics.nnz"),
    ("COO-08", COO, {"layout.nnz": "17", **table(68, 272)}, "layout.nnz"),
    ("CSR-01", CSR, {"shape": "4,5,1"}, 16),
    ("CSR-02", CSR, {"buffer.2": None}, "buffer_count"),
    ("CSR-03", CSR, {"layout.reserved": "0000000000000001"}, "layout.reserved"),
    ("CSR-05", CSR, {"buffer.2.byte_size": "39"}, "buffer.2.byte_size"),
    ("CSR-08", CSR, {"statistics.computed_mask": "1"}, "statistics.nnz"),
    ("CSC-01", CSC, {"shape": "20"}, 16),
    ("CSC-02", CSC, {"buffer.2": None}, "buffer_count"),
    ("CSC-03", CSC, {"layout.reserved": "0000000000000001"}, "layout.reserved"),
    ("CSC-05", CSC, {"buffer.2.byte_size": "47"}, "buffer.2.byte_size"),
    ("CSC-08", CSC, {"statistics.computed_mask": "1"}, "statistics.nnz"),
    ("CSF-01", CSF, {"shape": "2,3", "layout.mode_order": "0,1", "buffer.5": None, "buffer.6": None,
                     "buffer.4.byte_size": "32"}, 16),
    ("CSF-02", CSF, {"layout.reserved": "0000000000000001"}, "layout.reserved"),
    ("CSF-03", CSF, {"layout.mode_order": "0,1,1"}, ("layout.mode_order", 2)),
    ("CSF-03", CSF, {"layout.mode_order": "0,3,1"}, ("layout.mode_order", 1)),
    ("CSF-06", CSF, {"buffer.6": None}, "buffer_count"),
    ("CSF-07", CSF, {"buffer.1.byte_size": "15"}, "buffer.1.byte_size"),
    ("CSF-07", CSF, {"buffer.6.byte_size": "31"}, "buffer.6.byte_size"),
    ("CSF-11", CSF, {"shard.parent_shape": "2,3,4"}, 15),
    ("CSF-12", CSF, {"statistics.computed_mask": "1"}, "statistics.nnz"),
    ("BPG-01", PAGED, {"shape": "9,2"}, 16),
    ("BPG-03", PAGED, {"buffer.2": None}, "buffer_count"),
    ("BPG-03", PAGED, table(640, 12, 12, 8), "buffer_count"),
    ("BPG-04", PAGED, {"layout.page_size": "0"}, "layout.page_size"),
    ("BPG-05", PAGED, {"layout.kv_role": "3"}, "layout.kv_role"),
    ("BPG-06", PAGED, {"layout.block_table_index_type": "2"}, "layout.block_table_index_type"),
    ("BPG-06", PAGED, {"layout.num_pages": str(2**32 + 1), "shape": "0,0,8"},
     "layout.block_table_index_type"),
    ("BPG-07", PAGED, {"layout.reserved": "000000000001"}, "layout.reserved"),
    ("BPG-10", PAGED, {"buffer.0.byte_size": "639"}, "buffer.0.byte_size"),
    ("BPG-11", PAGED, {"buffer.2.byte_size": "11"}, "buffer.2.byte_size"),
    ("BPG-12", PAGED, {"layout.paged_axis": "1"}, "layout.paged_axis"),
    ("BPG-13", PAGED_BLOCK, {"buffer.3.byte_size": "79"}, "quantization.scale_type_tag"),
    ("BPG-13", PAGED_BLOCK, {"buffer.3.byte_size": "81"}, "quantization.scale_type_tag"),
    ("BPG-14", PAGED_BLOCK, {"quantization.axis": "1"}, "quantization.axis"),
    ("BPG-14", PAGED_BLOCK, {"quantization.block_size": "8"}, "quantization.block_size"),
    ("BPG-15", {**PAGED_BLOCK, **table(320, 12, 12, 36)}, {"quantization.scheme_tag": "2",
                                                          "quantization.block_size": None},
     "quantization.axis"),
    ("BPG-16", {**PAGED, "type_tag": "0x49", "shape": "64,2,8", **table(160, 12, 12, 4096)},
     {"quantization.scheme_tag": "4", "quantization.axis": "0",
      "quantization.scale_buffer_index": "3"}, "quantization.axis"),
    ("D-144", {**PAGED, "type_tag": "0x49", "shape": "64,2,8", **table(160, 12, 12, 512)},
     {"quantization.scheme_tag": "4", "quantization.axis": "2", "quantization.block_size": "8",
      "quantization.scale_buffer_index": "3"}, "quantization.scheme_tag"),
    ("BPG-17", PAGED, {"shard.parent_shape": "9,2,8"}, 15),
    ("CMP-01", HEAD, table(0), "buffer_count"),
    ("CMP-02", HEAD, {"byte_offset": "1"}, "byte_offset"),
    ("CMP-03", HEAD, {"member.member_role": "0"}, 15),
    ("CMP-04", HEAD, {"type_tag": "0x10", "quantization.scheme_tag": "1"}, 15),
    ("CMP-08", HEAD, {"layout.composition_rule": "4"}, "layout.composition_rule"),
    ("CMP-09", HEAD, {"layout.composition_rule": "0xf0"}, "layout.composition_rule"),
    ("CMP-31", HEAD, {"layout.composition_rule": "0"}, "layout.composition_rule"),
    ("CMP-10", HEAD, {"layout.combine_op": "1"}, "layout.combine_op"),
    ("CMP-11", HEAD, {"layout.composition_rule": "2"}, "layout.combine_op"),
    ("CMP-12", HEAD, {"layout.reserved": "0001"}, "layout.reserved"),
    ("CMP-13", HEAD, {"layout.member_count": "0xffffffff"}, "layout.member_count"),
    ("CMP-14", HEAD, {"layout.composition_rule": "2", "layout.combine_op": "1",
                      "layout.member_count": "0"}, "layout.member_count"),
    ("MEM-01", MEMBER, {"member.member_role": "2"}, "member.member_role"),
    ("MEM-02", MEMBER, {"member.reserved": "00" * 14 + "01"}, "member.reserved"),
    ("BUF-01", F32, {"buffer": None}, "buffer_count"),
    ("BUF-01", PRIVATE_LAYOUT, {"buffer": None}, "buffer_count"),
    ("BUF-02", F32, table(48, 8), "buffer_count"),
    ("BUF-03", PER_TENSOR, table(256, 8), "quantization.scheme_tag"),
    ("BUF-03", PER_CHANNEL, table(256, 32, 32, 8), "quantization.zero_point_buffer_index"),
    ("BUF-03", SYMMETRIC, table(256, 64, 8), "quantization.scale_buffer_index"),
    ("BUF-06", F32, {"buffer.0.alignment": "96"}, "buffer.0.alignment"),
    ("BUF-06", F32, {"shape": "0", **table(0), "buffer.0.alignment": "0"}, "buffer.0.alignment"),
    ("BUF-07", F32, {"buffer.0.alignment": "32"}, "buffer.0.alignment"),
    ("BUF-14", F32, {"buffer.0.reserved": "1"}, "buffer.0.reserved"),
    ("BUF-16", F32, {"buffer.0.device_tag": "0xff"}, "buffer.0.device_tag"),
    ("BUF-17", F32, {"buffer.0.device_tag": "9"}, "buffer.0.device_tag"),
    ("D-022", F32, {"buffer.0.device_tag": "0xf0"}, "buffer.0.device_tag"),
    ("BUF-19", COO, {"buffer.1.device_tag": "1"}, "buffer.1.device_tag"),
    ("BUF-20", COO, {"buffer.1.memory_class": "1"}, "buffer.1.memory_class"),
    ("BUF-22", F32, {"buffer.0.memory_class": "4"}, "buffer.0.memory_class"),
    ("BUF-23", F32, {"buffer.0.memory_class": "0xff"}, "buffer.0.memory_class"),
    ("BUF-26", F32, {"buffer.0.memory_class": "3"}, "buffer.0.memory_class"),
    ("BUF-26", F32, {"buffer.0.memory_class": "0xf0"}, "buffer.0.memory_class"),
    ("BUF-26", F32, {"buffer.0.device_tag": "0xf0", "buffer.0.memory_class": "1"},
     "buffer.0.memory_class"),
    ("BUF-30", F32, {"buffer.0.sync_mode": "3"}, "buffer.0.sync_mode"),
    ("BUF-31", F32, {"buffer.0.sync_mode": "0xff"}, "buffer.0.sync_mode"),
    ("BUF-32", F32, {"buffer.0.sync_mode": "1"}, "buffer.0.sync_mode"),
    ("SHD-02", SHARD, {"shard.shard_offset": "1,5"}, ("shard.shard_offset", 1)),
    ("SHD-02", SHARD, {"shard.shard_offset": "18446744073709551614,0"},
     ("shard.shard_offset", 0)),
    ("STA-04", STATISTICS, {"statistics.computed_mask": "64"}, "statistics.computed_mask"),
    ("STA-05", STATISTICS, {"statistics.reserved": "01000000"}, "statistics.reserved"),
    ("STA-06", STATISTICS, {"statistics.reserved2": "00000001"}, "statistics.reserved2"),
    ("STA-07", STATISTICS, {"statistics.computed_mask": "2",
                            "statistics.sparsity_ratio": "0x4000000000000000"},
     "statistics.sparsity_ratio"),
    ("STA-08", STATISTICS, {"statistics.computed_mask": "8",
                            "statistics.value_stddev": "0xbff0000000000000"},
     "statistics.value_stddev"),
    ("STA-09", STATISTICS, {"statistics.computed_mask": "16", "statistics.nm_n": "4",
                            "statistics.nm_m": "2"}, "statistics.nm_m"),
    ("STA-10", STATISTICS, {"statistics.computed_mask": "32", "statistics.has_inf": "2"},
     "statistics.has_inf"),
    ("EXT-01", F32, {"type_tag": "0xf2"}, 14),
    ("EXT-18", INT24, {}, 14),
    ("EXT-02", INT24, {"extension.bit_width": "0"}, "extension.bit_width"),
    ("EXT-03", INT24, {"extension.packing_factor": "2"}, "extension.packing_factor"),
    ("EXT-04", INT24, {"extension.bit_width": "6"}, "extension.bit_width"),
    ("EXT-05", NIBBLE, {"extension.packing_factor": "1"}, "extension.packing_factor"),
    ("EXT-06", INT24, {"extension.is_float": "2"}, "extension.is_float"),
    ("EXT-07", INT24, {"extension.is_float": "1"}, "extension.is_signed"),
    ("EXT-07", INT24, {"extension.is_signed": "2"}, "extension.is_signed"),
    ("EXT-08", INT24, {"extension.sign_bits": "1"}, "extension.sign_bits"),
    ("EXT-08", INT24, {"extension.is_float": "1", "extension.is_signed": "0",
                       "extension.sign_bits": "2"}, "extension.sign_bits"),
    ("EXT-09", INT24, {"extension.exponent_bits": "1"}, "extension.exponent_bits"),
    ("EXT-10", INT24, {"extension.mantissa_bits": "1"}, "extension.mantissa_bits"),
    ("EXT-11", INT24, {"extension.exponent_bias": "1"}, "extension.exponent_bias"),
    ("EXT-12", INT24, {"extension.has_nan": "1"}, "extension.has_nan"),
    ("EXT-13", INT24, {"extension.has_inf": "1"}, "extension.has_inf"),
    ("EXT-14", INT24, {"extension.reserved": "0001"}, "extension.reserved"),
    ("EXT-15", INT24, {"extension.reserved2": "0001"}, "extension.reserved2"),
    ("EXT-17", INT24, {"buffer.0.byte_size": "11"}, "extension.bit_width"),
    ("EXT-17", NIBBLE, {"buffer.0.byte_size": "3"}, "extension.packing_factor"),
    ("EXT-19", INT24, {"extension.bit_width": "12"}, "extension.bit_width"),
    ("EXT-20", INT24, {"extension.is_float": "1", "extension.is_signed": "0",
                       "extension.sign_bits": "1", "extension.exponent_bits": "8",
                       "extension.mantissa_bits": "16"}, "extension.mantissa_bits"),
    ("QNT-06", UNKNOWN_SCHEME, {}, "quantization.scheme_tag"),
    ("QNT-06", UNKNOWN_SCHEME, {"quantization.scheme_tag": "0xf0"}, "quantization.scheme_tag"),
    ("QNT-13", UNKNOWN_SCHEME, {"quantization.scheme_tag": "0"}, "quantization.scheme_tag"),
    ("QNT-08", UNKNOWN_SCHEME, {"quantization.scheme_tag": "4", "quantization.scheme_version": "2"},
     "quantization.scheme_version"),
    ("QNT-08", UNKNOWN_SCHEME, {"quantization.scheme_tag": "1", "quantization.scheme_version": "2"},
     "quantization.scheme_version"),
    ("QNT-09", PER_TENSOR, {"quantization.flags": "1"}, "quantization.flags"),
    ("QNT-09", PER_CHANNEL, {"quantization.flags": "2"}, "quantization.flags"),
    ("QNT-17", {**CSR, "type_tag": "0x10", **table(5, 40, 40, 20)},
     {"quantization.scheme_tag": "2", "quantization.axis": "1", "quantization.flags": "1",
      "buffer.1.byte_size": "40", "quantization.scale_buffer_index": "2", "shape": "4,10",
      "buffer.3": None}, "quantization.scale_buffer_index"),
    ("QNT-18", SYMMETRIC, {"quantization.scale_buffer_index": "0", **table(64),
                           "shape": "2,32", "buffer.1": None, "quantization.block_size": "4"},
     "quantization.scale_buffer_index"),
    ("QNT-18", {**INT8, **table(256, 32), "quantization.scheme_tag": "2",
                "quantization.flags": "1"}, {"quantization.zero_point_buffer_index": "0"},
     "quantization.zero_point_buffer_index"),
    ("QPT-02", PER_TENSOR, {"quantization.scheme_version": "0"}, "quantization.scheme_version"),
    ("QPT-04", PER_TENSOR, {"quantization.scale": "0x80000000"}, "quantization.scale"),
    ("QPT-04", PER_TENSOR, {"quantization.scale": "0x7f800000"}, "quantization.scale"),
    ("QPT-06", PER_TENSOR, {"quantization.zero_point": "128"}, "quantization.zero_point"),
    ("QPT-06", PER_TENSOR, {"type_tag": "0x11", "quantization.zero_point": "-1"},
     "quantization.zero_point"),
    ("QPT-07", PER_TENSOR, {"quantization.reserved": "00000001"}, "quantization.reserved"),
    ("QPT-09", PER_TENSOR, {"type_tag": "0x20"}, "quantization.scheme_tag"),
    ("QPC-02", PER_CHANNEL, {"quantization.scheme_version": "0"}, "quantization.scheme_version"),
    ("QPC-04", PER_CHANNEL, {"quantization.axis": "2"}, "quantization.axis"),
    ("QPC-05", PER_CHANNEL, {"quantization.scale_type_tag": "1"}, "quantization.scale_type_tag"),
    ("QPC-06", PER_CHANNEL, {"quantization.reserved": "000001"}, "quantization.reserved"),
    ("QPC-08", {**INT8, **table(256, 32), "quantization.scheme_tag": "2",
                "quantization.flags": "1"}, {"quantization.zero_point_buffer_index": "1"},
     "quantization.zero_point_buffer_index"),
    ("QPC-09", PER_CHANNEL, {"buffer.1.byte_size": "31"}, "quantization.scale_buffer_index"),
    ("QPC-09", PER_CHANNEL, {"buffer.1.byte_size": "33"}, "quantization.scale_buffer_index"),
    ("QPC-09", PER_CHANNEL, {"quantization.zero_point_buffer_index": "1", "buffer.2": None,
                             "buffer.1.byte_size": "63"}, "quantization.zero_point_buffer_index"),
    ("QPC-10", PER_CHANNEL, {"buffer.2.byte_size": "31"}, "quantization.zero_point_buffer_index"),
    ("QPC-11", PER_CHANNEL, {"quantization.scale_buffer_index": "3"},
     "quantization.scale_buffer_index"),
    ("QPC-13", PER_CHANNEL, {"shape": DYN + ",32"}, "quantization.axis"),
    ("QPC-14", PER_CHANNEL, {"type_tag": "0x40"}, "quantization.scheme_tag"),
    ("QPB-02", PER_BLOCK, {"quantization.scheme_version": "0"}, "quantization.scheme_version"),
    ("QPB-04", PER_BLOCK, {"quantization.axis": "2"}, "quantization.axis"),
    ("QPB-05", PER_BLOCK, {"quantization.block_size": "12", **table(256, 96, 96)},
     "quantization.block_size"),
    ("QPB-05", PER_BLOCK, {"quantization.block_size": "0"}, "quantization.block_size"),
    ("QPB-05", PER_BLOCK, {"quantization.block_size": "1", **table(256, 1024, 1024)},
     "quantization.block_size"),
    ("QPB-06", PER_BLOCK, {"quantization.block_size": "64", **table(256, 32, 32)},
     "quantization.block_size"),
    ("QPB-07", SYMMETRIC, {"shape": "8,0", **table(0, 4)}, "quantization.scale_buffer_index"),
    ("QPB-07", PER_BLOCK, {"shape": "8,0", **table(0, 0, 4)},
     "quantization.zero_point_buffer_index"),
    ("QPB-08", PER_BLOCK, {"shape": "8," + DYN}, "quantization.axis"),
    ("QPB-09", PER_BLOCK, {"quantization.scale_type_tag": "4"}, "quantization.scale_type_tag"),
    ("QPB-10", PER_BLOCK, {"quantization.reserved": "000001"}, "quantization.reserved"),
    ("QPB-12", SYMMETRIC, {"quantization.zero_point_buffer_index": "7"},
     "quantization.zero_point_buffer_index"),
    ("QPB-13", PER_BLOCK, {"buffer.1.byte_size": "63"}, "quantization.scale_type_tag"),
    ("QPB-13", PER_BLOCK, {"quantization.zero_point_buffer_index": "1", "buffer.2": None,
                           "buffer.1.byte_size": "129"}, "quantization.scale_type_tag"),
    ("QPB-14", PER_BLOCK, {"buffer.2.byte_size": "63"}, "quantization.zero_point_buffer_index"),
    ("QPB-16", PER_BLOCK, {"quantization.zero_point_buffer_index": "3", "buffer.2": None},
     "quantization.zero_point_buffer_index"),
    ("QPB-17", SYMMETRIC, {"shape": "5", "quantization.axis": "0", "quantization.block_size": "4",
                           **table(5, 8)}, "quantization.block_size"),
    ("QPB-19", PER_BLOCK, {"type_tag": "0x12", "buffer.0.byte_size": "512"},
     "quantization.scheme_tag"),
    ("QNF-02", NF4, {"quantization.scheme_version": "0"}, "quantization.scheme_version"),
    ("QNF-04", NF4, {"quantization.axis": "2"}, "quantization.axis"),
    ("QNF-05", NF4, {"quantization.block_size": "4", "buffer.1.byte_size": "256"},
     "quantization.block_size"),
    ("QNF-06", NF4, {"quantization.block_size": "64", "buffer.1.byte_size": "32"},
     "quantization.block_size"),
    ("QNF-07", NF4, {"shape": "8,0", **table(0, 4)}, "quantization.scale_buffer_index"),
    ("QNF-08", NF4, {"shape": "8," + DYN}, "quantization.axis"),
    ("QNF-10", NF4, {"buffer.1.byte_size": "127"}, "quantization.scale_buffer_index"),
    ("QNF-11", NF4, {"quantization.scale_buffer_index": "2"}, "quantization.scale_buffer_index"),
    ("QNF-12", NF4, {"type_tag": "0x48"}, "quantization.scheme_tag"),
    ("QNF-13", NF4, {"shape": "9", "quantization.axis": "0", **table(5, 8)},
     "quantization.block_size"),
    ("QMX-02", MXFP, {"quantization.scheme_version": "0"}, "quantization.scheme_version"),
    ("QMX-04", MXFP, {"quantization.axis": "2"}, "quantization.axis"),
    ("QMX-05", MXFP, {"quantization.block_size": "8", "buffer.1.byte_size": "32"},
     "quantization.block_size"),
    ("QMX-05", MXFP, {"quantization.block_size": "4096", "shape": "1,4096",
                      **table(4096, 1)}, "quantization.block_size"),
    ("QMX-06", MXFP, {"shape": "8,31"}, "quantization.block_size"),
    ("QMX-06", MXFP, {"shape": "8,0", **table(0, 0)}, "quantization.block_size"),
    ("QMX-07", MXFP, {"shape": "8," + DYN}, "quantization.axis"),
    ("QMX-09", MXFP, {"buffer.1.byte_size": "9"}, "quantization.scale_buffer_index"),
    ("QMX-10", MXFP, {"quantization.scale_buffer_index": "2"}, "quantization.scale_buffer_index"),
    ("QMX-11", MXFP, {"type_tag": "0x42"}, "quantization.scheme_tag"),
]
# These need an input or a mode of their own, and have tests of their own.
OTHER_REFUSALS = {"HDR-04", "HDR-09", "QNT-10", "BUF-24", "BUF-35"}


class Refusals(unittest.TestCase):
    def place(self, data, spot):
        d = r.parse(data)
        if isinstance(spot, int):
            return spot
        if isinstance(spot, tuple):
            return d.where(*spot)
        key, _, more = spot.partition("+")
        return d.where(key) + int(more or 0) if key in d.at else None

    def test_one_fault_each(self):
        for clause, base, change, spot in REFUSALS:
            data = r.build(merged(base, change))
            with self.subTest(clause=clause, change=change):
                agreed = "extension.bit_width" in base and clause != "EXT-18"
                mode = r.parse_mode("strict+type=0xf2") if agreed else r.STRICT
                fault = first_fault(data, mode)
                self.assertIsNotNone(fault, "accepted")
                self.assertEqual(clause, fault.clause, fault)
                offset = self.place(data, spot)
                if offset is not None:
                    self.assertEqual(offset, fault.offset, fault)
                lenient = verdict(data, mode._replace(name="lenient"))
                if clause != "BPG-16":  # D-144 stands beside it
                    self.assertEqual(fault.kind != "W", lenient not in ("full", "sized"), lenient)
                if clause not in r.WAIVED:
                    self.assertNotIn(verdict(data, mode._replace(name="permissive")),
                                     ("full", "sized"))
                else:
                    self.assertEqual("sized", verdict(data, mode._replace(name="permissive")))

    def test_only_one_fault(self):
        """The list holds pure vectors but where a second fault cannot be avoided."""
        for clause, base, change, _ in REFUSALS:
            data = r.build(merged(base, change))
            found = {f.clause for f in r.decode(data, r.AUTHOR).faults}
            if len(found) > 1:
                self.assertIn((clause, found), [  # what cannot stand alone
                    ("OFF-01", {"OFF-01", "OFF-05"}), ("BPG-16", {"BPG-16", "D-144"}),
                    ("QNT-18", {"QNT-18", "QPC-08"})], change)

    def test_every_clause_is_refused_somewhere(self):
        shown = {case[0] for case in REFUSALS} | OTHER_REFUSALS
        inside = {c for c in r.CLAUSES if c.startswith("CON-") or c in ("BPG-21", "BPG-22")}
        in_sets = {"CMP-%d" % n for n in (15, 16, 18, 20, 21, 22, 23, 24, 26, 27, 28, 29)}
        in_sets.add("D-037")
        self.assertEqual(set(r.CLAUSES) - inside - in_sets, shown)
        self.assertEqual(inside, {case[0] for case in CONTENT_FAULTS} - {"CSF-07"})
        self.assertEqual(in_sets, {case[0] for case in SET_FAULTS} - {"MEM-01", "SHD-02"})

    def test_bases_are_accepted(self):
        for name, base in BASES.items():
            self.assertIn(verdict(r.build(base), r.AUTHOR),
                          ("full", "QNT-06") if name == "UNKNOWN_SCHEME" else ("full",), name)

    def test_input_that_ends_early(self):
        data = r.build(F32)
        want = {0: 0, 1: 0, 3: 0, 4: 4, 5: 5, 6: 6, 9: 6, 10: 6, 19: 6, 20: 6, 60: 6}
        for count, offset in want.items():
            fault = first_fault(data[:count])
            self.assertEqual(("HDR-09", "malformed", offset), (fault.clause, fault.verdict,
                                                               fault.offset), count)
        self.assertEqual("HDR-08", first_fault(data[:4] + b"\x02").clause)
        self.assertEqual("HDR-04", first_fault(b"HRRX" + data[4:]).clause)
        self.assertIsNone(first_fault(data + b"more"))

    def test_scheme_that_ends_early(self):
        data = r.build({**PER_TENSOR, "shard.parent_shape": "8,32", "shard.shard_offset": "0,9"})
        start = r.parse(data).where("quantization.scheme_tag")
        for length in range(16):
            short = bytearray(data[:start + length] + data[start + 16:])
            short[start - 4:start] = length.to_bytes(4, "little")
            short[6:10] = len(short).to_bytes(4, "little")
            d = r.decode(bytes(short))
            field = max(o for o in (0, 1, 2, 4, 8, 12) if o <= length)
            self.assertEqual([("QNT-10", start + field, "malformed"),
                              ("SHD-02", start + length + 24, "invalid")],
                             [(f.clause, f.offset, f.verdict) for f in sorted(d.faults)])

    def test_newer_minor_and_flags_excuse_left_over_bytes(self):
        self.assertEqual("full", verdict(r.build({**F32, "version_minor": "1", "tail": "aa"}),
                                         r.STRICT))
        self.assertEqual("FLG-02", verdict(r.build({**F32, "flags": "32", "tail": "aa"}), r.STRICT))

    def test_unsupported_hides_no_fault(self):
        data = r.build({**F32, "type_tag": "0x47", "buffer.0.alignment": "3"})
        self.assertEqual("BUF-06", verdict(data, r.STRICT))
        self.assertEqual("ELT-02", verdict(data, r.Mode("lenient")))

    def test_network(self):
        data = r.build({**F32, "buffer.0.device_tag": "1", "buffer.0.sync_mode": "1"})
        self.assertEqual("full", verdict(data, r.STRICT))
        self.assertEqual("BUF-35", verdict(data, r.parse_mode("strict+transport=network")))

    def test_agreements(self):
        private = {"buffer.0.device_tag": "0xf1", "buffer.0.memory_class": "0xf3"}
        for base, change, text, without in (
                (INT24, {}, "+type=0xf2", "EXT-18"), (PRIVATE_LAYOUT, {}, "+layout=0xf0", "LAY-07"),
                (UNKNOWN_SCHEME, {"quantization.scheme_tag": "0xf4"}, "+scheme=244", "QNT-06"),
                (HEAD, {"layout.composition_rule": "0xf5"}, "+rule=0xf5", "CMP-09"),
                (F32, private, "+device=0xf1+class=0xf3", "D-022")):
            data = r.build(merged(base, change))
            for mode in ("strict", "lenient", "permissive"):
                self.assertEqual("full", verdict(data, r.parse_mode(mode + text)))
                bare = verdict(data, r.parse_mode(mode))
                waived = mode == "permissive" and without in r.WAIVED
                self.assertEqual("sized" if waived else without, bare)
        data = r.build({**F32, **private})
        self.assertEqual("BUF-24", verdict(data, r.parse_mode("permissive+device=0xf1")))
        public = r.build({**F32, "type_tag": "0x47"})
        self.assertEqual("ELT-02", verdict(public, r.parse_mode("strict+type=0x47")))


class Acceptances(unittest.TestCase):
    def test_both_sides_of_limits(self):
        for base, change in (
                (F32, {"buffer.0.byte_size": "192"}), (F32, {"byte_offset": "4", **table(52)}),
                (F32, {"shape": "-", **table(4)}), (F32, {"shape": "0", **table(0),
                                                          "buffer.0.alignment": "1"}),
                (F32, {"shape": DYN + ",4", **table(0)}), (F32, {"shape": DYN + ",0", **table(9)}),
                (F32, {"shape": ",".join(["1"] * 64)}),
                (F32, {"type_tag": "0x44", "shape": "5", **table(6)}),
                (F32, {"buffer.0.alignment": "128"}),
                (HEAD, {"shape": "-", "layout.composition_rule": "3"}),
                (STRIDED, {"layout.strides": "0,0", "byte_offset": "0", **table(4)}),
                (STRIDED, {"shape": "0,4", "byte_offset": "0", **table(0)}),
                (STRIDED, {"shape": "1,1", "layout.strides": "-9223372036854775808,5",
                           "byte_offset": "0", **table(4)}),
                (MORTON, {"shape": "2,8", "layout.morton_bits": "1,3", **table(176)}),
                (MORTON, {"shape": "0,4", **table(0)}), (MORTON, {"shape": DYN + ",4"}),
                (HILBERT, {"shape": DYN + ",4"}), (HILBERT, table(128)),
                (CSR, {"layout.nnz": "0", **table(0, 0, 40)}),
                (CSR, {"shape": "4,0", "layout.nnz": "0", **table(0, 0, 40)}),
                (PAGED, {"shape": "0,2,8"}), (PAGED, {"shape": DYN + ",2,8"}),
                (PAGED_BLOCK, {"shape": "3,2,8", "layout.num_seqs": "1"}),
                (COO, {"type_tag": "0x10", **table(3, 48, 16), "quantization.scheme_tag": "2",
                       "quantization.flags": "1", "quantization.scale_buffer_index": "2"}),
                (PER_CHANNEL, {"quantization.zero_point_buffer_index": "1", "buffer.2": None,
                               "buffer.1.byte_size": "64"}),
                (SYMMETRIC, {"quantization.block_size": "32", **table(256, 32)}),
                (SYMMETRIC, {"shape": "8,0", **table(0, 0)}),
                (SYMMETRIC, {"shape": "0,32", **table(0, 0)}),
                (SYMMETRIC, {"shape": "5", "quantization.axis": "0", "quantization.block_size": "4",
                             **table(8, 8)}),
                (SYMMETRIC, {"quantization.padding": "aabb"}),
                (SHARD, {"shard.shard_offset": "5,4"}),
                (STATISTICS, {"statistics.has_nan": "7", "statistics.nm_n": "3"}),
                (F32, {"buffer.0.device_tag": "4", "buffer.0.memory_class": "3"}),
                ({**TILED, "shape": "1", **table(4),
                  **{"layout.tile.%d.tile_shape" % n: "1" for n in range(8)},
                  **{"layout.tile.%d.inner_layout" % n: "4" for n in range(7)}}, {}),
        ):
            with self.subTest(base=base, change=change):
                self.assertEqual("full", verdict(r.build(merged(base, change)), r.STRICT))

    def test_permissive_takes_unknown_layouts_by_size(self):
        data = r.build({"type_tag": "3", "layout_tag": "12", "shape": "2,2", "layout.raw": "0200"})
        self.assertEqual("sized", verdict(data, r.Mode("permissive")))
        d = r.decode(data, r.Mode("permissive"))
        self.assertEqual([2, 2], d.get("shape"))
        self.assertNotIn("buffer_count", d.fields)
        self.assertEqual(data, r.encode_again(d))


def u64(*values):
    return struct.pack("<%dQ" % len(values), *values)


def u32(*values):
    return struct.pack("<%dI" % len(values), *values)


def f32(*values):
    return struct.pack("<%df" % len(values), *values)


COO_BUFFERS = [f32(1.5, -0.5, 2.0), u64(0, 1, 2, 0, 3, 3)]
CSR_BUFFERS = [f32(1, 2, 3, 4, 5), u64(0, 3, 2, 1, 4), u64(0, 2, 3, 5, 5)]
CSC_BUFFERS = [f32(1, 4, 3, 2, 5), u64(0, 2, 1, 0, 2), u64(0, 1, 2, 3, 4, 5)]
CSF_BUFFERS = [f32(1, 2, 3, 4), u64(0, 2), u64(0, 1), u64(0, 2, 3), u64(0, 2, 1), u64(0, 1, 2, 4),
               u64(1, 3, 0, 2)]
PAGED_BUFFERS = [struct.pack("<320e", *range(320)), u32(0, 1, 0), u32(0, 2, 3)]
EMPTY_CSF = {**CSF, "layout.nnz": "0", **table(0, 16, 0, 8, 0, 8, 0)}
E8M0 = {"type_tag": "0x42", "shape": "3,4"}


class Examples(unittest.TestCase):
    """Every worked example of the specification."""

    def stored(self, base, buffers, index):
        found = r.lookup(r.build(base), buffers, index)
        return None if found is None else struct.unpack("<f", found)[0]

    def test_metadata_example(self):
        data = bytes.fromhex("48525259 01 00 3D000000 00000000 03 01 02000000 0300000000000000"
                             "0400000000000000 0000000000000000 01 C000000000000000 40000000 00"
                             "000000".replace(" ", ""))
        self.assertEqual(61, len(data))
        d = r.decode(data)
        self.assertTrue(r.answer(d.faults, r.STRICT).full)
        self.assertEqual(([3, 4], 192, 64), (d.get("shape"), d.get("buffer.0.byte_size"),
                                             d.get("buffer.0.alignment")))
        self.assertEqual([48], r.sizes(data))
        self.assertEqual(data, r.build({**F32, **table(192)}))

    def test_per_channel_example(self):
        data = r.build({"type_tag": "0x10", "shape": "768,1024", **table(786432, 3072, 3072),
                        "quantization.scheme_tag": "2",
                        "quantization.zero_point_buffer_index": "2"})
        self.assertTrue(data.endswith(bytes.fromhex("14000000" "0201000000000000" "01000000"
                                                    "02000000" "03000000")))
        self.assertEqual([786432, 3072, 3072], r.sizes(data))
        self.assertIsNone(first_fault(data))

    def offset(self, base, *index):
        _, byte, bit = r.address(r.build(base), list(index))
        self.assertEqual(0, bit)
        return (byte - int(base.get("byte_offset", "0"))) // 4

    def test_dense_offsets(self):
        self.assertEqual(6, self.offset(F32, 1, 2))
        self.assertEqual(7, self.offset({**F32, "layout_tag": "2"}, 1, 2))
        self.assertEqual(-5, self.offset(STRIDED, 2, 3))
        self.assertEqual(29, self.offset(TILED, 3, 5))
        self.assertEqual(14, self.offset(MORTON, 2, 3))
        self.assertEqual([48], r.sizes(r.build(STRIDED)))  # 12 elements, not 9 (D-100)

    def test_hilbert_table(self):
        want = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 2), (0, 3), (1, 3), (1, 2), (2, 2), (2, 3),
                (3, 3), (3, 2), (3, 1), (2, 1), (2, 0), (3, 0)]
        for h, x in enumerate(want):
            self.assertEqual(h, self.offset(HILBERT, *x))

    def test_hilbert_and_morton_are_bijections(self):
        for rank, order in ((2, 1), (2, 3), (3, 2), (4, 2), (5, 1)):
            side, total = 1 << order, 1 << rank * order
            cells = list(itertools.product(range(side), repeat=rank))
            curve = {r.hilbert_code(x, order): x for x in cells}
            self.assertEqual(total, len(curve))
            for h in range(1, total):
                self.assertEqual(1, sum(abs(a - b) for a, b in zip(curve[h], curve[h - 1])))
            self.assertEqual(set(range(total)), {r.morton_code(x, [order] * rank) for x in cells})
        self.assertEqual([8, 10, 11], [r.morton_code(x, [1, 2]) for x in ((0, 2), (0, 3), (1, 3))])

    def test_packing_examples(self):
        def values(tag, shape, data):
            base = {"type_tag": tag, "shape": shape, **table(len(data))}
            return [int.from_bytes(r.lookup(r.build(base), [data], [i]), "little")
                    for i in range(int(shape))]
        self.assertEqual([1, 0, 1, 1, 0], values("0x20", "5", b"\x0d"))
        self.assertEqual([5, 12, 3], values("0x49", "3", b"\xc5\x03"))
        self.assertEqual([3, 1, 2], values("0x4b", "3", b"\x27"))
        self.assertEqual([1, 2, 4, 8], values("0x44", "4", b"\x81\x40\x20"))
        data = r.build({"type_tag": "0x44", "shape": "8", **table(6)})
        self.assertEqual([(0, 0, 0), (0, 0, 6), (0, 1, 4), (0, 2, 2), (0, 3, 0)],
                         [r.address(data, [i]) for i in range(5)])
        data = r.build({"type_tag": "0x20", "layout_tag": "3", "shape": "9", "layout.strides": "-1",
                        "byte_offset": "1", **table(2)})
        self.assertEqual((0, 0, 7), r.address(data, [1]))  # floor and modulus (D-043)

    def test_sparse_examples(self):
        dense = {(0, 0): 1, (0, 3): 2, (1, 2): 3, (2, 1): 4, (2, 4): 5}
        for base, buffers in ((CSR, CSR_BUFFERS), (CSC, CSC_BUFFERS)):
            self.assertTrue(r.contents(r.build(base), buffers)[0].full)
            for x in itertools.product(range(4), range(5)):
                self.assertEqual(dense.get(x), self.stored(base, buffers, list(x)))
            quantized = {**base, "type_tag": "0x10", "quantization.scheme_tag": "1",
                         "buffer.0.byte_size": "5"}
            stored = bytes(map(int, struct.unpack("<5f", buffers[0])))
            values = r.dequantise(r.build(quantized), [stored] + buffers[1:])
            self.assertEqual([dense.get(x, 0) for x in itertools.product(range(4), range(5))],
                             [r.float32(bits) for bits in values])
        self.assertTrue(r.contents(r.build(COO), COO_BUFFERS)[0].full)
        self.assertEqual([1.5, -0.5, 2.0, None], [self.stored(COO, COO_BUFFERS, x)
                                                 for x in ([0, 1], [2, 0], [3, 3], [1, 1])])

    def test_csf_example(self):
        self.assertTrue(r.contents(r.build(CSF), CSF_BUFFERS)[0].full)
        want = {(0, 0, 1): 1, (0, 2, 3): 2, (1, 1, 0): 3, (1, 1, 2): 4}
        for x in itertools.product(range(2), range(3), range(4)):
            self.assertEqual(want.get(x), self.stored(CSF, CSF_BUFFERS, list(x)))
        # the same tensor with its modes turned round: level 0 holds dimension 2
        turned = {**CSF, "layout.mode_order": "2,0,1", **table(16, 16, 32, 40, 32, 40, 32)}
        buffers = [f32(3, 1, 4, 2), u64(0, 4), u64(0, 1, 2, 3), u64(0, 1, 2, 3, 4), u64(1, 0, 1, 0),
                   u64(0, 1, 2, 3, 4), u64(1, 0, 1, 2)]
        self.assertTrue(r.contents(r.build(turned), buffers)[0].full)
        for x in itertools.product(range(2), range(3), range(4)):
            self.assertEqual(want.get(x), self.stored(turned, buffers, list(x)))
        both = []
        for base, given in ((CSF, CSF_BUFFERS), (turned, buffers)):
            quantized = {**base, "type_tag": "0x11", "quantization.scheme_tag": "1",
                         "buffer.0.byte_size": "4"}
            stored = bytes(map(int, struct.unpack("<4f", given[0])))
            values = r.dequantise(r.build(quantized), [stored] + given[1:])
            both.append([r.float32(bits) for bits in values])
        self.assertEqual([want.get(x, 0) for x in itertools.product(range(2), range(3), range(4))],
                         both[0])
        self.assertEqual(both[0], both[1])

    def test_paged_example(self):
        data = r.build(PAGED)
        self.assertTrue(r.contents(data, PAGED_BUFFERS)[0].full)

        def at(*index):
            return struct.unpack("<e", r.lookup(data, PAGED_BUFFERS, list(index)))[0]
        self.assertEqual(((1 * 4 + 1) * 2 + 1) * 8 + 3, at(0, 5, 1, 3))
        self.assertEqual(at(0, 2, 1, 7), at(1, 2, 1, 7))  # the shared prefix
        with self.assertRaises(r.Refusal):
            at(1, 4, 0, 0)
        self.assertEqual([640, 0, 12], r.sizes(data))

    def test_composite_examples(self):
        head = r.build(HEAD)
        half = {"type_tag": "3", "shape": "8,4", **table(128), "shard.parent_shape": "8,8"}
        left, right = (r.build({**half, "shard.shard_offset": o}) for o in ("0,0", "0,4"))
        self.assertTrue(r.composite([head, left, right]).full)
        head = r.build({**HEAD, "type_tag": "1", "shape": "64,64", "layout.composition_rule": "2",
                        "layout.combine_op": "1"})
        base = r.build({"type_tag": "0x48", "shape": "64,64", **table(2048, 256),
                        "quantization.scheme_tag": "3", "quantization.flags": "1",
                        "quantization.axis": "1", "quantization.block_size": "64",
                        "shard.parent_shape": "64,64", "member.member_role": "1"})
        correction = r.build({"type_tag": "1", "layout_tag": "6", "shape": "64,64",
                              "layout.nnz": "2", **table(4, 32), "shard.parent_shape": "64,64",
                              "member.member_role": "0"})
        self.assertTrue(r.composite([head, base, correction]).full)

    def test_nf4_levels_are_float32(self):
        for level in r.NF4:
            self.assertEqual(level, struct.unpack("<f", struct.pack("<f", level))[0])


# Faults of the bytes behind a sound descriptor: clause, base, buffers, change, buffer, offset.
CONTENT_FAULTS = [
    ("CON-05", {"type_tag": "0x20", "shape": "5", **table(1)}, [b"\x2d"], {}, 0, 0),
    ("CON-09", {"type_tag": "0x43", "shape": "3", **table(2)}, [b"\xff\x1f"], {}, 0, 1),
    ("CON-12", {"type_tag": "0x44", "shape": "1", **table(3)}, [b"\x3f\x00\x01"], {}, 0, 2),
    ("CON-15", {"type_tag": "0x49", "shape": "3", **table(2)}, [b"\xc5\x13"], {}, 0, 1),
    ("CON-16", {"type_tag": "0x4b", "shape": "3", **table(1)}, [b"\x67"], {}, 0, 0),
    ("CON-07", {**E8M0, **table(12)}, [b"\x01" * 5 + b"\x00" + b"\xfe" * 6], {}, 0, 5),
    ("CON-07", {**E8M0, "layout_tag": "4", "layout.tile.0.tile_shape": "2,4", **table(16)},
     [b"\x01" * 11 + b"\xff" + bytes(4)], {}, 0, 11),
    ("CON-21", COO, COO_BUFFERS, {1: u64(0, 1, 2, 4, 3, 3)}, 1, 24),
    ("CON-22", {**COO, "layout.is_sorted": "0"}, COO_BUFFERS, {1: u64(2, 0, 0, 1, 2, 0)}, 1, 40),
    ("CON-23", COO, COO_BUFFERS, {1: u64(2, 0, 0, 1, 3, 3)}, 1, 16),
    ("CON-23", COO, COO_BUFFERS, {1: u64(0, 1, 2, 3, 2, 0)}, 1, 40),
    ("CON-26", CSR, CSR_BUFFERS, {2: u64(1, 2, 3, 5, 5)}, 2, 0),
    ("CON-26", CSR, CSR_BUFFERS, {2: u64(0, 2, 3, 4, 4)}, 2, 32),
    ("CON-27", CSR, CSR_BUFFERS, {2: u64(0, 3, 2, 5, 5)}, 2, 16),
    ("CON-28", CSR, CSR_BUFFERS, {1: u64(3, 0, 2, 1, 4)}, 1, 8),
    ("CON-29", CSR, CSR_BUFFERS, {1: u64(0, 5, 2, 1, 4)}, 1, 8),
    ("CON-31", CSC, CSC_BUFFERS, {2: u64(0, 1, 2, 3, 4, 4)}, 2, 40),
    ("CON-32", CSC, CSC_BUFFERS, {2: u64(0, 2, 1, 3, 4, 5)}, 2, 16),
    ("CON-33", CSC, CSC_BUFFERS, {2: u64(0, 2, 2, 3, 4, 5), 1: u64(2, 2, 1, 0, 2)}, 1, 8),
    ("CON-34", CSC, CSC_BUFFERS, {1: u64(0, 4, 1, 0, 2)}, 1, 8),
    ("CON-36", CSF, CSF_BUFFERS, {3: u64(1, 2, 3)}, 3, 0),
    ("CON-37", CSF, CSF_BUFFERS, {5: u64(0, 2, 1, 4)}, 5, 16),
    ("CON-38", CSF, CSF_BUFFERS, {5: u64(0, 1, 2, 3)}, 5, 24),
    ("CSF-07", CSF, CSF_BUFFERS, {1: u64(0, 1), 3: u64(0, 3), 5: u64(0, 1, 2)}, 5, 24),
    ("CON-40", CSF, CSF_BUFFERS, {6: u64(1, 3, 2, 0)}, 6, 24),
    ("CON-41", CSF, CSF_BUFFERS, {4: u64(0, 3, 1)}, 4, 8),
    ("CON-42", EMPTY_CSF, [b"", u64(0, 0), b"", u64(0), b"", u64(0), b""], {1: u64(0, 1)}, 1, 8),
    ("CON-42", EMPTY_CSF, [b"", u64(0, 0), b"", u64(0), b"", u64(0), b""], {1: u64(1, 0)}, 1, 0),
    ("CON-43", EMPTY_CSF, [b"", u64(0, 0), b"", u64(0), b"", u64(0), b""], {5: u64(1)}, 5, 0),
    ("CON-45", PAGED, PAGED_BUFFERS, {2: u32(1, 2, 3)}, 2, 0),
    ("CON-46", PAGED, PAGED_BUFFERS, {2: u32(0, 4, 3)}, 2, 8),
    ("CON-47", PAGED, PAGED_BUFFERS, {1: u32(0, 5, 0)}, 1, 4),
    ("BPG-21", PAGED, PAGED_BUFFERS, {2: u32(0, 2, 4)}, 2, 8),
    ("BPG-22", {**PAGED, "shape": "13,2,8"}, PAGED_BUFFERS, {}, 2, 8),
    ("CON-52", {**PER_CHANNEL}, [bytes(256), f32(*[1] * 8), bytes(32)],
     {1: f32(*[1] * 7, -0.0)}, 1, 28),
    ("CON-53", {**PER_CHANNEL}, [bytes(256), f32(*[1] * 8), bytes(32)],
     {2: u32(0, 128, 0, 0, 0, 0, 0, 0)}, 2, 4),
    ("CON-54", SYMMETRIC, [bytes(256), f32(*[1] * 16)], {1: f32(*[1] * 3, math.inf, *[1] * 12)},
     1, 12),
    ("CON-57", {**SYMMETRIC, "shape": "5", "quantization.axis": "0", "quantization.block_size": "4",
                **table(8, 8)}, [bytes(8), f32(1, 1)], {0: bytes(6) + b"\x01\x00"}, 0, 6),
    ("CON-60", NF4, [bytes(128), f32(*[0.0] * 32)], {1: f32(*[-0.0] * 31, -1)}, 1, 124),
    ("CON-62", MXFP, [bytes(256), b"\x7f" * 8], {1: b"\x7f" * 7 + b"\xff"}, 1, 7),
]


class ContentFaults(unittest.TestCase):
    def test_each(self):
        for clause, base, buffers, change, buffer, offset in CONTENT_FAULTS:
            with self.subTest(clause=clause):
                if change:
                    sound, _ = r.contents(r.build(base), buffers)
                    self.assertTrue(sound.full, sound.fault)
                given = [change.get(k, b) for k, b in enumerate(buffers)]
                data = r.build({**base, **table(*map(len, given))})
                found, inside = r.contents(data, given)
                self.assertFalse(found.accepted)
                self.assertTrue(inside)
                self.assertEqual((clause, buffer, offset),
                                 (found.fault.clause, found.fault.part, found.fault.offset))
                permissive, _ = r.contents(data, given, r.Mode("permissive"))
                self.assertEqual(clause in r.WAIVED, permissive.accepted)
                lenient, _ = r.contents(data, given, r.Mode("lenient"))
                self.assertEqual(found.fault.kind == "W", lenient.accepted)

    def test_pointers_beyond_the_coordinates(self):
        given = [u64(0, 3) if k == 1 else b for k, b in enumerate(CSF_BUFFERS)]
        fault = r.contents(r.build(CSF), given, r.Mode("strict"))[0].fault
        self.assertEqual(("CON-38", 1, 8), (fault.clause, fault.part, fault.offset))
        self.assertTrue(r.contents(r.build(CSF), given, r.Mode("permissive"))[0].accepted)

    def test_what_every_split_of_the_tokens_grants(self):
        base = {**PAGED, "type_tag": "0x42", "shape": "9,1,1", **table(20, 12, 12)}
        for slot, sound in ((0, False), (4, False), (5, True), (8, True)):
            pool = bytearray(b"\x01" * 20)
            pool[slot] = 0
            found = r.contents(r.build(base), [bytes(pool)] + PAGED_BUFFERS[1:])[0]
            self.assertEqual(sound, found.accepted, slot)

    def test_padding_of_tiles_is_free(self):
        data = r.build({**E8M0, "layout_tag": "4", "layout.tile.0.tile_shape": "2,4", **table(16)})
        self.assertTrue(r.contents(data, [b"\x01" * 12 + bytes(4)])[0].full)

    def test_repeated_positions_cost_nothing(self):
        wide = {"type_tag": "0x42", "layout_tag": "3", "shape": "4294967296,3",
                "layout.strides": "0,1", **table(3)}
        self.assertTrue(r.contents(r.build(wide), [b"\x01\x02\x03"])[0].full)
        found, _ = r.contents(r.build(wide), [b"\x01\x02\xff"])
        self.assertEqual(("CON-07", 2), (found.fault.clause, found.fault.offset))

    def test_buffers_that_do_not_fit(self):
        for buffers in ([], [b"\0" * 47], [b"\0" * 48, b""]):
            with self.assertRaises(r.Refusal):
                r.contents(r.build(F32), buffers)


def member(shape, offset, parent="8,8", **more):
    count = math.prod(map(int, shape.split(",")))
    return {"type_tag": "3", "shape": shape, **table(4 * count), "shard.parent_shape": parent,
            "shard.shard_offset": offset, **keys(**more)}


def chain(depth):
    one = {"type_tag": "3", "layout_tag": "11", "layout.composition_rule": "3"}
    last = {**one, "layout.member_count": "0"}
    return [{**one, "layout.member_count": "1"}] * (depth - 1) + [last]


OVERLAY = {**HEAD, "layout.composition_rule": "2", "layout.combine_op": "2"}
GROUP = {**HEAD, "layout.composition_rule": "3"}
LEFT, RIGHT = member("8,4", "0,0"), member("8,4", "0,4")
BASE = member("8,8", "0,0", member__member_role="1")
PATCH = member("2,2", "3,3", member__member_role="0")
SET_FAULTS = [  # clause, set, member, place
    ("CMP-15", [HEAD, LEFT, F32], 2, 10),
    ("CMP-15", [OVERLAY, BASE, MEMBER], 2, 10),
    ("CMP-16", [HEAD, LEFT, member("8,4", "0,4", "8,9")], 2, ("shard.parent_shape", 1)),
    ("CMP-16", [HEAD, LEFT, member("8", "0", "8")], 2, 16),
    ("SHD-02", [HEAD, LEFT, member("8,4", "0,5")], 2, ("shard.shard_offset", 1)),
    ("CMP-18", [HEAD, LEFT, {**RIGHT, "type_tag": "4", **table(256)}], 2, 14),
    ("CMP-18", [{**HEAD, "type_tag": "0x10", "shape": "8,32", "layout.member_count": "1"},
                {**PER_TENSOR, "shard.parent_shape": "8,32"}], 1, 14),
    ("CMP-20", [OVERLAY, BASE, LEFT], 2, 10),
    ("CMP-21", [OVERLAY, PATCH, PATCH], 1, "member.member_role"),
    ("MEM-01", [OVERLAY, {**BASE, "member.member_role": "2"}, PATCH], 1, "member.member_role"),
    ("CMP-22", [OVERLAY, member("8,4", "0,0", member__member_role="1"), PATCH], 1, ("shape", 1)),
    ("CMP-23", [OVERLAY, BASE, BASE], 2, "member.member_role"),
    ("CMP-24", [GROUP, F32, MEMBER], 2, 10),
    ("CMP-24", [HEAD, LEFT, {**RIGHT, "member.member_role": "0"}], 2, 10),
    ("CMP-26", [HEAD, LEFT, member("8,3", "0,4")], 0, 20),
    ("CMP-26", [{**HEAD, "layout.member_count": "0"}], 0, 20),
    ("CMP-26", [HEAD, member("8,5", "0,0"), member("8,4", "0,3")], 0, 20),
    ("CMP-26", [{**HEAD, "shape": DYN + ",8", "layout.member_count": "0"}], 0, 20),
    ("D-037", [{**OVERLAY, "shape": "8," + DYN}, BASE, PATCH], 0, ("shape", 1)),
    ("CMP-27", [HEAD, LEFT, member("8,5", "0,3")], 2, ("shard.shard_offset", 1)),
    ("CMP-28", chain(9), 8, 15),
    ("CMP-29", [HEAD, LEFT], 0, "layout.member_count"),
    ("CMP-29", [{**GROUP, "layout.member_count": "1"}, GROUP, F32], 1, "layout.member_count"),
]


class Sets(unittest.TestCase):
    def test_each(self):
        for clause, tensors, number, spot in SET_FAULTS:
            with self.subTest(clause=clause, tensors=len(tensors)):
                parts = [r.build(t) for t in tensors]
                fault = r.composite(parts).fault
                self.assertIsNotNone(fault)
                self.assertEqual((clause, number), (fault.clause, fault.part), fault)
                d = r.parse(parts[number])
                want = spot if isinstance(spot, int) else \
                    d.where(*spot) if isinstance(spot, tuple) else d.where(spot)
                self.assertEqual(want, fault.offset)
                permissive = r.composite(parts, r.Mode("permissive"))
                self.assertEqual((clause in r.WAIVED, False), permissive[:2])
                self.assertFalse(r.composite(parts, r.Mode("lenient")).accepted)

    def test_accepted(self):
        nested = {**HEAD, "shape": "8,4", "shard.parent_shape": "8,8", "shard.shard_offset": "0,4"}
        inner = [member("4,4", o, "8,4") for o in ("0,0", "4,0")]
        for tensors in ([HEAD, LEFT, RIGHT], [OVERLAY, BASE, PATCH], [GROUP, F32, PAGED],
                        [GROUP, SHARD, COO], [HEAD, LEFT, nested] + inner, [HEAD, nested] + inner +
                        [LEFT], chain(8), [{**GROUP, "layout.member_count": "0"}],
                        [{**HEAD, "shape": "0,8", "layout.member_count": "0"}],
                        [{**OVERLAY, "layout.member_count": "3"}, BASE, PATCH, PATCH],
                        [HEAD, LEFT, RIGHT, {**F32, "type_tag": "0"}]):
            self.assertTrue(r.composite([r.build(t) for t in tensors]).full, tensors)

    def test_tensors_of_unknown_kind_blur_what_follows(self):
        """Another major may be a head that takes the next tensors for itself."""
        other = r.build({**F32, "version_major": "2"})
        overlay, base = r.build(OVERLAY), r.build(BASE)
        self.assertEqual(("HDR-08", 1), r.composite([overlay, other, base]).fault[3::-3])
        fault = r.composite([r.build({**OVERLAY, "layout.member_count": "3"}), other, base]).fault
        self.assertEqual(("CMP-29", 0), (fault.clause, fault.part))  # torn under every reading
        inner = [r.build({**GROUP, "shard.parent_shape": "8,8"}), r.build(MEMBER), r.build(F32)]
        fault = r.composite([overlay, other] + inner).fault  # its own members are known
        self.assertEqual(("CMP-24", 3), (fault.clause, fault.part))

    def test_heads_in_overlays_satisfy_nobody(self):
        head = {**GROUP, "shape": "8,8", "layout.member_count": "0", "shard.parent_shape": "8,8"}
        without = [r.build(t) for t in (OVERLAY, BASE, head)]
        self.assertEqual("CMP-20", r.composite(without).fault.clause)
        with_section = [r.build(t) for t in (OVERLAY, BASE, {**head, "member.member_role": "0"})]
        self.assertEqual("CMP-03", r.composite(with_section).fault.clause)

    def test_a_set_begins_with_its_head(self):
        with self.assertRaises(r.Refusal):
            r.composite([r.build(F32), r.build(HEAD)])

    def test_cover_against_counting(self):
        rng = random.Random(3)
        for _ in range(3000):
            shape = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
            boxes = []
            for _ in range(rng.randint(1, 5)):
                low = [rng.randint(0, n - 1) for n in shape]
                boxes.append([(a, rng.randint(a + 1, n)) for a, n in zip(low, shape)])
            hits = {x: 0 for x in itertools.product(*map(range, shape))}
            for box in boxes:
                for x in itertools.product(*(range(a, b) for a, b in box)):
                    hits[x] += 1
            self.assertEqual(min(hits.values()) > 0, r.covered([(0, n) for n in shape], boxes))
            self.assertEqual(max(hits.values()) > 1, r.first_overlap(boxes) is not None)
            later = [n for n in range(len(boxes)) if any(r.overlap(boxes[n], b) for b in boxes[:n])]
            self.assertEqual(min(later, default=None), r.first_overlap(boxes))

    def test_many_members_in_time(self):
        head = r.build({**HEAD, "shape": "7000", "layout.member_count": "7000"})
        parts = [r.build(member("1", str(k), "7000")) for k in range(7000)]
        random.Random(1).shuffle(parts)
        self.assertTrue(r.composite([head] + parts).full)


class Views(unittest.TestCase):
    """Elements read through a composite."""

    def read(self, tensors, buffers, index):
        found = r.lookup_through([r.build(t) for t in tensors], buffers, index)
        return None if found is None else struct.unpack("<f", found)[0]

    def test_partition(self):
        nested = {**HEAD, "shape": "8,4", "shard.parent_shape": "8,8", "shard.shard_offset": "0,4"}
        inner = [member("4,4", o, "8,4") for o in ("0,0", "4,0")]
        halves = [f32(*(8 * i + k + j for i in range(8) for j in range(4))) for k in (0, 4)]
        quarters = [halves[1][:64], halves[1][64:]]
        for i, j in itertools.product(range(8), range(8)):
            self.assertEqual(8 * i + j, self.read([HEAD, LEFT, RIGHT], halves, [i, j]))
            self.assertEqual(8 * i + j, self.read([HEAD, nested] + inner + [LEFT],
                                                  quarters + halves[:1], [i, j]))

    def test_overlay(self):
        over = [f32(*range(64)), f32(100, 101, 102, 103), f32(-1, -2, -3, -4)]
        later = {**PATCH, "shard.shard_offset": "4,4"}
        cases = {(0, 0): (0, 0), (3, 3): (100, 127), (4, 4): (-1, 138), (5, 5): (-4, 41)}
        for op, which in (("1", 0), ("2", 1)):
            head = {**OVERLAY, "layout.combine_op": op, "layout.member_count": "3"}
            for index, want in cases.items():
                self.assertEqual(want[which], self.read([head, BASE, PATCH, later], over, index))

    def test_sparse_corrections_cover_what_they_store(self):
        sparse = {**COO, "shape": "8,8", "shard.parent_shape": "8,8", "member.member_role": "0"}
        given = [f32(*range(64))] + COO_BUFFERS
        for op, want in (("1", 2.0), ("2", 29.0)):
            head = {**OVERLAY, "layout.combine_op": op}
            self.assertEqual(want, self.read([head, BASE, sparse], given, [3, 3]))
            self.assertEqual(28.0, self.read([head, BASE, sparse], given, [3, 4]))

    def test_quantized_members_decode(self):
        base = {**PER_TENSOR, "shape": "8,8", **table(64), "quantization.scale": "0x3f000000",
                "shard.parent_shape": "8,8", "member.member_role": "1"}
        given = [b"\x03" * 64, f32(*[0] * 4)]
        self.assertEqual(1.5, self.read([OVERLAY, base, PATCH], given, [0, 7]))

    def test_refusals(self):
        halves = [bytes(128), bytes(128)]
        for tensors, buffers, index, kind in (
                ([HEAD, LEFT, RIGHT], halves, [8, 0], "range"),
                ([HEAD, LEFT, RIGHT], halves[:1], [0, 0], "buffers"),
                ([HEAD, LEFT, RIGHT], halves + [b""], [0, 0], "buffers"),
                ([HEAD, LEFT], halves[:1], [0, 0], "opaque"),
                ([GROUP, F32, F32], [bytes(48)] * 2, [0, 0], "virtual"),
                ([F32, F32], [bytes(48)] * 2, [0, 0], "head")):
            with self.assertRaises(r.Refusal) as caught:
                self.read(tensors, buffers, index)
            self.assertEqual(kind, str(caught.exception))
        with self.assertRaises(r.Rejected):
            self.read([HEAD, LEFT, F32], halves, [0, 0])


class Values(unittest.TestCase):
    def values(self, base, *buffers):
        return [r.float32(bits) for bits in r.dequantise(r.build(base), list(buffers))]

    def test_float32_rounding_agrees_with_the_machine(self):
        rng = random.Random(7)
        for _ in range(20000):
            value = struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0]
            if rng.random() < 0.7 and math.isfinite(value):
                value = math.ldexp(math.frexp(value)[0], rng.randint(-160, 130))
            if math.isnan(value):
                continue
            try:
                want = struct.unpack("<I", struct.pack("<f", value))[0]
            except OverflowError:
                want = 0xFF800000 if value < 0 else 0x7F800000
            self.assertEqual(want, r.round_float32(value), value.hex())
        self.assertEqual(0x4B800001, r.round_float32(2**24 + 3 - 1))
        self.assertEqual(0x4B800000, r.round_float32(2**24 + 1))
        self.assertEqual(0x5F000000, r.round_float32(2**63 - 1))
        self.assertEqual(0x5F000001, r.round_float32(2**63 + 2**39 + 1))  # twice rounded: 5F000000

    def test_other_widths_round_too(self):
        rng = random.Random(8)
        for _ in range(20000):
            value = math.ldexp(rng.uniform(-1, 1), rng.randint(-30, 20))
            try:
                want = struct.unpack("<H", struct.pack("<e", value))[0]
            except OverflowError:
                want = 0xFC00 if value < 0 else 0x7C00
            self.assertEqual(want, r.encode_float(0x01, value), value.hex())
            self.assertEqual(struct.unpack("<Q", struct.pack("<d", value))[0],
                             r.encode_float(0x04, value))
            single = struct.unpack("<f", struct.pack("<f", value))[0]
            bits, = struct.unpack("<I", struct.pack("<f", single))
            self.assertEqual(bits + 0x7FFF + (bits >> 16 & 1) >> 16, r.encode_float(0x02, single))
        self.assertEqual(0x4B800000, r.add(0x03, 0x4B800000, 0x3F800000))
        self.assertEqual(0, r.add(0x14, 2**32 - 5, 5))
        self.assertEqual(7, r.add(0x48, 9, 14))

    def test_small_floats(self):
        self.assertEqual([0, .5, 1, 1.5, 2, 3, 4, 6], [r.element_value(0x43, n) for n in range(8)])
        self.assertEqual(7.5, r.element_value(0x44, 0x1F))
        self.assertEqual(28.0, r.element_value(0x45, 0x1F))
        self.assertEqual(448.0, r.element_value(0x40, 0x7E))
        self.assertTrue(math.isnan(r.element_value(0x40, 0xFF)))
        self.assertEqual(57344.0, r.element_value(0x41, 0x7B))
        self.assertEqual(-math.inf, r.element_value(0x41, 0xFC))
        self.assertEqual(2.0**-126, r.element_value(0x42, 1))
        self.assertEqual(-1, r.element_value(0x4A, 3))
        self.assertEqual(-8, r.element_value(0x48, 8))

    def test_schemes(self):
        base = {**PER_TENSOR, "shape": "3", **table(3), "quantization.scale": "0x3f000000",
                "quantization.zero_point": "-3"}
        self.assertEqual([1.0, 65.0, -62.5], self.values(base, b"\xff\x7f\x80"))
        base = {**PER_CHANNEL, "shape": "2,2", **table(4, 8, 8), "quantization.axis": "1"}
        self.assertEqual([-1.0, 10.0, 1.0, 12.0],
                         self.values(base, bytes([1, 2, 3, 3]), f32(1, 2), u32(2, 2**32 - 3)))
        shared = {**base, "quantization.zero_point_buffer_index": "1", "buffer.2.byte_size": None}
        shared = {k: v for k, v in shared.items() if v is not None}
        shared["buffer.1.byte_size"] = "16"
        self.assertEqual([-1.0, 10.0, 1.0, 12.0],
                         self.values(shared, bytes([1, 2, 3, 3]), f32(1, 2) + u32(2, 2**32 - 3)))

    def test_blocks_follow_the_other_dimensions(self):
        # shape [2,3,2], axis 1, blocks of 2: block index = (i0*2 + i2) * 2 + i1 // 2
        base = {**SYMMETRIC, "shape": "2,3,2", "quantization.block_size": "2", **table(12, 16),
                "quantization.scale_type_tag": "1"}
        scales = struct.pack("<8e", *range(1, 9))
        want = [(i0 * 2 + i2) * 2 + i1 // 2 + 1
                for i0, i1, i2 in itertools.product(range(2), range(3), range(2))]
        self.assertEqual(want, self.values(base, b"\x01" * 12, scales))

    def test_nf4_and_mxfp(self):
        base = {**NF4, "shape": "16", "quantization.axis": "0", "quantization.block_size": "16",
                **table(8, 4)}
        codes = bytes(low | (low + 1) << 4 for low in range(0, 16, 2))
        self.assertEqual([2 * level for level in r.NF4], self.values(base, codes, f32(2.0)))
        base = {**MXFP, "type_tag": "0x43", "shape": "16", "quantization.axis": "0",
                "quantization.block_size": "16", **table(8, 1)}
        self.assertEqual([-0.0 if n == 8 else 4 * r.element_value(0x43, n) for n in range(16)],
                         self.values(base, codes, b"\x81"))

    def test_pages_use_slot_scales(self):
        base = {**PAGED_BLOCK, "shape": "6,1,1", "layout.num_seqs": "1", "layout.num_pages": "3",
                **table(12, 8, 8, 48)}
        values = self.values(base, b"\x01" * 12, u32(2, 0), u32(0, 2), f32(*range(1, 13)))
        self.assertEqual([9, 10, 11, 12, 1, 2], values)

    def test_refusals_are_typed(self):
        for base, buffers, kind in (
                (F32, [bytes(48)], "unquantized"), (UNKNOWN_SCHEME, [bytes(256)], "opaque"),
                (HEAD, [], "virtual"),
                ({**PER_TENSOR, "shape": DYN + ",4"}, [bytes(256)], "dynamic"),
                (PAGED_BLOCK, [bytes(320)] + PAGED_BUFFERS[1:] + [f32(*[1] * 20)], "sparse"),
                (PER_TENSOR, [], "buffers"), (SYMMETRIC, [bytes(256), bytes(64)], "contents"),
                (MXFP, [bytes(256), b"\xff" * 8], "contents"),
                ({**PER_TENSOR, "layout_tag": "3", "layout.strides": "0", "shape": str(2**40)},
                 [bytes(256)], "large")):
            with self.assertRaises(r.Refusal) as caught:
                r.dequantise(r.build(base), buffers)
            self.assertEqual(kind, str(caught.exception))

    def test_sizes(self):
        for base, want in ((TILED, [192]), (NESTED, [256]), (MORTON, [64]), (HILBERT, [64]),
                           (COO, [12, 48]), (CSC, [20, 40, 48]),
                           (CSF, [16, 16, 0, 8, 0, 8, 32]), (INT24, [12]), (NIBBLE, [4]),
                           (PER_BLOCK, [256, 64, 64]), (PAGED_BLOCK, [320, 0, 12, 80]), (HEAD, []),
                           ({**F32, "buffer.0.byte_size": "0"}, [48])):
            self.assertEqual(want, r.sizes(r.build(base)))
        for base, kind in (({**F32, "shape": "4294967296,4294967296"}, "overflow"),
                           ({**F32, "shape": DYN}, "dynamic"), (PRIVATE_LAYOUT, "opaque")):
            with self.assertRaises(r.Refusal) as caught:
                r.sizes(r.build(base))
            self.assertEqual(kind, str(caught.exception))


class RoundTrips(unittest.TestCase):
    def test_bases(self):
        for base in BASES.values():
            data = r.build(base)
            self.assertEqual(data, r.encode_again(r.parse(data)))
            text = {key: r.format_value(key, value) for key, value in r.parse(data).fields.items()}
            self.assertEqual(data, r.build(text))

    def test_encode_refuses_what_a_writer_must_not_emit(self):
        self.assertEqual(r.build(INT24), r.encode(INT24)[0])
        self.assertEqual("EXT-05", r.encode({**NIBBLE, "extension.packing_factor": "3"})[1].clause)
        for bad in ({"shape": "3"}, {**F32, "nonsense": "1"}, {**F32, "rank": "4294967296"},
                    {**F32, "layout.strides": "1,2"}):
            with self.assertRaises(r.BadKey):
                r.encode(bad)

    def test_golden(self):
        folder = os.environ.get("PLUMBLINE_GOLDEN")
        if not folder:
            self.skipTest("PLUMBLINE_GOLDEN is not set")
        names = sorted(glob.glob(os.path.join(folder, "descriptors", "*.bin")))
        self.assertEqual(11, len(names))
        for name in names:
            with open(name, "rb") as file:
                data = file.read()
            d = r.decode(data)
            self.assertTrue(r.answer(d.faults, r.STRICT).full, name)
            self.assertEqual(data, r.encode_again(d))


def poke(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        what = rng.random()
        at = rng.randrange(len(data)) if data else 0
        if what < 0.5 and data:
            data[at] = rng.choice((0, 1, 2, 3, 4, 8, 0x40, 0x7F, 0x80, 0xF0, 0xFE, 0xFF,
                                   rng.randrange(256)))
        elif what < 0.7 and data:
            data[at] ^= 1 << rng.randrange(8)
        elif what < 0.8:
            del data[at:at + rng.choice((1, 4, 8, 16))]
        elif what < 0.9:
            data[at:at] = bytes(rng.choice((1, 4, 8)))
        else:
            size = rng.choice((2, 4, 8))
            data[at:at + size] = (rng.choice((0, 1, 2**63, 2**64 - 1, 2**32)) % 2**(8 * size)
                                  ).to_bytes(size, "little")
    if rng.random() < 0.5 and len(data) >= 10:
        data[6:10] = len(data).to_bytes(4, "little")  # half of the runs keep a true length
    return bytes(data)


class Mutations(unittest.TestCase):
    """Whatever the bytes, an answer; what is accepted anywhere gives values or typed refusals."""
    ROUNDS = int(os.environ.get("PLUMBLINE_ROUNDS", "6000"))

    def ask(self, question, *arguments):
        try:
            return question(*arguments)
        except (r.Refusal, r.Rejected):
            return None

    def test_descriptors(self):
        rng = random.Random(20)
        seeds = [r.build(base) for base in BASES.values()]
        seeds += [r.build(merged(base, change)) for _, base, change, _ in REFUSALS]
        modes = [r.parse_mode(text) for text in (
            "strict", "lenient", "permissive", "strict+type=0xf2+layout=0xf0+transport=network")]
        accepted = 0
        for _ in range(self.ROUNDS):
            data = poke(rng, rng.choice(seeds))
            answers = []
            for mode in modes:
                d = r.decode(data, mode)
                answers.append(r.answer(d.faults, mode))
                if answers[-1].accepted:
                    self.assertEqual(data[:d.get("descriptor_length")], r.encode_again(d))
            if answers[0].accepted:
                self.assertTrue(answers[1].full and answers[2].full)
            if answers[1].accepted or answers[2].accepted:
                accepted += 1
                self.questions(rng, data, answers[0].full)
            self.ask(r.sizes, data)
        self.assertGreater(accepted, self.ROUNDS // 20)

    def questions(self, rng, data, sound):
        d = r.parse(data)
        shape = d.get("shape")
        for corner in (lambda n: 0, lambda n: n - 1, lambda n: n):
            index = [corner(n) for n in shape]
            place = self.ask(r.address, data, index)
            if place and sound:
                bits = r.element_bits(d)
                self.assertTrue(0 <= place[1] and place[1] + (place[2] + bits + 7) // 8 <=
                                d.get("buffer.0.byte_size"))
        least = self.ask(r.sizes, data)
        if least is not None and sound:
            have = [d.get("buffer.%d.byte_size" % k) for k in range(d.get("buffer_count"))]
            self.assertTrue(all(a <= b for a, b in zip(least, have)), (least, have))
        table_sizes = [d.get("buffer.%d.byte_size" % k) for k in range(d.get("buffer_count") or 0)]
        if sum(table_sizes) > 20000:
            return
        fill = rng.choice((lambda n: bytes(n), lambda n: rng.randbytes(n),
                           lambda n: bytes(rng.choice((0, 1, 0, 0, 0, 0, 0, 0)) for _ in range(n))))
        buffers = [fill(n) for n in table_sizes]
        for mode in ("strict", "lenient", "permissive"):
            self.ask(r.contents, data, buffers, r.Mode(mode))
        self.ask(r.lookup, data, buffers, [0] * len(shape))
        self.ask(r.lookup, data, buffers, [0, 0, 0, 0])
        if d.static and math.prod(shape) < 2000:
            self.ask(r.dequantise, data, buffers)

    def test_contents(self):
        rng = random.Random(21)
        for _ in range(self.ROUNDS // 4):
            _, base, buffers, change, _, _ = rng.choice(CONTENT_FAULTS)
            given = [change.get(k, b) for k, b in enumerate(buffers)]
            given = [poke(rng, b)[:len(b)].ljust(len(b), b"\0") for b in given]
            data = r.build({**base, **table(*map(len, given))})
            for mode in ("strict", "lenient", "permissive"):
                self.ask(r.contents, data, given, r.Mode(mode))
            self.ask(r.dequantise, data, given)
            shape = r.parse(data).get("shape")
            self.ask(r.lookup, data, given, [rng.randrange(n or 1) for n in shape])
            self.ask(r.lookup, data, given, [0, rng.randrange(8), 0, 0])

    def test_sets(self):
        rng = random.Random(22)
        for _ in range(self.ROUNDS // 4):
            parts = [r.build(t) for t in rng.choice(SET_FAULTS)[1]]
            k = rng.randrange(len(parts))
            parts[k] = poke(rng, parts[k])
            if rng.random() < 0.2:
                parts.insert(rng.randrange(len(parts) + 1), rng.choice(parts))
            strict = self.ask(r.composite, parts)
            if strict is None:
                continue
            sizes = [size for part in parts for d in [r.parse(part)]
                     for size in [d.get("buffer.%d.byte_size" % n)
                                  for n in range(d.get("buffer_count") or 0)] if size is not None]
            if sum(sizes) < 20000:
                shape = r.parse(parts[0]).get("shape") or []
                for index in ([0] * len(shape), [max(0, n - 1) for n in shape]):
                    self.ask(r.lookup_through, parts, [rng.randbytes(n) for n in sizes], index)
            if strict.accepted:
                self.assertTrue(r.composite(parts, r.Mode("lenient")).full)
                self.assertTrue(r.composite(parts, r.Mode("permissive")).accepted)


class Table(unittest.TestCase):
    def test_agrees_with_the_table_of_clauses(self):
        path = os.path.join(HERE, "..", "..", "..", "reference", "clauses.tsv")
        if not os.path.exists(path):
            self.skipTest("reference/clauses.tsv is not beside this copy")
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        want = [(row["id"], row["class"], row["verdict"]) for row in rows
                if row["area"][0] in "12" and row["owner"] == row["id"] and row["class"] in "RNW"
                and row["id"] != "QNT-01"]  # for readers without quantization
        have = [(c, kind, verdict) for c, (_, kind, verdict) in r.CLAUSES.items()
                if not c.startswith("D-")]
        self.assertEqual(want, have)


class Protocol(unittest.TestCase):
    def test_copied_alone(self):
        data = r.build(F32).hex()
        requests = ["hello plumbline 1", "7 decode strict " + data, "8 fields strict " + data,
                    "9 decode strict -", "10 nonsense 1", "11 size " + data,
                    "12 address %s 1,2" % data, "13 address %s 3,0" % data,
                    "14 encode type_tag=3 shape=3,4 buffer.0.byte_size=48",
                    "15 composite strict %s;" % r.build(HEAD).hex(),
                    "16 contents strict %s %s" % (data, "00" * 48),
                    "17 lookup %s %s 0,1" % (data, "00" * 4 + "0000803f" + "00" * 40),
                    "18 dequantise %s 03" % r.build({**PER_TENSOR, "shape": "1", **table(1)}).hex(),
                    "19 decode", "20 decode strict zz",
                    "21 contents strict %s -" % r.build(HEAD).hex(),
                    "22 encode type_tag=3 nonsense=1"]
        with tempfile.TemporaryDirectory() as folder:
            for name in ("adapter.py", "plumbline_reader.py"):
                shutil.copy(os.path.join(HERE, name), folder)
            done = subprocess.run([sys.executable, "-I", os.path.join(folder, "adapter.py")],
                                  input="\r\n".join(requests) + "\n", capture_output=True,
                                  text=True, cwd=folder, timeout=60)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        replies = done.stdout.splitlines()
        self.assertEqual(len(requests), len(replies))
        self.assertTrue(replies[0].startswith("hello plumbline 1 name="))
        want = ["7 accept full " + data, None, "9 reject malformed HDR-09 0 0 bytes of input",
                "10 skip unknown", "11 ok 48", "12 ok 0 24 0", "13 error range", "14 ok " + data,
                "15 reject malformed CMP-29 %d member=0 0 of 2 members" % 48,
                "16 accept full -", "17 ok stored 0000803f", "18 ok 0x40400000",
                "19 error request 0 arguments", "20 error request bytes zz", "21 accept full -",
                "22 error request nonsense has no place"]
        for line, reply in zip(want, replies[1:]):
            if line is not None:
                self.assertEqual(line, reply)
        self.assertIn("shape=3,4 byte_offset=0 buffer_count=1 buffer.0.byte_size=48", replies[2])

    def test_lines_that_break_the_framing(self):
        lines = [b"hello plumbline 1", b"hello plumbline 1", b"", b"0 decode strict 00", b"-1 x",
                 b"0x1 x", b"18446744073709551616 x", b"5  decode strict 00", b"6 decode strict 00 ",
                 b"7 decode strict 4852525903\r", b"8 decode strict 0\x010", b"9 decode strict \xff",
                 b"10 decode strict " + b"0" * (3 << 20), b"11", b"18446744073709551615 x",
                 b"12 decode strict 485252590300"]
        done = subprocess.run([sys.executable, "-I", os.path.join(HERE, "adapter.py")],
                              input=b"\n".join(lines), capture_output=True, timeout=60)
        self.assertEqual((0, b""), (done.returncode, done.stderr))
        replies = done.stdout.decode().splitlines()
        self.assertTrue(replies[0].startswith("hello plumbline 1 name="))
        zero = ["0 error request"] * 6
        self.assertEqual(zero + ["5 error request", "6 error request", "7 reject unsupported",
                                 "8 error request", "9 error request", "10 error request",
                                 "11 skip unknown", "18446744073709551615 skip unknown",
                                 "12 reject unsupported"],
                         [" ".join(reply.split(" ")[:3]) for reply in replies[1:]])

    def test_encode_takes_what_fields_gives(self):
        for base in BASES.values():
            if base is UNKNOWN_SCHEME:
                continue
            mode = "permissive+device=0xf0"
            reply = adapter.fields(mode, r.build(base).hex())
            self.assertTrue(reply.startswith("ok "), reply)
            self.assertEqual("ok " + r.build(base).hex(), adapter.encode(*reply.split()[1:]))


if __name__ == "__main__":
    unittest.main()
