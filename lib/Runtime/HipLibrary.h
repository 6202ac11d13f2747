//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// HIP's functions, found at run time, so that neither building nor running fly
/// needs ROCm. Only opaque pointers and integers cross this interface: the
/// layout of HIP's structs changes between its versions.

#ifndef FLY_RUNTIME_HIPLIBRARY_H
#define FLY_RUNTIME_HIPLIBRARY_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <memory>
#include <string>

namespace fly {

/// hipError_t, hipMemcpyKind and the launch parameter marks (HIP API
/// reference).
constexpr int hipSuccess = 0;
constexpr int hipErrorOutOfMemory = 2;
constexpr int hipMemcpyHostToDevice = 1;
constexpr int hipMemcpyDeviceToHost = 2;
inline void *const hipLaunchParamBufferPointer = reinterpret_cast<void *>(1);
inline void *const hipLaunchParamBufferSize = reinterpret_cast<void *>(2);
inline void *const hipLaunchParamEnd = reinterpret_cast<void *>(3);

class HipLibrary {
public:
  /// Fails when no candidate can be opened or one lacks a function; the error
  /// lists what was tried.
  static llvm::Expected<std::shared_ptr<HipLibrary>> open();
  ~HipLibrary();
  HipLibrary(const HipLibrary &) = delete;
  HipLibrary &operator=(const HipLibrary &) = delete;

  /// The name or path it was opened by.
  const std::string &name() const { return libraryName; }

  /// Success, or an error made of \p call, which says what was attempted, and
  /// HIP's name, number and text for \p code.
  llvm::Error check(int code, const llvm::Twine &call) const;

  /// Device properties into a buffer of propertyBytes, whose layout depends on
  /// HIP's version.
  static constexpr size_t propertyBytes = 16384;
  int (*hipGetDeviceProperties)(void *properties, int device) = nullptr;

  int (*hipInit)(unsigned flags) = nullptr;
  int (*hipGetDeviceCount)(int *count) = nullptr;
  int (*hipSetDevice)(int device) = nullptr;
  int (*hipDeviceGetName)(char *name, int length, int device) = nullptr;
  int (*hipMemGetInfo)(size_t *freeBytes, size_t *totalBytes) = nullptr;
  int (*hipMalloc)(void **address, size_t bytes) = nullptr;
  int (*hipFree)(void *address) = nullptr;
  int (*hipMemcpy)(void *to, const void *from, size_t bytes,
                   int kind) = nullptr;
  int (*hipModuleLoadData)(void **module, const void *image) = nullptr;
  int (*hipModuleUnload)(void *module) = nullptr;
  int (*hipModuleGetFunction)(void **function, void *module,
                              const char *name) = nullptr;
  int (*hipModuleLaunchKernel)(void *function, unsigned gridX, unsigned gridY,
                               unsigned gridZ, unsigned blockX, unsigned blockY,
                               unsigned blockZ, unsigned ldsBytes, void *stream,
                               void **parameters, void **extra) = nullptr;
  int (*hipDeviceSynchronize)() = nullptr;
  const char *(*hipGetErrorName)(int code) = nullptr;
  const char *(*hipGetErrorString)(int code) = nullptr;

private:
  HipLibrary() = default;
  llvm::Error resolve();

  std::string libraryName;
  void *handle = nullptr;
};

} // namespace fly

#endif // FLY_RUNTIME_HIPLIBRARY_H
