# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Checks what fly-inspect says of a kernel: expect.py FILE.json KERNEL EXPRESSION...

Each expression is Python over the kernel's fields: 'hot_loop.mix.valu == 0'.
`total` sums counts, `flags` is {kind: count}.
"""

import json
import sys


class Fields(dict):
    def __getattr__(self, name):
        return self[name]


def total(counts):
    values = counts.values() if isinstance(counts, dict) else [c.count for c in counts]
    return sum(values)


def main():
    path, name, *expressions = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        kernels = json.load(file, object_hook=Fields).kernels
    (kernel,) = [k for k in kernels if k.kernel == name]
    names = dict(kernel, total=total)
    names["flags"] = {flag.kind: flag.count for flag in kernel.flags}
    failed = [text for text in expressions if not eval(text, names)]
    if failed:
        print(json.dumps(kernel, indent=2))
    for text in failed:
        print(f"{name}: does not hold: {text}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
