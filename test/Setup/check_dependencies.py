# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Checks that the libraries include each other in one direction only.

The emulator executes code objects without knowing who compiled them, so nothing
of it may depend on the compiler, nor the compiler on it; only Runtime, what
stands on it, and the tools know both.
"""

import os
import re
import sys

# What each library may include, by directory under include/fly and lib.
ALLOWED = {
    "Arch": set(),
    "Numerics": set(),
    "CodeObject": {"Arch"},
    "Emulator": {"Arch", "Numerics", "CodeObject"},
    "Dialect": {"Arch", "Numerics"},
    "Schedule": {"Arch", "Dialect"},
    "Conversion": {"Arch", "Dialect", "Schedule"},
    "Target": {"Arch", "CodeObject", "Dialect", "Schedule", "Conversion"},
    "Cli": {"CodeObject", "Emulator"},
    "Inspect": {"Arch", "CodeObject", "Emulator"},
    "Runtime": {"Arch", "CodeObject", "Emulator"},
    "Runner": {"Arch", "Numerics", "CodeObject", "Emulator", "Runtime"},
}
# Dialect/Fly/Transforms is the compiler's too: a pass may build schedules.
ALLOWED_BELOW = {"Dialect/Fly/Transforms": {"Schedule"}}
USES_MLIR = {"Dialect", "Schedule", "Conversion", "Target"}


def check_file(path, place, problems):
    library = place.split("/")[0]
    allowed = {library} | ALLOWED[library]
    for below, more in ALLOWED_BELOW.items():
        if place.startswith(below):
            allowed |= more
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for included in re.findall(r'^\s*#include\s+["<]([^">]+)', text, re.M):
        parts = included.split("/")
        if parts[0] == "fly" and parts[1] not in allowed:
            problems.append(f"{path}: {library} must not include {included}")
        if parts[0] == "mlir" and library not in USES_MLIR:
            problems.append(f"{path}: {library} must not include {included}")


def main():
    source = sys.argv[1]
    problems, files = [], 0
    for base in ("include/fly", "lib"):
        root = os.path.join(source, base)
        for directory, _, names in os.walk(root):
            place = os.path.relpath(directory, root)
            library = place.split("/")[0]
            for name in names:
                if not name.endswith((".h", ".cpp", ".td")):
                    continue
                path = os.path.join(directory, name)
                files += 1
                if library in ALLOWED:
                    check_file(path, place, problems)
                else:
                    problems.append(f"{path}: the library {library} is not known here")
    print("\n".join(problems + [f"{files} files looked at"]))
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
