# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""lit tests of fly: .mlir and .test files under test/, mirroring lib/.

Substitutions: fly's tools and LLVM's by plain name (first on PATH), %python,
%clang (for AMDGPU), %mc, %llvm_tools, %fly_source, %fly_build,
%device ("emulator", or what ./dev test --device=... says).
Features: "tool-NAME" for each tool that is there; "dpkg" on Debian; "pty" where
terminals can be had; "flydsl" with FLY_FLYDSL_PYTHON and FLY_FLYDSL_SOURCE in the
environment, "triton" with FLY_TRITON_PYTHON, "torch" with FLY_TORCH_PYTHON
(docs/foreign-code.md).
"""

import os
import shutil

import lit.formats

config.name = "fly"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".s"]
# unit/ is a suite of its own; fuzz/ is run by ./dev fuzz; Inputs hold what tests
# read.
config.excludes = ["unit", "Inputs", "golden", "fuzz"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.fly_build_dir, "test")

build_bin = os.path.join(config.fly_build_dir, "bin")
config.environment["PATH"] = os.pathsep.join(
    [build_bin, config.llvm_tools_dir, "/usr/bin", "/bin"]
)
lit_config.maxIndividualTestTime = 600
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
config.environment["FILECHECK_OPTS"] = "--dump-input=fail"

clang = os.path.join(config.llvm_tools_dir, "clang")
config.substitutions += [
    ("%python", config.python),
    ("%clang", clang + " --target=amdgcn-amd-amdhsa"),
    ("%mc", "llvm-mc -triple=amdgcn-amd-amdhsa"),
    ("%llvm_tools", config.llvm_tools_dir),
    ("%fly_source", config.fly_source_dir),
    ("%fly_build", config.fly_build_dir),
]

# What every test may take for granted. A missing one is said, and makes the
# tests that need it (REQUIRES: tool-NAME) Unsupported rather than failed.
needed = {
    build_bin: [
        "fly-opt",
        "fly-translate",
        "fly-run",
        "fly-emu",
        "fly-inspect",
        "fly-lsp-server",
    ],
    config.llvm_tools_dir: [
        "FileCheck",
        "not",
        "llvm-mc",
        "ld.lld",
        "clang",
        "clang-offload-bundler",
    ],
}
for directory, tools in needed.items():
    for tool in tools:
        if os.access(os.path.join(directory, tool), os.X_OK):
            config.available_features.add("tool-" + tool)
        elif directory != build_bin:
            lit_config.warning(f"{tool} is not in {directory}")

# Not of Debian: wherever the caller has it.
if ruff := shutil.which("ruff"):
    config.available_features.add("tool-ruff")
    config.substitutions.append(("%ruff", ruff))

# A container may have no terminals to give.
try:
    for end in os.openpty():
        os.close(end)
    config.available_features.add("pty")
except OSError:
    lit_config.warning("there are no pseudo-terminals")

if os.path.exists("/var/lib/dpkg/status"):
    config.available_features.add("dpkg")

flydsl = [os.environ.get("FLY_FLYDSL_" + name) for name in ("PYTHON", "SOURCE")]
if all(flydsl):
    config.available_features.add("flydsl")
    config.substitutions += [
        ("%flydsl_python", flydsl[0]),
        ("%flydsl_source", flydsl[1]),
    ]

for package in ("triton", "torch"):
    if interpreter := os.environ.get(f"FLY_{package.upper()}_PYTHON"):
        config.available_features.add(package)
        config.substitutions.append((f"%{package}_python", interpreter))

device = lit_config.params.get("device", "emulator")
config.substitutions.append(("%device", device))
config.environment["FLY_TEST_DEVICE"] = device
