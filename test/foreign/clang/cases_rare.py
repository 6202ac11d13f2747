# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Instructions that compilers make of builtins and assembly only."""

import numpy as np
from emulate import Case, written

# Name, bits of an element, m and k; the types of A and B by the name's end.
SPARSE = [
    ("f32_16x16x32_f16", 0),
    ("f32_16x16x32_f16", 3),
    ("f32_32x32x16_f16", 0),
    ("f32_16x16x32_bf16", 1),
    ("f32_32x32x16_bf16", 2),
    ("i32_16x16x64_i8", 0),
    ("i32_32x32x32_i8", 1),
    ("f32_16x16x64_fp8_fp8", 0),
    ("f32_16x16x64_fp8_bf8", 1),
    ("f32_16x16x64_bf8_fp8", 0),
    ("f32_16x16x64_bf8_bf8", 0),
    ("f32_32x32x32_fp8_fp8", 0),
    ("f32_32x32x32_fp8_bf8", 0),
    ("f32_32x32x32_bf8_fp8", 1),
    ("f32_32x32x32_bf8_bf8", 0),
]
SPARSE_950 = [
    ("f32_16x16x64_f16", 1),
    ("f32_32x32x32_f16", 0),
    ("f32_16x16x64_bf16", 0),
    ("f32_32x32x32_bf16", 1),
    ("i32_16x16x128_i8", 0),
    ("i32_32x32x64_i8", 0),
    ("f32_16x16x128_fp8_fp8", 0),
    ("f32_16x16x128_fp8_bf8", 0),
    ("f32_16x16x128_bf8_fp8", 0),
    ("f32_16x16x128_bf8_bf8", 0),
    ("f32_32x32x64_fp8_fp8", 0),
    ("f32_32x32x64_fp8_bf8", 0),
    ("f32_32x32x64_bf8_fp8", 0),
    ("f32_32x32x64_bf8_bf8", 0),
]


def encode(values, kind, arch):
    """Codes of small integers."""
    if kind == "f16":
        return values.astype(np.float16).view(np.uint16)
    if kind == "bf16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    if kind == "i8":
        return values.astype(np.int8).view(np.uint8)
    mantissa, bias = (3, 7) if kind == "fp8" else (2, 15)
    bias += arch == "gfx942"  # FNUZ
    codes = np.zeros(values.shape, np.uint8)
    for value in np.unique(values[values != 0]):
        exponent = int(np.floor(np.log2(abs(value))))
        fraction = abs(value) / 2.0**exponent - 1
        code = (exponent + bias) << mantissa | int(fraction * 2**mantissa)
        codes[values == value] = code | (128 if value < 0 else 0)
    return codes


