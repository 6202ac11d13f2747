# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Reads a trace and checks that exactly the given waves are in it, whole."""

import re
import sys

waves = {}
for line in sys.stdin:
    found = re.match(r"(\d+,\d+): (0x\w+) '", line)
    if found:
        waves.setdefault(found[1], []).append(found[2])
if sorted(waves) != sys.argv[1:] or len({tuple(each) for each in waves.values()}) != 1:
    sys.exit(f"expected whole traces of {sys.argv[1:]}, got {waves}")
