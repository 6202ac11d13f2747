# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Atomics on memory."""

import formats
import numpy as np
from cases_lds import cells_32, reduced
from emulate import Case, Expected, written


def zeros_then(values, dtype, size, first=None):
    """A buffer of zeros but for `first`, then `values` at its start."""
    before = np.zeros(size, dtype)
    if first:
        before[list(first)] = list(first.values())
    after = before.copy()
    after[: len(values)] = values
    return Expected(before, after)


def cases(arch):
    rng = np.random.default_rng(3)
    source = {"source": "atomics.cl"}
    v = rng.integers(-1000, 1000, 512).astype(np.int32)
    w = reduced(v.astype(np.int64) << 20, 64)
    # out[10] is what the last exchange left; 10 and 11 are known together only.
    # With equal values at both ends it is: every exchange puts in the same.
    out = zeros_then(cells_32(v) + [256], np.int32, 512, {5: -1})
    out.after[16:272] = 2
    wide = [w["add"], w["max"], w["min"], w["xor"], w["or"], 4 * 128 * 127 // 2]
    wide = zeros_then(wide, np.int64, 32)
    wide.after[16:20] = 128
    # Cells 10 and 11: what stays and what was taken out make up the sum.
    out.decode = lambda b: np.concatenate([b[:10], [b[10] + b[11]], b[12:]])
    out.after[11] = v.sum()
    yield Case(
        "global_atomics",
        "global_atomics",
        [v, out, wide],
        grid=(2, 1, 1),
        block=(256, 1, 1),
        **source,
    )
    top = v[:256].astype(np.int64)
    top64 = (top << 32 | (top & 0xFFFFFFFF)).max()
    yield Case(
        "global_compare_swap",
        "global_compare_swap",
        [v[:256], zeros_then([v[:256].max()], np.int32, 4),
         zeros_then([top64], np.int64, 4)],
        grid=(4, 1, 1),
        **source,
    )  # fmt: skip

    f = rng.integers(-3, 4, 128).astype(np.float32)
    start = rng.integers(-9, 9, 512).astype(np.float32)
    after = start.copy()
    after[:8] += f.reshape(16, 8).sum(axis=0)
    after[8:136] += f
    after[256:384] = start[8:136]
    halves = np.stack([f, f + 1], axis=1).reshape(32, 4, 2).sum(axis=0)
    bf = np.repeat(f.reshape(32, 4).sum(axis=0), 2)
    start64 = np.array([0.5, -1e9, 1e9, 0])
    yield Case(
        "float_atomics",
        "float_atomics",
        [
            f,
            Expected(start, after),
            Expected(start64, np.array([0.5 + f.sum(), f.max(), f.min(), 0])),
            Expected(np.zeros((4, 2), np.float16), halves.astype(np.float16)),
            Expected(np.zeros(8, np.uint16), formats.to_bf16(bf)),
        ],
        grid=(2, 1, 1),
        **source,
    )
    v = v[:64]
    t = np.arange(64)
    out = np.zeros(10, np.int32)
    for lane in t:
        out[8 + (lane >> 1 & 1) if lane & 1 else lane % 8] += v[lane]
    yield Case(
        "flat_atomics",
        "flat_atomics",
        [v, Expected(np.r_[np.zeros(8, np.int32), [7, 7]].astype(np.int32), out)],
        **source,
    )
    sums = v.reshape(8, 8).sum(axis=0)
    after = np.zeros(128, np.uint8)
    after[:32] = sums.astype(np.int32).view(np.uint8)
    after[32:64] = sums.astype(np.float32).view(np.uint8)
    # Sums of halves may leave the exact range: small values keep them in it.
    small = (v % 17 - 8).astype(np.int32)
    sums = small.reshape(8, 8).sum(axis=0)
    after[:32] = sums.astype(np.int32).view(np.uint8)
    after[32:64] = sums.astype(np.float32).view(np.uint8)
    pairs = np.stack([sums, -sums], axis=1).astype(np.float16)
    after[64:96] = pairs.reshape(-1).view(np.uint8)
    after[96:128] = (
        np.maximum(small.reshape(16, 4).max(axis=0), 0)
        .astype(np.float64)
        .view(np.uint8)
    )
    yield Case(
        "buffer_atomics",
        "buffer_atomics",
        [small, Expected(np.zeros(128, np.uint8), after), "i32:128"],
        **source,
    )
    groups = np.arange(100, dtype=np.int32)
    none, ones = np.zeros_like(groups), np.ones_like(groups)
    sums = np.cumsum(groups[::-1])[::-1].astype(np.int32)
    yield Case(
        "wait_for_later",
        "wait_for_later",
        [Expected(none, ones), written(sums)],
        grid=(100, 1, 1),
        **source,
    )
    rounds = [groups]
    for _ in range(2):
        rounds.append(np.roll(rounds[-1], -1) + groups)
    yield Case(
        "wait_for_all",
        "wait_for_all",
        [Expected(none[:1], 300 * ones[:1]), written(np.stack(rounds))],
        grid=(100, 1, 1),
        **source,
    )
