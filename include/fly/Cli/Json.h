//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The JSON that every tool can write.

#ifndef FLY_CLI_JSON_H
#define FLY_CLI_JSON_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace fly {

/// Writes \p value to \p path ("-" is stdout), whole or not at all.
llvm::Error writeJson(llvm::StringRef path, const llvm::json::Value &value);

} // namespace fly

#endif // FLY_CLI_JSON_H
