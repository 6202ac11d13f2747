# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Pipelined matrix products through LDS."""

import formats
import numpy as np
from emulate import Case, written


def cases(arch):
    rng = np.random.default_rng(8)
    m, n = 128, 192
    grid, block = (n // 64, m // 64, 1), (256, 1, 1)
    for name, k in (
        ("gemm_direct", 64),
        ("gemm_direct", 320),
        ("gemm_staged", 64),
        ("gemm_staged", 320),
    ):
        a = rng.integers(-4, 5, (m, k)).astype(np.float32)
        b = rng.integers(-4, 5, (n, k)).astype(np.float32)
        args = [formats.to_bf16(a), formats.to_bf16(b), written(a @ b.T)]
        args += [f"u32:{n}", f"u32:{k}"]
        yield Case(f"{name}_{k}", name, args, grid, block, source="gemm.cl")
    k = 192
    a = rng.integers(-128, 128, (m, k)).astype(np.int8)
    b = rng.integers(-128, 128, (n, k)).astype(np.int8)
    c = a.astype(np.int32) @ b.astype(np.int32).T
    args = [a, b, written(c), f"u32:{n}", f"u32:{k}"]
    yield Case("gemm_i8", "gemm_i8", args, grid, block, source="gemm.cl")
