//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The kernarg segment and the dispatch packet of a launch. Internal to
/// Emulator.

#ifndef FLY_LIB_EMULATOR_KERNELARGUMENTS_H
#define FLY_LIB_EMULATOR_KERNELARGUMENTS_H

#include "fly/CodeObject/CodeObject.h"
#include "fly/Emulator/Emulator.h"

#include <array>
#include <vector>

namespace fly {
namespace emu {

/// The bytes of the kernarg segment: the caller's, then the hidden arguments
/// that the metadata note asks for and the caller did not give (grid and block
/// sizes, apertures; the rest is zero). Fails when arguments are missing or do
/// not fit the segment.
llvm::Expected<std::vector<uint8_t>> makeKernargs(const Kernel &kernel,
                                                  const LaunchParams &params);

/// An hsa_kernel_dispatch_packet_t (HSA runtime specification 2.10) for code
/// that reads its launch sizes there. \p scratchBytes: what a lane has.
std::array<uint8_t, 64> makeDispatchPacket(const Kernel &kernel,
                                           const LaunchParams &params,
                                           uint64_t kernargAddress,
                                           uint32_t scratchBytes);

/// The hidden argument by which a kernel has got \p address, if that belongs to
/// a service of the host (printf, assertions, malloc, queues) that is not there;
/// else empty.
llvm::StringRef hostServiceAt(uint64_t address);

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_KERNELARGUMENTS_H
