//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MemoryMap.h"

#include <algorithm>

namespace fly {
namespace emu {

/// The last range that starts at \p address or below, or null.
static const MappedRange *lastUpTo(const std::vector<MappedRange> &ranges,
                                   uint64_t address) {
  auto it = std::upper_bound(
      ranges.begin(), ranges.end(), address,
      [](uint64_t a, const MappedRange &range) { return a < range.base; });
  return it == ranges.begin() ? nullptr : &*--it;
}

const MappedRange *MemoryMap::find(uint64_t address, uint64_t bytes) const {
  const MappedRange *range = lastUpTo(ranges, address);
  if (!range)
    return nullptr;
  uint64_t offset = address - range->base;
  return offset <= range->size && bytes <= range->size - offset ? range
                                                                : nullptr;
}

const MappedRange *MemoryMap::findDwords(uint64_t address,
                                         unsigned count) const {
  const MappedRange *range = lastUpTo(ranges, address | 3);
  uint64_t last = address + 4 * (count - 1);
  return range && last < range->base + range->size && last >= address ? range
                                                                      : nullptr;
}

} // namespace emu
} // namespace fly
