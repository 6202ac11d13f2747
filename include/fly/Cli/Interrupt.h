//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Ctrl-C for the tools. The libraries know tokens only, no signals.

#ifndef FLY_CLI_INTERRUPT_H
#define FLY_CLI_INTERRUPT_H

#include "fly/Emulator/Emulator.h"

#include <csignal>

namespace fly {

/// The exit code of a tool that was interrupted: 128 and the number of SIGINT,
/// as a shell says it of a program that the signal ended.
constexpr int interruptedExitCode = 130;

/// While it lives, the first SIGINT cancels the token and the second one ends
/// the process. One at a time.
class InterruptScope {
public:
  explicit InterruptScope(CancellationToken &token);
  ~InterruptScope();
  InterruptScope(const InterruptScope &) = delete;
  InterruptScope &operator=(const InterruptScope &) = delete;

private:
  struct sigaction before;
};

} // namespace fly

#endif // FLY_CLI_INTERRUPT_H
