# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""LDS: direct copies, transposing reads, atomics."""

import numpy as np
from emulate import Case, Expected, written


def copied(data, offsets, size, step, limit=None):
    """What a lane's slot of `step` bytes holds after the copy of `size` bytes.

    A part of a dword is extended with zeros (the builtins select the unsigned
    forms). With a limit, dwords that reach past it are zeros.
    """
    out = np.zeros((len(offsets), step), np.uint8)
    for lane, offset in enumerate(offsets):
        for at in range(0, size, 4):
            part = min(4, size - at)
            if limit is None or offset + at + part <= limit:
                out[lane, at : at + part] = data[offset + at : offset + at + part]
    return out


def direct_cases(rng, arch):
    sizes = [1, 2, 4, 16] if arch == "gfx950" else [1, 2, 4]
    data = rng.integers(0, 256, 4096).astype(np.uint8)
    for size in sizes:
        step = max(size, 4)
        offsets = rng.integers(0, 4000, 128).astype(np.int32) // step * step
        out = copied(data, offsets, size, step).reshape(2, 64, step)[::-1]
        name = f"global_lds_{size}"
        yield Case(
            name,
            name,
            [data, offsets, written(out.reshape(128, step).copy())],
            block=(128, 1, 1),
            source="lds.cl",
        )
        # Some lanes are out of range, one of 16 bytes in part.
        limit, soffset = 2056, 16
        offsets = rng.integers(0, 3000, 64).astype(np.int32) // step * step
        offsets[7], offsets[8] = limit - 8 - soffset, limit - soffset
        out = copied(data, offsets + soffset, size, step, limit)
        name = f"buffer_lds_{size}"
        args = [data, f"i32:{limit}", f"i32:{soffset}", offsets, written(out)]
        yield Case(name, name, args, source="lds.cl")


def transposing_cases(rng):
    """Of 16 lanes, lane t gets column t of what they address.

    CDNA4 ISA manual, "Transpose load": b16 is a 16x4 matrix by rows of 4
    elements and 4 lanes a row; b8 16x8 with 2 lanes a row; b4 and b6 one lane
    a row.
    """
    slots = rng.permutation(64).astype(np.int32)
    for bits, lanes_a_row in ((16, 4), (8, 2), (4, 1)):
        name = f"read_tr{bits}"
        data = rng.integers(0, 256, (64, 8)).astype(np.uint8)
        addressed = data[slots]
        if bits == 4:
            elements = np.stack([addressed & 15, addressed >> 4], axis=-1)
            elements = elements.reshape(64, 16)
        else:
            elements = addressed.view(f"u{bits // 8}")
        per_lane = elements.shape[1]
        out = np.zeros_like(elements)
        for lane in range(64):
            for n in range(per_lane):
                t = lane % 16
                # Row n of the matrix is in lanes_a_row lanes of per_lane each.
                source = lane - t + t // per_lane + n * lanes_a_row
                out[lane, n] = elements[source, t % per_lane]
        if bits == 4:
            out = (out[:, ::2] | out[:, 1::2] << 4).astype(np.uint8)
        out = np.ascontiguousarray(out).view(np.uint8)
        yield Case(name, name, [data, slots, written(out)], source="lds.cl")
    data = rng.integers(0, 256, (64, 12)).astype(np.uint8)
    bits = np.unpackbits(data, axis=1, bitorder="little").reshape(4, 16, 16, 6)
    out = np.packbits(bits.swapaxes(1, 2).reshape(64, 96), axis=1, bitorder="little")
    yield Case("read_tr6", "read_tr6", [data, written(out)], source="lds.cl")


def reduced(values, bits):
    """The cells of lds_atomics and global_atomics that both have."""
    kind, unsigned = (f"{c}{bits // 8}" for c in "iu")
    v = values.astype(kind)
    u = v.view(unsigned)
    return {
        "add": v.sum(dtype=kind),
        "min": min(v.min(), 0),
        "max": max(v.max(), 0),
        "umax": u.max().view(kind),
        "xor": np.bitwise_xor.reduce(v),
        "or": np.bitwise_or.reduce(v),
    }


def cells_32(v):
    r = reduced(v, 32)
    return [
        r["add"],
        -r["add"],
        r["min"],
        r["max"],
        0,
        np.bitwise_and.reduce(v | 0xFF00),
        np.bitwise_or.reduce(v & 0x55AA),
        r["xor"],
        r["umax"],
    ]


def atomic_cases(rng):
    v = rng.integers(-1000, 1000, 256).astype(np.int32)
    wide = reduced(v.astype(np.int64) << 20, 64)
    out = np.array(
        cells_32(v) + [256, 256 * 255 // 2, max(0, 3 * v.max()), v.sum()], np.int32
    )
    real = np.array([v.sum(), max(0, v.max()), v.sum()], np.float32)
    args = [
        v,
        written(out),
        written(np.array([wide["add"], wide["max"], wide["xor"]])),
        written(real),
    ]
    yield Case("lds_atomics", "lds_atomics", args, block=(256, 1, 1), source="lds.cl")
    halves = rng.integers(-9, 10, (128, 2)).astype(np.float16)
    sums = halves.reshape(16, 8, 2).sum(axis=0).astype(np.float16)
    yield Case(
        "lds_packed_atomics",
        "lds_packed_atomics",
        [halves, written(sums)],
        block=(128, 1, 1),
        source="lds.cl",
    )
    text = rng.integers(0, 256, 5000).astype(np.uint8)
    start = rng.integers(0, 100, 256).astype(np.uint32)
    counts = start + np.bincount(text, minlength=256).astype(np.uint32)
    yield Case(
        "histogram",
        "histogram",
        [text, "u32:5000", Expected(start, counts)],
        grid=(5, 1, 1),
        block=(256, 1, 1),
        source="lds.cl",
    )


def plain_cases(rng):
    matrix = rng.integers(0, 1 << 16, (128, 128)).astype(np.uint16)
    yield Case(
        "transpose",
        "transpose",
        [matrix, written(np.ascontiguousarray(matrix.T)), "u32:128"],
        grid=(2, 2, 1),
        block=(256, 1, 1),
        source="lds.cl",
    )
    data = rng.integers(0, 256, 1024).astype(np.uint8)
    t = np.arange(64)
    dwords = data.view(np.uint32)
    q = dwords.reshape(64, 4)
    pairs = dwords.reshape(128, 2)
    d, x = pairs[t ^ 5], pairs[t + 64]
    halves, shorts = data.view(np.uint16), data.view(np.int16)
    chars = data.view(np.int8)[(t * 7) & 1023].astype(np.int64)
    multiples = np.array([1, 3, 5, 7], np.uint32)
    out = [
        np.bitwise_xor.reduce(q * multiples, axis=1),
        d[:, 0] + d[:, 1] + x[:, 0] * np.uint32(9) + x[:, 1] * np.uint32(11),
        (
            halves[63 - t].astype(np.int64)
            + chars * 13
            + shorts[t].astype(np.int64) * 17
        ),
    ]
    out = np.concatenate([o.astype(np.uint32) for o in out])
    yield Case("widths", "widths", [data, written(out)], source="lds.cl")


def cases(arch):
    rng = np.random.default_rng(2)
    yield from direct_cases(rng, arch)
    if arch == "gfx950":
        yield from transposing_cases(rng)
    yield from atomic_cases(rng)
    yield from plain_cases(rng)
