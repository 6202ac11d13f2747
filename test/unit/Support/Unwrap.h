//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// For tests: the value of what must not fail. llvm::cantFail checks nothing in
/// a release build.

#ifndef FLY_TEST_UNIT_SUPPORT_UNWRAP_H
#define FLY_TEST_UNIT_SUPPORT_UNWRAP_H

#include "llvm/Support/Error.h"

namespace fly {

/// Ends the test program with the error's text if there is one.
inline void unwrap(llvm::Error error) {
  if (error)
    llvm::report_fatal_error(std::move(error), /*gen_crash_diag=*/false);
}
template <typename T> T unwrap(llvm::Expected<T> value) {
  if (!value)
    unwrap(value.takeError());
  return std::move(*value);
}

} // namespace fly

#endif // FLY_TEST_UNIT_SUPPORT_UNWRAP_H
