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
#include <optional>
#include <vector>

namespace fly {
namespace emu {

class WaveChecker;

/// A loop that a wave repeats for ever: after one pass its registers are as
/// they were before. Memory that it reads may still change that.
struct EndlessLoop {
  uint32_t first = 0, last = 0; ///< lowest and highest instruction of it
  uint64_t length = 0;          ///< instructions of one pass
  bool readsMemory = false;
};

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

  /// After run() was OutOfTime: nothing was written in that time, and every
  /// wave that runs polls memory in an EndlessLoop, so that only writes of
  /// other workgroups can change something.
  bool isQuiet() const { return quiet; }
  void reportDeadlock();

  const LaunchContext &context;
  /// For the scheduler: how many turns had not been quiet when this workgroup's
  /// turn began, and when its last quiet one did (-1: there was none).
  uint64_t turnBegan = 0;
  int64_t quietSince = -1;
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
  /// Traces and counts the instruction that \p w is about to execute.
  void watch(const Wave &w);
  template <bool check>
  void interpret(Wave &w, llvm::ArrayRef<ExecInst> code, uint64_t budget);
  /// Lets waves through a barrier that all live ones have reached.
  bool releaseBarrier();
  /// One pass of a loop, if \p w is in one that it repeats for ever; executes
  /// some thousand instructions to find out.
  std::optional<EndlessLoop> findLoop(Wave &w, bool mayWrite = false);
  /// Whether all waves that run come back to the state that they are in, unless
  /// others write: more turns are of no use to them now. Waves run on for some
  /// thousand instructions.
  bool allPoll();
  /// At the end of a turn: looks at waves that write nothing, sets \c quiet,
  /// and reports a loop that no memory can end (true).
  bool findEndlessLoops();
  void reportFailure(const Wave &w);
  void reportTooLong(const Wave &w);
  void reportLoop(const Wave &w, const EndlessLoop &loop);
  void reportEndedBeforeBarrier(const Wave &ended, const Wave &waiting);

  std::vector<std::unique_ptr<Wave>> waves;
  std::vector<uint8_t> ldsStorage, scratchStorage;
  /// Executions of each instruction since the turn began, if they are counted.
  std::vector<uint64_t> counts;
  MfmaCache mfmaCache;
  bool quiet = false;
  bool polled = false; ///< all waves did so when the last turn ended
  /// Of each wave: its writes when the turn began, and the loop it polls in.
  std::vector<uint64_t> writesBefore;
  std::vector<std::optional<EndlessLoop>> loops;
  std::unique_ptr<MemorySystem> memory;
  /// In front of memory if there is an observer, else null.
  std::unique_ptr<MemorySystem> observed;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_WORKGROUP_H
