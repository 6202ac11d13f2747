# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Cuts a file at many places and runs a command on what is left.

truncate.py FILE STEP COMMAND...: each run must end with exit code 2 and one line
of error that names the file.
"""

import subprocess
import sys

path, step, *command = sys.argv[1:]
with open(path, "rb") as file:
    whole = file.read()
short = path + ".short"
for size in range(0, len(whole), len(whole) // int(step)):
    with open(short, "wb") as file:
        file.write(whole[:size])
    done = subprocess.run([*command, short], capture_output=True, text=True)
    lines = done.stderr.splitlines()
    if done.returncode != 2 or len(lines) != 1 or f"error: '{short}': " not in lines[0]:
        sys.exit(f"{size} bytes: exit code {done.returncode}\n{done.stderr}")
