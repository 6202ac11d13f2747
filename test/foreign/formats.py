# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""The small float formats by their definition, from bits to numbers.

Nothing here is shared with fly: a value is sign, exponent and mantissa put
together by arithmetic, and rounding is a search among all values of a format.
"""

import numpy as np


def small_floats(exponent_bits, mantissa_bits, bias, special):
    """All values of a format by code, as float64."""
    codes = np.arange(1 << (1 + exponent_bits + mantissa_bits))
    mantissa = codes & ((1 << mantissa_bits) - 1)
    exponent = codes >> mantissa_bits & ((1 << exponent_bits) - 1)
    fraction = mantissa / (1 << mantissa_bits)
    normal = (1 + fraction) * 2.0 ** (exponent - bias)
    value = np.where(exponent == 0, fraction * 2.0 ** (1 - bias), normal)
    top = exponent == (1 << exponent_bits) - 1
    sign = np.where(codes >> (exponent_bits + mantissa_bits), -1.0, 1.0)
    value = value * sign
    if special == "ieee":
        value[top & (mantissa == 0)] = np.inf
        value *= np.where(np.isinf(value), sign, 1)
        value[top & (mantissa != 0)] = np.nan
    elif special == "fn":
        value[top & (mantissa == (1 << mantissa_bits) - 1)] = np.nan
    elif special == "fnuz":
        value[len(codes) // 2] = np.nan
    return value


FP8_OCP = small_floats(4, 3, 7, "fn")
BF8_OCP = small_floats(5, 2, 15, "ieee")
FP8_FNUZ = small_floats(4, 3, 8, "fnuz")
BF8_FNUZ = small_floats(5, 2, 16, "fnuz")
FP6 = small_floats(2, 3, 1, None)
BF6 = small_floats(3, 2, 3, None)
FP4 = small_floats(2, 1, 1, None)
# By the number that cbsz and blgp of an f8f6f4 instruction give them.
F8F6F4 = [FP8_OCP, BF8_OCP, FP6, BF6, FP4]
F8F6F4_BITS = [8, 8, 6, 6, 4]


def fp8(arch):
    return FP8_OCP if arch == "gfx950" else FP8_FNUZ


def bf8(arch):
    return BF8_OCP if arch == "gfx950" else BF8_FNUZ


def random_codes(rng, table, shape, limit=4, grid=0.25):
    """Codes of values that are multiples of grid and at most limit."""
    fine = np.isfinite(table) & (np.abs(table) <= limit)
    fine[fine] &= table[fine] % grid == 0
    return rng.choice(np.flatnonzero(fine), shape).astype(np.uint8)


def encode(table, values, overflow):
    """Codes of float64 values, rounded to nearest with ties to even codes.

    overflow is the code for values past the largest one (sign added).
    """
    values = np.asarray(values, np.float64)
    half = len(table) // 2
    finite = np.flatnonzero(np.isfinite(table[:half]))
    top = table[finite[-1]]
    grid = table[finite]
    size = np.abs(values)
    above = np.clip(np.searchsorted(grid, size), 1, len(grid) - 1)
    low, high = grid[above - 1], grid[above]
    middle = (low + high) / 2
    take = (size > middle) | ((size == middle) & (above % 2 == 0))
    code = np.where(take, above, above - 1)
    step = top - grid[-2]
    code = np.where(size >= top + step / 2, overflow, code)
    code = np.where(size == top + step / 2, overflow, code)
    return (code + np.where(np.signbit(values), half, 0)).astype(np.uint8)


def to_bf16(values):
    """Bits of bf16, to nearest even, of finite float32 values."""
    bits = np.asarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def from_bf16(bits):
    return (np.asarray(bits, np.uint16).astype(np.uint32) << 16).view(np.float32)


def pack_bits(codes, bits):
    """Codes of `bits` bits along the last axis, packed low first in bytes."""
    expanded = codes[..., None] >> np.arange(bits, dtype=np.uint8) & 1
    flat = expanded.reshape(*codes.shape[:-1], -1)
    return np.packbits(flat.astype(np.uint8), axis=-1, bitorder="little")
