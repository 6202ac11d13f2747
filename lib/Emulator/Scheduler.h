//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Runs the workgroups of a launch over the threads. Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_SCHEDULER_H
#define FLY_LIB_EMULATOR_SCHEDULER_H

#include "Workgroup.h"

#include <condition_variable>
#include <deque>
#include <mutex>

namespace fly {
namespace emu {

/// Workgroups start in order. One that does not end within its share of
/// instructions goes to the end of the line and others get their turn, new ones
/// as long as the chip could hold more, so that resident workgroups may wait
/// for each other.
class Scheduler {
public:
  Scheduler(LaunchContext &context, uint64_t numWorkgroups);

  /// Runs all; returns when all have ended or the launch was stopped.
  void run(unsigned threads);

private:
  void work();
  /// The next workgroup to run, or null when there is nothing left to do.
  std::unique_ptr<Workgroup> take();
  void giveBack(std::unique_ptr<Workgroup> group, RunResult result);
  /// Sees deadlocks between workgroups.
  void noteTurn(Workgroup &group);

  LaunchContext &context;
  uint64_t numWorkgroups;
  uint64_t maxResident;

  std::mutex mutex;
  std::condition_variable changed;
  uint64_t nextWorkgroup = 0;
  uint64_t resident = 0; ///< started and not ended
  bool preferNew = true;
  std::deque<std::unique_ptr<Workgroup>> waiting;
  std::vector<std::unique_ptr<Workgroup>> unused;
  /// Turns that were not quiet (Workgroup::isQuiet), and resident workgroups
  /// that have had a quiet one since the last of them.
  uint64_t busyTurns = 0, quietGroups = 0;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_SCHEDULER_H
