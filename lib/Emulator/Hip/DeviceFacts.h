//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What the emulated device says of itself. Internal to the HIP library.

#ifndef FLY_LIB_EMULATOR_HIP_DEVICEFACTS_H
#define FLY_LIB_EMULATOR_HIP_DEVICEFACTS_H

#include "fly/Arch/TargetInfo.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace fly {
namespace hip {

/// sizeof(hipDeviceProp_tR0600), HIP 6.
constexpr size_t propertyBytes = 1472;

/// "fly emulator (gfx950)".
std::string deviceName(const TargetInfo &target);

/// The version of the ISA, 9 and 5 for gfx950.
struct ComputeCapability {
  int major, minor;
};
ComputeCapability computeCapability(const TargetInfo &target);

/// A hipDeviceAttribute_t's value, or none if there is no such attribute. What
/// the emulator has none of is 0: clocks, caches, textures.
std::optional<int> deviceAttribute(const TargetInfo &target,
                                   uint64_t memoryBytes, int attribute);

/// The bytes of a hipDeviceProp_tR0600.
std::array<uint8_t, propertyBytes> deviceProperties(const TargetInfo &target,
                                                    uint64_t memoryBytes);

} // namespace hip
} // namespace fly

#endif // FLY_LIB_EMULATOR_HIP_DEVICEFACTS_H
