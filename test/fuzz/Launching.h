//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Runs a kernel with limits that keep one input short, for the fuzz targets.

#ifndef FLY_TEST_FUZZ_LAUNCHING_H
#define FLY_TEST_FUZZ_LAUNCHING_H

#include "fly/Emulator/Emulator.h"

namespace fly {
namespace fuzz {

struct Launch {
  std::string kernel;
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {64, 1, 1};
  uint32_t dynamicLds = 0;
  EmulatorOptions options; ///< limits and threads are set by run()
};

/// Loads and launches \p object in both modes: one thread, few instructions, a
/// buffer of 4 KiB as the first argument and its size as the second. Errors and
/// findings are what they are.
void run(llvm::ArrayRef<uint8_t> object, llvm::StringRef arch, Launch launch);

} // namespace fuzz
} // namespace fly

#endif // FLY_TEST_FUZZ_LAUNCHING_H
