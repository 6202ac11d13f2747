//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MemoryMap.h"

#include <algorithm>

namespace fly {
namespace emu {

const MappedRange *MemoryMap::find(uint64_t address, uint64_t bytes) const {
  auto it = std::upper_bound(
      ranges.begin(), ranges.end(), address,
      [](uint64_t a, const MappedRange &range) { return a < range.base; });
  if (it == ranges.begin())
    return nullptr;
  --it;
  uint64_t offset = address - it->base;
  return offset <= it->size && bytes <= it->size - offset ? &*it : nullptr;
}

} // namespace emu
} // namespace fly
