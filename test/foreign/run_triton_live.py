# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Runs Triton programs as they are on the emulated HIP library, against numpy.

run_triton_live.py --hip=LIBRARY [--arch=ARCH]

Needs the PyPI package triton in the Python that runs this, and a C compiler for
its launcher. Triton takes the chip from HIP, compiles for it, and launches; what
stands behind HIP is fly's emulator, with checking on. flydsl/torch stands in for
torch. Every result must be right and nothing reported. Prints a line a kernel,
and one with the counts.
"""

import argparse
import os
import sys
import tempfile

import formats
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def restart(options, directory):
    """Runs this again in an environment in which Triton finds what it needs."""
    for name in ("libamdhip64.so", "libamdhip64.so.7"):
        os.symlink(os.path.abspath(options.hip), f"{directory}/{name}")
    environment = os.environ | {
        "LD_LIBRARY_PATH": directory,
        "TRITON_LIBHIP_PATH": f"{directory}/libamdhip64.so",
        "TRITON_CACHE_DIR": f"{directory}/cache",
        "TRITON_DEFAULT_FP_FUSION": "1",
        "FLY_HIP_ARCH": options.arch,
        "FLY_HIP_CHECK": "on",
        "FLY_HIP_REPORT": f"{directory}/reports",
        "PYTHONPATH": f"{HERE}/flydsl:{HERE}/triton",
    }
    command = [sys.executable, *sys.argv, "--run"]
    return os.spawnve(os.P_WAIT, sys.executable, command, environment)


def bf16_bits(values):
    """The bits of values that bf16 holds exactly."""
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def matmul(rng, pipelined):
    """bf16, with rows and columns past the edge."""
    import torch
    import triton

    import kernels

    m, n, k = 200, 176, 256
    a, b = rng.integers(-4, 5, (m, k)), rng.integers(-4, 5, (k, n))
    pa, pb = (torch.Tensor(bf16_bits(x), torch.bfloat16) for x in (a, b))
    out = torch.Tensor(np.full((m, n), np.nan, np.float32), torch.float32)
    grid = (triton.cdiv(m, 64), triton.cdiv(n, 64))
    kernels.matmul[grid](
        pa, pb, out, m, n, k, k, n, n,
        BLOCK_M=64, BLOCK_N=64, BLOCK_K=64, num_stages=pipelined,
    )  # fmt: skip
    return np.array_equal(out.numpy(np.float32), (a @ b).astype(np.float32))


def scaled(rng, _):
    """fp8 by fp4 with scales, which gfx942 computes in bf16."""
    import torch

    import kernels

    m, n, k = 128, 128, 256
    codes_a = rng.integers(0, 64, (m, k)).astype(np.uint8)
    codes_b = rng.integers(0, 256, (n, k // 2)).astype(np.uint8)
    scales = [rng.integers(120, 134, (r, k // 32)).astype(np.uint8) for r in (m, n)]
    nibbles = np.stack([codes_b & 15, codes_b >> 4], -1).reshape(n, k)
    a, b = formats.FP8_OCP[codes_a], formats.FP4[nibbles]
    factors = [np.repeat(2.0 ** (s.astype(int) - 127), 32, axis=1) for s in scales]
    expected = (a * factors[0]) @ (b * factors[1]).T
    operands = [codes_a, scales[0], codes_b, scales[1]]
    pointers = [torch.Tensor(x, torch.uint8) for x in operands]
    out = torch.Tensor(np.full((m, n), np.nan, np.float32), torch.float32)
    kernels.scaled_matmul[(m // 64, n // 64)](
        *pointers, out, n, k, A_TYPE="e4m3", B_TYPE="e2m1", A_PACK=1, B_PACK=2,
        BLOCK_M=64, BLOCK_N=64, BLOCK_K=128,
    )  # fmt: skip
    error = np.abs(out.numpy(np.float32) - expected)
    return bool((error <= 1e-5 * np.abs(expected).max()).all())


def softmax(rng, _):
    import torch

    import kernels

    rows, columns = 37, 1000
    x = rng.standard_normal((rows, columns)).astype(np.float32)
    out = torch.Tensor(np.full_like(x, np.nan), torch.float32)
    kernels.softmax[(rows,)](
        torch.Tensor(x, torch.float32), out, columns, columns, BLOCK=1024
    )
    e = np.exp(x - x.max(1, keepdims=True))
    expected = e / e.sum(1, keepdims=True)
    return bool(np.allclose(out.numpy(np.float32), expected, rtol=1e-5))


def cooperative(rng, _):
    """Workgroups that wait for each other: a grid of which all must be resident."""
    import torch

    import kernels

    groups, block = 24, 256
    x = rng.integers(0, 100, groups * block).astype(np.int32)
    sums = torch.Tensor(np.zeros(groups, np.int32), torch.int32)
    arrived = torch.Tensor(np.zeros(1, np.int32), torch.int32)
    out = torch.Tensor(np.full(groups, -1, np.int32), torch.int32)
    kernels.total_of_all[(groups,)](
        torch.Tensor(x, torch.int32), sums, arrived, out,
        GROUPS=groups, SUMS=32, BLOCK=block, launch_cooperative_grid=True,
    )  # fmt: skip
    return bool((out.numpy(np.int32) == x.sum()).all())


CASES = [
    ("matmul bf16, 1 stage", matmul, 1),
    ("matmul bf16, 2 stages", matmul, 2),
    ("dot_scaled fp8 fp4", scaled, None),
    ("softmax", softmax, None),
    ("cooperative grid", cooperative, None),
]


def run_all():
    import torch

    failed = 0
    for name, run, option in CASES:
        right = run(np.random.default_rng(1), option)
        try:
            torch.cuda.synchronize()
        except RuntimeError as error:
            print(f"  {error}")
            right = False
        failed += not right
        print(f"{name}: {'right' if right else 'WRONG'}", flush=True)
    report = os.environ["FLY_HIP_REPORT"]
    if os.path.exists(report):
        with open(report) as file:
            print(file.read(), end="")
        failed += 1
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return failed != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hip", required=True, help="fly's libamdhip64.so")
    parser.add_argument("--arch", default="gfx950", choices=["gfx950", "gfx942"])
    parser.add_argument("--run", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        return run_all()
    with tempfile.TemporaryDirectory() as directory:
        return restart(options, directory)


if __name__ == "__main__":
    sys.exit(main())
