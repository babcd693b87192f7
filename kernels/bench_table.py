"""The benchmarks' JSON as tables: for each benchmark the best and the median of its repetitions, and
the project's promised ratios beside what instructions or memory allow at most. Every ratio is of
figures from one run; one of rates is of the best of them.

    bench_table.py [--markdown] BENCH.json..
"""

import json
import statistics
import sys

CUBE = "df64_einsum/512_cubed"
COPY = "limit_memcpy/67108864"
FILL, READ, MIXED = "limit_fill", "limit_read", "limit_mixed"
# A df64 multiply-add is 24 additions and 5 multiplies and multiply-adds in each lane.
MULTIPLY_ADD = (MIXED, 1 / 29, "29 operations a multiply-add")
DIVISIONS = ("limit_divisions", 48, "a division for 48 bytes")
ROOTS = ("limit_roots_and_divisions", 16, "a root and a division for 32 bytes")
FLOAT_DIVISIONS = ("limit_float_divisions", 4, "a division for 4 bytes")
FLOAT_ROOTS = ("limit_float_roots", 4, "a root for 4 bytes")
FILLED = (FILL, 1 / 16, "16 bytes written an element")
COPIED = (COPY, 1, "bytes moved, as memcpy")


def read(count):
    return READ, 1 / count, f"{count} bytes read a multiply-add"


# (work, against, benchmark, peer, factor for the peer's figure, ratio to reach, limit); of several
# limits the lowest counts.
ROWS = [
    ("df64 einsum `ik,kj->ij` 512^3", "QD, accurate addition", CUBE, "qd_product", 1, 1.5, MULTIPLY_ADD),
    ("the same", "the instruction limit", CUBE, MIXED, 1 / 29, 0.75, MULTIPLY_ADD),
    ("operands transposed", "our 512^3", CUBE + "_transposed", CUBE, 1, 0.7, MULTIPLY_ADD),
    ("256 products of 8 x 1024 x 8", "our 512^3", "df64_einsum/batch_of_8x8", CUBE, 1, 0.7, MULTIPLY_ADD),
    ("2048 products of 8 x 64 x 8", "our 512^3", "df64_einsum/batch_of_8x64x8", CUBE, 1, 0.7, MULTIPLY_ADD),
    ("a diagonal, `iij,jk->ik`", "our 512^3", "df64_einsum/diagonal", CUBE, 1, 0.7, MULTIPLY_ADD),
    ("three operands, `ik,kl,lj->ij` of 256^2", "our 512^3", "df64_einsum/chain_of_three", CUBE, 1, 0.7,
     MULTIPLY_ADD),
    ("rank 4 permuted, `abcd,cedf->afbe`", "our 512^3", "df64_einsum/rank_4_permuted", CUBE, 1, 0.7, MULTIPLY_ADD),
    ("matrix times vector", "our 512^3", "df64_einsum/matrix_times_vector", CUBE, 1, 0.7, read(16)),
    ("vector times matrix", "our 512^3", "df64_einsum/vector_times_matrix", CUBE, 1, 0.7, read(16)),
    ("row-wise dot `bi,bi->b`", "our 512^3", "df64_einsum/row_wise_dot", CUBE, 1, 0.7, read(32)),
    ("outer product 2048 x 2048, new memory", "memory filled", "df64_einsum/outer_product", FILL, 1 / 16, 0.7,
     FILLED),
    ("the same into the caller's memory", "memory filled", "df64_einsum/outer_product_into", FILL, 1 / 16, 0.7,
     FILLED),
    ("512 outer products of 64 x 64, `ib,jb->bij`, new memory", "memory filled", "df64_einsum/batch_of_64_outer",
     FILL, 1 / 16, 0.7, FILLED),
    ("df64 QR 512 x 256", "QD, the same algorithm", "df64_qr", "qd_qr", 1, 5, MULTIPLY_ADD),
    ("bf16 einsum 1024^3", "OpenBLAS sgemm", "bf16_einsum", "openblas_sgemm", 1, 1.0,
     ("limit_float_multiply_adds", 2, "2 operations a multiply-add")),
    ("the same", "oneDNN matmul", "bf16_einsum", "onednn_matmul", 1, 0.9,
     ("limit_float_multiply_adds", 2, "2 operations a multiply-add")),
    ("narrow, 64 MiB", "memcpy, in + out", "bf16_narrow/67108864", COPY, 1, 1.2, COPIED),
    ("narrow, 16 KiB", "the compiler's vectors", "bf16_narrow/16384", "bf16_narrow_by_compiler/16384", 1, 2,
     ("limit_narrow", 6, "7 instructions a vector")),
    ("df64 add, 64 MiB", "memcpy", "df64_binary/add", COPY, 1, 0.7, COPIED),
    ("df64 sub", "memcpy", "df64_binary/sub", COPY, 1, 0.7, COPIED),
    ("df64 mul", "memcpy", "df64_binary/mul", COPY, 1, 0.7, COPIED),
    ("df64 div", "memcpy", "df64_binary/div", COPY, 1, 0.7, [COPIED, DIVISIONS]),
    ("df64 sqrt", "memcpy", "df64_sqrt", COPY, 1, 0.7, [COPIED, ROOTS]),
    ("df64 axpy", "memcpy", "df64_binary/axpy", COPY, 1, 0.7, COPIED),
    ("bf16 add", "memcpy", "bf16_elementwise/add", COPY, 1, 0.7, COPIED),
    ("bf16 mul", "memcpy", "bf16_elementwise/mul", COPY, 1, 0.7, COPIED),
    ("bf16 div", "memcpy", "bf16_elementwise/div", COPY, 1, 0.7, [COPIED, FLOAT_DIVISIONS]),
    ("bf16 sqrt", "memcpy", "bf16_elementwise/sqrt", COPY, 1, 0.7, [COPIED, FLOAT_ROOTS]),
    ("widen", "memcpy", "bf16_elementwise/widen", COPY, 1, 0.7, COPIED),
    ("df64 sum", "memcpy", "df64_sum", COPY, 1, 0.7, (READ, 1, "bytes read")),
    ("bf16 sum", "memcpy", "bf16_sum", COPY, 1, 0.7, (READ, 1, "bytes read")),
    ("df64 dot", "memcpy", "df64_dot", COPY, 1, 0.7,
     [(READ, 1, "bytes read"), (MIXED, 32 / 29, "29 operations for 32 bytes")]),
    ("bf16 dot", "memcpy", "bf16_dot", COPY, 1, 0.7, (READ, 1, "bytes read")),
]
# Two threads against one, for both: (benchmark, the loop that touches no memory)
SCALING = ("512^3 on two threads / one", "multiply-adds on registers, two / one", CUBE, "limit_multiply_adds_on")
SCALING_REACH = 0.95


