//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FLY_CONVERSION_PASSES_TD
#define FLY_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertFlyToROCDL : Pass<"convert-fly-to-rocdl", "::mlir::ModuleOp"> {
  let summary = "Expanded level to machine level";
  let description = [{
    Turns each `fly.kernel` with planned waits into an `llvm.func` kernel of
    llvm and rocdl ops: addresses and buffer descriptors, one LDS array with alias
    scopes, direct copies, ds_read, MFMA, `s.waitcnt`, bare `s.barrier`, and
    `sched.barrier` where the order of the schedule must not be touched.

    Example: `fly.wait vmcnt(8) lgkmcnt(0)` becomes `rocdl.s.waitcnt` with the
    same counts, `fly.barrier` a `rocdl.s.barrier`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::ROCDL::ROCDLDialect"];
}

#endif // FLY_CONVERSION_PASSES_TD
