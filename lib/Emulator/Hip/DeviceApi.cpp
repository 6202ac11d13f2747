//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Start, devices and versions, and functions by their names.

#include "DeviceFacts.h"
#include "Runtime.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>
#include <dlfcn.h>

using namespace fly;
using namespace fly::hip;
using namespace llvm;

/// HIP 6.3.0, in HIP's way of writing versions.
static constexpr int hipVersion = 60300000;

FLY_HIP_EXPORT hipError_t hipInit(unsigned flags) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return finish("hipInit", runtime.takeError());
  if (flags)
    return finish("hipInit", fail(hipErrorInvalidValue, "flags must be 0"));
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipDriverGetVersion(int *version) {
  if (!version)
    return finish("hipDriverGetVersion", fail(hipErrorInvalidValue));
  *version = hipVersion;
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipRuntimeGetVersion(int *version) {
  if (!version)
    return finish("hipRuntimeGetVersion", fail(hipErrorInvalidValue));
  *version = hipVersion;
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipGetDeviceCount(int *count) {
  if (!count)
    return finish("hipGetDeviceCount", fail(hipErrorInvalidValue));
  *count = 0;
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return finish("hipGetDeviceCount", runtime.takeError());
  *count = 1;
  return hipSuccess;
}

/// The runtime, if \p device is one.
static Expected<Runtime &> findDevice(int device) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  if (Error error = checkDevice(device))
    return std::move(error);
  return *runtime;
}

FLY_HIP_EXPORT hipError_t hipDeviceGet(int *device, int ordinal) {
  Expected<Runtime &> runtime = findDevice(ordinal);
  if (!runtime)
    return finish("hipDeviceGet", runtime.takeError());
  if (!device)
    return finish("hipDeviceGet", fail(hipErrorInvalidValue));
  *device = ordinal;
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipSetDevice(int device) {
  Expected<Runtime &> runtime = findDevice(device);
  return finish("hipSetDevice",
                runtime ? Error::success() : runtime.takeError());
}

FLY_HIP_EXPORT hipError_t hipGetDevice(int *device) {
  Expected<Runtime &> runtime = findDevice(0);
  if (!runtime)
    return finish("hipGetDevice", runtime.takeError());
  if (!device)
    return finish("hipGetDevice", fail(hipErrorInvalidValue));
  *device = 0;
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipDeviceGetName(char *name, int length, int device) {
  Expected<Runtime &> runtime = findDevice(device);
  if (!runtime)
    return finish("hipDeviceGetName", runtime.takeError());
  if (!name || length <= 0)
    return finish("hipDeviceGetName", fail(hipErrorInvalidValue));
  std::string text =
      deviceName(runtime->target()).substr(0, size_t(length - 1));
  std::memcpy(name, text.c_str(), text.size() + 1);
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipDeviceTotalMem(size_t *bytes, int device) {
  Expected<Runtime &> runtime = findDevice(device);
  if (!runtime)
    return finish("hipDeviceTotalMem", runtime.takeError());
  if (!bytes)
    return finish("hipDeviceTotalMem", fail(hipErrorInvalidValue));
  *bytes = runtime->memory.totalBytes();
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipDeviceComputeCapability(int *major, int *minor,
                                                     int device) {
  Expected<Runtime &> runtime = findDevice(device);
  if (!runtime)
    return finish("hipDeviceComputeCapability", runtime.takeError());
  if (!major || !minor)
    return finish("hipDeviceComputeCapability", fail(hipErrorInvalidValue));
  ComputeCapability version = computeCapability(runtime->target());
  *major = version.major;
  *minor = version.minor;
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipDeviceGetAttribute(int *value, int attribute,
                                                int device) {
  Expected<Runtime &> runtime = findDevice(device);
  if (!runtime)
    return finish("hipDeviceGetAttribute", runtime.takeError());
  std::optional<int> found = deviceAttribute(
      runtime->target(), runtime->memory.totalBytes(), attribute);
  if (!value || !found)
    return finish("hipDeviceGetAttribute",
                  fail(hipErrorInvalidValue,
                       formatv("attribute {0} is none of HIP 6's, or there is "
                               "no place for its value",
                               attribute)));
  *value = *found;
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipGetDevicePropertiesR0600(void *properties,
                                                      int device) {
  Expected<Runtime &> runtime = findDevice(device);
  if (!runtime)
    return finish("hipGetDeviceProperties", runtime.takeError());
  if (!properties)
    return finish("hipGetDeviceProperties", fail(hipErrorInvalidValue));
  auto bytes =
      deviceProperties(runtime->target(), runtime->memory.totalBytes());
  std::memcpy(properties, bytes.data(), bytes.size());
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipDeviceCanAccessPeer(int *can, int device,
                                                 int peer) {
  Expected<Runtime &> runtime = findDevice(device);
  if (!runtime)
    return finish("hipDeviceCanAccessPeer", runtime.takeError());
  if (Error error = checkDevice(peer))
    return finish("hipDeviceCanAccessPeer", std::move(error));
  if (!can)
    return finish("hipDeviceCanAccessPeer", fail(hipErrorInvalidValue));
  *can = 0;
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipDeviceSynchronize() {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return finish("hipDeviceSynchronize", runtime.takeError());
  hipError_t code = runtime->streams.synchronizeAll();
  return finish("hipDeviceSynchronize",
                code == hipSuccess ? Error::success() : fail(code));
}

/// Functions of this library by name. Those whose structs HIP 6 changed have
/// its layout under a name of their own, which is what a program of that
/// version (60000000 and more) means by the plain one.
FLY_HIP_EXPORT hipError_t hipGetProcAddress(const char *name, void **result,
                                            int version, uint64_t,
                                            int *status) {
  constexpr int symbolFound = 0, symbolNotFound = 1;
  if (!name || !result)
    return finish("hipGetProcAddress", fail(hipErrorInvalidValue));
  *result = nullptr;
  Dl_info own;
  void *library = nullptr;
  if (dladdr(reinterpret_cast<void *>(&hipGetProcAddress), &own))
    library = dlopen(own.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
  if (library) {
    std::string symbol = name;
    if (symbol == "hipGetDeviceProperties" && version >= 60000000)
      symbol += "R0600";
    if (StringRef(symbol).starts_with("hip"))
      *result = dlsym(library, symbol.c_str());
    dlclose(library);
  }
  if (status)
    *status = *result ? symbolFound : symbolNotFound;
  return finish(
      "hipGetProcAddress",
      *result ? Error::success()
              : fail(hipErrorNotFound, Twine("no function '") + name + "'"));
}
