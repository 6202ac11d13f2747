# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Divergent control flow, scratch, calls, apertures, ids."""

import numpy as np
from emulate import Case, written


def collatz(v):
    steps = 0
    while v != 1:
        v = 3 * v + 1 if v & 1 else v // 2
        steps += 1
    return steps


def wrap(v):
    return (v + 2**31) % 2**32 - 2**31


def remainder(a, b):
    """As in C: of the sign of a."""
    return abs(a) % b * (-1 if a < 0 else 1)


def branches(v):
    r = 0
    for i in range(20):
        if remainder(v, 7) == i % 7:
            continue
        if v > 100 and i > remainder(v, 13):
            break
        kind = v + i & 7
        if kind == 0:
            r += v
        elif kind in (1, 2):
            r = wrap(r ^ (i * 77 if kind == 1 else 0)) - 5
        elif kind == 3:
            for j in range(v & 15):
                r = wrap(r * 3 + j)
        elif kind == 5:
            r = ~r
        else:
            r += i
        r = wrap(r)
    return r


def mandelbrot(cx, cy):
    two = np.float32(2)
    x = y = np.float32(0)
    i = 0
    while i < 100 and x * x + y * y < 4:
        x, y = x * x - y * y + cx, two * x * y + cy
        i += 1
    return i


def private_bytes(row, lane):
    table = [(i * 167 + lane) & 255 for i in range(256)]
    count = [0] * 32
    h = 1
    for i in row:
        v = table[i]
        count[v & 31] = count[v & 31] + v & 0xFFFF
        h = h * 31 + v & 0xFFFFFFFF
    for _ in range(32):
        h = h * 31 + count[(h >> 3) & 31] & 0xFFFFFFFF
    return h


def mix(a, b):
    return wrap(a * 31 + (b ^ a >> 3))


def calls(v):
    r = mix(v, 5)
    return mix(r, v) if v & 1 else mix(v, mix(v, r))


def partitions(total, largest):
    if total == 0:
        return 1
    if total < 0 or largest == 0:
        return 0
    return partitions(total - largest, largest) + partitions(total, largest - 1)


def stacks(v):
    """The kernels of recursion.c, whose stack the compiler cannot size."""

    def case(name, args):
        return Case(name, name, args, source="recursion.c")

    # ackermann(0, n) = n + 1, ackermann(1, n) = n + 2.
    out = 3 + (v & 3) + 1 + (v & 1)
    yield case("recursion", [v, written(out.astype(np.int32))])
    out = [partitions(i % 12, i % 12) for i in range(64)]
    yield case("partitions", [written(np.array(out, np.int32))])
    small = (v % 1000).astype(np.int32)
    out = np.where(small & 1, 2 * small, small * small)
    yield case("pointers", [small, written(out.astype(np.int32))])
    n = 37
    weights = np.arange(1, n + 1)
    last_first = v[n - 1 :: -1].astype(np.int64)
    out = [wrap(int(((last_first + lane) * weights).sum())) for lane in range(64)]
    yield case("run_time_array", [v, written(np.array(out, np.int32)), f"i32:{n}"])


def cases(arch):
    np.seterr(all="ignore")
    rng = np.random.default_rng(7)
    lanes = np.arange(64)

    def case(name, args, **more):
        return Case(name, name, args, source="control.cl", **more)

    def each(function, values, dtype=np.int32):
        return written(
            np.array([function(*np.atleast_1d(v).tolist()) for v in values], dtype)
        )

    v = rng.integers(1, 5000, 128).astype(np.uint32)
    yield case("collatz", [v, each(collatz, v, np.uint32)], grid=(2, 1, 1))
    v = rng.integers(-300, 300, 64).astype(np.int32)
    yield case("branches", [v, each(branches, v)])
    scale = np.float32(0.046875)
    # Steps of 3/64: every product with a lane number is exact.
    out = [
        mandelbrot(
            np.float32(x) * scale - np.float32(2), np.float32(y) * scale - np.float32(1)
        )
        for y in range(4)
        for x in range(64)
    ]
    yield case(
        "mandelbrot",
        [written(np.array(out, np.float32)), "u32:64", f"f32:{scale}"],
        grid=(4, 1, 1),
    )
    v = rng.integers(-99, 99, (64, 24)).astype(np.int32)
    yield case("private_sort", [v, written(np.sort(v, axis=1))])
    v = rng.integers(0, 256, (64, 32)).astype(np.uint8)
    out = [private_bytes(v[lane].tolist(), lane) for lane in range(64)]
    yield case("private_bytes", [v, written(np.array(out, np.uint32))])
    v = rng.integers(-(2**31), 2**31, 64).astype(np.int32)
    yield case("calls", [v, each(calls, v)])
    yield from stacks(v)
    v = rng.integers(-1000, 1000, 64).astype(np.int32)
    out = np.choose(
        lanes % 3,
        [v[63 - lanes], v[lanes * 5 & 63] + 1000, v * ((lanes & 3) + 1)],
    )
    yield case("apertures", [v, written(out.astype(np.int32))])
    n = 250
    v = rng.integers(-1000, 1000, n).astype(np.int32)
    i = np.arange(n)
    out = v * 2 + np.where(i % 3 == 0, v[i // 3], -i)
    yield case(
        "ragged",
        [v, written(out.astype(np.int32)), f"i32:{n}"],
        grid=(3, 1, 1),
        block=(100, 1, 1),
    )
    gz, gy, gx, z, y, x = np.indices((2, 2, 3, 8, 4, 4), np.uint32)
    out = x | y << 4 | z << 8 | gx << 12 | gy << 16 | gz << 20
    yield case(
        "ids",
        [written(out.reshape(-1).astype(np.uint32))],
        grid=(3, 2, 2),
        block=(4, 4, 8),
    )
