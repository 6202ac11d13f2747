# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Compares the emulator's wait states with those that LLVM puts between
instructions.

hazards.py [--arch=ARCH] [--llc=PATH] [--clang=PATH] [--emulator=PATH]
           [--programs=N] [--seed=N]

Makes straight-line programs of instructions that hazards are known of, over few
registers. llc, which starts before its hazard recognizer, puts in the s_nops. The
emulator must report no missing wait states of the result; with every s_nop shorter
by one it must report each instruction behind one. Prints what is not so, and a
line with the counts.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

EXEC = "implicit $exec"
FLOAT = "implicit $mode, implicit $exec"
SHAPES_950 = [
    ("V_MFMA_F32_16X16X32_F16_vgprcd_e64", 4, 4),
    ("V_MFMA_F32_32X32X16_F16_vgprcd_e64", 4, 16),
    ("V_MFMA_I32_16X16X64_I8_vgprcd_e64", 4, 4),
]
SHAPES = [
    ("V_MFMA_F32_4X4X4F16_vgprcd_e64", 2, 4),
    ("V_MFMA_F32_16X16X16F16_vgprcd_e64", 2, 4),
    ("V_MFMA_F32_32X32X8F16_vgprcd_e64", 2, 16),
    ("V_MFMA_F32_16X16X4F32_vgprcd_e64", 1, 4),
    ("V_MFMA_F32_32X32X2F32_vgprcd_e64", 1, 16),
    ("V_MFMA_F32_4X4X1F32_vgprcd_e64", 1, 4),
    ("V_MFMA_F64_16X16X4F64_vgprcd_e64", 2, 8),
    ("V_MFMA_F64_4X4X4F64_vgprcd_e64", 2, 2),
]


# "@v2" is a pair of VGPRs, "@s" an SGPR; see Maker.take.
PLAIN = """
@v = V_MOV_B32_e32 7, @exec
@v = V_ADD_F32_e32 @v, @v, @float
@v2 = nofpexcept V_ADD_F64_e64 0, @v2, 0, @v2, 0, 0, @float
@v2 = nofpexcept V_FMA_F64_e64 0, @v2, 0, @v2, 0, @v2, 0, 0, @float
@v = V_EXP_F32_e32 @v, @float
@v = V_RCP_F32_e32 @v, @float
@v = V_DOT8_I32_I4 8, @v, 8, @v, 8, @v, 0, 0, 0, @exec
@v = V_DOT4_I32_I8 8, @v, 8, @v, 8, @v, 0, 0, 0, @exec
@v = V_MOV_B32_sdwa 0, @v, 0, @part, @exec
@v = V_CVT_F32_F16_sdwa 0, @v, 0, 0, @part, @float
@v = V_ADD_F32_sdwa 0, @v, 0, @v, 0, 0, @part, 6, @float
@s2 = V_CMP_GT_I32_e64 @v, @v, @exec
@s = V_READFIRSTLANE_B32 @v, @exec
@s = V_READLANE_B32 @v, @s
@s = V_READLANE_B32 @v, 3
GLOBAL_STORE_DWORDX4 @v2, @v4, 0, 0, @exec
GLOBAL_STORE_DWORDX2_SADDR @v, @v2, @s2, 0, 0, @exec
DS_WRITE_B64_gfx9 @v, @v2, 0, 0, @exec
$sgpr26 = S_MOV_B32 @s
S_SETREG_IMM32_B32 0, 2049, implicit-def $mode, implicit $mode
$sgpr27 = S_GETREG_B32 2049, implicit $mode
""".strip().splitlines()


