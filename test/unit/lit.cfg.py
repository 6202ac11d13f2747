# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""The GoogleTest binaries; each of their tests is counted by itself."""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))

from listed_googletest import ListedGoogleTests  # noqa: E402

config.name = "fly-unit"
config.test_format = ListedGoogleTests(config.fly_unittests)
config.test_source_root = os.path.join(config.fly_build_dir, "test", "unit")
config.test_exec_root = config.test_source_root
lit_config.maxIndividualTestTime = 600

# For the suites over kernels: what ./dev test --device=... says.
config.environment["FLY_TEST_DEVICE"] = lit_config.params.get("device", "emulator")
