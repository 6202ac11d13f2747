//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Errors that carry a hipError_t, and where they end: the number goes to the
/// caller and into the thread's last error, the text into the report. Internal
/// to the HIP library.

#ifndef FLY_LIB_EMULATOR_HIP_FAILURE_H
#define FLY_LIB_EMULATOR_HIP_FAILURE_H

#include "HipTypes.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>

namespace fly {
namespace hip {

class Failure : public llvm::ErrorInfo<Failure> {
public:
  static char ID;
  Failure(hipError_t code, std::string details)
      : errorCode(code), details(std::move(details)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  hipError_t code() const { return errorCode; }
  const std::string &text() const { return details; }

private:
  hipError_t errorCode;
  std::string details;
};

/// An error of \p code; without a text nothing is written to the report.
llvm::Error fail(hipError_t code, const llvm::Twine &text = "");
/// The text of \p error, which must be one, under \p code.
llvm::Error failAs(hipError_t code, llvm::Error error);

/// The end of an API function: reports \p error, if it is one, and makes it
/// the thread's last error (hipErrorNotReady excepted, which is none).
hipError_t finish(const char *function, llvm::Error error);

const char *errorName(hipError_t code); ///< "hipErrorUnknown" for others
const char *errorText(hipError_t code);

/// Adds a line to the file that FLY_HIP_REPORT names, else to stderr.
void report(const llvm::Twine &line);

} // namespace hip
} // namespace fly

#endif // FLY_LIB_EMULATOR_HIP_FAILURE_H
