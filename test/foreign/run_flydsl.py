# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Runs FlyDSL's own kernels on the emulated HIP library, against numpy.

run_flydsl.py --source=CHECKOUT --hip=LIBRARY --lld=PATH [--arch=ARCH]
              [--filter=TEXT]

Needs the PyPI package flydsl in the Python that runs this, and a checkout of
FlyDSL's repository, whose kernels/ the package does not have. FlyDSL compiles
for ARCH without a GPU, loads the object through HIP and launches it; what stands
behind HIP is fly's emulator, with checking on. flydsl/torch stands in for torch.
Every result must be right and nothing reported, except of the kernels that are
known to deserve it, which must be reported. Prints a line a kernel, and one with
the counts.
"""

import argparse
import functools
import os
import sys
import tempfile

import formats
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def restart(options, directory):
    """Runs this again in an environment in which FlyDSL finds what it needs."""
    os.makedirs(f"{directory}/rocm/llvm/bin")
    os.makedirs(f"{directory}/rocm/amdgcn/bitcode")
    os.symlink(options.lld, f"{directory}/rocm/llvm/bin/ld.lld")
    for name in ("libamdhip64.so", "libamdhip64.so.7"):
        os.symlink(os.path.abspath(options.hip), f"{directory}/{name}")
    environment = os.environ | {
        "LD_LIBRARY_PATH": directory,
        "ROCM_PATH": f"{directory}/rocm",
        "FLY_HIP_ARCH": options.arch,
        "FLY_HIP_CHECK": "on",
        "FLYDSL_GPU_ARCH": options.arch,
        "ARCH": options.arch,
        "FLYDSL_RUNTIME_ENABLE_CACHE": "0",
        "FLY_HIP_REPORT": f"{directory}/reports",
        "PYTHONPATH": f"{HERE}/flydsl:{options.source}",
    }
    command = [sys.executable, *sys.argv, "--run"]
    return os.spawnve(os.P_WAIT, sys.executable, command, environment)


def small(rng, shape):
    """Small integers: every sum is exact in f32."""
    return rng.integers(-4, 5, shape).astype(np.float64)


def operand(kind, arch, rng, shape):
    """A numpy array of bits, the torch type, the values."""
    import torch

    if kind == "bf16":
        values = small(rng, shape)
        return formats.to_bf16(values), torch.bfloat16, values
    if kind == "fp16":
        values = small(rng, shape)
        return values.astype(np.float16), torch.float16, values
    if kind == "int8":
        values = small(rng, shape)
        return values.astype(np.int8), torch.int8, values
    codes = formats.random_codes(rng, formats.fp8(arch), shape)
    # Launched as bytes, as FlyDSL's own tests do.
    return codes.view(np.int8), torch.int8, formats.fp8(arch)[codes]


def tensor(array, kind):
    import torch

    return torch.Tensor(array, kind)


def close(got, want, tolerance):
    error = np.abs(got.astype(np.float64) - want).max()
    limit = tolerance * np.abs(want).max()
    return None if error <= limit else f"largest error {error}, limit {limit}"


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def launch(compiled, *args):
    """As FlyDSL's tests do: compile, then launch."""
    import flydsl.compiler as flyc
    import torch

    flyc.compile(compiled, *args)
    torch.cuda.synchronize()


def gemm_a16w16(kind, arch, rng, **config):
    import torch
    from kernels.gemm.gemm_a16w16_gfx950 import gemm_a16w16 as run

    m, n, k = 300, 512, 512
    a, kind_a, va = operand(kind, arch, rng, (m, k))
    b, _, vb = operand(kind, arch, rng, (n, k))
    out = torch.zeros((m, n), torch.float32)
    run(
        tensor(a, kind_a),
        tensor(b, kind_a).t(),
        out,
        user_kwargs=config,
        out_dtype=torch.float32,
    )
    torch.cuda.synchronize()
    # FlyDSL rounds a tile, or a slice's part of it, to its 16 bits in LDS.
    return close(out.numpy(np.float32), va @ vb.T, 2.0**-7)


