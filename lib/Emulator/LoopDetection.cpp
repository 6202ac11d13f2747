//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Finds waves that repeat a loop for ever. A wave is a function of its state
/// and of the memory that it reads: one that comes back to an instruction with
/// the same state, without a write, stays in that loop until the memory
/// changes.

#include "Workgroup.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace fly {
namespace emu {

/// The longest loop that is looked for, in instructions.
static constexpr unsigned maxLoop = 20000;

static bool sameState(const Wave &a, const Wave &b) {
  return a.nextPc == b.nextPc && a.scc == b.scc && a.vskip == b.vskip &&
         a.gprIndexMode == b.gprIndexMode && a.mode == b.mode &&
         a.trapStatus == b.trapStatus &&
         std::memcmp(a.scalars, b.scalars, sizeof(a.scalars)) == 0 &&
         std::memcmp(a.regs, b.regs, sizeof(a.regs)) == 0;
}

std::optional<EndlessLoop> Workgroup::findLoop(Wave &w, bool mayWrite) {
  auto before = std::make_unique<Wave>(w);
  EndlessLoop loop;
  loop.first = loop.last = w.nextPc;
  for (unsigned i = 0; i != maxLoop; ++i) {
    runWave(w, 1);
    const Instruction &inst = *context.program.code()[w.pc].inst;
    loop.first = std::min(loop.first, w.pc);
    loop.last = std::max(loop.last, w.pc);
    loop.readsMemory |= inst.mayLoad;
    if (w.status != WaveStatus::Running ||
        (!mayWrite && w.writes != before->writes))
      return std::nullopt;
    if (!sameState(w, *before))
      continue;
    loop.length = w.executed - before->executed;
    return loop;
  }
  return std::nullopt;
}

bool Workgroup::allPoll() {
  bool polls = false;
  for (const auto &wave : waves) {
    if (wave->status != WaveStatus::Running)
      continue;
    // An atomic that takes a lock fails again and again, and counts as a write.
    if (!findLoop(*wave, /*mayWrite=*/true))
      return false;
    polls = true;
  }
  return polls;
}

bool Workgroup::findEndlessLoops() {
  bool polls = false, goesOn = false;
  for (auto [i, wave] : enumerate(waves)) {
    Wave &w = *wave;
    loops[i] = std::nullopt;
    bool wasRunning = w.status == WaveStatus::Running;
    if (w.writes != writesBefore[i])
      goesOn = true;
    else if (wasRunning)
      loops[i] = findLoop(w);
    goesOn |= wasRunning && !loops[i];
    polls |= loops[i].has_value();
    if (loops[i] && !loops[i]->readsMemory) {
      reportLoop(w, *loops[i]);
      return true;
    }
  }
  quiet = polls && !goesOn;
  return false;
}

} // namespace emu
} // namespace fly
