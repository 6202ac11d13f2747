# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Runs a kernel of a code object on fly-emu and compares with numpy.

A Case says what to run and what must come out. It passes if fly-emu exits with
0 in checking mode, reports nothing at all (no lint either), and every buffer
that the kernel may write holds what the case expects.
"""

import dataclasses
import json
import os
import subprocess

import numpy as np


@dataclasses.dataclass
class Expected:
    """A buffer that the kernel writes: what it holds before and after."""

    before: np.ndarray
    after: np.ndarray
    # Largest absolute error allowed, relative to the largest |after|; 0: the
    # same bits (but for the bits of a NaN).
    tolerance: float = 0
    # How a raw buffer is turned into numbers before the comparison.
    decode: object = None


@dataclasses.dataclass
class Case:
    name: str
    kernel: str
    # Arrays (read only), Expected, or texts as fly-emu takes them (i32:7).
    args: list
    grid: tuple = (1, 1, 1)
    block: tuple = (64, 1, 1)
    lds: int = 0
    source: str = ""
    options: tuple = ()


def poison(shape, dtype):
    """What outputs hold before a run: bytes 0xa5."""
    out = np.empty(shape, dtype)
    out.reshape(-1).view(np.uint8)[...] = 0xA5
    return out


def written(after, tolerance=0, decode=None, before=None):
    """An output buffer that is overwritten as a whole."""
    if before is None:
        before = poison(after.shape, after.dtype)
    return Expected(before, after, tolerance, decode)


def difference(expected, got):
    """A text that says where the buffer is wrong, or None."""
    after = expected.after
    if expected.decode:
        after, got = expected.decode(after), expected.decode(got)
    if expected.tolerance:
        want = after.astype(np.float64)
        limit = expected.tolerance * max(np.abs(want).max(), 1e-30)
        bad = ~(np.abs(got.astype(np.float64) - want) <= limit)
    elif after.dtype.kind == "f":
        bits = f"u{after.dtype.itemsize}"
        bad = after.view(bits) != got.view(bits)
        bad &= ~(np.isnan(after) & np.isnan(got))
    else:
        bad = after != got
    if not bad.any():
        return None
    where = tuple(int(i) for i in np.argwhere(bad)[0])
    return (
        f"{int(bad.sum())} of {bad.size} values are wrong; at {where} expected "
        f"{after[where]}, got {got[where]}"
    )


def command_of(case, path, directory, emulator):
    """The command line, and the outputs: number, file, Expected."""
    command = [emulator, path, "--kernel=" + case.kernel, *case.options]
    command += ["--grid=" + ",".join(map(str, case.grid))]
    command += ["--block=" + ",".join(map(str, case.block))]
    if case.lds:
        command.append(f"--lds={case.lds}")
    outputs = []
    for i, arg in enumerate(case.args):
        if isinstance(arg, str):
            command.append("--arg=" + arg)
            continue
        name = os.path.join(directory, f"{case.name}.{i}.npy")
        is_output = isinstance(arg, Expected)
        np.save(name, np.ascontiguousarray(arg.before if is_output else arg))
        command.append(f"--arg=@{name}" + (":rw" if is_output else ""))
        if is_output:
            outputs.append((i, name, arg))
    return command, outputs


def run(case, path, directory, emulator="fly-emu"):
    """Runs the case; a list of texts, one for each thing that is wrong."""
    command, outputs = command_of(case, path, directory, emulator)
    result_name = os.path.join(directory, case.name + ".json")
    command.append("--json=" + result_name)
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    text = done.stderr.strip()
    if done.returncode != 0:
        lines = "\n    ".join(text.splitlines()[:6])
        return [f"fly-emu exits with {done.returncode}: {lines}"]
    with open(result_name, encoding="utf-8") as file:
        result = json.load(file)
    wrong = []
    if result["reports"] or result["suppressed_reports"]:
        wrong.append("there are reports: " + text)
    for i, name, expected in outputs:
        message = difference(expected, np.load(name))
        if message:
            wrong.append(f"argument {i}: {message}")
    return wrong
