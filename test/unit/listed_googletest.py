# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""lit's GoogleTest format, limited to the binaries that CMake knows.

A module of its own because lit sends the format to its worker processes.
"""

import os

import lit.formats


class ListedGoogleTests(lit.formats.GoogleTest):
    def __init__(self, names):
        super().__init__(".", "Tests")
        self.names = set(names)

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        tests = super().getTestsInDirectory(
            suite, path_in_suite, lit_config, local_config
        )
        # Others are left from older builds.
        return (t for t in tests if os.path.basename(t.file_path) in self.names)
