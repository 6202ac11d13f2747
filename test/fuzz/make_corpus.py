# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Makes the seeds of the fuzz targets from this project's sources.

make_corpus.py SOURCE FLY_TRANSLATE LLVM_TOOLS OUTPUT: OUTPUT/execute gets the
snippets of test/fuzz/seeds as machine code behind FuzzExecute.cpp's header, for
both chips; OUTPUT/load gets linked code objects with and without debug
information, a compiled kernel and its manifest.
"""

import pathlib
import subprocess
import sys

TRIPLE = "amdgcn-amd-amdhsa"
# Flags, threads - 1, LDS / 64, scratch / 4, workgroups - 1.
HEADER = bytes([0, 63, 16, 4, 1])


def main():
    source, translate, tools, output = map(pathlib.Path, sys.argv[1:])
    execute, load = output / "execute", output / "load"
    for directory in (execute, load):
        directory.mkdir(parents=True, exist_ok=True)

    def run(tool, *arguments):
        subprocess.run([tools / tool, *arguments], check=True)

    def assemble(path, arch, result):
        run(
            "llvm-mc",
            f"-triple={TRIPLE}",
            f"-mcpu={arch}",
            "-filetype=obj",
            path,
            "-o",
            result,
        )

    scratch = output / "scratch.o"
    for path in sorted((source / "test/fuzz/seeds").glob("*.s")):
        only950 = path.read_text().startswith("; gfx950 only")
        for flag, arch in enumerate(["gfx950"] if only950 else ["gfx950", "gfx942"]):
            assemble(path, arch, scratch)
            code = output / "scratch.bin"
            run("llvm-objcopy", "-O", "binary", "--only-section=.text", scratch, code)
            header = bytes([flag]) + HEADER[1:]
            (execute / f"{path.stem}-{arch}").write_bytes(header + code.read_bytes())
            code.unlink()

    inputs = source / "test/tools/Inputs"
    assemble(inputs / "scale.s", "gfx950", scratch)
    run("ld.lld", "-shared", scratch, "-o", load / "scale")
    scratch.unlink()
    for name, options in {
        "plain": [],
        "dwarf5": ["-g"],
        "dwarf4": ["-gdwarf-4", "-gz"],
    }.items():
        run(
            "clang",
            f"--target={TRIPLE}",
            "-x",
            "cl",
            "-mcpu=gfx942",
            "-nogpulib",
            "-O2",
            *options,
            inputs / "race.cl",
            "-o",
            load / f"race-{name}",
        )
    subprocess.run(
        [
            translate,
            source / "kernels/gemm_a16w16.mlir",
            "--arch=gfx950",
            "--fly-to-hsaco",
            "-o",
            load / "gemm",
            f"--manifest={load / 'manifest'}",
        ],
        check=True,
    )


if __name__ == "__main__":
    sys.exit(main())
