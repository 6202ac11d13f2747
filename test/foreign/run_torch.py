# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""A program of torch and Triton as it is written for a GPU, on the CPU and the
emulator: rocm_torch is all that it has more. Prints what is wrong, and the counts.

Needs torch and triton, TRITON_LIBHIP_PATH and FLY_HIP_ARCH.
"""

import os
import sys

import rocm_torch
import torch
import triton

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "triton"))
import kernels  # noqa: E402


def matmul():
    m, n, k = 100, 72, 128
    a = torch.randint(-4, 5, (m, k), device="cuda").to(torch.bfloat16)
    b = torch.randint(-4, 5, (k, n), device="cuda").to(torch.bfloat16)
    out = torch.empty(m, n, device="cuda:0")
    grid = lambda meta: (  # noqa: E731
        triton.cdiv(m, meta["BLOCK_M"]),
        triton.cdiv(n, meta["BLOCK_N"]),
    )
    kernels.matmul[grid](
        a, b, out, m, n, k, a.stride(0), b.stride(0), out.stride(0),
        BLOCK_M=32, BLOCK_N=32, BLOCK_K=32, num_stages=2,
    )  # fmt: skip
    return torch.equal(out, a.float() @ b.float())


def views():
    """Every other row of a larger tensor."""
    x = torch.randn(20, 300, device=torch.device("cuda"))
    out = torch.zeros_like(x)
    columns = x.shape[1]
    kernels.softmax[(10,)](x[::2], out[::2], 2 * columns, columns, BLOCK=512)
    expected = torch.softmax(x[::2], dim=1)
    right = torch.allclose(out[::2], expected, rtol=1e-5)
    return right and not out[1::2].any()


def past_the_end():
    """Rows that are not there: an error, told at the launch."""
    x = torch.randn(4, 256, device="cuda")
    try:
        kernels.softmax[(5,)](x, torch.empty_like(x), 256, 256, BLOCK=256)
    except RuntimeError as error:
        return "a kernel failed" in str(error)
    return False


def main():
    device = torch.cuda.get_device_properties(0)
    assert device.gcnArchName.startswith(rocm_torch.ARCH)
    failed = [case.__name__ for case in (matmul, views, past_the_end) if not case()]
    for name in failed:
        print("WRONG:", name)
    print(f"{3 - len(failed)} passed, {len(failed)} failed")
    return len(failed) != 0


if __name__ == "__main__":
    sys.exit(main())
