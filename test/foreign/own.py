# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Cases that run fly's own kernels as any other code object.

A variant is compiled by fly-translate, and its arguments are laid out as its
manifest says, for one tile of the output.
"""

import json
import os
import subprocess

import formats
import numpy as np
from emulate import Case, poison

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def compile_variant(translate, source, variant, arch, directory):
    """The paths of the code object and its manifest."""
    path = os.path.join(directory, f"{variant}.{arch}.hsaco")
    manifest = path.replace(".hsaco", ".json")
    command = [translate, os.path.join(SOURCE, source), "--fly-to-hsaco"]
    command += [f"--arch={arch}", f"--variant={variant}"]
    command += ["-o", path, f"--manifest={manifest}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return path, manifest


def elements(kind, rng, shape):
    """Bits of small numbers."""
    values = rng.integers(-4, 5, shape).astype(np.float32)
    if kind == "f16":
        return values.astype(np.float16)
    if kind == "bf16":
        return formats.to_bf16(values)
    return formats.random_codes(rng, formats.FP8_OCP, shape)


def one_tile(manifest, k):
    """The case that computes one tile over k, its result not compared."""
    with open(manifest, encoding="utf-8") as file:
        facts = json.load(file)
    rng = np.random.default_rng(k)
    m, n = facts["tile_m"], facts["tile_n"]
    scale_rows = (k + 127) // 128
    values = {
        "d": poison((m, n), np.uint16),
        "a": elements(facts["type_a"], rng, (m, k)),
        "b": elements(facts["type_b"], rng, (n, k)),
        "scale_a": rng.integers(125, 130, (scale_rows, m)).astype(np.uint8),
        "scale_b": rng.integers(125, 130, ((n + 127) // 128, 16)).astype(np.uint8),
        "grouped_layout": np.zeros(m, np.int32),
        "m": m,
        "n": n,
        "k": k,
        "num_groups": 1,
        "pitch_d": n,
        "pitch_a": k,
        "pitch_b": k,
        "pitch_scale_a": m,
        "pitch_scale_b": 16,
        "stride_b": n * k,
        "stride_scale_b": 16 * ((n + 127) // 128),
    }
    args = []
    for argument in facts["arguments"]:
        value = values[argument["name"]]
        is_buffer = argument["type"] == "ptr"
        args.append(value if is_buffer else f"{argument['type']}:{value}")
    block = (facts["workgroup_size"], 1, 1)
    return Case(f"{facts['variant']}_{k}", facts["kernel"], args, block=block)


def cases(manifest):
    """Loops of several rounds, of one and of none, with and without a K tile
    that is not full."""
    with open(manifest, encoding="utf-8") as file:
        step = json.load(file)["tile_k"]
    return [one_tile(manifest, k) for k in (5 * step + step // 2, 2 * step, step)]
