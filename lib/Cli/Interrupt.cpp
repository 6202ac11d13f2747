//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Cli/Interrupt.h"

namespace fly {

static std::atomic<CancellationToken *> current{nullptr};

static void onInterrupt(int) {
  if (CancellationToken *token = current.load())
    token->cancel();
}

InterruptScope::InterruptScope(CancellationToken &token) {
  current = &token;
  struct sigaction action = {};
  action.sa_handler = onInterrupt;
  // The second one finds the default action again.
  action.sa_flags = int(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, &before);
}

InterruptScope::~InterruptScope() {
  sigaction(SIGINT, &before, nullptr);
  current = nullptr;
}

} // namespace fly
