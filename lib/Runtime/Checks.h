//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What every device checks before it loads or launches.

#ifndef FLY_RUNTIME_CHECKS_H
#define FLY_RUNTIME_CHECKS_H

#include "fly/Runtime/Device.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace fly {

/// Fails when \p object is not a code object, is for another arch than
/// \p deviceArch, is not the one \p manifest was written for, or lacks the
/// manifest's kernel; and when that kernel takes more argument bytes or fewer
/// threads than the manifest states.
llvm::Error checkObject(llvm::ArrayRef<char> object, const Manifest &manifest,
                        llvm::StringRef deviceArch);

/// Fails when \p kernel is loaded elsewhere, and when \p kernargs have another
/// size than its manifest states or break one of its constraints.
llvm::Error checkLaunch(const Device &device, const LoadedKernel &kernel,
                        llvm::ArrayRef<uint8_t> kernargs);

} // namespace fly

#endif // FLY_RUNTIME_CHECKS_H
