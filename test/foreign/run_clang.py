# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Compiles the kernels of clang/ and runs the cases of the given modules.

run_clang.py [--arch=ARCH] [--clang=PATH] [--emulator=PATH] [--filter=TEXT]
             [--keep=DIR] MODULE...

A module clang/cases_MODULE.py has a function cases(arch), which gives Cases.
Prints what is wrong and a line with the counts; exits with 0 if all is right.
"""

import argparse
import importlib
import os
import subprocess
import sys
import tempfile
import time

import emulate

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, "clang")


def compile_source(clang, source, arch, directory):
    """Compiles a file of clang/; a line `// OPTIONS: ...` of it adds options."""
    path = os.path.join(SOURCES, source)
    out = os.path.join(directory, f"{source}.{arch}.hsaco")
    if os.path.exists(out):
        return out
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if line.startswith("// OPTIONS:")]
    options = [line.split()[2:] for line in lines]
    language = ["-x", "cl", "-cl-std=CL2.0"] if path.endswith(".cl") else ["-std=c17"]
    command = [clang, *language, "-target", "amdgcn-amd-amdhsa"]
    command += ["-mcpu=" + arch, "-nogpulib", "-O2", "-fuse-ld=lld"]
    command += [*sum(options, []), path, "-o", out]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arch", action="append")
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--emulator", default="fly-emu")
    parser.add_argument("--filter", default="")
    parser.add_argument("--keep")
    parser.add_argument("modules", nargs="+")
    options = parser.parse_args()
    sys.path.insert(0, SOURCES)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as directory:
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
            directory = options.keep
        for name in options.modules:
            module = importlib.import_module("cases_" + name)
            for arch in options.arch or ["gfx950", "gfx942"]:
                for case in module.cases(arch):
                    if options.filter not in case.name:
                        continue
                    path = compile_source(options.clang, case.source, arch, directory)
                    start = time.monotonic()
                    wrong = emulate.run(case, path, directory, options.emulator)
                    passed += not wrong
                    failed += bool(wrong)
                    for line in wrong:
                        print(f"{arch} {name} {case.name}: {line}")
                    seconds = time.monotonic() - start
                    if seconds > 2:
                        print(f"{arch} {case.name}: {seconds:.1f} s", file=sys.stderr)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
