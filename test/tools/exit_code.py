# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Runs a command and checks its exit code: exit_code.py CODE COMMAND..."""

import subprocess
import sys

expected = int(sys.argv[1])
code = subprocess.run(sys.argv[2:], check=False).returncode
if code != expected:
    sys.exit(f"expected exit code {expected}, got {code}")
