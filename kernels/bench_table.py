"""The benchmarks' JSON as a table: for each benchmark the best and the median of its repetitions,
in CPU time, and the ratios that the project promises, each from one run.

    bench_table.py BENCH.json..
"""

import json
import statistics
import sys

# (what, benchmark, peer, factor for the peer's figure, ratio to reach)
RATIOS = [
    ("df64 einsum 512^3 / QD, accurate add", "df64_einsum/512_cubed", "qd_product", 1, 1.5),
    # 29 vector instructions for 4 multiply-adds: 24 additions, 5 multiplies and multiply-adds
    ("df64 einsum 512^3 / issue limit, mixed", "df64_einsum/512_cubed", "limit_avx2_mixed", 4 / 29, 0.75),
    ("transposed operands / 512^3", "df64_einsum/512_cubed_transposed", "df64_einsum/512_cubed", 1, 0.7),
    ("batch of 8x8 / 512^3", "df64_einsum/batch_of_8x8", "df64_einsum/512_cubed", 1, 0.7),
    ("matrix times vector / 512^3", "df64_einsum/matrix_times_vector", "df64_einsum/512_cubed", 1, 0.7),
    ("vector times matrix / 512^3", "df64_einsum/vector_times_matrix", "df64_einsum/512_cubed", 1, 0.7),
    ("row-wise dot / 512^3", "df64_einsum/row_wise_dot", "df64_einsum/512_cubed", 1, 0.7),
    ("outer product, bytes written / memcpy", "df64_einsum/outer_product", "limit_memcpy/67108864", 1 / 16, 0.7),
    ("two threads / one", "df64_einsum/512_cubed_two_threads/real_time", "df64_einsum/512_cubed", 1, 1.9),
    ("df64 QR 512 x 256 / QD", "df64_qr", "qd_qr", 1, 5),
    ("bf16 einsum 1024^3 / OpenBLAS sgemm", "bf16_einsum", "openblas_sgemm", 1, 1.0),
    ("narrow 64 MiB / memcpy", "bf16_narrow/67108864", "limit_memcpy/67108864", 1, 1.2),
    ("narrow 16 KiB / by the compiler", "bf16_narrow/16384", "bf16_narrow_by_compiler/16384", 1, 2),
    ("df64 add / memcpy", "df64_binary/add", "limit_memcpy/67108864", 1, 0.7),
    ("df64 mul / memcpy", "df64_binary/mul", "limit_memcpy/67108864", 1, 0.7),
    ("df64 div / memcpy", "df64_binary/div", "limit_memcpy/67108864", 1, 0.7),
    ("df64 axpy / memcpy", "df64_binary/axpy", "limit_memcpy/67108864", 1, 0.7),
    ("bf16 add / memcpy", "bf16_add", "limit_memcpy/67108864", 1, 0.7),
    ("df64 sum / memcpy", "df64_sum", "limit_memcpy/67108864", 1, 0.7),
    ("bf16 sum / memcpy", "bf16_sum", "limit_memcpy/67108864", 1, 0.7),
]


def main():
    runs = []
    for path in sys.argv[1:]:
        with open(path) as file:
            runs += json.load(file)["benchmarks"]
    figures, units = {}, {}
    for run in runs:
        if run.get("run_type") == "aggregate":
            continue
        name = run["run_name"]
        for unit, value in run.items():
            if unit.startswith("G_"):
                figures.setdefault(name, []).append(value)
                units[name] = unit
    print(f"{'benchmark':44} {'best':>9} {'median':>9} {'spread':>7}  10^9 a second of")
    for name, values in figures.items():
        best, middle = max(values), statistics.median(values)
        print(f"{name:44} {best:9.3f} {middle:9.3f} {best / min(values) - 1:6.0%}  {units[name][2:]}")
    print(f"\n{'ratio of the best':44} {'is':>9} {'reach':>9}")
    for what, mine, peer, factor, reach in RATIOS:
        if mine not in figures or peer not in figures:
            print(f"{what:44} {'-':>9} {reach:9.2f}  not measured: no {mine if mine not in figures else peer}")
            continue
        ratio = max(figures[mine]) / (max(figures[peer]) * factor)
        print(f"{what:44} {ratio:9.2f} {reach:9.2f}{'' if ratio >= reach else '  falls short'}")


main()
