//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// How far a launch is, and whether it goes on; shared by the threads that run
/// it. Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_LAUNCHCONTROL_H
#define FLY_LIB_EMULATOR_LAUNCHCONTROL_H

#include "fly/Emulator/Emulator.h"

#include <atomic>
#include <chrono>
#include <mutex>

namespace fly {
namespace emu {

class LaunchControl {
public:
  LaunchControl(const EmulatorOptions &options, uint64_t numWorkgroups);

  /// Called every few thousand instructions with how many there were: shows the
  /// progress, and stops a launch that is cancelled.
  void executed(uint64_t instructions);
  void workgroupEnded() { ++ended; }
  /// Adds up how often each instruction was executed, and sets \p counts to 0.
  void addCounts(llvm::MutableArrayRef<uint64_t> counts);
  llvm::ArrayRef<uint64_t> executions() const { return counts; }

  bool isStopped() const { return stopped.load(std::memory_order_relaxed); }
  /// Stops with a deadlock or endless loop, which is in the reports.
  void stopHung() { hung = stopped = true; }
  /// Stops with an error of the whole launch; the first one counts.
  void fail(std::string message);

  /// After all threads have ended: moves \p result on, with its counts, or
  /// gives the error that the launch ends in.
  llvm::Expected<LaunchResult> finish(LaunchResult result);

private:
  LaunchProgress progress() const;

  const EmulatorOptions &options;
  const uint64_t numWorkgroups;
  const std::chrono::steady_clock::time_point start;
  std::atomic<uint64_t> instructions{0}, ended{0};
  std::atomic<bool> stopped{false}, hung{false};
  std::mutex mutex; ///< of what follows
  std::chrono::steady_clock::time_point lastShown;
  std::string failure;
  std::vector<uint64_t> counts;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_LAUNCHCONTROL_H
