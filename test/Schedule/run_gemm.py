# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Runs a bf16 GEMM's code object under fly-emu, checking on, and compares.

usage: run_gemm.py FILE.hsaco KERNEL THREADS TILE M N K DIRECTORY
"""

import subprocess
import sys

import numpy as np

hsaco, kernel, threads, tile, m, n, k, directory = sys.argv[1:]
tile, m, n, k = int(tile), int(m), int(n), int(k)


def bf16(values):
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


rng = np.random.default_rng(1)
a = rng.integers(-4, 5, (m, k))
b = rng.integers(-4, 5, (n, k))
paths = {name: f"{directory}.{name}.npy" for name in "dab"}
np.save(paths["a"], bf16(a))
np.save(paths["b"], bf16(b))
np.save(paths["d"], np.full((m, n), 0x7FC0, np.uint16))
grid = -(-m // tile) * -(-n // tile)
subprocess.run(
    [
        "fly-emu",
        hsaco,
        f"--kernel={kernel}",
        f"--grid={grid},1,1",
        f"--block={threads},1,1",
        f"--arg=@{paths['d']}:rw",
        f"--arg=@{paths['a']}",
        f"--arg=@{paths['b']}",
        *(f"--arg=i32:{x}" for x in (m, n, k, n, k, k)),
        "--check=on",
    ],
    check=True,
)
# Sums of this size are exact in f32; the result is rounded once, to nearest even.
exact = (a @ b.T).astype(np.float32).view(np.uint32)
expected = ((exact + 0x7FFF + (exact >> 16 & 1)) >> 16).astype(np.uint16)
wrong = np.argwhere(np.load(paths["d"]) != expected)
print(f"{m}x{n}x{k}: {len(wrong)} wrong elements")
sys.exit(1 if len(wrong) else 0)
