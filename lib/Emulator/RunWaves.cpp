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

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {
namespace emu {

/// Instructions a wave runs before another one of its workgroup gets a turn.
static constexpr uint64_t waveTurn = 20000;
/// The same, of a workgroup that only polled memory when its last turn ended.
static constexpr uint64_t pollingTurn = 1000;

void Workgroup::watch(const Wave &w) {
  if (w.traced)
    traceInstruction(w, w.pc);
  if (!counts.empty())
    ++counts[w.pc];
}

template <bool check>
void Workgroup::interpret(Wave &w, ArrayRef<ExecInst> code, uint64_t budget) {
  while (w.status == WaveStatus::Running && budget-- != 0) {
    if (LLVM_UNLIKELY(w.nextPc >= code.size()))
      return w.fail("execution ran past the end of the code");
    const ExecInst &inst = code[w.nextPc];
    w.pc = w.nextPc++;
    ++w.executed;
    if (LLVM_UNLIKELY(w.watched))
      watch(w);
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
  uint64_t counted = executed(), limit = counted + budget;
  auto count = [&] {
    uint64_t now = executed();
    context.control.executed(now - counted);
    counted = now;
  };
  auto countRest = scope_exit([&] {
    count();
    context.control.addCounts(counts);
  });
  // Workgroups that wait for others let them have their turn.
  uint64_t turn = polled ? pollingTurn : waveTurn;
  uint64_t interval = turn, nextLook = counted + interval;
  quiet = polled = false;
  writesBefore.clear();
  for (const auto &wave : waves)
    writesBefore.push_back(wave->writes);
  while (!context.control.isStopped()) {
    bool anyRunning = false, allEnded = true;
    for (const auto &wave : waves) {
      Wave &w = *wave;
      if (w.status == WaveStatus::Running)
        runWave(w, turn);
      if (w.status == WaveStatus::Failed) {
        reportFailure(w);
        return RunResult::Stuck;
      }
      if (w.executed >= context.options.maxInstructionsPerWave) {
        reportTooLong(w);
        return RunResult::Stuck;
      }
      anyRunning |= w.status == WaveStatus::Running;
      allEnded &= w.status == WaveStatus::Ended;
    }
    turn = waveTurn;
    if (anyRunning && executed() >= nextLook) {
      polled = allPoll();
      nextLook = executed() + (interval *= 2);
    }
    bool isOver = polled || executed() >= limit;
    bool isEndless = isOver && findEndlessLoops();
    count();
    if (isEndless)
      return RunResult::Stuck;
    if (allEnded)
      return RunResult::Done;
    if (!anyRunning && !releaseBarrier()) {
      reportDeadlock();
      context.control.stopHung();
      return RunResult::Stuck;
    }
    if (isOver)
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
  context.control.fail(formatv("{0} at {1}: {2}", where(*this, w),
                               context.program.describe(w.pc), w.failure));
}

static bool hasTrapped(const Wave &w, const Program &program) {
  return w.status == WaveStatus::Halted &&
         program.code()[w.pc].inst->key == "s_trap";
}

static std::string stateOf(const Wave &w, const Program &program,
                           const std::optional<EndlessLoop> &loop) {
  std::string place = program.describe(w.pc);
  switch (w.status) {
  case WaveStatus::Ended:
    return "has ended at " + place;
  case WaveStatus::Halted:
    return (hasTrapped(w, program) ? "has trapped at " : "is halted at ") +
           place;
  case WaveStatus::AtBarrier:
    return formatv("waits at {0}, its barrier number {1}", place, w.barriers);
  case WaveStatus::Running:
  case WaveStatus::Failed:
    break;
  }
  if (!loop)
    return "is at " + place;
  return formatv("polls memory in the loop from {0} to {1}",
                 program.describe(loop->first), program.describe(loop->last));
}

void Workgroup::reportDeadlock() {
  uint32_t first = waves.front()->pc, last = waves.back()->pc;
  bool isTrap = any_of(waves, [&](const std::unique_ptr<Wave> &w) {
    return hasTrapped(*w, context.program);
  });
  StringRef kind = isTrap ? "trap" : "deadlock";
  context.reports.add(Report::Severity::Error, kind, first, last, [&] {
    std::string text =
        formatv("workgroup ({0},{1},{2}) {3}", id[0], id[1], id[2],
                isTrap ? "has given up (an assertion, abort() or "
                         "__builtin_trap())"
                       : "makes no progress");
    if (quiet)
      text += ", nor does any other that can run: nobody writes what is polled";
    for (auto [i, w] : enumerate(waves))
      text +=
          formatv("; wave {0} {1}", i, stateOf(*w, context.program, loops[i]));
    return text;
  });
}

void Workgroup::reportTooLong(const Wave &w) {
  context.reports.add(Report::Severity::Error, "endless-loop", w.pc, w.pc, [&] {
    return formatv("{0} has executed {1} instructions, which is the limit "
                   "(--max-instructions), and has not ended; it is at {2}",
                   where(*this, w), w.executed, context.program.describe(w.pc))
        .str();
  });
  context.control.stopHung();
}

void Workgroup::reportLoop(const Wave &w, const EndlessLoop &loop) {
  context.reports.add(
      Report::Severity::Error, "endless-loop", loop.first, loop.last, [&] {
        return formatv("{0} repeats the {1} instructions from {2} to {3} for "
                       "ever: after each pass its registers are the same, and "
                       "it reads no memory. It has executed {4} instructions",
                       where(*this, w), loop.length,
                       context.program.describe(loop.first),
                       context.program.describe(loop.last), w.executed)
            .str();
      });
  context.control.stopHung();
}

void Workgroup::reportEndedBeforeBarrier(const Wave &ended,
                                         const Wave &waiting) {
  context.reports.add(
      Report::Severity::Error, "barrier-after-end", ended.pc, waiting.pc, [&] {
        return formatv("{0}: {1} waits here for the barrier number {2} of its "
                       "workgroup, but wave {3} has ended at {4} after {5}; an "
                       "ended wave counts as arrived",
                       context.program.describe(waiting.pc),
                       where(*this, waiting), waiting.barriers,
                       ended.waveInGroup, context.program.describe(ended.pc),
                       ended.barriers)
            .str();
      });
}

} // namespace emu
} // namespace fly
