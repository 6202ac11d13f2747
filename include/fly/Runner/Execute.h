//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// One launch of a problem on a device.

#ifndef FLY_RUNNER_EXECUTE_H
#define FLY_RUNNER_EXECUTE_H

#include "fly/Runner/Operands.h"
#include "fly/Runtime/Device.h"

namespace fly {

struct Execution {
  double seconds = 0; ///< of the launch, until the device is idle
  std::vector<Report> reports;
};

/// Copies the operands to \p device, launches \p kernel, and copies D back into
/// \p operands, margins included. The problem must have been made with the
/// kernel's manifest: that says how many workgroups there are.
llvm::Expected<Execution> execute(Device &device, const LoadedKernel &kernel,
                                  const Problem &problem, Operands &operands);

} // namespace fly

#endif // FLY_RUNNER_EXECUTE_H
