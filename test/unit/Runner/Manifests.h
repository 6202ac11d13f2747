//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Manifests of the two kinds of kernel, for tests without a compiler.

#ifndef FLY_TEST_UNIT_RUNNER_MANIFESTS_H
#define FLY_TEST_UNIT_RUNNER_MANIFESTS_H

#include "fly/CodeObject/Manifest.h"

namespace fly {

inline void addArguments(Manifest &manifest,
                         std::initializer_list<const char *> names,
                         const char *type) {
  for (const char *name : names) {
    uint32_t size = llvm::StringRef(type) == "i32" ? 4 : 8;
    uint32_t offset = (manifest.kernargBytes + size - 1) / size * size;
    bool pointer = llvm::StringRef(type) == "ptr";
    manifest.arguments.push_back(
        {name, type, offset, size, pointer ? "in" : "value"});
    manifest.kernargBytes = offset + size;
  }
}

inline Manifest makeDenseManifest() {
  Manifest manifest;
  manifest.kernel = "dense";
  manifest.variant = "v";
  manifest.arch = "gfx950";
  manifest.problem = "gemm";
  manifest.typeA = manifest.typeB = manifest.typeD = "bf16";
  addArguments(manifest, {"d", "a", "b"}, "ptr");
  addArguments(manifest, {"m", "n", "k", "pitch_a", "pitch_b", "pitch_d"},
               "i32");
  manifest.grid = {{"m", 128}, {"n", 128}};
  manifest.workgroupSize = 256;
  return manifest;
}

inline Manifest makeGroupedManifest() {
  Manifest manifest;
  manifest.kernel = "grouped";
  manifest.variant = "v";
  manifest.arch = "gfx950";
  manifest.problem = "grouped_gemm_contiguous";
  manifest.typeA = manifest.typeB = "f8E4M3FN";
  manifest.typeD = "bf16";
  manifest.scaleKind = "e8m0";
  manifest.scaleM = 1;
  manifest.scaleN = manifest.scaleK = 128;
  manifest.groupAlignment = 128;
  addArguments(manifest,
               {"d", "a", "b", "scale_a", "scale_b", "grouped_layout"}, "ptr");
  addArguments(manifest,
               {"m", "n", "k", "num_groups", "pitch_a", "pitch_b", "pitch_d"},
               "i32");
  addArguments(manifest, {"stride_b"}, "i64");
  addArguments(manifest, {"pitch_scale_a", "pitch_scale_b"}, "i32");
  addArguments(manifest, {"stride_scale_b"}, "i64");
  manifest.grid = {{"m", 128}, {"n", 128}};
  manifest.workgroupSize = 256;
  return manifest;
}

} // namespace fly

#endif // FLY_TEST_UNIT_RUNNER_MANIFESTS_H
