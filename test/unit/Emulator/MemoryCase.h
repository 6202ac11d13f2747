//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What the tests of memory instructions share.

#ifndef FLY_TEST_UNIT_EMULATOR_MEMORYCASE_H
#define FLY_TEST_UNIT_EMULATOR_MEMORYCASE_H

#include "Machine.h"

#include "gtest/gtest.h"

namespace fly {
namespace test {

/// A buffer whose dword i holds 0x1000 + i.
inline Machine numbered(size_t dwords = 512) {
  Machine machine;
  machine.kernel.ldsBytes = 8192;
  machine.buffer.resize(dwords);
  for (size_t i = 0; i != dwords; ++i)
    machine.buffer[i] = uint32_t(0x1000 + i);
  return machine;
}

/// Both modes, no reports.
inline void runBoth(Machine &machine, llvm::StringRef body) {
  std::vector<uint32_t> start = machine.buffer, first;
  for (bool check : {true, false}) {
    machine.buffer = start;
    machine.options.check = check;
    machine.runWithBuffer(body);
    ASSERT_EQ(machine.errors(), "") << body.str();
    if (check)
      first = machine.buffer;
  }
  EXPECT_EQ(first, machine.buffer) << "the modes differ";
}

/// Stores v1 at byte 1024 + 4 * lane.
inline const std::string storeV1 =
    "\ns_waitcnt vmcnt(0) lgkmcnt(0)\n"
    "buffer_store_dword v1, v30, s[12:15], 0 offen offset:1024\n";

} // namespace test
} // namespace fly

#endif // FLY_TEST_UNIT_EMULATOR_MEMORYCASE_H
