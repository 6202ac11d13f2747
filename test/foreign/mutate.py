# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Breaks pipelined kernels in every small way, and asks who notices.

mutate.py [--clang=PATH] [--emulator=PATH] [--translate=PATH] [--objdump=PATH]
          [--jobs=N] [--filter=TEXT]

Of each kernel, every mutant that deletes one s_waitcnt or s_barrier, or raises
one counter of an s_waitcnt by one, is made in the linked code and run with
checking on, over every case of the kernel. Each must be reported by the
emulator in some case, or be harmless in all by the verdict of judge.py, which
sees traces of the intact kernel only; and what the emulator reports, the judge
must call harmful. A mutant of code that no case runs counts as not settled. The
intact kernels must pass. Prints every mutant that is
harmless with its reason, a line a kernel, and the score.
"""

import argparse
import concurrent.futures
import os
import re
import struct
import subprocess
import sys
import tempfile

import emulate
import judge
import own
import run_clang
import run_triton

NOP = 0xBF800000
BARRIER = 0xBF8A0000
WAITCNT = 0xBF8C0000


def clang_case(name, arch):
    sys.path.insert(0, run_clang.SOURCES)
    import cases_gemm

    (case,) = [c for c in cases_gemm.cases(arch) if c.name == name]
    return case


def triton_cases(name, arch):
    """Loops of many rounds and of few: Triton unrolls them, and treats the first
    rounds and those left over by themselves."""
    path = f"{name}.{arch}.hsaco"
    entry = run_triton.read_index()[path]
    constants = entry["constants"]
    if "BLOCK_K" in constants:
        sizes = [constants["BLOCK_K"] * i for i in (5, 8, 4, 3, 2, 1)]
    elif "DIM" in constants:
        sizes = [192, 128, 64]
    else:
        sizes = [1100, 300]
    return [run_triton.make_case(path, entry, size) for size in sizes]


ROTATED = "test/kernels/Inputs/rotated_gemm.mlir"
STAGED = "test/kernels/Inputs/staged_gemm.mlir"
GROUPED = "kernels/grouped_gemm_blockscale_contiguous.mlir"
KERNELS = [
    ("clang", "gemm_direct_320", "gfx950"),
    ("clang", "gemm_direct_320", "gfx942"),
    ("clang", "gemm_staged_320", "gfx950"),
    ("clang", "gemm_staged_320", "gfx942"),
    ("clang", "gemm_i8", "gfx950"),
    ("triton", "matmul_nt_bf16_s2", "gfx950"),
    ("triton", "matmul_nt_fp8_s3", "gfx950"),
    ("triton", "matmul_bf16_s3", "gfx950"),
    ("triton", "matmul_bf16_big", "gfx950"),
    ("triton", "scaled_e4m3_e2m1_s2", "gfx950"),
    ("triton", "attention_s2", "gfx950"),
    ("triton", "attention_causal_s2", "gfx950"),
    ("triton", "matmul_bf16_s2", "gfx942"),
    ("triton", "matmul_nt_fp8_s2", "gfx942"),
    ("triton", "attention_s2", "gfx942"),
    ("triton", "layer_norm", "gfx942"),
    ("triton", "persistent_s2", "gfx950"),
    ("triton", "grouped_s2", "gfx942"),
    ("triton", "moe_gather_s2", "gfx950"),
    ("triton", "attention_causal_128_s2", "gfx942"),
    ("fly", "kernels/gemm_a16w16.mlir bf16_128x128", "gfx950"),
    ("fly", "kernels/gemm_a16w16.mlir bf16_256x256", "gfx950"),
    ("fly", "kernels/gemm_a16w16.mlir bf16_256x256_4w", "gfx950"),
    ("fly", "kernels/gemm_a16w16.mlir f16_256x256", "gfx950"),
    ("fly", "kernels/gemm_a16w16.mlir f16_192x256", "gfx950"),
    ("fly", "kernels/gemm_a16w16.mlir f16_256x128", "gfx950"),
    ("fly", ROTATED + " 256x256_early", "gfx950"),
    ("fly", ROTATED + " 256x256_peeled", "gfx950"),
    ("fly", "kernels/gemm_a16w16.mlir bf16_128x128_staged", "gfx942"),
    ("fly", "kernels/gemm_a16w16.mlir bf16_256x256_staged", "gfx942"),
    ("fly", STAGED + " 256x128x32_2x2", "gfx942"),
    ("fly", GROUPED + " 128x128", "gfx950"),
    ("fly", GROUPED + " 128x256", "gfx950"),
]
VERDICTS = ("reported", "harmless", "missed", "disputed", "unreached")


def file_offset(elf, address):
    """Where the bytes of a virtual address are in a 64-bit ELF file."""
    (table,) = struct.unpack_from("<Q", elf, 32)
    size, count = struct.unpack_from("<HH", elf, 54)
    for i in range(count):
        at = table + i * size
        kind, _, offset, start = struct.unpack_from("<IIQQ", elf, at)
        (length,) = struct.unpack_from("<Q", elf, at + 32)
        if kind == 1 and start <= address < start + length:
            return offset + address - start
    raise ValueError(f"{address:#x} is in no segment")


def counters(word):
    """The counters of an s_waitcnt, 63 and 15 if they are not waited for."""
    return {"vmcnt": word & 15 | word >> 10 & 48, "lgkmcnt": word >> 8 & 15}


def with_counter(word, name, value):
    if name == "lgkmcnt":
        return word & ~0xF00 | value << 8
    return word & ~0xC00F | value & 15 | (value & 48) << 10


def mutants(elf, path, kernel, objdump):
    """Address, description, new word, change for the judge."""
    command = [objdump, "-d", "--no-show-raw-insn", "--disassemble-symbols=" + kernel]
    text = subprocess.run([*command, path], capture_output=True, text=True, check=True)
    for line in text.stdout.splitlines():
        m = re.match(r"\s+(s_barrier|s_waitcnt)\b(.*)//\s*([0-9A-F]+):", line)
        if not m:
            continue
        address = int(m[3], 16)
        (word,) = struct.unpack_from("<I", elf, file_offset(elf, address))
        yield address, f"{m[1]}{m[2].rstrip()} deleted", NOP, None
        if m[1] == "s_barrier":
            assert word == BARRIER
            continue
        assert word & 0xFFFF0000 == WAITCNT
        now = counters(word)
        for name, value in now.items():
            if value < judge.FULL[name]:
                changed = {k: v for k, v in now.items() if v < judge.FULL[k]}
                changed[name] = value + 1
                yield (
                    address,
                    f"{m[1]}{m[2].rstrip()}: {name} raised",
                    with_counter(word, name, value + 1),
                    changed,
                )


def smallest(case):
    """The case with one workgroup, its results not compared."""
    args = []
    for arg in case.args:
        is_output = isinstance(arg, emulate.Expected)
        args.append(arg.before.copy() if is_output else arg)
    case.args, case.grid = args, (1, 1, 1)
    return case


class Launch:
    """One case, ready to be run again and again."""

    def __init__(self, case, directory, emulator):
        self.command = emulate.command_of(case, "OBJECT", directory, emulator)[0]
        self.command.append("--jobs=1")
        self.waves = case.block[0] // 64
        # An intact wave executes this many on average; none is endless yet.
        self.limit = None

    def run(self, path, *more):
        command = [path if word == "OBJECT" else word for word in self.command]
        return subprocess.run([*command, *more], capture_output=True, text=True)

    def measure(self, path):
        done = self.run(path)
        executed = re.search(r": (\d+) instructions in", done.stdout)
        if done.returncode or not executed:
            raise SystemExit(f"{path}: the intact kernel fails: {done.stderr}")
        self.limit = 4 * int(executed[1]) // self.waves + 1000

    def traces(self, path):
        lines = [[] for _ in range(self.waves)]
        for line in self.run(path, "--trace=0").stdout.splitlines():
            found = re.match(r"0,(\d+): (.*)", line)
            if found:
                lines[int(found[1])].append(found[2])
        return lines

    def is_reported(self, path):
        done = self.run(path, f"--max-instructions={self.limit}", "--max-reports=1")
        if done.returncode not in (0, 1):
            raise SystemExit(f"{path}: {done.stderr}")
        return done.returncode == 1


class Kernel:
    """A code object and its launches."""

    def __init__(self, compiler, name, arch, options, directory):
        self.label = f"{compiler} {name} {arch}"
        self.directory = directory
        if compiler == "fly":
            source, variant = name.split()
            self.path, manifest = own.compile_variant(
                options.translate, source, variant, arch, directory
            )
            cases = own.cases(manifest)
        else:
            cases = self.foreign_cases(compiler, name, arch, options)
        wrong = emulate.run(cases[0], self.path, directory, options.emulator)
        if wrong:
            raise SystemExit(f"{self.label}: the intact kernel fails: {wrong}")
        self.kernel = cases[0].kernel
        self.launches = [
            Launch(smallest(case), directory, options.emulator) for case in cases
        ]
        for launch in self.launches:
            launch.measure(self.path)
        with open(self.path, "rb") as file:
            self.elf = file.read()

    def foreign_cases(self, compiler, name, arch, options):
        if compiler == "clang":
            case = clang_case(name, arch)
            self.path = run_clang.compile_source(
                options.clang, case.source, arch, self.directory
            )
            return [case]
        self.path = os.path.join(run_triton.OBJECTS, f"{name}.{arch}.hsaco")
        return triton_cases(name, arch)

    def is_reported(self, number, address, word):
        elf = bytearray(self.elf)
        struct.pack_into("<I", elf, file_offset(elf, address), word)
        path = os.path.join(self.directory, f"mutant-{number}.hsaco")
        with open(path, "wb") as file:
            file.write(elf)
        found = any(launch.is_reported(path) for launch in self.launches)
        os.remove(path)
        return found


class Judges:
    """The judge's opinion over all launches of a kernel."""

    def __init__(self, kernel):
        self.judges = [
            judge.Judge(each.traces(kernel.path)) for each in kernel.launches
        ]
        fault = self.first_fault({})
        if fault:
            raise SystemExit(f"{kernel.label}: the judge condemns the intact: {fault}")

    def first_fault(self, change):
        faults = (one.first_fault(change) for one in self.judges)
        return next(filter(None, faults), None)

    def reason(self, address, change):
        # Each once, in order; those of cases that run it if there are any.
        reasons = dict.fromkeys(one.reason(address, change) for one in self.judges)
        if len(reasons) > 1:
            reasons.pop(judge.NOT_RUN, None)
        return "; ".join(reasons)


