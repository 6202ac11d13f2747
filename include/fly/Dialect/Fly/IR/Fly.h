//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The fly dialect: everything that IR/*.td defines.

#ifndef FLY_DIALECT_FLY_IR_FLY_H
#define FLY_DIALECT_FLY_IR_FLY_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fly {
class SlotOp;
class FragmentOp;
class AccumulatorOp;
class ScaleFragmentOp;
class WorkgroupTileOp;
} // namespace fly

#include "fly/Dialect/Fly/IR/FlyDialect.h.inc"
#include "fly/Dialect/Fly/IR/FlyEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fly/Dialect/Fly/IR/FlyAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "fly/Dialect/Fly/IR/FlyTypes.h.inc"

#define GET_OP_CLASSES
#include "fly/Dialect/Fly/IR/FlyOps.h.inc"

#endif // FLY_DIALECT_FLY_IR_FLY_H
