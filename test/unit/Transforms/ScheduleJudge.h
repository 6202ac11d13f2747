//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The two opinions on a planned schedule that the tests compare.

#ifndef FLY_TEST_UNIT_TRANSFORMS_SCHEDULEJUDGE_H
#define FLY_TEST_UNIT_TRANSFORMS_SCHEDULEJUDGE_H

#include "fly/Dialect/Fly/IR/Fly.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

inline fly::KernelOp kernelOf(mlir::ModuleOp module) {
  return *module.getOps<fly::KernelOp>().begin();
}

/// The first hazard that the oracle finds with 1 to \p maxKTiles K tiles.
std::string oracle(fly::KernelOp kernel, int64_t maxKTiles = 6);

/// What the verifiers and fly-verify-schedule say, empty if they accept.
std::string prove(mlir::ModuleOp module);

#endif // FLY_TEST_UNIT_TRANSFORMS_SCHEDULEJUDGE_H
