//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Fly.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fly;

#include "fly/Dialect/Fly/IR/FlyDialect.cpp.inc"
#include "fly/Dialect/Fly/IR/FlyEnums.cpp.inc"

void FlyDialect::initialize() {
  registerAttrs();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "fly/Dialect/Fly/IR/FlyOps.cpp.inc"
      >();
}

// What the workgroup maps fold to.
Operation *FlyDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
