//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Runs assembly on the emulator, for tests.

#ifndef FLY_TEST_UNIT_EMULATOR_MACHINE_H
#define FLY_TEST_UNIT_EMULATOR_MACHINE_H

#include "LinkedObject.h"

#include "fly/Emulator/Emulator.h"

#include <string>
#include <vector>

namespace fly {
namespace test {

struct Machine {
  std::string arch = "gfx950";
  EmulatorOptions options;
  KernelOptions kernel;
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {64, 1, 1};
  uint32_t dynamicLds = 0;
  /// Dwords of the one buffer, whose address is the first argument; the second
  /// is its size in bytes, then come extraArgs.
  std::vector<uint32_t> buffer = std::vector<uint32_t>(256);
  std::vector<uint32_t> extraArgs;
  /// Bytes of the buffer's last dword that its allocation lacks.
  uint32_t missingBytes = 0;

  LaunchResult result;
  std::string error; ///< of a launch that could not run

  /// Runs \p body once; the buffer is updated. The kernarg pointer is in
  /// s[0:1], the workgroup ids in s2, s3, s4.
  void run(llvm::StringRef body);
  /// The same with a prologue that leaves the buffer's address in s[8:9], a
  /// descriptor of it in s[12:15], the lane in v31, lane * 4 in v30 and
  /// lane * 16 in v29.
  void runWithBuffer(llvm::StringRef body);

  /// Whether a report of \p kind whose message has \p text was made.
  bool reported(llvm::StringRef kind, llvm::StringRef text = "") const;
  /// Every report, for messages of failed expectations.
  std::string reports() const;
  /// The same without lints.
  std::string errors() const;
};

} // namespace test
} // namespace fly

#endif // FLY_TEST_UNIT_EMULATOR_MACHINE_H
