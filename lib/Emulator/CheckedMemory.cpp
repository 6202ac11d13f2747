//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CheckedMemory.h"

#include "Workgroup.h"

namespace fly {
namespace emu {

CheckedMemory::CheckedMemory(const LaunchContext &context, Workgroup &group)
    : MemorySystem(context.map), context(context), group(group),
      shadow(context, group) {
  for (const auto &wave : group.allWaves())
    checkers.push_back(
        std::make_unique<WaveChecker>(context, *wave, shadow, *this));
}

void CheckedMemory::start() {
  shadow.start();
  for (size_t i = 0; i != checkers.size(); ++i) {
    checkers[i]->start();
    group.allWaves()[i]->checked = checkers[i].get();
  }
}

void CheckedMemory::keepOrder(Wave &w, MemoryAccess &access) {
  uint64_t inRange = 0;
  for (uint64_t valid : access.valid)
    inRange |= valid;
  access.range = rangeOf(access.address, access.mask & inRange, access.bytes);
  for (const auto &checker : checkers)
    checker->performMet(access, /*isOwn=*/checker.get() == w.checked);
}

} // namespace emu
} // namespace fly
