//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelArguments.h"

#include "fly/Emulator/Lanes.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {
namespace emu {

/// In no allocation, and 4 GiB apart: those are above 2^44 or the host's.
static constexpr uint64_t firstService = uint64_t(1) << 40;
static constexpr uint64_t serviceBytes = uint64_t(1) << 32;
static constexpr const char *services[] = {
    "hidden_hostcall_buffer", "hidden_printf_buffer", "hidden_heap_v1",
    "hidden_default_queue"};

StringRef hostServiceAt(uint64_t address) {
  uint64_t index = (address - firstService) / serviceBytes;
  return address >= firstService && index < std::size(services)
             ? services[index]
             : "";
}

static uint64_t hiddenValue(StringRef kind, const LaunchParams &params) {
  unsigned axis = kind.ends_with("_y") ? 1 : kind.ends_with("_z") ? 2 : 0;
  unsigned dims = params.grid[2] * params.block[2] > 1   ? 3
                  : params.grid[1] * params.block[1] > 1 ? 2
                                                         : 1;
  for (size_t i = 0; i != std::size(services); ++i)
    if (kind == services[i])
      return firstService + i * serviceBytes;
  return StringSwitch<uint64_t>(kind)
      .StartsWith("hidden_block_count_", params.grid[axis])
      .StartsWith("hidden_group_size_", params.block[axis])
      .Case("hidden_grid_dims", dims)
      .Case("hidden_dynamic_lds_size", params.dynamicLdsBytes)
      .Case("hidden_shared_base", sharedApertureHigh)
      .Case("hidden_private_base", privateApertureHigh)
      .Default(0);
}

Expected<std::vector<uint8_t>> makeKernargs(const Kernel &kernel,
                                            const LaunchParams &params) {
  size_t given = params.kernargs.size();
  uint32_t segment = kernel.kernargBytes(), explicitEnd = 0;
  for (const auto &argument : kernel.arguments)
    if (!argument.isHidden())
      explicitEnd = std::max(explicitEnd, argument.offset + argument.size);
  constexpr uint32_t maxSegment = 1 << 20;
  if (segment > maxSegment)
    return createStringError(
        formatv("kernel '{0}' has a kernarg segment of {1} bytes, expected at "
                "most {2}",
                kernel.name, segment, maxSegment));
  if (given < explicitEnd)
    return createStringError(
        formatv("kernel '{0}' takes {1} bytes of arguments, {2} were given",
                kernel.name, explicitEnd, given));
  // Hand-written kernels may not state the size.
  if (segment != 0 && given > segment)
    return createStringError(
        formatv("kernel '{0}' has a kernarg segment of {1} bytes, {2} bytes of "
                "arguments were given",
                kernel.name, segment, given));
  std::vector<uint8_t> bytes(std::max<size_t>(segment, given), 0);
  if (given)
    std::memcpy(bytes.data(), params.kernargs.data(), given);
  for (const auto &argument : kernel.arguments) {
    uint64_t end = uint64_t(argument.offset) + argument.size;
    if (!argument.isHidden() || argument.offset < given || end > bytes.size())
      continue;
    uint64_t value = hiddenValue(argument.valueKind, params);
    std::memcpy(bytes.data() + argument.offset, &value,
                std::min<size_t>(argument.size, 8));
  }
  return bytes;
}

std::array<uint8_t, 64> makeDispatchPacket(const Kernel &kernel,
                                           const LaunchParams &params,
                                           uint64_t kernargAddress,
                                           uint32_t scratchBytes) {
  std::array<uint8_t, 64> packet{};
  auto put = [&](size_t offset, auto value) {
    std::memcpy(packet.data() + offset, &value, sizeof(value));
  };
  put(0, uint16_t(2)); // HSA_PACKET_TYPE_KERNEL_DISPATCH
  put(2, uint16_t(3)); // dimensions
  for (unsigned i = 0; i != 3; ++i) {
    put(4 + 2 * i, uint16_t(params.block[i]));
    put(12 + 4 * i, uint32_t(params.grid[i] * params.block[i]));
  }
  put(24, scratchBytes);
  put(28, kernel.descriptor.groupSegmentBytes + params.dynamicLdsBytes);
  put(40, kernargAddress);
  return packet;
}

} // namespace emu
} // namespace fly
