//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What all workgroups of one launch share. Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_LAUNCHCONTEXT_H
#define FLY_LIB_EMULATOR_LAUNCHCONTEXT_H

#include "LaunchControl.h"
#include "MemoryMap.h"
#include "Program.h"
#include "ReportSink.h"

#include <mutex>

namespace fly {
namespace emu {

class CheckTables;

struct LaunchContext {
  const EmulatorOptions &options;
  const TargetInfo &target;
  const Program &program;
  const Kernel &kernel;
  const LaunchParams &params;
  const MemoryMap &map;
  ReportSink &reports;
  LaunchControl &control;
  /// Per-instruction facts of checking mode, else null.
  const CheckTables *tables = nullptr;

  uint64_t kernargAddress = 0;  ///< device address of the kernarg segment
  uint64_t dispatchAddress = 0; ///< of the dispatch packet
  llvm::ArrayRef<uint8_t> kernargBytes;
  uint32_t entryIndex = 0;   ///< first instruction to run
  uint32_t ldsBytes = 0;     ///< static and dynamic
  uint32_t scratchBytes = 0; ///< a lane
  unsigned wavesPerGroup = 1;
  /// Of the lines of a trace, which waves of several threads write.
  mutable std::mutex traceMutex;

  LaunchContext(const EmulatorOptions &options, const Program &program,
                const Kernel &kernel, const LaunchParams &params,
                const MemoryMap &map, ReportSink &reports,
                LaunchControl &control)
      : options(options), target(program.object().target()), program(program),
        kernel(kernel), params(params), map(map), reports(reports),
        control(control) {}

  unsigned groupThreads() const {
    return params.block[0] * params.block[1] * params.block[2];
  }
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_LAUNCHCONTEXT_H
