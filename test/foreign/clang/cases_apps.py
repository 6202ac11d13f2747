# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Reductions, norms, scans, sorts, small products."""

import formats
import numpy as np
from emulate import Case, written


def softmax(v):
    e = np.exp(v - v.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def norm_cases(rng, case):
    rows, columns, pitch = 5, 300, 320
    v = np.zeros((rows, pitch), np.float32)
    v[:, :columns] = rng.normal(0, 3, (rows, columns))
    before = np.full((rows, pitch), 7, np.float32)
    out = written(before.copy(), 1e-6, before=before)
    out.after[:, :columns] = softmax(v[:, :columns].astype(np.float64))
    sizes = [f"u32:{columns}", f"u32:{pitch}"]
    yield case("softmax", [v, out, *sizes], grid=(rows, 1, 1), block=(256, 1, 1))

    rows, columns = 3, 520
    v = rng.normal(1, 2, (rows, columns)).astype(np.float16)
    gain = rng.normal(1, 0.2, columns).astype(np.float32)
    bias = rng.normal(0, 0.2, columns).astype(np.float32)
    wide = v.astype(np.float64)
    scale = 1 / np.sqrt(wide.var(axis=1, keepdims=True) + 1e-5)
    normal = (wide - wide.mean(axis=1, keepdims=True)) * scale * gain + bias
    yield case(
        "layer_norm",
        [v, gain, bias, written(normal.astype(np.float16), 1e-3)]
        + [f"u32:{columns}", "f32:1e-5"],
        grid=(rows, 1, 1),
        block=(256, 1, 1),
    )
    v = formats.to_bf16(rng.normal(0, 2, (4, 512)))
    gain = formats.to_bf16(rng.normal(1, 0.2, 512))
    wide = formats.from_bf16(v).astype(np.float64)
    scale = 1 / np.sqrt((wide**2).mean(axis=1, keepdims=True) + 1e-6)
    out = formats.to_bf16(wide * scale * formats.from_bf16(gain))
    yield case(
        "rms_norm",
        [v, gain, written(out, 5e-3, formats.from_bf16), "f32:1e-6"],
        grid=(4, 1, 1),
    )


def cases(arch):
    rng = np.random.default_rng(6)

    def case(name, args, **more):
        return Case(name, name, args, source="apps.cl", **more)

    v = rng.integers(-9, 9, 3000).astype(np.float32)
    total = np.array([100 + v.sum()], np.float32)
    yield case(
        "reduce",
        [v, "u32:3000", written(total, before=np.array([100], np.float32))],
        grid=(2, 1, 1),
        block=(256, 1, 1),
    )
    yield from norm_cases(rng, case)

    rows, columns = 10, 1100
    a = rng.integers(-4, 5, (rows, columns)).astype(np.float16)
    x = rng.integers(-4, 5, columns).astype(np.float16)
    # The last four columns are the ragged end: 1100 is no multiple of 8.
    y = a.astype(np.float32) @ x.astype(np.float32)
    yield case(
        "gemv",
        [a, x, written(y), f"u32:{rows}", f"u32:{columns}"],
        grid=(3, 1, 1),
        block=(256, 1, 1),
    )
    v = rng.integers(0, 1000, (2, 512)).astype(np.uint32)
    sums = (np.cumsum(v, axis=1) - v).astype(np.uint32)
    yield case("scan", [v, written(sums)], grid=(2, 1, 1), block=(256, 1, 1))
    v = rng.integers(0, 1000, (2, 256)).astype(np.uint32)
    row, steps = v, 9
    for _ in range(steps):
        row = row + np.roll(row, -97, axis=1)
    yield case(
        "smooth",
        [v, written(row), f"u32:{steps}"],
        grid=(2, 1, 1),
        block=(256, 1, 1),
    )
    v = rng.integers(-(2**31), 2**31, (2, 512)).astype(np.int32)
    yield case(
        "bitonic",
        [v, written(np.sort(v, axis=1))],
        grid=(2, 1, 1),
        block=(256, 1, 1),
    )
    m, n, k = 37, 29, 45
    a = rng.integers(-4, 5, (m, k)).astype(np.float32)
    b = rng.integers(-4, 5, (k, n)).astype(np.float32)
    yield case(
        "matmul_f32",
        [a, b, written(a @ b), f"u32:{m}", f"u32:{n}", f"u32:{k}"],
        grid=(2, 3, 1),
        block=(256, 1, 1),
    )
    height, width = 20, 35
    v = rng.integers(-99, 99, (height, width)).astype(np.float32)
    p = np.pad(v, 1)
    out = 4 * v - p[:-2, 1:-1] - p[2:, 1:-1] - p[1:-1, :-2] - p[1:-1, 2:]
    yield case(
        "stencil",
        [v, written(out), f"u32:{width}", f"u32:{height}"],
        grid=(3, 2, 1),
        block=(256, 1, 1),
    )
