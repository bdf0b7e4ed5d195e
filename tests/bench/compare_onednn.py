#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Products at the engine's sizes by OpenBLAS and by oneDNN (Debian's libdnnl2), one thread, the fastest of nine rounds in
turn: OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 tests/bench/compare_onednn.py. What the engine makes of the same sizes:
build/release/tests/bench_engine --benchmark_filter=product."""
import ctypes
import time

import numpy as np

# Rows, columns, what is summed; is the first, the second turned?
SIZES = {
    "small, projection": (320, 128, 128, False, True),
    "small, feed-forward 1": (320, 512, 128, False, True),
    "small, feed-forward 2": (320, 128, 512, False, True),
    "base, projection": (480, 256, 256, False, True),
    "base, feed-forward 1": (480, 1024, 256, False, True),
    "base, feed-forward 2": (480, 256, 1024, False, True),
    "small, back to the input": (320, 128, 512, False, False),
    "small, a weight's gradient": (128, 128, 320, True, False),
    "base, a weight's gradient": (1024, 256, 480, True, False),
    "scores of 4,000 words": (256, 4000, 256, False, True),
    "a step of decoding, 16 rows": (16, 1024, 256, False, True),
    "a step of decoding, 5 rows": (5, 1024, 256, False, True),
}
ROW_MAJOR, PLAIN, TURNED = 101, 111, 112


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


def seconds(call, flops: float) -> float:
    times = max(1, int(2e8 / flops))
    start = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - start) / times


def main() -> None:
    openblas, onednn = ctypes.CDLL("libopenblas.so.0"), ctypes.CDLL("libdnnl.so.2")
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    print("| product | OpenBLAS | oneDNN |\n| --- | --- | --- |")
    for name, (m, n, k, turns_a, turns_b) in SIZES.items():
        random = np.random.default_rng(1)
        a, b = (random.uniform(-1, 1, size).astype(np.float32) for size in (m * k, k * n))
        c = np.empty(m * n, np.float32)
        lda, ldb = (m if turns_a else k), (k if turns_b else n)

        def by_openblas():
            openblas.cblas_sgemm(ROW_MAJOR, TURNED if turns_a else PLAIN, TURNED if turns_b else PLAIN, m, n, k, one,
                                 pointer(a), lda, pointer(b), ldb, zero, pointer(c), n)

        def by_onednn():
            onednn.dnnl_sgemm(ctypes.c_char(b"T" if turns_a else b"N"), ctypes.c_char(b"T" if turns_b else b"N"),
                              *(ctypes.c_int64(each) for each in (m, n, k)), one, pointer(a), ctypes.c_int64(lda),
                              pointer(b), ctypes.c_int64(ldb), zero, pointer(c), ctypes.c_int64(n))

        flops = 2.0 * m * n * k
        by_openblas()
        expected = c.copy()
        by_onednn()
        assert np.allclose(c, expected, atol=1e-3), name
        rounds = [(seconds(by_openblas, flops), seconds(by_onednn, flops)) for _ in range(9)]
        rates = [flops / min(each) / 1e9 for each in zip(*rounds)]
        print(f"| {name}: {m} × {n} × {k} | {rates[0]:.0f} | {rates[1]:.0f} |", flush=True)


if __name__ == "__main__":
    main()
