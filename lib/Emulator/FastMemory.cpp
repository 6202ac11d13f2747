//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FastMemory.h"

#include "KernelArguments.h"
#include "Workgroup.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {
namespace emu {

/// Where [address, +bytes) lies relative to the nearest allocation before it.
static std::string nearestAllocation(const MemoryMap &map, uint64_t address) {
  StringRef service = hostServiceAt(address);
  if (!service.empty())
    return formatv("it belongs to {0}, and services of the host (printf, "
                   "assertions, malloc, queues) are not emulated",
                   service);
  const MappedRange *best = nullptr;
  for (const MappedRange &range : map.ranges)
    if (range.base <= address)
      best = &range;
  if (!best)
    return "it is below every allocation";
  return formatv(
      "the allocation before it is [{0:x}, {1:x}), the access is {2} "
      "bytes past its start",
      best->base, best->base + best->size, address - best->base);
}

static std::string who(const Wave &w, unsigned lane) {
  return formatv("workgroup ({0},{1},{2}) wave {3} lane {4}", w.group->id[0],
                 w.group->id[1], w.group->id[2], w.waveInGroup, lane);
}

static StringRef verbOf(const MemoryAccess &access, Space space) {
  switch (access.kind) {
  case AccessKind::Load:
    return "read";
  case AccessKind::Store:
    return "write";
  case AccessKind::Atomic:
    return "atomic";
  case AccessKind::LoadToLds:
    return space == Space::Lds ? "write" : "read";
  }
  return "";
}

void reportBadAddress(const LaunchContext &context, const Wave &w,
                      const MemoryAccess &access, Space space, unsigned lane,
                      uint64_t address, unsigned bytes) {
  StringRef kind = space == Space::Lds           ? "lds-out-of-bounds"
                   : space == Space::Scratch     ? "scratch-out-of-bounds"
                   : space == Space::BufferRange ? "buffer-atomic-out-of-range"
                                                 : "global-out-of-bounds";
  uint32_t index = access.inst->index;
  context.reports.add(Report::Severity::Error, kind, index, index, [&] {
    std::string extent;
    if (space == Space::Lds)
      extent = formatv("the workgroup has {0} bytes of LDS", w.ldsBytes);
    else if (space == Space::Scratch)
      extent = formatv("a lane has {0} bytes of scratch", w.scratchBytes);
    else if (space == Space::BufferRange)
      extent = "it is outside the range of the buffer descriptor";
    else
      extent = nearestAllocation(context.map, address);
    return formatv("{0}: {1} of {2} bytes at {3:x}, {4}: {5}",
                   context.program.describe(index), verbOf(access, space),
                   bytes, address, who(w, lane), extent)
        .str();
  });
}

void reportBadScalarAddress(const LaunchContext &context, const Wave &w,
                            const ScalarAccess &access) {
  uint32_t index = access.inst->index;
  context.reports.add(
      Report::Severity::Error, "global-out-of-bounds", index, index, [&] {
        return formatv("{0}: scalar {1} of {2} bytes at {3:x}, workgroup "
                       "({4},{5},{6}) wave {7}: {8}",
                       context.program.describe(index),
                       access.isLoad ? "read" : "write", 4 * access.validDwords,
                       access.address, w.group->id[0], w.group->id[1],
                       w.group->id[2], w.waveInGroup,
                       nearestAllocation(context.map, access.address))
            .str();
      });
}

} // namespace emu
} // namespace fly
