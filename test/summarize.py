# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Prints the last lines of ./dev test from lit's results as XUnit XML.

Says what was missing for tests that are Unsupported, then counts. Exits 1 if a
test failed, ran out of time or could not be resolved, and if there was none.
"""

import collections
import sys
import xml.etree.ElementTree as ElementTree

# What lit says of tests that the user left out by --filter and the like.
NOT_SELECTED = "Test not selected"
MISSING = "Missing required feature"


def main():
    try:
        root = ElementTree.parse(sys.argv[1]).getroot()
    except (OSError, ElementTree.ParseError) as error:
        print(f"lit left no results: {error}", file=sys.stderr)
        return 1
    counts, missing = collections.Counter(), collections.Counter()
    for test in root.iter("testcase"):
        skipped = test.find("skipped")
        reason = "" if skipped is None else skipped.get("message", "")
        if reason.startswith(NOT_SELECTED):
            continue
        if reason.startswith(MISSING):
            missing[reason] += 1
        if test.find("failure") is not None:
            counts["failed"] += 1
        elif skipped is not None:
            counts["skipped"] += 1
        else:
            counts["passed"] += 1
    for reason, count in sorted(missing.items()):
        print(f"Unsupported tests: {count}. {reason}")
    line = f"{counts['passed']} passed, {counts['failed']} failed"
    if counts["skipped"]:
        line += f", {counts['skipped']} skipped"
    print(line)
    return 0 if counts.total() and not counts["failed"] else 1


if __name__ == "__main__":
    sys.exit(main())
