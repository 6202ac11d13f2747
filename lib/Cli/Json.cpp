//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Cli/Json.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace fly {

Error writeJson(StringRef path, const json::Value &value) {
  Error error = writeToOutput(path, [&](raw_ostream &os) {
    os << formatv("{0:2}\n", value);
    return Error::success();
  });
  if (error)
    return createStringError("cannot write " + toString(std::move(error)));
  return Error::success();
}

} // namespace fly
