//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What costs speed in the hot region of a kernel. Internal to Inspect.

#ifndef FLY_LIB_INSPECT_FLAGS_H
#define FLY_LIB_INSPECT_FLAGS_H

#include "fly/Inspect/Inspect.h"

namespace fly {

std::vector<Flag> findFlags(const KernelReport &report);

} // namespace fly

#endif // FLY_LIB_INSPECT_FLAGS_H
