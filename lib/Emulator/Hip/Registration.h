//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Kernels and variables that a program compiled by clang's HIP front end
/// brings along: its constructors register them before main, and a kernel is
/// named by the address of its host stub. Internal to the HIP library.

#ifndef FLY_LIB_EMULATOR_HIP_REGISTRATION_H
#define FLY_LIB_EMULATOR_HIP_REGISTRATION_H

#include "Runtime.h"

namespace fly {
namespace hip {

/// Loads what is needed. Fails with \p code if \p stub was not registered.
llvm::Expected<Function>
findRegisteredFunction(Runtime &runtime, const void *stub, hipError_t code);

/// hipErrorInvalidSymbol if \p symbol was not registered.
llvm::Expected<Module::Variable> findRegisteredVariable(Runtime &runtime,
                                                        const void *symbol);

} // namespace hip
} // namespace fly

#endif // FLY_LIB_EMULATOR_HIP_REGISTRATION_H
