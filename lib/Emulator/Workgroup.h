//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// One resident workgroup: its waves, LDS and scratch, and how the waves take
/// turns. A workgroup runs on one thread at a time. Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_WORKGROUP_H
#define FLY_LIB_EMULATOR_WORKGROUP_H

#include "LaunchContext.h"
#include "MemoryAccess.h"

#include "fly/Emulator/Mfma.h"

#include <array>
#include <memory>
#include <vector>

namespace fly {
namespace emu {

class WaveChecker;

enum class RunResult {
  Done,
  OutOfTime, ///< still running
  Stuck      ///< failed, deadlocked or endless; reported
};

struct Workgroup {
  explicit Workgroup(const LaunchContext &context);
  ~Workgroup();

  /// Takes the place of workgroup \p linear of the grid (x fastest).
  void start(uint64_t linear);
  /// Runs until all waves have ended, or for about \p budget instructions.
  RunResult run(uint64_t budget);
  /// Instructions executed so far.
  uint64_t executed() const;

  const LaunchContext &context;
  uint64_t linearId = 0;
  std::array<uint32_t, 3> id = {0, 0, 0};
  /// Barriers all waves have passed.
  uint32_t barriers = 0;

  llvm::ArrayRef<std::unique_ptr<Wave>> allWaves() const { return waves; }

private:
  void initializeWave(Wave &w, unsigned number);
  void setScalars(Wave &w);
  void setWorkitemIds(Wave &w);
  void runWave(Wave &w, uint64_t budget);
  /// Lets waves through a barrier that all live ones have reached.
  bool releaseBarrier();
  void reportFailure(const Wave &w);
  void reportDeadlock();
  void reportEndless(const Wave &w);
  void reportEndedBeforeBarrier(const Wave &ended, const Wave &waiting);

  std::vector<std::unique_ptr<Wave>> waves;
  std::vector<uint8_t> ldsStorage, scratchStorage;
  MfmaCache mfmaCache;
  std::unique_ptr<MemorySystem> memory;
  /// In front of memory if there is an observer, else null.
  std::unique_ptr<MemorySystem> observed;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_WORKGROUP_H
