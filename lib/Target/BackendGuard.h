//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Runs a step of LLVM's backend so that its fatal errors ("Cannot select",
/// assembler faults in inline asm, ...) become llvm::Error.

#ifndef FLY_LIB_TARGET_BACKENDGUARD_H
#define FLY_LIB_TARGET_BACKENDGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace llvm {
class LLVMContext;
} // namespace llvm

namespace fly {

/// The outcome of a guarded step.
struct GuardedResult {
  llvm::Error error;
  /// The step was left in the middle: nothing it was working on may be used
  /// again, not even destroyed.
  bool abandoned;
};

/// Runs \p body with every error diagnostic of \p context collected and every
/// fatal error caught. \p step begins the message, as in "code generation".
GuardedResult runGuarded(llvm::StringRef step, llvm::LLVMContext &context,
                         llvm::function_ref<llvm::Error()> body);

} // namespace fly

#endif // FLY_LIB_TARGET_BACKENDGUARD_H