def sparse_case(rng, name, which, arch):
    """D = C + A B with the whole of A, in which half of each four is zero."""
    parts = name.split("_")
    m, _, k = map(int, parts[1].split("x"))
    kinds = (parts[2], parts[-1])
    each = m * k // 64  # elements of B a lane
    whole = np.zeros((m, k), int)
    packed = np.zeros((64, each // 2), int)
    indices = rng.integers(0, 2**32, 64, dtype=np.uint64)
    shift = which * each
    for lane in range(64):
        row, first = lane % m, lane // m * each
        chosen = 0
        for pair in range(each // 4):
            places = np.sort(rng.choice(4, 2, replace=False))
            for i, place in enumerate(places):
                value = int(rng.integers(-4, 5))
                packed[lane, 2 * pair + i] = value
                whole[row, first + 4 * pair + place] = value
                chosen |= int(place) << 2 * (2 * pair + i)
        mask = (2**each - 1) << shift
        indices[lane] = (int(indices[lane]) & ~mask) | chosen << shift
    b = rng.integers(-4, 5, (k, m))
    c = rng.integers(-100, 100, (m, m))
    lanes = np.arange(64)
    depth = np.arange(each)
    b_lanes = b[lanes[:, None] // m * each + depth, lanes[:, None] % m]
    d = c + whole @ b
    result = np.int32 if name.startswith("i32") else np.float32
    rows = 64 // m  # groups of four rows that lie side by side in the lanes
    registers = np.arange(m * m // 64)
    row_of = registers // 4 * 4 * rows + registers % 4 + 4 * (lanes[:, None] // m)

    def spread(x):
        return np.ascontiguousarray(x[row_of, (lanes % m)[:, None]].astype(result))

    return [
        encode(packed, kinds[0], arch),
        encode(b_lanes, kinds[1], arch),
        spread(c),
        indices.astype(np.uint32),
        written(spread(d)),
    ]


def byte_at(x, i):
    return (x >> np.uint64(8 * i) & np.uint64(255)).astype(np.int64)


def differences(a, b, masked=False, first=0):
    total = 0
    for i in range(4):
        y = byte_at(b.astype(np.uint64), i)
        difference = np.abs(byte_at(a.astype(np.uint64), first + i) - y)
        total = total + (np.where(y == 0, 0, difference) if masked else difference)
    return total


def two_over_pi(bits):
    """floor(2^bits 2/pi), by Machin's formula."""
    unit = 1 << bits + 40

    def arctan(x):
        term, total, n, sign = unit // x, unit // x, 3, -1
        while term:
            term //= x * x
            total += sign * (term // n)
            n, sign = n + 2, -sign
        return total

    pi = 4 * (4 * arctan(5) - arctan(239))
    return (2 * unit << bits) // pi


TWO_OVER_PI = two_over_pi(1201)


def segment(x, which):
    exponent = int(np.float64(x).view(np.uint64)) >> 52 & 2047
    shift = 53 * which + max(0, exponent - 1077)
    bits = (TWO_OVER_PI << shift) >> (1201 - 53) & (2**53 - 1)
    scale = -53 - shift + (128 if exponent >= 1968 else 0)
    return np.ldexp(float(bits), scale)


def cubes(x, y, z):
    """Face, s, t and major axis of each direction."""
    out = np.zeros((4, len(x)), np.float32)
    for i, (a, b, c) in enumerate(zip(x, y, z, strict=True)):
        if abs(c) >= abs(a) and abs(c) >= abs(b):
            out[:, i] = (5, -a, -b, 2 * c) if c < 0 else (4, a, -b, 2 * c)
        elif abs(b) >= abs(a):
            out[:, i] = (3, a, -c, 2 * b) if b < 0 else (2, a, c, 2 * b)
        else:
            out[:, i] = (1, c, -b, 2 * a) if a < 0 else (0, -c, -b, 2 * a)
    return out


def sums(rng):
    """Name, inputs and result of each sum of differences."""
    u32, u64 = np.uint32, np.uint64
    a, b, c = (rng.integers(0, 2**32, 128, dtype=u64).astype(u32) for _ in range(3))
    b[::3] &= u32(0xFF00FF)
    yield "sad_u8", [a, b, c], (differences(a, b) + c).astype(u32)
    yield "sad_hi_u8", [a, b, c], ((differences(a, b) << 16) + c).astype(u32)
    yield "msad_u8", [a, b, c], (differences(a, b, True) + c).astype(u32)
    words = np.abs(a.view(np.uint16).astype(int) - b.view(np.uint16))
    words = words.reshape(-1, 2).sum(1)
    yield "sad_u16", [a, b, c], (words + c).astype(u32)
    wide = rng.integers(0, 2**63, 128, dtype=u64)
    for name, masked in (("qsad", False), ("mqsad", True)):
        base = rng.integers(0, 2**63, 128, dtype=u64)
        out = np.zeros(128, u64)
        for i in range(4):
            part = (base >> u64(16 * i) & u64(65535)).astype(int)
            part += differences(wide, b, masked, i)
            out |= (part & 65535).astype(u64) << u64(16 * i)
        yield name, [wide, b, base], out
    base = rng.integers(0, 2**32, (128, 4), dtype=u64).astype(u32)
    out = np.stack([differences(wide, b, True, i) + base[:, i] for i in range(4)], 1)
    yield "mqsad_wide", [wide, b, base], out.astype(u32)


def reversed_lane(lane, mask):
    low = lane & 31
    back = int(f"{low:05b}"[::-1], 2) >> bin(mask).count("1")
    return lane & 32 | back | low & mask


def cases(arch):
    rng = np.random.default_rng(11)

    def case(name, args, kernel=None, **more):
        return Case(name, kernel or name, args, source="rare.cl", **more)

    for name, which in SPARSE + (SPARSE_950 if arch == "gfx950" else []):
        kernel = f"smfmac_{name}_set{which}"
        yield case(kernel, sparse_case(rng, name, which, arch))
    special = np.float32([0, -0.0, 1, -1, 2.5, -2.5, np.inf, -np.inf])
    x, y, z = (g.reshape(-1) for g in np.meshgrid(special, special, special))
    names = ("cubeid", "cubesc", "cubetc", "cubema")
    for kernel, out in zip(names, cubes(x, y, z), strict=True):
        yield case(kernel, [x, y, z, written(out)], grid=(8, 1, 1))
    for name, inputs, out in sums(rng):
        yield case(name, [*inputs, written(out)], grid=(2, 1, 1))
    x = np.ldexp(rng.random(64) + 1, rng.integers(-300, 1024, 64))
    out = np.array([segment(v, i) for v in x for i in range(3)])
    yield case("trig_preop", [x, written(out)])

    # Each wave's lanes get what the counter was; waves come in some order.
    lane = np.arange(256)
    yield case(
        "append",
        [
            written(np.where(lane & 1, 1000 + lane // 64 * 32, 0).astype(np.int32)),
            written((5000 - lane // 64 * 64).astype(np.int32)),
            written(np.array([1128, 4744], np.int32)),
        ],
        block=(256, 1, 1),
    )
    yield case(
        "relaxed_counter",
        [written(np.full(256, 255 * 128, np.uint32))],
        block=(256, 1, 1),
    )
    v = rng.integers(-999, 999, 64).astype(np.int32)
    order = [[reversed_lane(i, mask) for i in range(64)] for mask in (0, 12)]
    yield case("fft_swizzle", [v, written(v[np.array(order)].reshape(-1))])
    v = rng.integers(0, 2**32, 64, dtype=np.uint64).astype(np.uint32)
    out = (v.view(np.uint8).reshape(64, 4) / 255.0).astype(np.float32)
    out[50:] = 0  # out of the descriptor's range
    yield case("typed_rgba8", [v, written(out)])
    v = rng.integers(0, 2**16, (64, 4)).astype(np.uint16)
    v[(v & 0x7C00) == 0x7C00] &= 0xFBFF  # no NaN: its bits may change
    half = v.view(np.float16)
    yield case("typed_half", [half, written(half.astype(np.float32)), written(half)])
