# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Runs a command on a terminal of its own, and interrupts it.

terminal.py [--interrupt-at=TEXT] [--twice] COMMAND...: SIGINT follows TEXT on the
terminal, with --twice two at once. Prints what the terminal showed, without
colours and with carriage returns as newlines, and the exit code (as a shell says
it: 128 and the signal).
"""

import argparse
import os
import pty
import re
import signal
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--interrupt-at")
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()

    ours, theirs = pty.openpty()
    process = subprocess.Popen(options.command, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    shown, interrupted = "", False
    while True:
        try:
            data = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not data:
            break
        shown += data.decode(errors="replace")
        if options.interrupt_at and not interrupted and options.interrupt_at in shown:
            interrupted = True
            process.send_signal(signal.SIGINT)
            if options.twice:
                process.send_signal(signal.SIGINT)
    out, _ = process.communicate()
    code = process.returncode
    shown = re.sub(r"\x1b\[[\d;]*m", "", shown)
    print(re.sub(r"\r\n?|\x1b\[K", "\n", shown))
    print(out.decode())
    print("exit code", code if code >= 0 else 128 - code)


if __name__ == "__main__":
    sys.exit(main())
