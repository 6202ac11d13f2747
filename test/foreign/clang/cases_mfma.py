# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Every matrix instruction: operands laid out by its rule, D by its own.

Layouts: AMD's matrix instruction calculator and the CDNA3/CDNA4 ISA manuals,
"Matrix Arithmetic Instructions".
"""

import formats
import numpy as np
from emulate import Case, written


def operand_lanes(dim, depth, blocks):
    """Lane and element of operand[block][i][k], dim rows of depth values."""
    groups = 64 // (dim * blocks)
    per_lane = depth // groups
    block, i, k = np.meshgrid(
        np.arange(blocks), np.arange(dim), np.arange(depth), indexing="ij"
    )
    return block * dim + k // per_lane * dim * blocks + i, k % per_lane


def result_lanes(m, n, blocks, is_f64):
    """Lane and register (pair, for f64) of D[block][i][j]."""
    block, i, j = np.meshgrid(
        np.arange(blocks), np.arange(m), np.arange(n), indexing="ij"
    )
    if m == 4:
        if is_f64:
            return i * 16 + block * 4 + j, np.zeros_like(i)
        return block * 4 + j, i
    if is_f64:
        return i % 4 * 16 + j, i // 4
    rows = 64 // n
    register = block * (m * n // 64) + i // (4 * rows) * 4 + i % 4
    return i // 4 % rows * n + j, register


def laid_out(values, lanes, elements, dtype):
    out = np.zeros((64, elements.max() + 1), dtype)
    out[lanes, elements] = values
    return out


def dense(name, a, b, c, values_a, values_b, blocks, dtype):
    """A case from operands[block][i][k] and C[block][i][j]."""
    m, n, depth = c.shape[1], c.shape[2], a.shape[2]
    lanes, elements = operand_lanes(m, depth, blocks)
    buffer_a = laid_out(a, lanes, elements, a.dtype)
    lanes, elements = operand_lanes(n, depth, blocks)
    buffer_b = laid_out(b, lanes, elements, b.dtype)
    is_f64 = dtype == np.float64
    lanes, registers = result_lanes(m, n, blocks, is_f64)
    d = c + np.einsum("bik,bjk->bij", values_a, values_b)
    return Case(
        name,
        name,
        [
            buffer_a,
            buffer_b,
            laid_out(c, lanes, registers, dtype),
            written(laid_out(d, lanes, registers, dtype)),
        ],
        source="mfma.cl",
    )


def integers(rng, shape, limit=4):
    return rng.integers(-limit, limit + 1, shape).astype(np.float64)


# kernel, type, m, n, k, blocks
SHAPES = [
    ("f32_32x32x1", "f32", 32, 32, 1, 2),
    ("f32_16x16x1", "f32", 16, 16, 1, 4),
    ("f32_4x4x1", "f32", 4, 4, 1, 16),
    ("f32_32x32x2", "f32", 32, 32, 2, 1),
    ("f32_16x16x4", "f32", 16, 16, 4, 1),
    ("f16_32x32x4", "f16", 32, 32, 4, 2),
    ("f16_16x16x4", "f16", 16, 16, 4, 4),
    ("f16_4x4x4", "f16", 4, 4, 4, 16),
    ("f16_32x32x8", "f16", 32, 32, 8, 1),
    ("f16_16x16x16", "f16", 16, 16, 16, 1),
    ("bf16_32x32x4", "bf16", 32, 32, 4, 2),
    ("bf16_16x16x4", "bf16", 16, 16, 4, 4),
    ("bf16_4x4x4", "bf16", 4, 4, 4, 16),
    ("bf16_32x32x8", "bf16", 32, 32, 8, 1),
    ("bf16_16x16x16", "bf16", 16, 16, 16, 1),
    ("i8_32x32x4", "i8", 32, 32, 4, 2),
    ("i8_16x16x4", "i8", 16, 16, 4, 4),
    ("i8_4x4x4", "i8", 4, 4, 4, 16),
    ("i8_32x32x16", "i8", 32, 32, 16, 1),
    ("i8_16x16x32", "i8", 16, 16, 32, 1),
    ("f64_16x16x4", "f64", 16, 16, 4, 1),
    ("f64_4x4x4", "f64", 4, 4, 4, 4),
]
SHAPES_GFX942 = [
    ("xf32_16x16x8", "f32", 16, 16, 8, 1),
    ("xf32_32x32x4", "f32", 32, 32, 4, 1),
]
SHAPES_GFX950 = [
    ("f16_16x16x32", "f16", 16, 16, 32, 1),
    ("f16_32x32x16", "f16", 32, 32, 16, 1),
    ("bf16_16x16x32", "bf16", 16, 16, 32, 1),
    ("bf16_32x32x16", "bf16", 32, 32, 16, 1),
    ("i8_16x16x64", "i8", 16, 16, 64, 1),
    ("i8_32x32x32", "i8", 32, 32, 32, 1),
]


def simple_case(rng, name, kind, m, n, k, blocks):
    if kind == "i8":
        va = rng.integers(-128, 128, (blocks, m, k)).astype(np.int64)
        vb = rng.integers(-128, 128, (blocks, n, k)).astype(np.int64)
        c = rng.integers(-(2**30), 2**30, (blocks, m, n)).astype(np.int64)
        a, b, dtype = va.astype(np.int8), vb.astype(np.int8), np.int32
    else:
        va, vb = integers(rng, (blocks, m, k)), integers(rng, (blocks, n, k))
        c = integers(rng, (blocks, m, n), 100)
        dtype = np.float64 if kind == "f64" else np.float32
        cast = {
            "f32": np.float32,
            "f64": np.float64,
            "f16": np.float16,
            "bf16": formats.to_bf16,
        }[kind]
        a, b = (x.astype(cast) if kind != "bf16" else cast(x) for x in (va, vb))
    return dense(name, a, b, c, va, vb, blocks, dtype)


def fp8_cases(rng, arch):
    tables = {"fp8": formats.fp8(arch), "bf8": formats.bf8(arch)}
    for type_a in tables:
        for type_b in tables:
            for m, k in ((16, 32), (32, 16)):
                a = formats.random_codes(rng, tables[type_a], (1, m, k))
                b = formats.random_codes(rng, tables[type_b], (1, m, k))
                c = integers(rng, (1, m, m), 100)
                name = f"{type_a}_{type_b}_{m}x{m}x{k}"
                va, vb = tables[type_a][a], tables[type_b][b]
                yield dense(name, a, b, c, va, vb, 1, np.float32)


def f8f6f4_operand(codes, bits):
    """Registers (8 dwords a lane) of codes[i][k].

    8-bit operands are dealt to the lanes in chunks of 16 values, the others
    in chunks of 32.
    """
    dim, depth = codes.shape
    groups = 64 // dim
    chunk = 16 if bits == 8 else 32
    out = np.zeros((64, 32), np.uint8)
    for lane in range(64):
        row, group = lane % dim, lane // dim
        ks = np.concatenate(
            [
                np.arange(start + group * chunk, start + (group + 1) * chunk)
                for start in range(0, depth, groups * chunk)
            ]
        )
        packed = formats.pack_bits(codes[row, ks], bits)
        out[lane, : len(packed)] = packed
    return out


def scale_operand(rng, exponents, select):
    """Registers of scales[i][block]: E8M0 in byte `select`, noise elsewhere."""
    dim, blocks = exponents.shape
    out = rng.integers(0, 256, (64, 4)).astype(np.uint8)
    for lane in range(64):
        out[lane, select] = exponents[lane % dim, lane // dim] + 127
    return out


# Byte selects of mfma.cl by format pair: FORMATS(fa, fb, sela, selb).
SELECTS = {
    (0, 0): (0, 1), (0, 1): (1, 2), (0, 2): (2, 3), (0, 3): (3, 0),
    (0, 4): (0, 2), (1, 0): (1, 3), (1, 1): (2, 0), (1, 2): (3, 1),
    (1, 3): (0, 3), (1, 4): (1, 0), (2, 0): (2, 1), (2, 1): (3, 2),
    (2, 2): (0, 0), (2, 3): (1, 1), (2, 4): (2, 2), (3, 0): (3, 3),
    (3, 1): (0, 1), (3, 2): (1, 2), (3, 3): (2, 3), (3, 4): (3, 0),
    (4, 0): (0, 2), (4, 1): (1, 3), (4, 2): (2, 0), (4, 3): (3, 1),
    (4, 4): (0, 1),
}  # fmt: skip


def f8f6f4_cases(rng):
    for (fa, fb), (sela, selb) in SELECTS.items():
        for m, k in ((16, 128), (32, 64)):
            ta, tb = formats.F8F6F4[fa], formats.F8F6F4[fb]
            a = formats.random_codes(rng, ta, (m, k))
            b = formats.random_codes(rng, tb, (m, k))
            sa = rng.integers(-2, 3, (m, k // 32))
            sb = rng.integers(-2, 3, (m, k // 32))
            c = integers(rng, (1, m, m), 100)
            lanes, registers = result_lanes(m, m, 1, False)
            buffers = [
                f8f6f4_operand(a, formats.F8F6F4_BITS[fa]),
                f8f6f4_operand(b, formats.F8F6F4_BITS[fb]),
                laid_out(c, lanes, registers, np.float32),
            ]
            if m == 32:
                sela, selb = selb, sela
            for scaled in (True, False):
                va, vb = ta[a], tb[b]
                if scaled:
                    va = va * np.repeat(2.0**sa, 32, axis=1)
                    vb = vb * np.repeat(2.0**sb, 32, axis=1)
                d = c + va @ vb.T
                args = buffers + [written(laid_out(d, lanes, registers, np.float32))]
                if scaled:
                    args += [scale_operand(rng, sa, sela), scale_operand(rng, sb, selb)]
                name = f"{'scaled' if scaled else 'plain'}_{m}x{m}x{k}_{fa}{fb}"
                yield Case(name, name, args, source="mfma.cl")


def cases(arch):
    rng = np.random.default_rng(1)
    extra = SHAPES_GFX950 if arch == "gfx950" else SHAPES_GFX942
    for shape in SHAPES + extra:
        yield simple_case(rng, *shape)
    yield from fp8_cases(rng, arch)
    if arch == "gfx950":
        yield from f8f6f4_cases(rng)
