//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScheduleJudge.h"
#include "ScheduleOracle.h"

#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace fly;
using mlir::ModuleOp;

std::string oracle(KernelOp kernel, int64_t maxKTiles) {
  for (int64_t kTiles = 1; kTiles <= maxKTiles; ++kTiles)
    if (std::string hazard = findHazard(kernel, kTiles); !hazard.empty())
      return hazard + " with " + std::to_string(kTiles) + " K tiles";
  return "";
}

std::string prove(ModuleOp module) {
  std::string said;
  mlir::ScopedDiagnosticHandler handler(module.getContext(),
                                        [&](mlir::Diagnostic &diagnostic) {
                                          said += diagnostic.str();
                                          return mlir::success();
                                        });
  mlir::PassManager manager(module.getContext());
  manager.enableVerifier(false);
  manager.nest<KernelOp>().addPass(createFlyVerifySchedule());
  if (failed(mlir::verify(module)))
    return "not valid: " + said;
  return failed(manager.run(module)) ? "rejected: " + said : "";
}
