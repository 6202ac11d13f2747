# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Writes each array of deepgemm.npz as DIR/CASE.NAME.bin, its bytes in C order.

usage: expand.py deepgemm.npz DIR
"""

import os
import sys

import numpy


def main():
    archive, directory = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    with numpy.load(archive) as arrays:
        for key in arrays.files:
            name = key.replace("/", ".") + ".bin"
            numpy.ascontiguousarray(arrays[key]).tofile(os.path.join(directory, name))
    with open(os.path.join(directory, "stamp"), "w", encoding="utf-8"):
        pass


if __name__ == "__main__":
    main()
