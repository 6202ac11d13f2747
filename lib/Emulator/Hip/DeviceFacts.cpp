//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceFacts.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <climits>
#include <cstring>

using namespace llvm;

namespace fly {
namespace hip {
namespace {

/// One fact, by its number in hipDeviceAttribute_t and its place in
/// hipDeviceProp_tR0600 (HIP 6.3, hip_runtime_api.h); none of either is -1.
struct Fact {
  int attribute;
  int offset;
  unsigned bytes; ///< in the properties
  uint64_t value;
};

constexpr int lastCudaAttribute = 91;    ///< MemoryPoolSupportedHandleTypes
constexpr int firstAmdAttribute = 10000; ///< ClockInstructionRate
constexpr int lastAmdAttribute = 10017;  ///< WallClockRate
constexpr size_t archNameOffset = 1160;  ///< gcnArchName
constexpr size_t archNameBytes = 256, nameBytes = 256;

} // namespace

std::string deviceName(const TargetInfo &target) {
  return "fly emulator (" + target.name.str() + ")";
}

ComputeCapability computeCapability(const TargetInfo &target) {
  // gfx, the major version in decimal, minor and stepping a hexadecimal digit
  // each (LLVM AMDGPUUsage, "Processors").
  StringRef digits = target.name.drop_front(3);
  unsigned major = 0;
  digits.drop_back(2).getAsInteger(10, major);
  return {int(major), int(hexDigitValue(digits[digits.size() - 2]))};
}

static SmallVector<Fact, 64> facts(const TargetInfo &target,
                                   uint64_t memoryBytes) {
  uint64_t block = target.maxWorkgroupSize, lds = target.ldsBytes;
  uint64_t threads =
      uint64_t(target.maxWavesPerSimd) * target.simdsPerCu * target.waveSize;
  uint64_t registers =
      uint64_t(target.registersPerSimd) * target.simdsPerCu * target.waveSize;
  ComputeCapability version = computeCapability(target);
  constexpr uint64_t maxGridX = INT_MAX, maxGridYZ = 65536;
  return {
      {3, 400, 4, 1},  // CanMapHostMemory
      {4, 684, 4, 1},  // CanUseHostPointerForRegisteredMem
      {8, 576, 4, 1},  // ConcurrentKernels
      {9, 676, 4, 1},  // ConcurrentManagedAccess
      {10, 688, 4, 1}, // CooperativeLaunch
      {23, 360, 4, uint64_t(version.major)},
      {24, 652, 4, 1},                         // ManagedMemory
      {25, 712, 4, threads / target.waveSize}, // MaxBlocksPerMultiProcessor
      {26, 324, 4, block},                     // MaxBlockDimX
      {27, 328, 4, block},
      {28, 332, 4, block},
      {29, 336, 4, maxGridX}, // MaxGridDimX
      {30, 340, 4, maxGridYZ},
      {31, 344, 4, maxGridYZ},
      {55, -1, 0, block},    // MaxThreadsDim
      {56, 320, 4, block},   // MaxThreadsPerBlock
      {57, 624, 4, threads}, // MaxThreadsPerMultiProcessor
      {58, 312, 8, INT_MAX}, // MaxPitch
      {61, 364, 4, uint64_t(version.minor)},
      {63, 388, 4, target.computeUnits}, // MultiprocessorCount
      {71, 304, 4, registers},           // MaxRegistersPerBlock
      {72, 648, 4, registers},           // MaxRegistersPerMultiprocessor
      {74, 296, 8, lds},                 // MaxSharedMemoryPerBlock
      {75, 696, 8, lds},                 // SharedMemPerBlockOptin
      {76, 640, 8, lds},                 // SharedMemPerMultiprocessor
      {83, 352, 8, std::min<uint64_t>(memoryBytes, INT_MAX)}, // constant memory
      {84, 288, 8, memoryBytes},                              // TotalGlobalMem
      {85, 604, 4, 1},                     // UnifiedAddressing
      {87, 308, 4, target.waveSize},       // WarpSize
      {90, 728, 4, 1},                     // HostRegisterSupported
      {10002, 1416, 8, lds},               // MaxSharedMemoryPerMultiprocessor
      {10011, 1464, 4, 0},                 // IsLargeBar
      {10015, -1, 0, target.computeUnits}, // PhysicalMultiProcessorCount
      {10016, -1, 0, 1},                   // FineGrainSupport
  };
}

std::optional<int> deviceAttribute(const TargetInfo &target,
                                   uint64_t memoryBytes, int attribute) {
  for (const Fact &fact : facts(target, memoryBytes))
    if (fact.attribute == attribute)
      return int(std::min<uint64_t>(fact.value, INT_MAX));
  bool isCuda = attribute >= 0 && attribute <= lastCudaAttribute;
  bool isAmd = attribute >= firstAmdAttribute && attribute <= lastAmdAttribute;
  return isCuda || isAmd ? std::optional<int>(0) : std::nullopt;
}

std::array<uint8_t, propertyBytes> deviceProperties(const TargetInfo &target,
                                                    uint64_t memoryBytes) {
  std::array<uint8_t, propertyBytes> bytes{};
  for (const Fact &fact : facts(target, memoryBytes))
    if (fact.offset >= 0)
      std::memcpy(bytes.data() + fact.offset, &fact.value, fact.bytes);
  std::string name = deviceName(target).substr(0, nameBytes - 1);
  std::memcpy(bytes.data(), name.data(), name.size());
  // The features that every chip of these has on, or off, under ROCm.
  std::string arch = target.name.str() + ":sramecc+:xnack-";
  std::memcpy(bytes.data() + archNameOffset, arch.data(),
              std::min(arch.size(), archNameBytes - 1));
  return bytes;
}

} // namespace hip
} // namespace fly
