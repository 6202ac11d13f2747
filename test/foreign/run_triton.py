# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Runs the code objects in triton/objects on fly-emu and compares with numpy.

run_triton.py [--arch=ARCH] [--emulator=PATH] [--filter=TEXT]

The objects were made by triton/compile.py from triton/kernels.py; nothing of
Triton is needed here. Prints what is wrong and a line with the counts.
"""

import argparse
import json
import os
import sys
import tempfile
import time

import emulate
import formats
import numpy as np
from emulate import Case, written

OBJECTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "triton", "objects")
# Triton's launcher passes two more pointers: its scratch areas, not used here.
SCRATCH = ["ptr:null", "ptr:null"]


def element(kind, arch, rng, shape):
    """Bits and values of random operands whose sums are exact."""
    if kind == "fp8":
        codes = formats.random_codes(rng, formats.fp8(arch), shape)
        return codes, formats.fp8(arch)[codes]
    values = rng.integers(-4, 5, shape).astype(np.float64)
    if kind == "bf16":
        return formats.to_bf16(values), values
    return values.astype(np.float16), values


def matmul(name, arch, rng, constants, size):
    """Masked edges in M and N."""
    kind = name.split("_")[1]
    m, n, k = 100, 176, size or 192
    a, va = element(kind, arch, rng, (m, k))
    b, vb = element(kind, arch, rng, (k, n))
    before = emulate.poison((m, n + 16), np.float32)
    after = before.copy()
    after[:, :n] = va @ vb
    sizes = [f"i32:{v}" for v in (m, n, k, k, n, n + 16)]
    return [a, b, emulate.Expected(before, after), *sizes], (2, 3, 1)


def matmul_nt(name, arch, rng, constants, size):
    kind = "bf16" if name == "matmul_bf16_big" else name.split("_")[2]
    m, n = constants["BLOCK_M"] * 2, constants["BLOCK_N"]
    k = size or 320
    a, va = element(kind, arch, rng, (m, k))
    b, vb = element(kind, arch, rng, (n, k))
    sizes = [f"i32:{v}" for v in (n, k, k, k, n)]
    return [a, b, written((va @ vb.T).astype(np.float32)), *sizes], (2, 1, 1)


SMALL = {"e4m3": formats.FP8_OCP, "e5m2": formats.BF8_OCP, "e2m1": formats.FP4}


def scaled_operand(kind, rng, rows, k):
    table = SMALL[kind]
    codes = formats.random_codes(rng, table, (rows, k))
    exponents = rng.integers(-2, 3, (rows, k // 32))
    values = table[codes] * np.repeat(2.0**exponents, 32, axis=1)
    bits = 4 if kind == "e2m1" else 8
    return formats.pack_bits(codes, bits), (exponents + 127).astype(np.uint8), values


def scaled(name, arch, rng, constants, size):
    m, n, k = 128, 64, size or 384
    a, sa, va = scaled_operand(constants["A_TYPE"], rng, m, k)
    b, sb, vb = scaled_operand(constants["B_TYPE"], rng, n, k)
    out = written((va @ vb.T).astype(np.float32))
    return [a, sa, b, sb, out, f"i32:{n}", f"i32:{k}"], (2, 1, 1)


def matmul_split_k(name, arch, rng, constants, size):
    m, n, k = 128, 64, size or 512
    a, va = element("bf16", arch, rng, (m, k))
    b, vb = element("bf16", arch, rng, (n, k))
    before = rng.integers(-8, 9, (m, n)).astype(np.float32)
    out = emulate.Expected(before, (before + va @ vb.T).astype(np.float32))
    sizes = [f"i32:{v}" for v in (n, k, k, k, n)]
    return [a, b, out, *sizes], (2, 1, constants["SPLIT"])


def matmul_persistent(name, arch, rng, constants, size):
    """Five tiles or so for each of three workgroups."""
    m, n, k = 240, 208, size or 192
    a, va = element("bf16", arch, rng, (m, k))
    b, vb = element("bf16", arch, rng, (n, k))
    sizes = [f"i32:{v}" for v in (m, n, k, k, k, n)]
    return [a, b, written((va @ vb.T).astype(np.float32)), *sizes], (3, 1, 1)


def grouped_gemm(name, arch, rng, constants, size):
    """Groups of many rows, of none, of one and of a tile."""
    counts = [100, 0, 1, 64]
    n, k = 128, size or 192
    ends = np.cumsum(counts).astype(np.int32)
    a, va = element("bf16", arch, rng, (ends[-1], k))
    b, vb = element("bf16", arch, rng, (len(counts), n, k))
    group = np.repeat(np.arange(len(counts)), counts)
    out = np.einsum("rk,rnk->rn", va, vb[group]).astype(np.float32)
    sizes = [f"i32:{v}" for v in (len(counts), n, k)]
    return [a, b, written(out), ends, *sizes], (3, 1, 1)


def moe_gather(name, arch, rng, constants, size):
    tokens, experts, top, block = 48, 3, constants["TOP"], constants["BLOCK_M"]
    n, k = 64, size or 192
    a, va = element("bf16", arch, rng, (tokens, k))
    b, vb = element("bf16", arch, rng, (experts, n, k))
    chosen = np.stack([rng.permutation(experts)[:top] for _ in range(tokens)])
    rows, owners = [], []
    for expert in range(experts):
        mine = [t * top + s for t, s in np.argwhere(chosen == expert)]
        mine += [tokens * top] * (-len(mine) % block)
        rows += mine
        owners += [expert] * (len(mine) // block)
    weights = (2.0 ** rng.integers(-2, 3, tokens * top)).astype(np.float32)
    token = np.repeat(np.arange(tokens), top)
    out = np.einsum("sk,snk->sn", va[token], vb[chosen.reshape(-1)])
    out = written((out * weights[:, None]).astype(np.float32))
    routes = [np.array(rows, np.int32), np.array(owners, np.int32), weights]
    sizes = [f"i32:{v}" for v in (tokens, n, k)]
    return [a, b, out, *routes, *sizes], (len(owners), 1, 1)


def scan(name, arch, rng, constants, size):
    rows, columns, block = 3, size or 500, constants["BLOCK"]
    v = rng.integers(-1000, 1000, (rows, columns)).astype(np.int32)
    padded = np.zeros((rows, block), np.int32)
    padded[:, :columns] = v
    tops = -np.sort(-padded, axis=1)
    sums = np.cumsum(v, axis=1, dtype=np.int32)
    return [v, written(sums), written(tops), f"i32:{columns}"], (rows, 1, 1)


def softmax(name, arch, rng, constants, size):
    rows, columns, pitch = 3, size or 900, 1024
    v = rng.normal(0, 3, (rows, pitch)).astype(np.float32)
    wide = v[:, :columns].astype(np.float64)
    e = np.exp(wide - wide.max(axis=1, keepdims=True))
    before = np.full((rows, pitch), 7, np.float32)
    after = before.copy()
    after[:, :columns] = e / e.sum(axis=1, keepdims=True)
    sizes = [f"i32:{pitch}", f"i32:{columns}"]
    return [v, written(after, 1e-6, before=before), *sizes], (rows, 1, 1)


def layer_norm(name, arch, rng, constants, size):
    rows, columns = 3, size or 1100
    v = rng.normal(1, 2, (rows, columns)).astype(np.float16)
    gain, bias = (rng.normal(1, 0.2, columns).astype(np.float32) for _ in range(2))
    wide = v.astype(np.float64)
    mean = wide.mean(axis=1, keepdims=True)
    scale = 1 / np.sqrt(wide.var(axis=1, keepdims=True) + 1e-5)
    out = ((wide - mean) * scale * gain + bias).astype(np.float16)
    args = [v, gain, bias, written(out, 1e-3)]
    args += [written(mean.reshape(-1).astype(np.float32), 1e-5)]
    return [*args, f"i32:{columns}", "f32:1e-5"], (rows, 1, 1)


def attention(name, arch, rng, constants, size):
    heads, length, dim = 2, size or 128, constants["DIM"]
    shape = (heads, length, dim)
    q, k, v = (rng.normal(0, 1, shape).astype(np.float16) for _ in range(3))
    scores = np.einsum("hid,hjd->hij", *(x.astype(np.float64) for x in (q, k)))
    scores *= 0.125
    if constants["CAUSAL"]:
        scores[:, ~np.tri(length, dtype=bool)] = -np.inf
    e = np.exp(scores - scores.max(axis=2, keepdims=True))
    out = np.einsum("hij,hjd->hid", e / e.sum(axis=2, keepdims=True), v)
    args = [q, k, v, written(out.astype(np.float16), 2e-3)]
    return [*args, f"i32:{length}", "f32:0.125"], (length // 64, heads, 1)


def moe_blocks(name, arch, rng, constants, size):
    """Five experts, of which one has no block and another is not here (-1)."""
    tokens, experts, top, block = 37, 5, constants["TOP"], constants["BLOCK_M"]
    is_fp8 = constants["KIND"] == "fp8"
    n, k = (128, size or 256) if is_fp8 else (96, size or 200)
    if is_fp8:
        a, va = element("fp8", arch, rng, (tokens, k))
        b, vb = element("fp8", arch, rng, (experts, n, k))
        exponents = [rng.integers(-2, 3, s + (k // 128,)) for s in ((tokens,), (5, 1))]
    else:
        a = rng.integers(-128, 128, (tokens, k)).astype(np.int8)
        b = rng.integers(-128, 128, (experts, n, k)).astype(np.int8)
        va, vb = a.astype(np.float64), b.astype(np.float64)
        exponents = [rng.integers(-2, 3, s) for s in (tokens, (experts, n))]
    sa, sb = (2.0**e for e in exponents)
    if is_fp8:
        va, vb = va * np.repeat(sa, 128, axis=1), vb * np.repeat(sb, 128, axis=2)
    else:
        va, vb = va * sa[:, None], vb * sb[:, :, None]
    chosen = np.stack([rng.permutation(experts - 1)[:top] for _ in range(tokens)])
    rows, owners = [], []
    for expert in range(experts):
        mine = [t * top + s for t, s in np.argwhere(chosen == expert)]
        mine += [tokens * top] * (-len(mine) % block)
        rows += mine
        owners += [expert if expert != 2 else -1] * (len(mine) // block)
    count = len(rows)
    chosen = chosen.reshape(-1)
    out = np.einsum("sk,snk->sn", np.repeat(va, top, axis=0), vb[chosen])
    out[chosen == 2] = 0
    scales = [sa.astype(np.float32), sb.astype(np.float32)]
    rows += [tokens * top] * (2 * block)
    routes = [np.array(v, np.int32) for v in (rows, owners + [0, 0], [count])]
    sizes = [f"i32:{v}" for v in (tokens * top, n, k, k, n * k, k, n)]
    grid = (len(rows) // block * -(-n // constants["BLOCK_N"]), 1, 1)
    return [a, b, written(out.astype(np.float32)), *scales, *routes, *sizes], grid


def histogram(name, arch, rng, constants, size):
    bins = constants["BINS"]
    v = rng.integers(0, bins, (4, constants["BLOCK"])).astype(np.int32)
    counts = np.bincount(v.reshape(-1), minlength=bins).astype(np.int32)
    return [v, emulate.Expected(np.zeros_like(counts), counts)], (4, 1, 1)


def attention_shared(name, arch, rng, constants, size):
    length, heads, shared, dim = size or 150, 4, 2, constants["DIM"]
    q = rng.normal(0, 1, (length, heads, dim)).astype(np.float16)
    k, v = (rng.normal(0, 1, (length, shared, dim)).astype(np.float16) for _ in "kv")
    wide = [np.repeat(x, heads // shared, axis=1).astype(np.float64) for x in (k, v)]
    scores = np.einsum("ihd,jhd->hij", q.astype(np.float64), wide[0]) * 0.125
    scores[:, ~np.tri(length, dtype=bool)] = -np.inf
    e = 2.0**scores
    sums = e.sum(axis=2, keepdims=True)
    out = np.einsum("hij,jhd->ihd", e / sums, wide[1]).astype(np.float16)
    args = [q, k, v, written(out, 3e-3)]
    args += [written(np.log2(sums)[..., 0].astype(np.float32), 1e-4)]
    sizes = [f"i32:{v}" for v in (length, heads, shared)]
    grid = (-(-length // constants["BLOCK_M"]), heads, 1)
    return [*args, *sizes, "f32:0.125"], grid


def one_dot(name, arch, rng, constants, size):
    m, n, k = (constants[x] for x in "MNK")
    kind = name.split("_")[2]
    a, va = element(kind, arch, rng, (m, k))
    b, vb = element(kind, arch, rng, (k, n))
    if kind == "fp32":
        a, b = va.astype(np.float32), vb.astype(np.float32)
    return [a, b, written((va @ vb).astype(np.float32))], (1, 1, 1)


def mixed_dot(name, arch, rng, constants, size):
    m, n, k = (constants[x] for x in "MNK")
    a, sa, va = scaled_operand(constants["A_TYPE"], rng, m, k)
    b, vb = element(constants["B_TYPE"], arch, rng, (n, k))
    return [a, sa, b, written((va @ vb.T).astype(np.float32))], (1, 1, 1)


def make_case(path, entry, size=None):
    """The case of an object; size is k, columns or length instead of the usual
    one."""
    name, arch, _ = path.split(".")
    maker = {"scaled_matmul": scaled}.get(entry["kernel"])
    maker = maker or globals()[entry["kernel"]]
    # The same data for every variant of a kernel.
    rng = np.random.default_rng(9)
    args, grid = maker(name, arch, rng, entry["constants"], size)
    return Case(
        f"{name}.{arch}.{size or 0}",
        entry["kernel"],
        args + SCRATCH,
        grid,
        (entry["threads"], 1, 1),
        entry["lds"],
    )


def read_index():
    with open(os.path.join(OBJECTS, "index.json"), encoding="utf-8") as file:
        index = json.load(file)
    index.pop("triton")
    return index


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arch")
    parser.add_argument("--emulator", default="fly-emu")
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as directory:
        for path, entry in read_index().items():
            if options.filter not in path or (options.arch or "") not in path:
                continue
            case = make_case(path, entry)
            start = time.monotonic()
            wrong = emulate.run(
                case, os.path.join(OBJECTS, path), directory, options.emulator
            )
            passed += not wrong
            failed += bool(wrong)
            for line in wrong:
                print(f"{path}: {line}")
            if time.monotonic() - start > 3:
                print(f"{path}: {time.monotonic() - start:.1f} s", file=sys.stderr)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
