# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Feeds fly-opt with damaged IR: whatever it reads, it may only say what is wrong.

usage: mutate.py FLY_OPT FILE.mlir MUTANTS SEED [PASSES...]

FILE is read in generic form, MUTANTS copies of it are damaged in one or two
places (numbers, attributes, operands, types, whole lines) and run through PASSES,
all in one process per batch. A run that ends by a signal, or takes longer than a
minute, fails; the mutant is printed.
"""

import random
import re
import subprocess
import sys

NUMBERS = [
    "-1",
    "0",
    "1",
    "2",
    "3",
    "7",
    "16",
    "17",
    "63",
    "64",
    "100",
    "1024",
    "4096",
    "65536",
    "2147483648",
    "9223372036854775807",
]
SEPARATOR = "\n// -----\n"


def change_number(rng, lines, i):
    spots = list(re.finditer(r"(?<![\w%#.])-?\d+(?= : i64|[,>\]x])", lines[i]))
    if spots:
        spot = rng.choice(spots)
        lines[i] = (
            lines[i][: spot.start()] + rng.choice(NUMBERS) + lines[i][spot.end() :]
        )


def drop_attribute(rng, lines, i):
    spots = list(re.finditer(r"\b\w+ = [^,{}<>]+(, )?(?=[\w}])", lines[i]))
    if spots:
        spot = rng.choice(spots)
        lines[i] = lines[i][: spot.start()] + lines[i][spot.end() :]


def change_operand(rng, lines, i):
    values = sorted(set(re.findall(r"%[\w#]+", "\n".join(lines))))
    spots = list(re.finditer(r"%[\w#]+", lines[i]))
    if spots:
        spot = rng.choice(spots)
        lines[i] = (
            lines[i][: spot.start()] + rng.choice(values) + lines[i][spot.end() :]
        )


# The operand comes from a cast: the type is right, the op is not.
def cast_operand(rng, lines, i):
    found = re.search(r'"fly\.\w+"\((%\w+).* : \((!fly\.\w+(?:<[^>]*>)?)', lines[i])
    if found:
        cast = f'%cast{i} = "builtin.unrealized_conversion_cast"() : () -> {found[2]}'
        lines[i] = cast + "\n" + lines[i].replace(found[1], f"%cast{i}", 1)


def change_type(rng, lines, i):
    types = sorted(set(re.findall(r"!fly\.\w+(?:<[^>]*>)?", "\n".join(lines))))
    spots = list(re.finditer(r"!fly\.\w+(?:<[^>]*>)?|bf16|f8E4M3FN", lines[i]))
    if spots:
        spot = rng.choice(spots)
        other = types if spot[0].startswith("!") else ["f32", "i8", "index", "f8E5M2"]
        lines[i] = lines[i][: spot.start()] + rng.choice(other) + lines[i][spot.end() :]


def is_whole(line):
    return not line.rstrip().endswith(("{", "({")) and not line.lstrip().startswith("}")


def drop_line(rng, lines, i):
    if is_whole(lines[i]):
        lines[i] = ""


def move_line(rng, lines, i):
    if is_whole(lines[i]):
        lines.insert(rng.randrange(len(lines)), lines.pop(i))


def repeat_line(rng, lines, i):
    if is_whole(lines[i]):
        lines.insert(i, re.sub(r"^(\s*)%\w+ =", rf"\1%again{i} =", lines[i]))


DAMAGES = [
    change_number,
    change_number,
    change_number,
    drop_attribute,
    change_operand,
    cast_operand,
    change_type,
    drop_line,
    move_line,
    repeat_line,
]


def mutate(rng, text):
    lines = text.splitlines()
    for _ in range(rng.choice([1, 1, 2])):
        rng.choice(DAMAGES)(rng, lines, rng.randrange(len(lines)))
    return "\n".join(lines)


def survives(fly_opt, text, passes):
    command = [fly_opt, "-", "-split-input-file", *passes]
    try:
        run = subprocess.run(
            command,
            input=text,
            text=True,
            timeout=60,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
    except subprocess.TimeoutExpired:
        return "took longer than a minute"
    # 0: valid; 1: said what is wrong. A signal is negative; LLVM's own handler
    # of fatal errors exits with something else.
    if run.returncode not in (0, 1):
        return f"ended with {run.returncode}:\n{run.stderr[-2000:]}"
    if run.returncode == 1 and "error:" not in run.stderr:
        return "failed without a word"
    return None


def main():
    fly_opt, path, count, seed, *passes = sys.argv[1:]
    rng = random.Random(int(seed))
    generic = subprocess.run(
        [fly_opt, path, "--mlir-print-op-generic"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    mutants = [mutate(rng, generic) for _ in range(int(count))]
    failed = 0
    for start in range(0, len(mutants), 50):
        batch = mutants[start : start + 50]
        if survives(fly_opt, SEPARATOR.join(batch), passes) is None:
            continue
        for mutant in batch:
            reason = survives(fly_opt, mutant, passes)
            if reason:
                failed += 1
                print(f"mutant {reason}\n{mutant}\n")
    print(f"{len(mutants)} mutants, {failed} failed")
    sys.exit(1 if failed else 0)


main()
