#!/usr/bin/env python3
# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Writes dialect.md and passes.md from the TableGen files.

usage: generate.py [DIRECTORY]     (default: this one)

Fails, and writes nothing, if an op, attribute, type, enum, pass or option lacks a
summary, a description or an example. LLVM_DIR names another LLVM installation than
/usr/lib/llvm-22.
"""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LLVM = pathlib.Path(os.environ.get("LLVM_DIR", "/usr/lib/llvm-22"))
DIALECT = "include/fly/Dialect/Fly/IR/FlyOps.td"
PASSES = [
    "include/fly/Dialect/Fly/Transforms/Passes.td",
    "include/fly/Conversion/Passes.td",
]
NOTE = "<!-- Made by `./dev docs` from the TableGen files; not to be edited. -->\n"
PASSES_HEAD = """
# Passes

Each runs by itself in `fly-opt`; the whole flow is the pipeline `fly-compile`:
`fly-opt --fly-compile="arch=gfx950 variant=128x128"` is the same as
`--fly-schedule-gemm="arch=gfx950 variant=128x128" --fly-expand-pipeline
--fly-plan-waits --fly-verify-schedule --convert-fly-to-rocdl --canonicalize --cse`.

"""

# What must be documented: TableGen class, and the field that holds its name.
DOCUMENTED = {
    "Dialect": "name",
    "Op": "opName",
    "AttrDef": "cppClassName",
    "TypeDef": "cppClassName",
    "EnumInfo": "className",
    "PassBase": "argument",
}


def tblgen(tool, source, *options):
    command = [
        LLVM / "bin" / tool,
        *options,
        ROOT / source,
        f"-I{ROOT / 'include'}",
        f"-I{LLVM / 'include'}",
    ]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def is_ours(record):
    dialect = record.get("dialect") or record.get("opDialect")
    if dialect:
        return dialect["def"] == "Fly_Dialect"
    if "!superclasses" in record and "EnumInfo" in record["!superclasses"]:
        return record["cppNamespace"] == "::fly"
    return record["!name"] == "Fly_Dialect" or "PassBase" in record["!superclasses"]


def missing_docs(source):
    """A line for each record of `source` that lacks something."""
    records = json.loads(tblgen("llvm-tblgen", source, "-dump-json"))
    problems = []
    for name, record in records.items():
        if name.startswith("!"):
            continue
        kinds = [kind for kind in DOCUMENTED if kind in record["!superclasses"]]
        if not kinds or not is_ours(record):
            continue
        shown = f"{source}: {kinds[0]} {record.get(DOCUMENTED[kinds[0]]) or name}"
        if not (record.get("summary") or "").strip():
            problems.append(f"{shown} has no summary")
        description = (record.get("description") or "").strip()
        if not description:
            problems.append(f"{shown} has no description")
        elif kinds[0] != "Dialect" and "Example" not in description:
            problems.append(f"{shown} has no example")
        for option in record.get("options", []):
            option = records[option["def"]]
            text = option["description"]
            if "for example" not in text:
                problems.append(f"{shown}: option {option['argument']} has no example")
    return problems


def body(text):
    """What mlir-tblgen wrote, without its first line, which names the tool."""
    return text.split("\n", 1)[1].rstrip().replace("[TOC]\n\n", "") + "\n"


def main():
    if len(sys.argv) > 2 or sys.argv[1:2] == ["--help"]:
        print(__doc__)
        return 0 if sys.argv[1:2] == ["--help"] else 2
    problems = [line for source in [DIALECT, *PASSES] for line in missing_docs(source)]
    if problems:
        print("\n".join(problems), file=sys.stderr)
        return 1
    out = pathlib.Path(sys.argv[1] if len(sys.argv) == 2 else ROOT / "docs/reference")
    out.mkdir(parents=True, exist_ok=True)
    dialect = tblgen("mlir-tblgen", DIALECT, "-gen-dialect-doc", "-dialect=fly")
    (out / "dialect.md").write_text(NOTE + body(dialect))
    passes = "\n".join(
        body(tblgen("mlir-tblgen", source, "-gen-pass-doc")).lstrip()
        for source in PASSES
    )
    (out / "passes.md").write_text(
        NOTE + PASSES_HEAD + passes.replace("### `-", "## `--")
    )
    return 0


sys.exit(main())
