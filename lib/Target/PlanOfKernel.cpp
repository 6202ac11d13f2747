//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelFacts.h"

#include "fly/Dialect/Fly/IR/PhaseRuns.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;

namespace fly {

static std::optional<PlanEvent> eventOf(mlir::Operation *op) {
  using Result = std::optional<PlanEvent>;
  auto counted = [&](PlanEventKind kind) {
    return PlanEvent::counted(kind, unsigned(instructionsOf(op)));
  };
  return TypeSwitch<mlir::Operation *, Result>(op)
      .Case([&](CopyOp) { return counted(PlanEventKind::DirectCopy); })
      .Case([&](LoadOp) { return counted(PlanEventKind::RegisterLoad); })
      .Case([&](WriteOp) { return counted(PlanEventKind::LdsWrite); })
      .Case([&](ReadOp) { return counted(PlanEventKind::FragmentRead); })
      .Case([&](LoadScalesOp) { return counted(PlanEventKind::RegisterLoad); })
      .Case([&](MmaOp) { return counted(PlanEventKind::Mfma); })
      .Case([](WaitOp wait) {
        return PlanEvent::wait(wait.getVmcnt(), wait.getLgkmcnt());
      })
      .Case([](BarrierOp barrier) {
        return PlanEvent::barrier(/*ofGroup=*/barrier.getGroup().has_value());
      })
      .Default([](mlir::Operation *) { return std::nullopt; });
}

// Each dealt instruction closes a group.
static void addInterleaved(const Steps &run, std::vector<PlanEvent> &events) {
  Interleaving steps(run);
  std::vector<PlanEventKind> carriers, dealt;
  auto append = [](ArrayRef<mlir::Operation *> from,
                   std::vector<PlanEventKind> &to) {
    for (mlir::Operation *step : from)
      to.insert(to.end(), instructionsOf(step), eventOf(step)->kind);
  };
  append(steps.carriers, carriers);
  append(steps.dealt, dealt);
  size_t done = 0;
  auto addCarriers = [&](size_t end) {
    if (end > done)
      events.push_back(PlanEvent::counted(carriers[0], unsigned(end - done)));
    done = end;
  };
  for (auto [i, kind] : enumerate(dealt)) {
    addCarriers(Interleaving::carriersBefore(i, carriers.size(), dealt.size()));
    events.push_back(PlanEvent::counted(kind, 1));
    events.push_back(PlanEvent::boundary());
  }
  addCarriers(carriers.size());
}

static void addPhase(PhaseOp phase, std::vector<PlanEvent> &events) {
  for (const Steps &run : runsOf(phase)) {
    if (phase.getInterleave() && run.size() > 1) {
      addInterleaved(run, events);
      continue;
    }
    for (mlir::Operation *step : run) {
      events.push_back(*eventOf(step));
      if (!events.back().isSync())
        events.push_back(PlanEvent::boundary());
    }
  }
}

static std::vector<PlanEvent> eventsIn(mlir::Operation *part) {
  std::vector<PlanEvent> events;
  for (mlir::Operation &op : part->getRegion(0).front())
    if (auto phase = dyn_cast<PhaseOp>(op))
      addPhase(phase, events);
    else if (std::optional<PlanEvent> event = eventOf(&op))
      events.push_back(*event);
  return events;
}

SchedulePlan planOf(KernelOp kernel) {
  SchedulePlan plan;
  for (mlir::Operation &op : kernel.getEntryBlock()) {
    if (isa<PrologueOp>(op))
      plan.prologue = eventsIn(&op);
    else if (auto loop = dyn_cast<LoopOp>(op)) {
      plan.loop = eventsIn(&op);
      plan.loopMayNotRun = loop.getPeeled();
    } else if (isa<DrainOp>(op))
      plan.drain = eventsIn(&op);
  }
  return plan;
}

} // namespace fly
