# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Prints the last line of ./dev test from lit's JSON results.

Exits 1 unless something passed and nothing failed. Tests that lit could not
resolve, that ran out of time, or that passed against expectation, failed.
"""

import collections
import json
import sys

PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def summarize(results):
    counts = collections.Counter()
    for test in results["tests"]:
        code = test["code"]
        if code in PASSED:
            counts["passed"] += 1
        elif code in SKIPPED:
            counts["skipped"] += 1
        else:
            counts["failed"] += 1
    return counts


def main():
    try:
        with open(sys.argv[1]) as file:
            counts = summarize(json.load(file))
    except (OSError, ValueError, KeyError) as error:
        print(f"lit left no results: {error}", file=sys.stderr)
        return 1
    line = f"{counts['passed']} passed, {counts['failed']} failed"
    if counts["skipped"]:
        line += f", {counts['skipped']} skipped"
    print(line)
    return 0 if counts["passed"] and not counts["failed"] else 1


if __name__ == "__main__":
    sys.exit(main())
