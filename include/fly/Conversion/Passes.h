//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Conversions between fly and other dialects.

#ifndef FLY_CONVERSION_PASSES_H
#define FLY_CONVERSION_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace fly {

#define GEN_PASS_DECL
#include "fly/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fly/Conversion/Passes.h.inc"

struct FlyPipelineOptions {
  std::string arch;    ///< required, "gfx950"
  std::string variant; ///< empty for the first
  int64_t numXcds = 0;    ///< to map workgroups for; 0 for the arch's
  int64_t groupSizeM = 4; ///< rows of tiles to walk before the next column
};

/// From the problem level to the expanded level with planned waits, proven: what
/// the manifest and the plan of the linked object are read from.
void buildFlyPipeline(mlir::OpPassManager &manager,
                      const FlyPipelineOptions &options);

/// From there to llvm and rocdl ops.
void buildMachinePipeline(mlir::OpPassManager &manager);

/// Registers the whole flow as the pipeline fly-compile.
void registerFlyPipelines();

} // namespace fly

#endif // FLY_CONVERSION_PASSES_H
