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

#include <shared_mutex>

namespace llvm {
class LLVMContext;
} // namespace llvm

namespace fly {

/// LLVM's command line options are globals that code generation reads and lld
/// resets: the former holds this lock shared, the latter alone.
std::shared_mutex &optionsLock();

/// The outcome of a guarded step.
struct GuardedResult {
  llvm::Error error;
  /// The step was left in the middle: nothing it was working on may be used
  /// again, not even destroyed.
  bool abandoned;
};

/// Runs \p body with every error diagnostic of \p context collected and every
/// fatal error caught, under the shared lock. \p step begins the message, as in
/// "code generation".
GuardedResult runGuarded(llvm::StringRef step, llvm::LLVMContext &context,
                         llvm::function_ref<llvm::Error()> body);

} // namespace fly

#endif // FLY_LIB_TARGET_BACKENDGUARD_H
