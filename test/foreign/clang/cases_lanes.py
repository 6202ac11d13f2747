# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Moves between lanes: DPP, swizzle, permutes, readlane.

CDNA3 ISA manual, "Data Parallel Primitives" and "DS_SWIZZLE_B32".
"""

import numpy as np
from emulate import Case, written

LANES = np.arange(64)


def dpp_source(control):
    """The lane that each lane reads, -1 where there is none."""
    row, in_row = LANES & ~15, LANES & 15
    if control < 0x100:
        select = [(control >> 2 * i) & 3 for i in range(4)]
        return (LANES & ~3) + np.array(select)[LANES & 3]
    kind, n = control & ~15, control & 15
    if kind == 0x100:
        return np.where(in_row + n < 16, LANES + n, -1)
    if kind == 0x110:
        return np.where(in_row >= n, LANES - n, -1)
    if kind == 0x120:
        return row + (in_row - n) % 16
    if kind == 0x150:
        return row + n
    return {
        0x130: np.where(LANES < 63, LANES + 1, -1),
        0x134: (LANES + 1) % 64,
        0x138: LANES - 1,
        0x13C: (LANES - 1) % 64,
        0x140: row + 15 - in_row,
        0x141: (LANES & ~7) + 7 - (LANES & 7),
        0x142: np.where(row > 0, row - 1, -1),
        0x143: np.where(LANES > 31, 31 + 0 * LANES, -1),
    }[control]


def dpp(values, old, control, rows=0xF, banks=0xF, bound=False, active=None):
    source = dpp_source(control)
    valid = source >= 0
    if active is not None:
        valid &= active[source]
    result = np.where(valid, values[source], 0 if bound else old)
    enabled = (rows >> LANES // 16 & 1) & (banks >> LANES // 4 % 4 & 1)
    return np.where(enabled == 1, result, old)


CONTROLS = [
    (0x1B, 0xF, 0xF, 0), (0x4E, 0xF, 0xF, 0), (0x101, 0xF, 0xF, 0),
    (0x10F, 0xF, 0xF, 1), (0x113, 0xF, 0xF, 0), (0x112, 0xF, 0xF, 1),
    (0x125, 0xF, 0xF, 0), (0x130, 0xF, 0xF, 0), (0x134, 0xF, 0xF, 0),
    (0x138, 0xF, 0xF, 1), (0x13C, 0xF, 0xF, 0), (0x140, 0xF, 0xF, 0),
    (0x141, 0xF, 0xF, 0), (0x142, 0xA, 0xF, 0), (0x143, 0xC, 0xF, 0),
    (0x155, 0xF, 0xF, 0), (0x111, 0x5, 0x6, 1),
]  # fmt: skip


def swizzled(v, pattern):
    if pattern & 0x8000:
        select = [(pattern >> 2 * i) & 3 for i in range(4)]
        return v[(LANES & ~3) + np.array(select)[LANES & 3]]
    low = LANES & 31
    to = ((low & (pattern & 31)) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31)
    return v[(LANES & 32) + to]


def scalar_lanes(v):
    odd = (v & 1).astype(np.int64)
    total = 0
    for value in v[odd == 1]:
        total = total * 3 + int(value)
    total = (total + 2**31) % 2**32 - 2**31
    return np.concatenate(
        [
            np.full(64, v[37]),
            np.full(64, v[0]),
            np.where(LANES > 20, v[21], 0),
            np.cumsum(odd) - odd,
            np.full(64, odd.sum()),
            np.full(64, total),
        ]
    ).astype(np.int32)


def cases(arch):
    rng = np.random.default_rng(4)
    v = rng.integers(-(2**31), 2**31, 64).astype(np.int32)

    def case(name, args, **more):
        return Case(name, name, args, source="lanes.cl", **more)

    rows = [dpp(v, -7, c, r, b, bool(z)) for c, r, b, z in CONTROLS]
    yield case("dpp", [v, written(np.stack(rows).astype(np.int32))])

    small = v >> 8
    first = np.where(
        LANES % 3 != 1,
        dpp(small, -7, 0x111, active=LANES % 3 != 1) + 1,
        small * 2,
    )
    second = np.where(
        LANES % 5 < 3,
        dpp(small, -7, 0x101, bound=True, active=LANES % 5 < 3) - 1,
        first,
    )
    both = np.concatenate([first, second]).astype(np.int32)
    yield case("dpp_inactive", [small, written(both)])

    patterns = [0x041F, 0x401F, 0x0018, 0x00F0, 0x8072]
    yield case("swizzle", [v, written(np.stack([swizzled(v, p) for p in patterns]))])

    lane = rng.permutation(64).astype(np.int32)
    forward = np.zeros(64, np.int32)
    forward[lane] = v
    odd = np.where(
        (LANES & 1) == 1, np.where((LANES + 3) % 2 == 1, v[(LANES + 3) % 64], 0), -1
    )
    out = np.concatenate([v[lane], forward, odd]).astype(np.int32)
    yield case("permute", [v, lane, written(out)])
    yield case("scalar_lanes", [v, written(scalar_lanes(v))])

    if arch == "gfx950":
        a, b = (rng.integers(0, 2**32, 64).astype(np.uint32) for _ in range(2))
        a16, b16 = a.reshape(4, 16).copy(), b.reshape(4, 16).copy()
        for r in (0, 2):
            a16[r + 1], b16[r] = b.reshape(4, 16)[r], a.reshape(4, 16)[r + 1]
        a32 = np.r_[a[:32], b[:32]]
        b32 = np.r_[a[32:], b[32:]]
        out = np.concatenate([a16.reshape(-1), b16.reshape(-1), a32, b32])
        yield case("permlane_swap", [a, b, written(out)])

    f = rng.integers(-50, 50, 256).astype(np.float32)
    sums = np.cumsum(f.reshape(4, 64), axis=1).reshape(-1).astype(np.float32)
    yield case("wave_scan", [f, written(sums)], grid=(4, 1, 1))