def figures_of(paths):
    figures, units = {}, {}
    for path in paths:
        with open(path) as file:
            for run in json.load(file)["benchmarks"]:
                if run.get("run_type") == "aggregate" or run.get("error_occurred"):
                    continue
                for unit, value in run.items():
                    if unit.startswith("G_"):
                        name = run["run_name"].removesuffix("/real_time")
                        figures.setdefault(name, []).append(value)
                        units[name] = unit.removeprefix("G_")
    return figures, units


def rated(figures):
    """(work, against, figure, spread, ratio, reach, limit, share of it, the limit's count); what is
    missing is None."""

    def best(name):
        return max(figures[name]) if name in figures else None

    for work, against, mine, peer, factor, reach, limit in ROWS:
        figure, other = best(mine), best(peer)
        ratio = figure / (other * factor) if figure and other else None
        limits = [(best(name) * scale, count) for name, scale, count in
                  (limit if isinstance(limit, list) else [limit]) if best(name)]
        at_most, count = min(limits, default=(None, ""))
        spread = figure / min(figures[mine]) - 1 if figure else None
        yield (work, against, figure, spread, ratio, reach, at_most, figure / at_most if figure and at_most else None,
               count)
    work, against, mine, bare = SCALING
    ones, twos = (best(f"{mine}_{n}") for n in ("one_thread", "two_threads"))
    bare_ones, bare_twos = (best(f"{bare}/{n}") for n in ("one_thread", "two_threads"))
    if all((ones, twos, bare_ones, bare_twos)):
        scaled, bare_scaled = twos / ones, bare_twos / bare_ones
        yield (work, against, scaled, twos / min(figures[f"{mine}_two_threads"]) - 1, scaled / bare_scaled,
               SCALING_REACH, bare_scaled, scaled / bare_scaled, "")
    else:
        yield work, against, None, None, None, SCALING_REACH, None, None, ""


def number(x, form):
    return "-" if x is None else format(x, form)


def main():
    arguments = sys.argv[1:]
    markdown = "--markdown" in arguments
    figures, units = figures_of(a for a in arguments if a != "--markdown")
    if markdown:
        print("| work | against | figure | spread | ratio | to reach | limit | share | the limit's count | |")
        print("|---|---|---|---|---|---|---|---|---|---|")
    else:
        print(f"{'benchmark':44} {'best':>9} {'median':>9} {'spread':>7}  10^9 a second of")
        for name, values in figures.items():
            top, middle = max(values), statistics.median(values)
            print(f"{name:44} {top:9.3f} {middle:9.3f} {top / min(values) - 1:6.0%}  {units[name]}")
        print(f"\n{'ratio of the best':62} {'is':>6} {'reach':>6} {'limit':>8} {'share':>6}")
    for work, against, figure, spread, ratio, reach, limit, share, count in rated(figures):
        verdict = "not measured" if ratio is None else "" if ratio >= reach else "falls short"
        if markdown:
            print(f"| {work} | {against} | {number(figure, '.3g')} | {number(spread, '.0%')} | {number(ratio, '.2f')} | "
                  f"{reach:g} | {number(limit, '.3g')} | {number(share, '.0%')} | {count} | "
                  f"{f'**{verdict}**' if verdict else ''} |")
        else:
            print(f"{work + ' / ' + against:62} {number(ratio, '.2f'):>6} {reach:6.2f} {number(limit, '.3f'):>8} "
                  f"{number(share, '.0%'):>6}  {verdict}")


main()
