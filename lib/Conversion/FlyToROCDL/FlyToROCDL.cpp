//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelEmitter.h"
#include "fly/Conversion/Passes.h"

namespace fly {
#define GEN_PASS_DEF_CONVERTFLYTOROCDL
#include "fly/Conversion/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {
struct ConvertFlyToROCDL
    : public fly::impl::ConvertFlyToROCDLBase<ConvertFlyToROCDL> {
  void runOnOperation() override {
    for (auto kernel :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      OpBuilder builder(kernel);
      KernelEmitter emitter(kernel, builder);
      if (failed(emitter.emit()))
        return signalPassFailure();
      kernel.erase();
    }
  }
};
} // namespace
