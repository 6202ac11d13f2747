# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Runs the examples of a document as they stand: run_examples.py FILE KERNELS.

A block of C is written to the file of that kind that the text before it names
(`add.cl`); blocks of sh are run, one after the other, in the same directory,
where kernels/ is a link to KERNELS. python3 is the one that runs this script.
"""

import os
import re
import subprocess
import sys
import tempfile

document, kernels = sys.argv[1:]
with open(document, encoding="utf-8") as file:
    text = file.read()
with tempfile.TemporaryDirectory() as directory:
    os.symlink(os.path.abspath(kernels), os.path.join(directory, "kernels"))
    bin_directory = os.path.join(directory, "bin")
    os.mkdir(bin_directory)
    os.symlink(sys.executable, os.path.join(bin_directory, "python3"))
    environment = dict(os.environ)
    environment["PATH"] = bin_directory + os.pathsep + environment["PATH"]
    count = 0
    for block in re.finditer(r"^```(c|sh)\n(.*?)^```$", text, re.M | re.S):
        if block[1] == "c":
            name = re.findall(r"`(\w+\.cl)`", text[: block.start()])[-1]
            with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                file.write(block[2])
            continue
        print(block[2], flush=True)
        subprocess.run(
            ["sh", "-e", "-c", block[2]], check=True, cwd=directory, env=environment
        )
        count += 1
sys.exit(count == 0)
