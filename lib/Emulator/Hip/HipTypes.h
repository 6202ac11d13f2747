//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What of HIP's interface crosses the border of the library: numbers, handles
/// as plain pointers, and few structs (HIP API reference, ROCm 6). Internal to
/// the HIP library.

#ifndef FLY_LIB_EMULATOR_HIP_HIPTYPES_H
#define FLY_LIB_EMULATOR_HIP_HIPTYPES_H

#include <cstddef>
#include <cstdint>

#define FLY_HIP_EXPORT extern "C" __attribute__((visibility("default")))

namespace fly {
namespace hip {

enum hipError_t : int {
#define FLY_HIP_ERROR(name, code, text) name = code,
#include "ErrorCodes.def"
};

enum hipMemcpyKind : int {
  hipMemcpyHostToHost = 0,
  hipMemcpyHostToDevice = 1,
  hipMemcpyDeviceToHost = 2,
  hipMemcpyDeviceToDevice = 3,
  hipMemcpyDefault = 4,
  hipMemcpyDeviceToDeviceNoCU = 1024
};

enum hipMemoryType : int {
  hipMemoryTypeUnregistered = 0,
  hipMemoryTypeHost = 1,
  hipMemoryTypeDevice = 2,
  hipMemoryTypeManaged = 3
};

constexpr unsigned hipStreamNonBlocking = 1;
constexpr unsigned hipEventBlockingSync = 1, hipEventDisableTiming = 2,
                   hipEventInterprocess = 4;

/// Streams that are not handles: the default stream, and one a thread.
inline void *const hipStreamLegacy = reinterpret_cast<void *>(1);
inline void *const hipStreamPerThread = reinterpret_cast<void *>(2);

/// Marks of the packed buffer of a launch.
inline void *const launchBufferPointer = reinterpret_cast<void *>(1);
inline void *const launchBufferSize = reinterpret_cast<void *>(2);
inline void *const launchEnd = reinterpret_cast<void *>(3);

/// hipFunction_attribute and hipFuncAttribute share their numbers.
enum FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  SharedSizeBytes = 1,
  ConstSizeBytes = 2,
  LocalSizeBytes = 3,
  NumRegs = 4,
  PtxVersion = 5,
  BinaryVersion = 6,
  CacheModeCA = 7,
  MaxDynamicSharedSizeBytes = 8,
  PreferredSharedMemoryCarveout = 9
};

struct dim3 {
  uint32_t x, y, z;
};

/// hipLaunchAttribute and its ids.
enum LaunchAttributeId : int {
  LaunchAttributeCooperative = 2,
  LaunchAttributeClusterDimension = 4
};
struct LaunchAttribute {
  int id;
  alignas(8) int value[16];
};
static_assert(sizeof(LaunchAttribute) == 72, "HIP's layout");

/// HIP_LAUNCH_CONFIG and hipLaunchConfig_t, which have one layout.
struct LaunchConfig {
  dim3 grid, block;
  unsigned ldsBytes;
  void *stream;
  const LaunchAttribute *attributes;
  unsigned numAttributes;
};
static_assert(sizeof(LaunchConfig) == 56, "HIP's layout");

/// hipPointer_attribute.
enum PointerAttribute : int {
  PointerMemoryType = 2,
  PointerDevicePointer = 3,
  PointerHostPointer = 4,
  PointerIsManaged = 8,
  PointerDeviceOrdinal = 9,
  PointerRangeStart = 11,
  PointerRangeSize = 12,
  PointerMapped = 13
};

struct hipPointerAttribute_t {
  hipMemoryType type;
  int device;
  void *devicePointer;
  void *hostPointer;
  int isManaged;
  unsigned allocationFlags;
};
static_assert(sizeof(hipPointerAttribute_t) == 32, "HIP's layout");

struct hipFuncAttributes {
  int binaryVersion;
  int cacheModeCA;
  size_t constSizeBytes;
  size_t localSizeBytes;
  int maxDynamicSharedSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;
  int preferredShmemCarveout;
  int ptxVersion;
  size_t sharedSizeBytes;
};
static_assert(sizeof(hipFuncAttributes) == 56, "HIP's layout");

} // namespace hip
} // namespace fly

#endif // FLY_LIB_EMULATOR_HIP_HIPTYPES_H
