//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// fly-opt: runs passes on .mlir files.

#include "fly/Conversion/Passes.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllPasses();
  fly::registerFlyConversionPasses();
  fly::registerFlyPasses();
  fly::registerFlyPipelines();
  registry.insert<fly::FlyDialect>();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "fly-opt: runs passes of fly and MLIR\n", registry));
}
