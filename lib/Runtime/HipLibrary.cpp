//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HipLibrary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace llvm;

namespace fly {

/// What to try, in this order. A name that the user gives is the only one.
static SmallVector<std::string> candidates() {
  if (const char *path = std::getenv("FLY_HIP_LIBRARY"))
    return {path};
  SmallVector<std::string> names = {"libamdhip64.so.7", "libamdhip64.so.6",
                                    "libamdhip64.so"};
  if (const char *rocm = std::getenv("ROCM_PATH"))
    names.push_back(std::string(rocm) + "/lib/libamdhip64.so");
  names.push_back("/opt/rocm/lib/libamdhip64.so");
  return names;
}

template <typename Function>
static bool find(void *handle, const char *symbol, Function &function) {
  function = reinterpret_cast<Function>(dlsym(handle, symbol));
  return function != nullptr;
}

Error HipLibrary::resolve() {
#define FLY_RESOLVE(function)                                                  \
  if (!find(handle, #function, function))                                      \
    return createStringError(libraryName + ": expected a HIP library, but it " \
                                           "has no " #function);
  FLY_RESOLVE(hipInit)
  FLY_RESOLVE(hipGetDeviceCount)
  FLY_RESOLVE(hipSetDevice)
  FLY_RESOLVE(hipDeviceGetName)
  FLY_RESOLVE(hipMemGetInfo)
  FLY_RESOLVE(hipMalloc)
  FLY_RESOLVE(hipFree)
  FLY_RESOLVE(hipMemcpy)
  FLY_RESOLVE(hipModuleLoadData)
  FLY_RESOLVE(hipModuleUnload)
  FLY_RESOLVE(hipModuleGetFunction)
  FLY_RESOLVE(hipModuleLaunchKernel)
  FLY_RESOLVE(hipDeviceSynchronize)
  FLY_RESOLVE(hipGetErrorName)
  FLY_RESOLVE(hipGetErrorString)
#undef FLY_RESOLVE
  // ROCm 6 gave the function with the new layout a new name.
  if (!find(handle, "hipGetDevicePropertiesR0600", hipGetDeviceProperties) &&
      !find(handle, "hipGetDeviceProperties", hipGetDeviceProperties))
    return createStringError(libraryName + ": expected a HIP library, but it "
                                           "has no hipGetDeviceProperties");
  return Error::success();
}

Expected<std::shared_ptr<HipLibrary>> HipLibrary::open() {
  SmallVector<std::string> names = candidates();
  std::shared_ptr<HipLibrary> library(new HipLibrary());
  for (const std::string &name : names) {
    library->handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library->handle)
      continue;
    library->libraryName = name;
    if (Error error = library->resolve())
      return error;
    return library;
  }
  return createStringError("no HIP library found: tried " + join(names, ", "));
}

HipLibrary::~HipLibrary() {
  if (handle)
    dlclose(handle);
}

Error HipLibrary::check(int code, const Twine &call) const {
  if (code == hipSuccess)
    return Error::success();
  return createStringError(call + ": " + hipGetErrorName(code) + " (" +
                           Twine(code) + "): " + hipGetErrorString(code));
}

} // namespace fly
