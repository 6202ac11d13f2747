# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Compiles kernels.py to the code objects in objects/, without a GPU.

pip install triton; compile.py. The objects are what the tests run; each has a
line in objects/index.json with what its launch needs.
"""

import json
import os

# No paths of this machine in the objects.
os.environ["TRITON_DISABLE_LINE_INFO"] = "1"

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

import kernels

HERE = os.path.dirname(os.path.abspath(__file__))
OBJECTS = os.path.join(HERE, "objects")
ARCHS = ("gfx950", "gfx942")
TILE = {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 64}


def pointers(**types):
    return {name + "_ptr": "*" + kind for name, kind in types.items()}


def variants(arch):
    """Name, kernel, signature, constants, options."""
    fp8 = "fp8e4nv" if arch == "gfx950" else "fp8e4b8"
    sizes = dict.fromkeys("m n k stride_am stride_bk stride_cm".split(), "i32")
    sizes_nt = dict.fromkeys("n k stride_am stride_bn stride_cm".split(), "i32")
    for kind, name in (("bf16", "bf16"), ("fp16", "f16"), (fp8, "fp8")):
        for stages in (1, 2, 3):
            options = {"num_stages": stages}
            signature = pointers(a=kind, b=kind, c="fp32")
            yield (
                f"matmul_{name}_s{stages}",
                kernels.matmul,
                signature | sizes,
                TILE,
                options,
            )
            yield (
                f"matmul_nt_{name}_s{stages}",
                kernels.matmul_nt,
                signature | sizes_nt,
                TILE,
                options,
            )
    yield (
        "matmul_bf16_big",
        kernels.matmul_nt,
        pointers(a="bf16", b="bf16", c="fp32") | sizes_nt,
        {"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 64},
        {"num_stages": 2, "num_warps": 8},
    )
    yield from variants_of_gemms(sizes_nt)
    yield from variants_of_dot_scaled()
    yield from variants_of_rows()
    yield from variants_of_attention()
    yield from variants_of_experts(fp8)
    yield from variants_of_dots()


def variants_of_gemms(sizes_nt):
    """Other ways to share a product among workgroups."""
    floats = pointers(a="bf16", b="bf16", c="fp32")
    for stages in (1, 2):
        options = {"num_stages": stages}
        yield (
            f"split_k_s{stages}",
            kernels.matmul_split_k,
            floats | sizes_nt,
            TILE | {"SPLIT": 2},
            options,
        )
        yield (
            f"persistent_s{stages}",
            kernels.matmul_persistent,
            floats | {"m": "i32"} | sizes_nt,
            TILE,
            options,
        )
        yield (
            f"grouped_s{stages}",
            kernels.grouped_gemm,
            floats | {"ends_ptr": "*i32", "groups": "i32", "n": "i32", "k": "i32"},
            TILE,
            options,
        )
        routes = {"rows_ptr": "*i32", "experts_ptr": "*i32", "weights_ptr": "*fp32"}
        yield (
            f"moe_gather_s{stages}",
            kernels.moe_gather,
            floats | routes | {"tokens": "i32", "n": "i32", "k": "i32"},
            TILE | {"TOP": 2},
            options,
        )


def variants_of_dot_scaled():
    pairs = [("e4m3", "e4m3"), ("e2m1", "e2m1"), ("e4m3", "e2m1")]
    pairs += [("e2m1", "e4m3"), ("e5m2", "e2m1"), ("e5m2", "e4m3"), ("e5m2", "e5m2")]
    for a, b in pairs:
        for stages in (1, 2) if (a, b) in pairs[1:] else (1, 2, 3):
            types = {"e4m3": "fp8e4nv", "e5m2": "fp8e5", "e2m1": "u8"}
            yield (
                f"scaled_{a}_{b}_s{stages}",
                kernels.scaled_matmul,
                pointers(a=types[a], sa="u8", b=types[b], sb="u8", c="fp32")
                | {"n": "i32", "k": "i32"},
                {"A_TYPE": a, "B_TYPE": b}
                | {"A_PACK": 1 + (a == "e2m1"), "B_PACK": 1 + (b == "e2m1")}
                | {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 128},
                {"num_stages": stages},
            )


def variants_of_rows():
    ints = {"pitch": "i32", "columns": "i32"}
    signature = {"in_ptr": "*fp32", "out_ptr": "*fp32"} | ints
    yield "softmax", kernels.softmax, signature, {"BLOCK": 1024}, {}
    signature = {"in_ptr": "*fp16", "gain_ptr": "*fp32", "bias_ptr": "*fp32"}
    signature |= {"out_ptr": "*fp16", "mean_ptr": "*fp32"}
    signature |= {"columns": "i32", "epsilon": "fp32"}
    yield "layer_norm", kernels.layer_norm, signature, {"BLOCK": 512}, {}
    signature = {"in_ptr": "*i32", "sums_ptr": "*i32", "tops_ptr": "*i32"}
    signature |= {"columns": "i32"}
    yield "scan", kernels.scan, signature, {"BLOCK": 512}, {}


def variants_of_attention():
    for causal in (False, True):
        for dim, stages in ((64, 1), (64, 2), (64, 3), (32, 2), (128, 2)):
            yield (
                f"attention{'_causal' * causal}{f'_{dim}' * (dim != 64)}_s{stages}",
                kernels.attention,
                pointers(q="fp16", k="fp16", v="fp16", out="fp16")
                | {"length": "i32", "scale": "fp32"},
                {"CAUSAL": causal, "BLOCK_M": 64, "BLOCK_N": 32, "DIM": dim},
                {"num_stages": stages},
            )


def variants_of_experts(fp8):
    sizes = "slots n k stride_am stride_be stride_bn pitch".split()
    for kind, name, block, stages, warps in (
        (fp8, "fp8", 64, 1, 4),
        ("i8", "int8", 16, 3, 2),
    ):
        yield (
            f"moe_blocks_{name}_s{stages}",
            kernels.moe_blocks,
            pointers(a=kind, b=kind, c="fp32", sa="fp32", sb="fp32")
            | {"rows_ptr": "*i32", "experts_ptr": "*i32", "count_ptr": "*i32"}
            | dict.fromkeys(sizes, "i32"),
            {"TOP": 2, "GROUP": 4, "KIND": name}
            | {"BLOCK_M": block, "BLOCK_N": 64}
            | {"BLOCK_K": 128 if name == "fp8" else 64},
            {"num_stages": stages, "num_warps": warps},
        )
    yield (
        "histogram",
        kernels.histogram,
        {"in_ptr": "*i32", "out_ptr": "*i32"},
        {"BLOCK": 512, "BINS": 64},
        {},
    )
    for block, keys, dim, warps, stages in ((32, 64, 64, 2, 3), (16, 32, 128, 1, 2)):
        yield (
            f"attention_shared_{block}_s{stages}",
            kernels.attention_shared,
            pointers(q="fp16", k="fp16", v="fp16", out="fp16", sums="fp32")
            | {"queries": "i32", "heads": "i32", "shared": "i32", "scale": "fp32"},
            {"BLOCK_M": block, "BLOCK_N": keys, "DIM": dim},
            {"num_stages": stages, "num_warps": warps},
        )


def variants_of_dots():
    for kind, m, n, k, warps in (
        ("fp16", 64, 16, 128, 4),
        ("bf16", 64, 16, 128, 4),
        ("fp32", 128, 128, 32, 4),
        ("fp32", 16, 16, 64, 1),
    ):
        yield (
            f"one_dot_{kind}_{m}",
            kernels.one_dot,
            pointers(a=kind, b=kind, c="fp32"),
            {"M": m, "N": n, "K": k},
            {"num_warps": warps, "matrix_instr_nonkdim": 16},
        )
    for a, b, m in (("e5m2", "bf16", 32), ("e2m1", "fp16", 128)):
        yield (
            f"mixed_dot_{a}_{b}",
            kernels.mixed_dot,
            pointers(a={"e5m2": "fp8e5", "e2m1": "u8"}[a], sa="u8", b=b, c="fp32"),
            {"A_TYPE": a, "A_PACK": 1 + (a == "e2m1"), "B_TYPE": b}
            | {"M": m, "N": 32, "K": 128},
            {"num_warps": 1 + 3 * (m == 128), "matrix_instr_nonkdim": 16},
        )


def compile_one(arch, kernel, signature, constants, options):
    signature = signature | dict.fromkeys(constants, "constexpr")
    # What a caller promises: 16-byte aligned pointers, sizes that are multiples
    # of 16.
    names = list(kernel.arg_names)
    aligned = {"pitch", "columns", "m", "epsilon", "scale", "groups", "tokens"}
    aligned |= {"slots", "queries", "heads", "shared"}
    attributes = {
        (i,): [["tt.divisibility", 16]]
        for i, name in enumerate(names)
        if name not in constants and name not in aligned
    }
    ordered = {name: signature[name] for name in names}
    source = ASTSource(kernel, ordered, constexprs=constants, attrs=attributes)
    return triton.compile(source, target=GPUTarget("hip", arch, 64), options=options)


def main():
    os.makedirs(OBJECTS, exist_ok=True)
    index = {"triton": triton.__version__}
    for arch in ARCHS:
        for name, kernel, signature, constants, options in variants(arch):
            made = compile_one(arch, kernel, signature, constants, options)
            path = f"{name}.{arch}.hsaco"
            with open(os.path.join(OBJECTS, path), "wb") as file:
                file.write(made.asm["hsaco"])
            index[path] = {
                "kernel": made.metadata.name,
                "threads": 64 * made.metadata.num_warps,
                "lds": made.metadata.shared,
                "global_scratch": made.metadata.global_scratch_size,
                "profile_scratch": made.metadata.profile_scratch_size,
                "constants": constants,
            }
            print(path, len(made.asm["hsaco"]), index[path])
    with open(os.path.join(OBJECTS, "index.json"), "w", encoding="utf-8") as file:
        json.dump(index, file, indent=1)


if __name__ == "__main__":
    main()
