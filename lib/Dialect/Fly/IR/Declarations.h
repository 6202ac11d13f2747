//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// From a handle to the op that declares it. Verifiers start with this: IR that
/// is read from a file may take a handle from anywhere.

#ifndef FLY_LIB_DIALECT_FLY_IR_DECLARATIONS_H
#define FLY_LIB_DIALECT_FLY_IR_DECLARATIONS_H

#include "fly/Arch/TargetInfo.h"
#include "fly/Dialect/Fly/IR/Fly.h"

namespace fly {

/// The limits of what a kernel may ask for; beyond them sums and products of
/// sizes could overflow, and laying a pipeline out would not end.
constexpr int64_t maxTileSize = 4096; ///< elements
constexpr int64_t maxWaves = 16;      ///< of a workgroup, in one dimension
constexpr int64_t maxStages = 16;
constexpr int64_t maxAhead = 64; ///< K tile positions

/// The declaration of \p handle: an OpT in the body of \p user's kernel, before
/// \p user. A diagnostic at \p user if there is none. What it returns has been
/// verified: MLIR verifies a block's ops in order and stops at the first error.
template <typename OpT>
mlir::FailureOr<OpT> getDeclaration(mlir::Operation *user, mlir::Value handle) {
  auto kernel = user->getParentOfType<KernelOp>();
  if (!kernel)
    return user->emitOpError("must be in a fly.kernel");
  mlir::Block &body = kernel.getEntryBlock();
  auto op = handle.getDefiningOp<OpT>();
  if (!op || op->getBlock() != &body ||
      !op->isBeforeInBlock(body.findAncestorOpInBlock(*user)))
    return user->emitOpError("needs handles that a ")
           << OpT::getOperationName() << " before it declares";
  return op;
}

/// The chip of \p op's kernel; null if the kernel names none that is known.
const TargetInfo *getTarget(mlir::Operation *op);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_IR_DECLARATIONS_H