def shuffled(b):
    """B as preshuffled kernels take it: blocks of 16 rows by 16 bytes."""
    n, k = b.shape
    chunk = 16 // b.itemsize
    blocks = b.reshape(n // 16, 16, k // 32, 32 // chunk, chunk)
    return np.ascontiguousarray(blocks.transpose(0, 2, 3, 1, 4)).reshape(n, k)


def preshuffle(kind, arch, rng, m=33, **config):
    import torch
    from kernels.gemm.preshuffle_gemm import compile_preshuffle_gemm

    n, k = 256, 1024
    sizes = {"tile_m": 32, "tile_n": 64, "tile_k": 256}
    run = compile_preshuffle_gemm(N=n, K=k, in_dtype=kind, **(sizes | config))
    a, kind_a, va = operand(kind, arch, rng, (m, k))
    b, _, vb = operand(kind, arch, rng, (n, k))
    is_scaled = kind in ("fp8", "int8")
    sa = 2.0 ** rng.integers(-2, 3, m if is_scaled else 0)
    sb = 2.0 ** rng.integers(-2, 3, n if is_scaled else 0)
    out = torch.zeros(m * n, torch.bfloat16)
    launch(
        run,
        out,
        tensor(a.reshape(-1), kind_a),
        tensor(shuffled(b).reshape(-1), kind_a),
        tensor(sa.astype(np.float32), torch.float32),
        tensor(sb.astype(np.float32), torch.float32),
        torch.zeros(0, torch.bfloat16),
        m,
        n,
        torch.cuda.current_stream(),
    )
    want = va @ vb.T
    if is_scaled:
        want = want * sa[:, None] * sb[None, :]
    return close(from_bf16(out.numpy(np.uint16)).reshape(m, n), want, 2.0**-8)


def fp8_rows(waves, arch, rng, m=256, n=256, **config):
    import torch
    from kernels.gemm.fp8_gemm_4wave import compile_fp8_gemm_4w
    from kernels.gemm.fp8_gemm_8wave import compile_fp8_gemm_8w

    k = 768
    compile_it = compile_fp8_gemm_4w if waves == 4 else compile_fp8_gemm_8w
    run = compile_it(K=k, **config)
    a, kind, va = operand("fp8", arch, rng, (m, k))
    b, _, vb = operand("fp8", arch, rng, (n, k))
    sa = (2.0 ** rng.integers(-2, 3, m)).astype(np.float32)
    sb = (2.0 ** rng.integers(-2, 3, n)).astype(np.float32)
    out = torch.zeros(m * n, torch.bfloat16)
    launch(
        run,
        tensor(a.reshape(-1), kind),
        tensor(b.reshape(-1), kind),
        out,
        tensor(sa, torch.float32),
        tensor(sb, torch.float32),
        m,
        n,
        torch.cuda.current_stream(),
    )
    want = (va @ vb.T) * sa[:, None] * sb[None, :]
    return close(from_bf16(out.numpy(np.uint16)).reshape(m, n), want, 2.0**-8)


def softmax(n, arch, rng):
    import torch
    from kernels.norm.softmax_kernel import build_softmax_module

    m = 3
    v = rng.normal(0, 3, (m, n)).astype(np.float32)
    out = torch.zeros((m, n), torch.float32)
    run = build_softmax_module(m, n, "f32")
    launch(run, tensor(v, torch.float32), out, m, torch.cuda.current_stream())
    e = np.exp(v.astype(np.float64) - v.max(axis=1, keepdims=True))
    return close(out.numpy(np.float32), e / e.sum(axis=1, keepdims=True), 1e-6)


def rms_norm(n, arch, rng):
    import torch
    from kernels.norm.rmsnorm_kernel import build_rmsnorm_module

    m = 3
    v = rng.normal(0, 3, (m, n)).astype(np.float32)
    gain = rng.normal(1, 0.1, n).astype(np.float32)
    out = torch.zeros((m, n), torch.float32)
    launch(
        build_rmsnorm_module(n, "f32"),
        tensor(v, torch.float32),
        tensor(gain, torch.float32),
        out,
        m,
        torch.cuda.current_stream(),
    )
    wide = v.astype(np.float64)
    scale = 1 / np.sqrt((wide**2).mean(axis=1, keepdims=True) + 1e-5)
    return close(out.numpy(np.float32), wide * scale * gain, 1e-5)


def route(rng, tokens, experts, top, tile):
    """Which experts a token goes to, and the rows of tiles that have one expert
    each: token | slot << 24, padded with a token that is not there."""
    chosen = np.stack([rng.permutation(experts)[:top] for _ in range(tokens)])
    rows, tiles = [], []
    for expert in range(experts):
        mine = [t | s << 24 for t, s in np.argwhere(chosen == expert)]
        mine += [tokens | top << 24] * (-len(mine) % tile)
        rows += mine
        tiles += [expert] * (len(mine) // tile)
    return chosen, np.array(rows, np.int32), np.array(tiles, np.int32)


def moe_up(kind, arch, rng):
    """The first GEMM of a mixture of experts: silu(gate) * up."""
    import torch
    from kernels.moe.moe_gemm_2stage.gemm1 import compile_moe_gemm1

    tokens, experts, top, inner, k = 64, 4, 2, 128, 256
    tile = 32
    chosen, rows, tiles = route(rng, tokens, experts, top, tile)
    x, kind_x, vx = operand(kind, arch, rng, (tokens, k))
    w, _, vw = operand(kind, arch, rng, (experts * 2 * inner, k))
    sx = (2.0 ** rng.integers(-6, -4, tokens)).astype(np.float32)
    sw = (2.0 ** rng.integers(-2, 1, experts * 2 * inner)).astype(np.float32)
    out = torch.zeros((tokens, top, inner), torch.bfloat16)
    run = compile_moe_gemm1(
        model_dim=k,
        inter_dim=inner,
        experts=experts,
        topk=top,
        tile_m=tile,
        tile_n=64,
        tile_k=128,
        doweight_stage1=False,
        out_dtype="bf16",
        in_dtype=kind,
    )
    launch(
        run,
        out,
        tensor(x.reshape(-1), kind_x),
        tensor(shuffled(w).reshape(-1), kind_x),
        tensor(sx, torch.float32),
        tensor(sw, torch.float32),
        tensor(rows, torch.int32),
        tensor(tiles, torch.int32),
        tensor(np.ones(len(rows), np.float32), torch.float32),
        tensor(np.array([len(rows)], np.int32), torch.int32),
        tokens,
        inner,
        k,
        len(tiles),
        torch.cuda.current_stream(),
    )
    product = (vx * sx[:, None]) @ (vw * sw[:, None]).T
    product = product.reshape(tokens, experts, 2, inner)
    both = np.take_along_axis(product, chosen[:, :, None, None], axis=1)
    gate, up = both[:, :, 0], both[:, :, 1]
    want = gate / (1 + np.exp(-gate)) * up
    return close(from_bf16(out.numpy(np.uint16)), want, 2.0**-8)


def layer_norm(n, arch, rng):
    import flydsl.compiler as flyc
    import flydsl.expr as fx
    import torch
    from kernels.norm.layernorm_kernel import build_layernorm_module

    m = 3
    v = rng.normal(1, 2, (m, n)).astype(np.float32)
    gain, bias = (rng.normal(1, 0.1, n).astype(np.float32) for _ in range(2))
    out = torch.zeros((m, n), torch.float32)
    arrays = [tensor(x, torch.float32) for x in (v, gain, bias)] + [out]
    pointers = [flyc.from_c_void_p(fx.Float32, x.data_ptr()) for x in arrays]
    run = build_layernorm_module(n, "f32")
    launch(run, *pointers, m, torch.cuda.current_stream())
    wide = v.astype(np.float64)
    wide -= wide.mean(axis=1, keepdims=True)
    scale = 1 / np.sqrt((wide**2).mean(axis=1, keepdims=True) + 1e-5)
    return close(out.numpy(np.float32), wide * scale * gain + bias, 1e-5)


def rms_norm_int8(n, arch, rng):
    """With a scale a row, so that the largest value becomes 127."""
    import torch
    from kernels.norm.rmsnorm_kernel import build_rmsnorm_dynamicquant_module

    m = 4
    v = rng.normal(0, 2, (m, n)).astype(np.float32)
    gain = rng.normal(1, 0.1, n).astype(np.float32)
    out, scales = torch.zeros((m, n), torch.int8), torch.zeros(m, torch.float32)
    launch(
        build_rmsnorm_dynamicquant_module(n, "f32", "i8"),
        tensor(v, torch.float32),
        tensor(gain, torch.float32),
        out,
        scales,
        m,
        torch.cuda.current_stream(),
    )
    wide = v.astype(np.float64)
    want = wide / np.sqrt((wide**2).mean(axis=1, keepdims=True) + 1e-5) * gain
    scale = np.abs(want).max(axis=1) / 127
    wrong = close(scales.numpy(np.float32), scale, 1e-4)
    return wrong or close(out.numpy(np.int8) * scale[:, None], want, 6e-3)


def top_experts(experts, arch, rng):
    import torch
    from kernels.moe.topk_gating_softmax_kernel import (
        build_topk_gating_softmax_module,
    )

    tokens, top = 37, 4
    order = np.tile(np.arange(experts) / 8, (tokens, 1))
    v = rng.permuted(order, axis=1).astype(np.float32)
    weights = torch.zeros((tokens, top), torch.float32)
    chosen, rows = (torch.zeros((tokens, top), torch.int32) for _ in range(2))
    launch(
        build_topk_gating_softmax_module(experts, top, "f32", True),
        tensor(v, torch.float32),
        weights,
        chosen,
        rows,
        tokens,
        torch.cuda.current_stream(),
    )
    want = np.argsort(-v, axis=1)[:, :top]
    e = np.exp(np.take_along_axis(v.astype(np.float64), want, axis=1))
    if (chosen.numpy(np.int32) != want).any():
        return "wrong experts"
    return close(weights.numpy(np.float32), e / e.sum(axis=1, keepdims=True), 1e-5)


def moe_down(kind, arch, rng, out_kind):
    """The second GEMM of a mixture of experts: adds up by atomics."""
    import torch
    from kernels.moe.moe_gemm_2stage.gemm2 import compile_moe_gemm2

    tokens, experts, top, inner, n = 64, 4, 2, 256, 256
    tile = 32
    chosen, rows, tiles = route(rng, tokens, experts, top, tile)
    x, kind_x, vx = operand(kind, arch, rng, (tokens * top, inner))
    w, _, vw = operand(kind, arch, rng, (experts * n, inner))
    sx = (2.0 ** rng.integers(-6, -4, tokens * top)).astype(np.float32)
    sw = (2.0 ** rng.integers(-2, 1, experts * n)).astype(np.float32)
    weights = np.where((rows & 0xFFFFFF) < tokens, 0.5, 0).astype(np.float32)
    out = torch.zeros((tokens, n), getattr(torch, out_kind))
    run = compile_moe_gemm2(
        model_dim=n,
        inter_dim=inner,
        experts=experts,
        topk=top,
        tile_m=tile,
        tile_n=128,
        tile_k=128,
        doweight_stage2=True,
        out_dtype={"float16": "f16", "bfloat16": "bf16", "float32": "f32"}[out_kind],
        in_dtype=kind,
    )
    launch(
        run,
        out,
        tensor(x.reshape(-1), kind_x),
        tensor(shuffled(w).reshape(-1), kind_x),
        tensor(sx, torch.float32),
        tensor(sw, torch.float32),
        tensor(rows, torch.int32),
        tensor(tiles, torch.int32),
        tensor(weights, torch.float32),
        tensor(np.array([len(rows)], np.int32), torch.int32),
        tokens,
        n,
        inner,
        len(tiles),
        torch.cuda.current_stream(),
    )
    vx = (vx * sx[:, None]).reshape(tokens, top, inner)
    vw = (vw * sw[:, None]).reshape(experts, n, inner)
    want = np.einsum("tsk,tsnk->tn", vx, vw[chosen]) * 0.5
    if out_kind == "bfloat16":
        return close(from_bf16(out.numpy(np.uint16)), want, 2.0**-7)
    got = out.numpy(np.dtype(out_kind))
    return close(got, want, 2.0**-7 if out_kind == "float16" else 1e-6)


def scaled_operand(kind, rng, shape):
    """Bytes and values; six bits lie in the first 24 of 32 bytes."""
    tables = {"fp4": formats.FP4, "fp6": formats.FP6, "fp8": formats.FP8_OCP}
    codes = formats.random_codes(rng, tables[kind], shape)
    values = tables[kind][codes]
    if kind == "fp8":
        return codes, values
    packed = formats.pack_bits(codes, int(kind[2]))
    if kind == "fp6":
        packed = packed.reshape(*shape[:-1], -1, 24)
        packed = np.pad(packed, [(0, 0)] * len(shape) + [(0, 8)]).reshape(shape)
    return packed, values


def mx_gemm(kinds, arch, rng, tile_k):
    """E8M0 scales of 32 values, two 16-row halves and two of K in a dword."""
    import flydsl.compiler as flyc
    import flydsl.expr as fx
    import torch
    from kernels.gemm.mxfp4_preshuffle import launch_gemm

    m, n, k = 64, 256, 512
    arrays, values = [], []
    for kind, rows in zip(kinds, (m, n), strict=True):
        bits, v = scaled_operand(kind, rng, (rows, k))
        exponents = rng.integers(-2, 3, (rows, k // 32))
        values.append(v * np.repeat(2.0**exponents, 32, axis=1))
        scales = (exponents + 127).astype(np.uint8)
        scales = scales.reshape(rows // 32, 2, 16, k // 256, 2, 4)
        arrays += [bits, scales.transpose(0, 3, 5, 2, 4, 1)]
    a, scale_a, b, scale_b = arrays
    out = torch.zeros((m, n), torch.bfloat16)
    buffers = [a, shuffled(b), scale_a, scale_b]
    buffers = [
        tensor(np.ascontiguousarray(x).reshape(-1), torch.uint8) for x in buffers
    ]
    pointers = [flyc.from_c_void_p(fx.Uint8, x.data_ptr()) for x in [out, *buffers]]
    contiguous = [-1] * 6
    config = (n, k, 64, 128, tile_k, kinds[0], "bf16", kinds[1], 1, *contiguous, 0)
    launch(launch_gemm, *pointers, m, n, torch.cuda.current_stream(), *config)
    return close(from_bf16(out.numpy(np.uint16)), values[0] @ values[1].T, 2.0**-7)


def attention(dim, arch, rng, causal):
    import torch
    from kernels.attention.flash_attn_interface import flydsl_flash_attn_func

    batch, length, heads = 1, 384, 2
    shape = (batch, length, heads, dim)
    q, k, v = (rng.normal(0, 1, shape).astype(np.float16) for _ in range(3))
    out = flydsl_flash_attn_func(
        *(tensor(x, torch.float16) for x in (q, k, v)), causal=causal
    )
    torch.cuda.synchronize()
    wide = [x.astype(np.float64) for x in (q, k, v)]
    scores = np.einsum("bihd,bjhd->bhij", *wide[:2]) / np.sqrt(dim)
    if causal:
        scores[..., ~np.tri(length, dtype=bool)] = -np.inf
    e = np.exp(scores - scores.max(axis=3, keepdims=True))
    e /= e.sum(axis=3, keepdims=True)
    want = np.einsum("bhij,bjhd->bihd", e, wide[2])
    return close(out.numpy(np.float16), want, 2e-3)


# What checking mode rightly says of some kernels; docs/foreign-code.md says where
# their sources bear it out.
NO_BARRIER = "lds-race"
PAIRED_BADLY = "lds-race barrier-after-end"
PAST_SCALES = "global-out-of-bounds"  # scales of the rows of a partial tile


def cases(arch):
    """Name, function, argument, further ones, the kind of finding or None."""
    for kind in ("bf16", "fp16", "int8", "fp8"):
        yield f"preshuffle_{kind}", preshuffle, kind, {"m": 64}, None
        finding = PAST_SCALES if kind in ("int8", "fp8") else None
        yield f"preshuffle_{kind}_33_rows", preshuffle, kind, {}, finding
    yield "softmax_2048", softmax, 2048, {}, NO_BARRIER
    yield "softmax_1000", softmax, 1000, {}, NO_BARRIER
    yield "rms_norm_2048", rms_norm, 2048, {}, None
    yield "rms_norm_3000", rms_norm, 3000, {}, None
    yield "layer_norm_2048", layer_norm, 2048, {}, None
    yield "layer_norm_1000", layer_norm, 1000, {}, None
    yield "rms_norm_int8_1024", rms_norm_int8, 1024, {}, NO_BARRIER
    yield "top_experts_64", top_experts, 64, {}, None
    yield "top_experts_256", top_experts, 256, {}, None
    for kind, out in (("fp8", "bfloat16"), ("int8", "float16"), ("fp8", "float32")):
        yield f"moe_down_{kind}_{out}", moe_down, kind, {"out_kind": out}, None
    yield "moe_up_fp8", moe_up, "fp8", {}, None
    yield "moe_up_int8", moe_up, "int8", {}, None
    yield "attention_64", attention, 64, {"causal": False}, None
    yield "attention_128_causal", attention, 128, {"causal": True}, None
    if arch != "gfx950":
        return
    for kind in ("bf16", "fp8"):
        config = {"m": 64, "use_async_copy": True}
        yield f"preshuffle_{kind}_async", preshuffle, kind, config, None
    half, full = ({"use_half_tile_interleaved": flag} for flag in (True, False))
    yield "gemm_a16w16_bf16_half_tiles", gemm_a16w16, "bf16", half, NO_BARRIER
    for kind in ("bf16", "fp16"):
        yield f"gemm_a16w16_{kind}", gemm_a16w16, kind, full, None
    yield "gemm_a16w16_split_k", gemm_a16w16, "bf16", full | {"split_k": 2}, None
    slices = full | {"block_m": 128, "block_n": 128, "n_waves": 2, "k_waves": 2}
    yield "gemm_a16w16_slices_of_k", gemm_a16w16, "bf16", slices, None
    for kinds in (("fp4", "fp4"), ("fp6", "fp4"), ("fp8", "fp4"), ("fp8", "fp8")):
        for k in (128, 256):
            name = f"mx_gemm_{'_'.join(kinds)}_{k}"
            yield name, mx_gemm, kinds, {"tile_k": k}, None
    yield "fp8_rows_4_waves", fp8_rows, 4, {}, NO_BARRIER
    yield "fp8_rows_8_waves", fp8_rows, 8, {}, PAIRED_BADLY


def judge(call, finding):
    """What is wrong with a case, or None."""
    reports = os.environ["FLY_HIP_REPORT"]
    open(reports, "w").close()
    error = None
    try:
        wrong = call()
    except RuntimeError as failure:
        wrong, error = None, str(failure)
    with open(reports, encoding="utf-8") as file:
        found = [line for line in file if "error:" in line]
    kinds = {line.split(": ")[3] for line in found}
    if kinds != set((finding or "").split()):
        return f"expected {finding or 'no report'}: {error}; {''.join(found)}"
    return None if finding else wrong or error


def run_all(options):
    counts = {"passed": 0, "failed": 0}
    for name, function, what, config, finding in cases(options.arch):
        if options.filter not in name:
            continue
        rng = np.random.default_rng(4)
        call = functools.partial(function, what, options.arch, rng, **config)
        wrong = judge(call, finding)
        counts["failed" if wrong else "passed"] += 1
        right = f"reported, {finding}" if finding else "right"
        print(f"{options.arch} {name}: {wrong or right}", flush=True)
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return 1 if counts["failed"] or not counts["passed"] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", required=True)
    parser.add_argument("--hip", required=True)
    parser.add_argument("--lld", required=True)
    parser.add_argument("--arch", default="gfx950")
    parser.add_argument("--filter", default="")
    parser.add_argument("--run", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        return run_all(options)
    with tempfile.TemporaryDirectory() as directory:
        return restart(options, directory)


if __name__ == "__main__":
    sys.exit(main())