class Maker:
    """Random instructions as MIR."""

    def __init__(self, rng, arch):
        self.rng = rng
        self.arch = arch
        self.dpps = 0
        self.vgprs = rng.choice([20, 32, 44])

    def v(self, count=1):
        first = 2 * self.rng.randrange((self.vgprs - count) // 2 + 1)
        first += self.rng.randrange(2) if count == 1 else 0
        return self.named("vgpr", first, count)

    def s(self, count=1):
        first = 20 + count * self.rng.randrange(4 // count)
        return self.named("sgpr", first, count)

    @staticmethod
    def named(kind, first, count):
        return "$" + "_".join(f"{kind}{first + i}" for i in range(count))

    def take(self, what):
        if what in ("exec", "float"):
            return EXEC if what == "exec" else FLOAT
        if what == "part":  # DST_SEL, padding with zeros, SRC0_SEL
            return f"{self.rng.choice([0, 5, 6, 6])}, 0, {self.rng.choice([4, 6])}"
        return {"v": self.v, "s": self.s}[what[0]](int(what[1:] or 1))

    def plain(self):
        text = self.rng.choice(PLAIN)
        return re.sub(r"@(\w+)", lambda match: self.take(match[1]), text)

    def matrix(self):
        shapes = SHAPES + SHAPES_950 * (self.arch == "gfx950")
        name, ab, cd = self.rng.choice(shapes)
        a, b, c = self.v(ab), self.v(ab), self.v(cd)
        d = c if self.rng.random() < 0.5 else self.v(cd)
        # Results may not overlap with sources, other than an equal C.
        sources = [a, b] + [c] * (c != d)
        if any(set(d[1:].split("_")) & set(x[1:].split("_")) for x in sources):
            return self.matrix()
        return f"{d} = {name} {a}, {b}, {c}, 0, 0, 0, {FLOAT}"

    def instruction(self):
        special = [self.matrix] * 6 + [self.sparse, self.write_lane, self.dpp]
        special += [self.dot_accumulate, self.select_half]
        special += [self.swap_halves] * (self.arch == "gfx950")
        choices = special + [self.plain] * len(PLAIN)
        return self.rng.choice(choices)()

    def sparse(self):
        a, b, d = self.v(2), self.v(4), self.v(4)
        if set(d[1:].split("_")) & set((a[1:] + "_" + b[1:]).split("_")):
            return self.sparse()
        return (
            f"{d} = V_SMFMAC_F32_16X16X32_F16_e64 {a}, {b}, {self.v()}, 0, 0, {d}, "
            f"{FLOAT}"
        )

    def swap_halves(self):
        a, b = self.v(), self.v()
        if a == b:
            return self.swap_halves()
        return f"{a}, {b} = V_PERMLANE32_SWAP_B32_e32 {a}, {b}, {EXEC}"

    def write_lane(self):
        d = self.v()
        # LLVM has two states before the VALU reads an SGPR that the VALU wrote, which
        # the emulator does not ask for: nothing of that kind here.
        sources = self.rng.choice(["$sgpr30, 5", f"7, {self.s()}"])
        return f"{d} = V_WRITELANE_B32 {sources}, {d}"

    def dot_accumulate(self):
        d = self.v()
        return f"{d} = V_DOT2C_F32_F16_e32 {self.v()}, {self.v()}, {d}, {FLOAT}"

    def dpp(self):
        # LLVM takes what DPP may leave of its result for a read as by DPP: nothing
        # of that kind here.
        self.dpps += 1
        d = f"$vgpr{56 + self.dpps % 8}"
        return f"{d} = V_MOV_B32_dpp {d}, {self.v()}, 257, 15, 15, 0, {EXEC}"

    def select_half(self):
        d = self.v()
        sources = f"8, {self.v()}, 0, {self.v()}, {d}, 0"
        return f"{d} = V_CVT_PK_FP8_F32_e64 {sources}, {FLOAT}"


def with_nops(llc, arch, lines):
    """Assembly of the program, with LLVM's s_nops."""
    body = "\n".join(f"    {line}" for line in lines)
    mir = f"---\nname: f\nbody: |\n  bb.0:\n{body}\n    S_ENDPGM 0\n...\n"
    command = [llc, "-mtriple=amdgcn-amd-amdhsa", "-mcpu=" + arch, "-x=mir"]
    command += ["-start-before=post-RA-hazard-rec", "-", "-o", "-"]
    done = subprocess.run(command, input=mir, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{mir}\n{done.stderr}")
    out = []
    for line in done.stdout.splitlines():
        text = line.split(";")[0].strip()
        if line.startswith("\t") and text.split(" ")[0].split("_")[0] in (
            "s v ds global".split()
        ):
            out.append(text)
    return out


KERNEL = """.amdgcn_target "amdgcn-amd-amdhsa--{arch}"
.text
.globl f
.p2align 8
.type f,@function
f:
{body}
.rodata
.p2align 6
.amdhsa_kernel f
.amdhsa_next_free_vgpr 64
.amdhsa_next_free_sgpr 40
.amdhsa_accum_offset 64
.amdhsa_group_segment_fixed_size 4096
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: f
    .symbol: f.kd
    .kernarg_segment_size: 0
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 40
    .vgpr_count: 64
    .max_flat_workgroup_size: 64
.end_amdgpu_metadata
"""


def missing(options, arch, lines, directory):
    """Which lines the emulator says of that wait states are missing before them."""
    source, path = f"{directory}/f.s", f"{directory}/f.hsaco"
    with open(source, "w", encoding="utf-8") as file:
        file.write(KERNEL.format(arch=arch, body="\n".join(lines)))
    command = [options.clang, "-target", "amdgcn-amd-amdhsa", "-mcpu=" + arch]
    subprocess.run([*command, source, "-o", path], check=True)
    command = [options.emulator, path, "--kernel=f", "--grid=1", "--block=64"]
    command += [f"--json={directory}/f.json", "--max-reports=100000"]
    done = subprocess.run(command, capture_output=True, text=True)
    if not os.path.exists(f"{directory}/f.json"):
        sys.exit(f"fly-emu: {done.stderr}")
    with open(f"{directory}/f.json", encoding="utf-8") as file:
        reports = json.load(file)["reports"]
    command = [options.objdump, "-d", path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    places = re.findall(r"// ([0-9A-F]{12}):", done.stdout)
    line_of = {int(place, 16): i for i, place in enumerate(places)}
    found = {}
    for report in reports:
        if report["kind"] == "missing-wait-states":
            place = int(report["message"].split(" ")[0], 16)
            found.setdefault(line_of[place], report["message"])
    return found


def shorter(lines):
    """The lines with every s_nop one state shorter, and which of them lack one."""
    out, lacking = [], []
    for i, line in enumerate(lines):
        if not line.startswith("s_nop") or lines[i + 1].startswith("s_nop"):
            out.append(line)
            continue
        states = int(line.split()[1])
        if states:
            out.append(f"s_nop {states - 1}")
        lacking.append(len(out))
    return out, lacking


def check_program(options, arch, rng, directory):
    """Texts of what LLVM and the emulator do not agree in, and the number of
    instructions that wait."""
    maker = Maker(rng, arch)
    lines = with_nops(options.llc, arch, [maker.instruction() for _ in range(300)])
    wrong = []
    for line, message in missing(options, arch, lines, directory).items():
        wrong.append(f"not asked for by LLVM, line {line}: {message}")
    less, lacking = shorter(lines)
    found = missing(options, arch, less, directory)
    for line in lacking:
        # LLVM asks for waits between a VALU result and a matrix instruction even if
        # a dot product, which needs none, has overwritten it in between.
        nearby = "".join(less[max(0, line - 2) : line])
        if line not in found and not ("v_mfma" in less[line] and "v_dot" in nearby):
            before = "; ".join(less[max(0, line - 6) : line])
            wrong.append(f"not reported: {less[line]}, after {before}")
    return wrong, len(lacking)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arch", action="append")
    parser.add_argument("--llc", default="llc-22")
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--objdump", default="llvm-objdump-22")
    parser.add_argument("--emulator", default="fly-emu")
    parser.add_argument("--programs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    waits = failed = 0
    with tempfile.TemporaryDirectory() as directory:
        for arch in options.arch or ["gfx950", "gfx942"]:
            for i in range(options.programs):
                rng = random.Random(options.seed + i)
                wrong, count = check_program(options, arch, rng, directory)
                waits += count
                failed += len(wrong)
                for line in wrong:
                    print(f"{arch} program {i}: {line}")
    print(f"{waits} waits, {failed} disagreements")
    return 1 if failed or not waits else 0


if __name__ == "__main__":
    sys.exit(main())
