//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Files that a tool will write at its end.

#ifndef FLY_CLI_OUTPUT_H
#define FLY_CLI_OUTPUT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace fly {

/// Whether \p path can be written, as far as can be said without doing it, so
/// that a long run does not end in vain. "-" (stdout) and "" (none) can.
llvm::Error checkOutput(llvm::StringRef path);

} // namespace fly

#endif // FLY_CLI_OUTPUT_H
