//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Every small change of an expanded kernel that a mutation test tries.

#ifndef FLY_TEST_UNIT_TRANSFORMS_SCHEDULEMUTANTS_H
#define FLY_TEST_UNIT_TRANSFORMS_SCHEDULEMUTANTS_H

#include "fly/Dialect/Fly/IR/Fly.h"

#include <functional>
#include <string>
#include <vector>

struct Mutant {
  std::string kind; ///< "remove wait"
  std::string at;   ///< the op that it changes, as text, and its place
  size_t index;     ///< of that op among the steps of the kernel
  /// Given the op and the one before it.
  using Change = std::function<void(mlir::Operation *, mlir::Operation *)>;
  Change change;
  bool alone = false; ///< changes more than its op
};

/// Applies mutants to a clone of their kernel. They must not touch the same or
/// neighbouring steps, and one that is \c alone must be the only one.
void applyMutants(fly::KernelOp clone, llvm::ArrayRef<const Mutant *> mutants);

std::vector<Mutant> makeMutants(fly::KernelOp kernel);

#endif // FLY_TEST_UNIT_TRANSFORMS_SCHEDULEMUTANTS_H
