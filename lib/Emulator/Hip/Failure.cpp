//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Failure.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <mutex>

using namespace llvm;

namespace fly {
namespace hip {

char Failure::ID = 0;

static thread_local hipError_t lastError = hipSuccess;

void Failure::log(raw_ostream &os) const {
  os << errorName(errorCode);
  if (!details.empty())
    os << ": " << details;
}

Error fail(hipError_t code, const Twine &text) {
  return make_error<Failure>(code, text.str());
}

Error failAs(hipError_t code, Error error) {
  return fail(code, toString(std::move(error)));
}

const char *errorName(hipError_t code) {
  switch (code) {
#define FLY_HIP_ERROR(name, code, text)                                        \
  case name:                                                                   \
    return #name;
#include "ErrorCodes.def"
  }
  return "hipErrorUnknown";
}

const char *errorText(hipError_t code) {
  switch (code) {
#define FLY_HIP_ERROR(name, code, text)                                        \
  case name:                                                                   \
    return text;
#include "ErrorCodes.def"
  }
  return errorText(hipErrorUnknown);
}

void report(const Twine &line) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (const char *path = std::getenv("FLY_HIP_REPORT")) {
    std::error_code code;
    raw_fd_ostream os(path, code, sys::fs::OF_Append | sys::fs::OF_Text);
    if (!code) {
      os << line << "\n";
      return;
    }
    errs() << "fly-hip: cannot write '" << path << "': " << code.message()
           << "\n";
  }
  errs() << line << "\n";
}

hipError_t finish(const char *function, Error error) {
  hipError_t code = hipSuccess;
  handleAllErrors(
      std::move(error),
      [&](const Failure &failure) {
        code = failure.code();
        if (!failure.text().empty())
          report(Twine("fly-hip: ") + function + ": " + errorName(code) + ": " +
                 failure.text());
      },
      [&](const ErrorInfoBase &other) {
        code = hipErrorUnknown;
        report(Twine("fly-hip: ") + function + ": " + other.message());
      });
  if (code != hipSuccess && code != hipErrorNotReady)
    lastError = code;
  return code;
}

} // namespace hip
} // namespace fly

using namespace fly::hip;

FLY_HIP_EXPORT hipError_t hipGetLastError() {
  return std::exchange(lastError, hipSuccess);
}

FLY_HIP_EXPORT hipError_t hipExtGetLastError() { return hipGetLastError(); }

FLY_HIP_EXPORT hipError_t hipPeekAtLastError() { return lastError; }

FLY_HIP_EXPORT const char *hipGetErrorName(hipError_t code) {
  return errorName(code);
}

FLY_HIP_EXPORT const char *hipGetErrorString(hipError_t code) {
  return errorText(code);
}

FLY_HIP_EXPORT hipError_t hipDrvGetErrorName(hipError_t code,
                                             const char **name) {
  if (!name)
    return finish("hipDrvGetErrorName", fail(hipErrorInvalidValue));
  *name = errorName(code);
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipDrvGetErrorString(hipError_t code,
                                               const char **text) {
  if (!text)
    return finish("hipDrvGetErrorString", fail(hipErrorInvalidValue));
  *text = errorText(code);
  return hipSuccess;
}
