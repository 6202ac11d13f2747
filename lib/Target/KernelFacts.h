//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What a kernel at the expanded level says about its code object: the plan
/// that the linked code must follow, and the manifest.

#ifndef FLY_LIB_TARGET_KERNELFACTS_H
#define FLY_LIB_TARGET_KERNELFACTS_H

#include "fly/Arch/TargetInfo.h"
#include "fly/CodeObject/Manifest.h"
#include "fly/Dialect/Fly/IR/Fly.h"
#include "fly/Target/SchedulePlan.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace fly {

/// The one fly.kernel of \p module.
llvm::Expected<KernelOp> findKernel(mlir::ModuleOp module);

/// The events of prologue, loop and drain, counted in instructions of one wave.
SchedulePlan planOf(KernelOp kernel);

/// The manifest of \p kernel for \p target, but for what only the linked object
/// can tell.
llvm::Expected<Manifest> manifestOf(KernelOp kernel, const TargetInfo &target);

/// Fills in LDS, registers, scratch and hash from the linked object, and checks
/// that its metadata has the manifest's arguments where the manifest has them.
llvm::Error readBack(Manifest &manifest, llvm::ArrayRef<char> object);

} // namespace fly

#endif // FLY_LIB_TARGET_KERNELFACTS_H
