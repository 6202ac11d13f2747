//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Launching a kernel on a stream. Internal to the HIP library.

#ifndef FLY_LIB_EMULATOR_HIP_LAUNCH_H
#define FLY_LIB_EMULATOR_HIP_LAUNCH_H

#include "Runtime.h"

namespace fly {
namespace hip {

/// Checks everything that the host can, and queues the kernel. What goes wrong
/// while it runs, findings of checking mode included, becomes the stream's
/// hipErrorLaunchFailure.
llvm::Error launch(Runtime &runtime, const Function &function,
                   const LaunchRequest &request, const void *stream);

/// Records \p event on \p stream.
llvm::Error record(Runtime &runtime, const void *event, const void *stream);

/// The kernel that a handle of hipModuleGetFunction or the address of a
/// registered host function stands for, or \p code.
llvm::Expected<Function> findFunction(Runtime &runtime, const void *handle,
                                      hipError_t code = hipErrorInvalidHandle);

} // namespace hip
} // namespace fly

#endif // FLY_LIB_EMULATOR_HIP_LAUNCH_H