def score(kernel, options):
    """Numbers of mutants by verdict."""
    judges = Judges(kernel)
    todo = list(mutants(kernel.elf, kernel.path, kernel.kernel, options.objdump))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        reported = list(
            pool.map(lambda i: kernel.is_reported(i, *todo[i][:3:2]), range(len(todo)))
        )
    counts = dict.fromkeys(VERDICTS, 0)
    for (address, text, _, change), was_reported in zip(todo, reported, strict=True):
        fault = judges.first_fault({address: change})
        if fault is None and not was_reported:
            fault = judges.reason(address, {address: change})
            verdict = "unreached" if fault == judge.NOT_RUN else "harmless"
        elif was_reported:
            verdict = "reported" if fault else "disputed"
        else:
            verdict = "missed"
        counts[verdict] += 1
        if verdict != "reported":
            print(f"{kernel.label} {address:#x} {text}: {verdict}: {fault}")
    print(f"{kernel.label}: {len(todo)} mutants, {counts}")
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--emulator", default="fly-emu")
    parser.add_argument("--translate", default="fly-translate")
    parser.add_argument("--objdump", default="llvm-objdump-22")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    total = dict.fromkeys(VERDICTS, 0)
    with tempfile.TemporaryDirectory() as directory:
        for entry in KERNELS:
            if options.filter not in " ".join(entry):
                continue
            counts = score(Kernel(*entry, options, directory), options)
            for name, count in counts.items():
                total[name] += count
    settled = total["reported"] + total["harmless"]
    everything = sum(total.values())
    print(f"{everything} mutants: {total}")
    print(f"score: {100 * settled / max(everything, 1):.1f} %")
    return 0 if everything and settled == everything else 1


if __name__ == "__main__":
    sys.exit(main())
