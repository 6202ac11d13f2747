//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Scheduler.h"

#include "WaveChecker.h"

#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"

using namespace llvm;

namespace fly {
namespace emu {

/// Instructions a workgroup runs before another one gets its turn.
static constexpr uint64_t workgroupTurn = 2000000;
/// Memory that resident workgroups may take.
static constexpr uint64_t residentBytes = uint64_t(2) << 30;

/// How many workgroups the whole chip holds at a time.
static uint64_t residency(const LaunchContext &context) {
  const TargetInfo &target = context.target;
  unsigned registers = std::max(context.kernel.descriptor.vgprs, 8u);
  unsigned wavesPerSimd =
      std::min(target.maxWavesPerSimd, target.registersPerSimd / registers);
  uint64_t byRegisters = std::max<uint64_t>(
      1, uint64_t(wavesPerSimd) * target.simdsPerCu / context.wavesPerGroup);
  uint64_t byLds = context.ldsBytes ? target.ldsBytes / context.ldsBytes : ~0u;
  uint64_t perCu = std::max<uint64_t>(1, std::min(byRegisters, byLds));
  uint64_t waveBytes =
      sizeof(Wave) + uint64_t(waveLanes) * context.scratchBytes;
  uint64_t bytes = context.wavesPerGroup * waveBytes + context.ldsBytes + 4096;
  return std::max<uint64_t>(
      1, std::min(perCu * target.computeUnits, residentBytes / bytes));
}

Scheduler::Scheduler(LaunchContext &context, uint64_t numWorkgroups)
    : context(context), numWorkgroups(numWorkgroups),
      maxResident(residency(context)) {}

std::unique_ptr<Workgroup> Scheduler::take() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    if (context.control.isStopped() ||
        (nextWorkgroup == numWorkgroups && resident == 0))
      return nullptr;
    bool canStart = nextWorkgroup != numWorkgroups && resident < maxResident;
    if (canStart && (waiting.empty() || preferNew)) {
      preferNew = false;
      ++resident;
      uint64_t linear = nextWorkgroup++, began = busyTurns;
      std::unique_ptr<Workgroup> group;
      if (!unused.empty()) {
        group = std::move(unused.back());
        unused.pop_back();
      }
      lock.unlock();
      if (!group)
        group = std::make_unique<Workgroup>(context);
      group->start(linear);
      group->turnBegan = began;
      return group;
    }
    if (!waiting.empty()) {
      preferNew = true;
      std::unique_ptr<Workgroup> group = std::move(waiting.front());
      waiting.pop_front();
      group->turnBegan = busyTurns;
      return group;
    }
    changed.wait(lock);
  }
}

void Scheduler::giveBack(std::unique_ptr<Workgroup> group, RunResult result) {
  std::lock_guard<std::mutex> lock(mutex);
  if (result == RunResult::OutOfTime && !context.control.isStopped()) {
    noteTurn(*group);
    waiting.push_back(std::move(group));
  } else {
    --resident;
    ++busyTurns;
    quietGroups = 0;
    if (result == RunResult::Done)
      context.control.workgroupEnded();
    unused.push_back(std::move(group));
  }
  changed.notify_all();
}

/// A workgroup that polled memory in a quiet turn goes on polling until
/// somebody writes, and only a workgroup whose turn is not quiet does. So when
/// every resident workgroup has had a quiet turn that began after the last
/// other one ended, and no new one can start, all of them poll for ever.
void Scheduler::noteTurn(Workgroup &group) {
  if (!group.isQuiet()) {
    ++busyTurns;
    quietGroups = 0;
    return;
  }
  if (group.turnBegan != busyTurns || group.quietSince == int64_t(busyTurns))
    return;
  group.quietSince = int64_t(busyTurns);
  ++quietGroups;
  bool canStart = nextWorkgroup != numWorkgroups && resident < maxResident;
  if (quietGroups != resident || canStart || context.options.memoryIsShared)
    return;
  group.reportDeadlock();
  for (const auto &other : waiting)
    other->reportDeadlock();
  context.control.stopHung();
}

void Scheduler::work() {
  while (std::unique_ptr<Workgroup> group = take()) {
    RunResult result = group->run(workgroupTurn);
    // Before the turn is over: what it wrote counts as written in it.
    if (result == RunResult::OutOfTime && context.options.check)
      for (const auto &wave : group->allWaves())
        wave->checked->performStores();
    giveBack(std::move(group), result);
  }
}

void Scheduler::run(unsigned threads) {
  threads = unsigned(std::min<uint64_t>(threads, numWorkgroups));
  if (threads <= 1) {
    work();
  } else {
    DefaultThreadPool pool(hardware_concurrency(threads));
    for (unsigned i = 0; i != threads; ++i)
      pool.async([this] { work(); });
    pool.wait();
  }
}

} // namespace emu
} // namespace fly
