//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The interpreter loop, and how the waves of a workgroup take turns.

#include "Workgroup.h"

#include "GprIndex.h"
#include "Trace.h"
#include "WaveChecker.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {
namespace emu {

/// Instructions a wave runs before another one of its workgroup gets a turn.
static constexpr uint64_t waveTurn = 20000;

template <bool check>
static void interpret(Wave &w, ArrayRef<ExecInst> code, uint64_t budget) {
  while (w.status == WaveStatus::Running && budget-- != 0) {
    if (LLVM_UNLIKELY(w.nextPc >= code.size()))
      return w.fail("execution ran past the end of the code");
    const ExecInst &inst = code[w.nextPc];
    w.pc = w.nextPc++;
    ++w.executed;
    if (LLVM_UNLIKELY(w.traced))
      traceInstruction(w, w.pc);
    if (LLVM_UNLIKELY(w.vskip && inst.skippedByVskip))
      continue;
    if (LLVM_UNLIKELY(w.gprIndexMode && inst.unit == Unit::Valu)) {
      executeIndexed(w, inst);
      continue;
    }
    if (check)
      w.checked->before(w, inst);
    inst.handler(w, inst);
    if (check)
      w.checked->after(w, inst);
  }
}

void Workgroup::runWave(Wave &w, uint64_t budget) {
  if (context.options.check)
    interpret<true>(w, context.program.code(), budget);
  else
    interpret<false>(w, context.program.code(), budget);
}

RunResult Workgroup::run(uint64_t budget) {
  uint64_t limit = executed() + budget;
  while (!context.stop.load(std::memory_order_relaxed)) {
    bool anyRunning = false, allEnded = true;
    for (const auto &wave : waves) {
      Wave &w = *wave;
      if (w.status == WaveStatus::Running)
        runWave(w, waveTurn);
      if (w.status == WaveStatus::Failed) {
        reportFailure(w);
        return RunResult::Stuck;
      }
      if (w.executed >= context.options.maxInstructionsPerWave) {
        reportEndless(w);
        return RunResult::Stuck;
      }
      anyRunning |= w.status == WaveStatus::Running;
      allEnded &= w.status == WaveStatus::Ended;
    }
    if (allEnded)
      return RunResult::Done;
    if (!anyRunning && !releaseBarrier()) {
      reportDeadlock();
      return RunResult::Stuck;
    }
    if (executed() >= limit)
      return RunResult::OutOfTime;
  }
  return RunResult::OutOfTime;
}

bool Workgroup::releaseBarrier() {
  const Wave *ended = nullptr, *waiting = nullptr;
  for (const auto &wave : waves) {
    if (wave->status == WaveStatus::Halted)
      return false;
    (wave->status == WaveStatus::Ended ? ended : waiting) = wave.get();
  }
  if (!waiting)
    return false;
  if (ended && context.options.check)
    reportEndedBeforeBarrier(*ended, *waiting);
  ++barriers;
  for (const auto &wave : waves) {
    if (wave->status != WaveStatus::AtBarrier)
      continue;
    wave->status = WaveStatus::Running;
  }
  if (context.options.check)
    for (const auto &wave : waves)
      wave->checked->passBarrier();
  return true;
}

static std::string where(const Workgroup &group, const Wave &w) {
  return formatv("workgroup ({0},{1},{2}) wave {3}", group.id[0], group.id[1],
                 group.id[2], w.waveInGroup);
}

void Workgroup::reportFailure(const Wave &w) {
  auto &shared = const_cast<LaunchContext &>(context);
  std::lock_guard<std::mutex> lock(shared.failureMutex);
  if (shared.failure.empty())
    shared.failure = formatv("{0} at {1}: {2}", where(*this, w),
                             context.program.describe(w.pc), w.failure);
  shared.stop = true;
}

void Workgroup::reportDeadlock() {
  auto &shared = const_cast<LaunchContext &>(context);
  context.reports.add(
      Report::Severity::Error, "deadlock", waves[0]->pc, waves[0]->pc, [&] {
        std::string text = formatv("workgroup ({0},{1},{2}) makes no progress",
                                   id[0], id[1], id[2]);
        for (const auto &w : waves) {
          StringRef what = w->status == WaveStatus::Ended    ? "has ended at"
                           : w->status == WaveStatus::Halted ? "is halted at"
                                                             : "waits at";
          text += formatv("; wave {0} {1} {2}", w->waveInGroup, what,
                          context.program.describe(w->pc));
        }
        return text;
      });
  shared.hung = true;
  shared.stop = true;
}

void Workgroup::reportEndless(const Wave &w) {
  auto &shared = const_cast<LaunchContext &>(context);
  context.reports.add(Report::Severity::Error, "endless-loop", w.pc, w.pc, [&] {
    return formatv("{0} has executed {1} instructions and has not ended; "
                   "it is at {2}",
                   where(*this, w), w.executed, context.program.describe(w.pc))
        .str();
  });
  shared.hung = true;
  shared.stop = true;
}

void Workgroup::reportEndedBeforeBarrier(const Wave &ended,
                                         const Wave &waiting) {
  context.reports.add(
      Report::Severity::Lint, "barrier-after-end", ended.pc, waiting.pc, [&] {
        return formatv("{0}: {1} waits here, but wave {2} has ended at {3}; an "
                       "ended wave counts as arrived",
                       context.program.describe(waiting.pc),
                       where(*this, waiting), ended.waveInGroup,
                       context.program.describe(ended.pc))
            .str();
      });
}

} // namespace emu
} // namespace fly
