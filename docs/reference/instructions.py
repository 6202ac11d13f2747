#!/usr/bin/env python3
# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Writes instructions.md: what the emulator executes of what LLVM knows.

usage: instructions.py FLY_EMU [DIRECTORY]     (default: this one)
"""

import pathlib
import subprocess
import sys

CHIPS = ["gfx950", "gfx942"]
HEAD = """\
<!-- Made by `./dev docs` from the tables of LLVM and fly; not to be edited. -->
# Instructions of the emulator

Every instruction that LLVM's disassembler knows for a chip, found by running through
the opcode fields of all encodings (`include/fly/CodeObject/InstructionSpace.h`), and
whether the emulator executes it. The number is that of its forms: encodings (e32, e64,
SDWA, DPP), address modes, register files of the result. Where some are not executed,
both numbers are given. A run stops where it reaches an instruction that is not
executed, with its address and text. `fly-emu --list-instructions=gfx950` prints the
same with LLVM's names of the missing forms.

"""
UNITS = {
    "SALU": "Scalar arithmetic",
    "branch": "Branches and ends",
    "control": "Waits, barriers, hints",
    "SMEM": "Scalar memory",
    "VALU": "Vector arithmetic",
    "matrix": "Matrix instructions",
    "LDS": "LDS",
    "buffer": "Buffers",
    "flat": "FLAT, GLOBAL, SCRATCH",
    "other": "Others",
}


def read(fly_emu, chip):
    """{key: (unit, emulated, forms, reason)}"""
    command = [fly_emu, f"--list-instructions={chip}"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    result = {}
    for line in text.splitlines():
        key, unit, counts, reason = line.split("\t")
        emulated, forms = map(int, counts.split("/"))
        result[key] = (unit, emulated, forms, reason)
    return result


def cell(entry):
    if entry is None:
        return "–"
    _, emulated, forms, reason = entry
    if emulated == forms:
        return str(forms)
    if emulated:
        return f"{emulated} of {forms}"
    return reason if reason.startswith("stops") else "unknown"


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    here = pathlib.Path(__file__).parent
    out = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else here
    chips = [read(sys.argv[1], chip) for chip in CHIPS]
    keys = {key: entry[0] for chip in chips for key, entry in chip.items()}
    lines = [HEAD.rstrip() + "\n", "| unit | " + " | ".join(CHIPS) + " |",
             "|---|" + "---|" * len(CHIPS)]
    for unit, title in UNITS.items():
        counts = []
        for chip in chips:
            entries = [entry for entry in chip.values() if entry[0] == unit]
            done = sum(entry[1] == entry[2] for entry in entries)
            counts.append(f"{done} of {len(entries)}")
        if any(count != "0 of 0" for count in counts):
            anchor = title.lower().replace(",", "").replace(" ", "-")
            lines.append(f"| [{title}](#{anchor}) | " + " | ".join(counts) + " |")
    for unit, title in UNITS.items():
        members = sorted(key for key, of in keys.items() if of == unit)
        if not members:
            continue
        lines += ["", f"## {title}", "", "| instruction | " + " | ".join(CHIPS) + " |",
                  "|---|" + "---|" * len(CHIPS)]
        for key in members:
            cells = " | ".join(cell(chip.get(key)) for chip in chips)
            lines.append(f"| `{key}` | {cells} |")
    out.mkdir(parents=True, exist_ok=True)
    (out / "instructions.md").write_text("\n".join(lines) + "\n")
    return 0


sys.exit(main())
