# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Vector arithmetic against numpy: the same bits wherever the rule is exact.

Inputs are random bits, random values, and the special ones; for two and three
operands every pair of special values meets.
"""

import math

import formats
import numpy as np
from emulate import Case, written

N = 1024
SPECIAL = {
    np.float32: [0.0, -0.0, 1.0, -1.0, 1.5, np.inf, -np.inf, np.nan, 1e-45, -1e-45]
    + [1.1754942e-38, 1.17549435e-38, 3.4028235e38, -3.4028235e38, 2.5, -0.5]
    + [0.49999997, 8388609.0, 16777217.0, 2147483648.0, -2147483648.0, 4294967296.0],
    np.float64: [0.0, -0.0, 1.0, -1.0, 1.5, np.inf, -np.inf, np.nan, 5e-324]
    + [2.2250738585072014e-308, 1.7976931348623157e308, 2.5, -0.5, 2147483647.5]
    + [9.3e18, -9.3e18, 1e-310, 4294967295.0, 3.4028236e38],
    np.float16: [0.0, -0.0, 1.0, -1.0, 1.5, np.inf, -np.inf, np.nan, 6e-8, 6.1e-5]
    + [65504.0, -65504.0, 2.5, -0.5, 2049.0],
    np.int32: [0, 1, -1, 2, 7, -7, 2**31 - 1, -(2**31), 65535, 65536, -65536, 255],
    np.uint32: [0, 1, 2, 7, 2**31 - 1, 2**31, 2**32 - 1, 65535, 65536, 0x01010101],
    np.int64: [0, 1, -1, 2**63 - 1, -(2**63), 2**32, 2**31, -(2**31), 2**53 + 1]
    + [2**24 + 1, 10**15],
    np.uint64: [0, 1, 2**63 - 1, 2**63, 2**64 - 1, 2**32, 2**32 - 1, 10**15],
    np.int16: [0, 1, -1, 32767, -32768, 255, 256],
}


def bits_of(dtype):
    return np.dtype(f"u{np.dtype(dtype).itemsize}")


class Inputs:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def raw(self, dtype, shape=(N,)):
        """Random bits."""
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        return np.frombuffer(self.rng.bytes(size), dtype).reshape(shape).copy()

    def column(self, dtype, column, of, scale=8.0):
        """Argument `column` of `of`: special values in all pairs, then random
        ones, half of them bits and half of moderate size."""
        values = self.raw(dtype)
        kind = np.dtype(dtype).kind
        half = values[N // 2 :]
        if kind == "f":
            half[...] = self.rng.normal(0, scale, N // 2)
        elif kind == "i":
            half[...] = self.rng.integers(-1000, 1000, N // 2)
        else:
            half[...] = self.rng.integers(0, 1000, N // 2)
        special = np.array(SPECIAL[dtype], dtype)
        if of == 1:
            values[: len(special)] = special
            return values
        count = len(special) ** 2
        index = np.arange(count) // len(special) ** column % len(special)
        if column == 2:
            index = (np.arange(count) * 7 + 3) % len(special)
        values[:count] = special[index]
        return values


def exact_quotient(a, b, wanted):
    """Truncated quotient or remainder of integers; 0 where b is 0."""
    out = []
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        q = 0 if y == 0 else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        out.append((q if wanted == "/" else x - q * y) if y else 0)
    bits = 8 * a.dtype.itemsize
    out = [(v + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1) for v in out]
    return np.array(out, f"i{a.dtype.itemsize}").view(a.dtype)


def clamp_to(values, dtype):
    """A conversion that saturates, NaN to 0, toward zero."""
    info = np.iinfo(dtype)
    out = []
    for v in values.astype(np.float64).tolist():
        if math.isnan(v):
            out.append(0)
        elif math.isinf(v):
            out.append(info.max if v > 0 else info.min)
        else:
            out.append(max(info.min, min(info.max, int(v))))
    return np.array(out, dtype)


def fused(a, b, c):
    """a b + c of f32, rounded once: exact as fractions."""
    from fractions import Fraction

    out = np.empty(len(a), np.float32)
    wide = a.astype(np.float64) * b.astype(np.float64)  # exact
    easy = wide + c.astype(np.float64)
    for i in range(len(a)):
        if not np.isfinite(easy[i]):
            out[i] = easy[i]
            continue
        exact = Fraction(float(wide[i])) + Fraction(float(c[i]))
        near = float(easy[i])
        error = exact - Fraction(near)
        # Round to odd in f64, so that the second rounding is right.
        if error != 0 and not (np.float64(near).view(np.uint64) & np.uint64(1)):
            toward = math.inf if error > 0 else -math.inf
            near = math.nextafter(near, toward)
        out[i] = np.float32(near)
    return out


def integer_cases(x):
    i32 = [x.column(np.int32, i, 2) for i in range(2)]
    u32 = [x.column(np.uint32, i, 2) for i in range(2)]
    i64 = [x.column(np.int64, i, 2) for i in range(2)]
    u64 = [x.column(np.uint64, i, 2) for i in range(2)]
    a, b = i32
    yield "div_i32", i32, exact_quotient(a, b, "/")
    yield "rem_i32", i32, exact_quotient(a, b, "%")
    wide_a, wide_b = a.astype(np.int64), b.astype(np.int64)
    int_range = (-(2**31), 2**31 - 1)
    sat = np.clip(wide_a + wide_b, *int_range)
    unsigned = np.clip(
        a.view(np.uint32).astype(np.int64) - b.view(np.uint32).astype(np.int64), 0, None
    )
    out = sat ^ unsigned * 3 ^ np.clip(wide_b - wide_a, *int_range) * 5
    yield "saturate", i32, out.astype(np.int32)
    product = wide_a * wide_b
    out = (
        (product & 0xFFFF ^ 0x8000) - 0x8000
        + (wide_a - wide_b & 0xFF) * 3
        + ((wide_a >> 8 & 0xFF ^ 0x80) - 0x80) * ((wide_b >> 16 & 0xFF ^ 0x80) - 0x80)
        + ((wide_a & 0xFFFF) * (wide_b & 0xFFFF) >> 5)
    )  # fmt: skip
    yield "narrow", i32, out.astype(np.int32)
    out = np.maximum(np.minimum(wide_a, 1000), -999)
    out += np.maximum(np.maximum(wide_a, wide_b), 5)
    yield "medians", i32, out.astype(np.int32)

    a, b = u32
    yield "div_u32", u32, np.where(b == 0, 0, a // np.maximum(b, 1)).astype(np.uint32)
    yield "rem_u32", u32, np.where(b == 0, 0, a % np.maximum(b, 1)).astype(np.uint32)

    def each(function):
        pairs = zip(a.tolist(), b.tolist(), strict=True)
        return np.array([function(p, q) & 0xFFFFFFFF for p, q in pairs], np.uint32)

    def bits(p, q):
        turn = q & 31
        reversed_bits = int(f"{p:032b}"[::-1], 2)
        return (
            (32 - p.bit_length()) * 3
            + bin(q).count("1") * 5
            + ((q & -q).bit_length() - 1 if q else 32) * 7
            + reversed_bits * 9
            + int.from_bytes(q.to_bytes(4, "little"), "big")
            + ((p << turn | p >> (32 - turn)) & 0xFFFFFFFF)
        )

    yield "bits_32", u32, each(bits)

    a, b = i64
    yield "div_i64", i64, exact_quotient(a, b, "/")
    yield "mul_i64", i64, a * b
    ua, ub = a.view(np.uint64), b.view(np.uint64)
    out = (a < b) | (ua < ub) * 2 | (a == b) * 4 | (a > 77) * 8
    yield "compare_64", i64, out.astype(np.int32)
    a, b = u64
    yield "rem_u64", u64, np.where(b == 0, 0, a % np.maximum(b, 1)).astype(np.uint64)
    high = [p * q >> 64 for p, q in zip(a.tolist(), b.tolist(), strict=True)]
    yield "mul_high_u64", u64, np.array(high, np.uint64)
    six = np.uint64(63)
    out = (a << (b & six)) ^ (a >> (b >> np.uint64(6) & six))
    out ^= (a.view(np.int64) >> (b >> np.uint64(12) & six).view(np.int64)).view(
        np.uint64
    )
    yield "shift_64", u64, out

    a, b = (x.raw(np.int16, (N, 2)) for _ in range(2))
    out = np.maximum(a, b) * b + (a << (b & 15)) - np.minimum(a + b, a)
    yield "packed_i16", [a, b], out
    abc = [x.raw(np.int32) for _ in range(3)]
    yield "dot_i8", abc, dots(*abc)
    abc = [x.raw(np.uint32) for _ in range(3)]
    yield "perm", abc, permuted(*abc)


def dots(a, b, c):
    def nibbles(v):
        n = v.view(np.uint32)[:, None] >> np.arange(0, 32, 4, dtype=np.uint32) & 15
        return n.astype(np.int64)

    def signed(n, bits):
        return (n ^ 1 << bits - 1) - (1 << bits - 1)

    bytes_a, bytes_b = (
        v.view(np.uint8).reshape(-1, 4).astype(np.int64) for v in (a, b)
    )
    wide = c.astype(np.int64)
    s4 = (signed(bytes_a, 8) * signed(bytes_b, 8)).sum(1) + wide
    u4 = (bytes_a * bytes_b).sum(1) + wide
    na, nb = nibbles(a), nibbles(b)
    s8 = (signed(na, 4) * signed(nb, 4)).sum(1) + wide
    u8 = (na * nb).sum(1) + wide
    s4, u4, s8, u8 = (v.astype(np.int32) for v in (s4, u4, s8, u8))
    return s4 ^ u4 * 3 ^ s8 * 5 ^ u8 * 7


def permuted(a, b, c):
    """v_perm_b32: bytes of {a, b}, sign bits, 0 and 0xff by selector byte."""
    out = np.zeros((len(a), 4), np.uint8)
    source = np.concatenate(
        [b.view(np.uint8).reshape(-1, 4), a.view(np.uint8).reshape(-1, 4)], axis=1
    )
    select = c.view(np.uint8).reshape(-1, 4)
    for i in range(len(a)):
        for j in range(4):
            s = select[i, j]
            if s < 8:
                out[i, j] = source[i, s]
            elif s < 12:
                out[i, j] = 255 * (source[i, 2 * (s - 8) + 1] >> 7)
            else:
                out[i, j] = 0 if s == 12 else 255
    return out.view(np.uint32).reshape(-1)


def float_cases(x):
    pair = [x.column(np.float32, i, 2) for i in range(2)]
    one = x.column(np.float32, 0, 1)
    a, b = pair
    for name, value in {
        "add_f32": lambda: a + b,
        "sub_f32": lambda: a - b,
        "mul_f32": lambda: a * b,
        "div_f32": lambda: a / b,
    }.items():
        yield name, pair, value()
    yield "sqrt_f32", [one], np.sqrt(one)
    c = x.column(np.float32, 2, 3)
    yield "fma_f32", [a, b, c], fused(a, b, c)
    abc = [x.rng.normal(0, 3, (N, 2)).astype(np.float32) for _ in range(3)]
    flat = [v.reshape(-1) for v in abc]
    yield (
        "packed_f32",
        abc,
        fused(fused(*flat), flat[0], flat[1]).reshape(N, 2),
    )
    rounded = [np.floor(one), np.ceil(one), np.trunc(one), np.rint(one)]
    yield "round_f32", [one], np.stack(rounded, axis=1)
    out = np.stack(
        [
            np.fmin(a, b),
            np.fmax(a, b),
            np.abs(a) - np.copysign(np.float32(2), b),
        ],
        axis=1,
    )
    middle = np.sort(np.stack([a, b, np.full_like(a, 1.5)]), axis=0)[1]
    # With a NaN, v_med3_f32 gives the smallest of the others.
    smallest = np.fmin(np.fmin(a, b), np.float32(1.5))
    middle = np.where(np.isnan(a) | np.isnan(b), smallest, middle)
    yield "minmax_f32", pair, np.c_[out, middle].astype(np.float32), "zero_signs"
    mantissa, exponent = np.frexp(one)
    finite = np.isfinite(one)
    mantissa = np.where(finite, mantissa, one)
    exponent = np.where(finite, exponent, 0).astype(np.int32)
    yield (
        "frexp_f32",
        [one],
        np.stack([mantissa.astype(np.float32).view(np.int32), exponent], axis=1),
        "nan_first",
    )
    size_a, size_b = np.abs(a), np.abs(b)
    smallest = np.float32(1.17549435e-38)
    nan_a, nan_b = np.isnan(a), np.isnan(b)
    out = nan_a | np.isinf(b) * 2 | (a < b) * 4 | (a >= b) * 8 | (nan_a | nan_b) * 16
    out |= (a != b) * 32 | ((size_a >= smallest) & np.isfinite(a)) * 64
    out |= ((size_b < smallest) & (b != 0)) * 128
    yield "class_f32", pair, out.astype(np.int32)
    yield (
        "ldexp_f32",
        [a, np.clip(np.nan_to_num(b), -300, 300)],
        np.ldexp(a, np.clip(np.nan_to_num(b), -300, 300).astype(int)),
    )


def transcendental_cases(x):
    """Within 2 units in the last place or so: relative errors."""
    v = x.rng.uniform(-20, 20, N).astype(np.float32)
    p = np.exp(x.rng.uniform(-20, 20, N)).astype(np.float32)
    wide, positive = v.astype(np.float64), p.astype(np.float64)
    yield "exp_f32", [v], np.exp(wide).astype(np.float32), "relative"
    yield "exp2_f32", [v], np.exp2(wide).astype(np.float32), "relative"
    yield "log_f32", [p], np.log(positive).astype(np.float32), "relative"
    yield "log2_f32", [p], np.log2(positive).astype(np.float32), "relative"
    yield "rsqrt_f32", [p], (1 / np.sqrt(positive)).astype(np.float32), "relative"
    turns = x.rng.uniform(-1, 1, N).astype(np.float32)
    wide = turns.astype(np.float64) * 2 * np.pi
    yield (
        "sin_f32",
        [turns],
        np.stack([np.sin(wide), np.cos(wide)], axis=1).astype(np.float32),
        "absolute",
    )


def double_cases(x):
    pair = [x.column(np.float64, i, 2) for i in range(2)]
    one = x.column(np.float64, 0, 1)
    a, b = pair
    yield "div_f64", pair, a / b
    yield "sqrt_f64", [one], np.sqrt(one)
    yield "minmax_f64", pair, minmax_f64(a, b), "zero_signs"
    small = [x.rng.integers(-(2**20), 2**20, N).astype(np.float64) for _ in range(3)]
    # Exact: sums and products stay below 2^53.
    p, q, r = small
    yield "arith_f64", [p, q], (p + q) * p - q
    yield "fma_f64", small, p * q + r
    yield "f64_to_i32", [one], clamp_to(one, np.int32)
    inside = one[np.abs(one) < 2.0**63]
    inside = np.resize(inside, N)
    yield "f64_to_i64", [inside], inside.astype(np.int64)
    yield "f64_to_f32", [one], one.astype(np.float32)
    whole = x.column(np.int64, 0, 1)
    yield "i64_to_f64", [whole], whole.astype(np.float64)
    yield "i64_to_f32", [whole], np.array([round_i64(v) for v in whole.tolist()])
    whole = x.column(np.uint32, 0, 1)
    yield "u32_to_f64", [whole], whole.astype(np.float64)


def minmax_f64(a, b):
    return np.stack([np.fmin(a, b), np.fmax(a, np.floor(b))], axis=1)


def round_i64(value):
    """f32 of an integer, to nearest even, in one rounding."""
    size = abs(value)
    shift = max(0, size.bit_length() - 24)
    kept, rest = size >> shift, size & ((1 << shift) - 1)
    half = (1 << shift) >> 1
    if shift and (rest > half or (rest == half and kept & 1)):
        kept += 1
    return np.float32(math.ldexp(kept, shift) * (-1 if value < 0 else 1))


def half_cases(x):
    pair = [x.column(np.float16, i, 2) for i in range(2)]
    one = x.column(np.float16, 0, 1)
    a, b = pair
    yield (
        "div_f16",
        pair,
        ((a.astype(np.float64) / b.astype(np.float64)).astype(np.float16)),
    )
    yield "sqrt_f16", [one], (np.sqrt(one.astype(np.float64)).astype(np.float16))
    yield "f16_to_f32", [one], one.astype(np.float32)
    f = x.column(np.float32, 0, 1)
    yield "f32_to_f16", [f], f.astype(np.float16)
    shorts = x.column(np.int16, 0, 1)
    yield "i16_to_f16", [shorts], shorts.astype(np.float16)
    inside = np.where(np.abs(one.astype(np.float32)) < 32768, one, np.float16(0))
    yield "f16_to_i16", [inside.astype(np.float16)], inside.astype(np.int16)
    # Small integers: every step is exact, fused or not.
    p, q = (x.rng.integers(-8, 9, N).astype(np.float16) for _ in range(2))
    yield "arith_f16", [p, q], p * q + np.float16(1.5) - q
    yield "mixed_f16", [p, q], p.astype(np.float32) * q.astype(np.float32) + 2
    p, q, r = (x.rng.integers(-8, 9, (N, 2)).astype(np.float16) for _ in range(3))
    yield "packed_f16", [p, q, r], np.maximum((p * q + r) * p + q, -r[:, ::-1])
    c = x.rng.integers(-99, 99, N).astype(np.float32)
    dot = (p.astype(np.float32) * q.astype(np.float32)).sum(axis=1) + c
    yield "dot_f16", [p, q, c], dot
    bp, bq = (formats.to_bf16(v.astype(np.float32)) for v in (p, q))
    pf, qf = p.astype(np.float32), q.astype(np.float32)
    yield "packed_bf16", [bp, bq], formats.to_bf16(pf * qf + pf)
    raw = x.raw(np.uint16)
    raw = np.where((raw & 0x7F80) == 0x7F80, raw & 0xFF80, raw).astype(np.uint16)
    yield "bf16_to_f32", [raw], formats.from_bf16(raw)
    f = f[np.isfinite(f)]
    f = np.resize(f, N)
    yield "f32_to_bf16", [f], formats.to_bf16(f)
    f, g = (x.rng.normal(0, 3, N).astype(np.float32) for _ in range(2))
    yield "pack_rtz", [f, g], (truncated(f) | truncated(g) << 16).astype(np.int32)


def truncated(f):
    """Bits of f16 toward zero, of f32 in its normal range."""
    near = f.astype(np.float16)
    over = np.abs(near.astype(np.float32)) > np.abs(f)
    return near.view(np.uint16).astype(np.int64) - over


def conversion_cases(x, arch):
    one = x.column(np.float32, 0, 1)
    yield "f32_to_i32", [one], clamp_to(one, np.int32)
    yield "f32_to_u32", [one], clamp_to(one, np.uint32)
    whole = x.column(np.int32, 0, 1)
    yield "i32_to_f32", [whole], whole.astype(np.float32)
    whole = x.column(np.uint32, 0, 1)
    yield "u32_to_f32", [whole], whole.astype(np.float32)
    raw = x.raw(np.uint32)
    raw[:64] = np.arange(256, dtype=np.uint8).view(np.uint32)
    octets = raw.view(np.uint8).reshape(N, 4)
    fp8, bf8 = formats.fp8(arch), formats.bf8(arch)
    yield "bytes_to_f32", [raw], octets.astype(np.float32)
    yield "fp8_to_f32", [raw], fp8[octets].astype(np.float32)
    yield "bf8_to_f32", [raw], bf8[octets].astype(np.float32)
    mixed = np.c_[fp8[octets[:, :2]], bf8[octets[:, 2:]]].astype(np.float32)
    yield "fp8_pairs_to_f32", [raw], mixed
    # Every representable value, all midpoints, and random ones in range.
    for name, table, first in (("f32_to_fp8", fp8, True), ("f32_to_bf8", bf8, False)):
        finite = np.sort(table[np.isfinite(table)])
        middle = (finite[1:] + finite[:-1]) / 2
        a = np.r_[finite, middle, x.rng.normal(0, 9, N)][:N].astype(np.float32)
        b = x.rng.permutation(a)
        codes = [encode_any(table, v, arch) for v in (a, b)]
        out = np.empty((N, 4), np.uint8)
        out[:, 2], out[:, 3] = codes
        low = codes[::-1] if first else [np.full(N, 0x78), np.full(N, 0x56)]
        out[:, 0], out[:, 1] = low
        yield name, [a, b], out.view(np.int32).reshape(N)


def encode_any(table, values, arch):
    codes = formats.encode(table, values, 0)
    if arch == "gfx942":  # one zero only
        codes = np.where(codes == 128, 0, codes).astype(np.uint8)
    return codes


def gfx950_cases(x):
    raw = [x.raw(np.uint32) for _ in range(3)]
    # v_prng_b32: a linear feedback shift register (CDNA4 ISA manual).
    shifted = raw[0] << np.uint32(1)
    taps = np.where(raw[0] >> 31, np.uint32(0xC5), np.uint32(0))
    yield "prng", [raw[0]], shifted ^ taps
    a, b, c = raw
    table = 0x6A
    out = np.zeros(N, np.uint32)
    for i in range(8):
        if table >> i & 1:
            term = (a if i & 4 else ~a) & (b if i & 2 else ~b) & (c if i & 1 else ~c)
            out |= term
    yield "bitop3", raw, out + (a ^ b ^ ~c)
    p, q = (x.rng.integers(-8, 9, (N, 2)).astype(np.float32) for _ in range(2))
    c = x.rng.integers(-99, 99, N).astype(np.float32)
    bits = [formats.to_bf16(v) for v in (p, q)]
    yield "dot_bf16", [*bits, c], (p * q).sum(axis=1) + c


def scale_case(x):
    values = x.rng.normal(0, 3, (N, 2)).astype(np.float32)
    exponent = x.rng.integers(-3, 4, N)
    scale = (2.0**exponent * x.rng.uniform(1, 1.99, N)).astype(np.float32)
    power = 2.0**exponent
    codes = formats.encode(formats.FP4, values / power[:, None], 7)
    down = np.full((N, 4), (0x44, 0x33, 0x22, 0x11), np.uint8)
    down[:, 2] = codes[:, 0] | codes[:, 1] << 4
    up = (formats.FP4[codes] * power[:, None]).astype(np.float32)
    args = [values, scale, written(up), written(down.view(np.int32).reshape(N))]
    return Case("scalef32", "scalef32", args, grid=(N // 64, 1, 1), source="valu.cl")


def with_tolerance(out, mode):
    if mode == "relative":
        return written(out, 4e-7, lambda v, o=out: v / o)
    if mode == "absolute":
        return written(out, 1e-6)
    if mode == "zero_signs":  # which zero a minimum of two gives is not said
        return written(out, decode=lambda v: v + 0)
    if mode == "nan_first":  # the bits of a NaN's mantissa are not said

        def decode(v):
            is_nan = (v[:, 0] & 0x7FFFFFFF) > 0x7F800000
            return np.where(is_nan[:, None], 0, v)

        return written(out, decode=decode)
    return written(out)


def cases(arch):
    np.seterr(all="ignore")
    x = Inputs(5)
    groups = [integer_cases(x), float_cases(x), transcendental_cases(x)]
    groups += [double_cases(x), half_cases(x), conversion_cases(x, arch)]
    if arch == "gfx950":
        groups.append(gfx950_cases(x))
        yield scale_case(x)
    for group in groups:
        for name, inputs, out, *mode in group:
            args = [*inputs, with_tolerance(out, mode[0] if mode else "")]
            yield Case(name, name, args, grid=(N // 64, 1, 1), source="valu.cl")
